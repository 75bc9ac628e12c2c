//! Playing a move.

use super::Position;
use crate::{Bitboard, Color, Move, Piece, PieceType, Square, Wing, zobrist};

/// Is notified of the changes on the board while a move is played, so that something like a network
/// can follow it. Men leave before others come.
///
/// ```
/// use chess::{Observer, Piece, Position, Square};
///
/// struct Printer(Vec<String>);
/// impl Observer for Printer {
///     fn take(&mut self, piece: Piece, sq: Square) {
///         self.0.push(format!("-{}{sq}", piece.letter()));
///     }
///     fn put(&mut self, piece: Piece, sq: Square) {
///         self.0.push(format!("+{}{sq}", piece.letter()));
///     }
/// }
///
/// let mut pos = Position::from_fen("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1").unwrap();
/// let mut printer = Printer(Vec::new());
/// pos.play_observed(pos.parse_san("exd5").unwrap(), &mut printer);
/// assert_eq!(printer.0, ["-pd5", "-Pe4", "+Pd5"]);
/// ```
pub trait Observer {
    /// A piece leaves its square.
    fn take(&mut self, piece: Piece, sq: Square);
    /// A piece comes to a square.
    fn put(&mut self, piece: Piece, sq: Square);
}

/// No observer; compiles to nothing.
impl Observer for () {
    #[inline]
    fn take(&mut self, _: Piece, _: Square) {}
    #[inline]
    fn put(&mut self, _: Piece, _: Square) {}
}

impl Position {
    /// Plays a legal move.
    #[inline]
    pub fn play(&mut self, mv: Move) {
        self.play_observed(mv, &mut ());
    }

    /// The position after a legal move.
    #[inline]
    #[must_use]
    pub fn after(&self, mv: Move) -> Self {
        let mut next = *self;
        next.play(mv);
        next
    }

    /// Plays a legal move and notifies the observer of the changes on the board.
    #[inline]
    pub fn play_observed<O: Observer>(&mut self, mv: Move, observer: &mut O) {
        self.play_with::<true, O>(mv, observer);
    }

    /// Plays a legal move and leaves the keys of the pieces as they were, for those who only count.
    #[inline]
    pub(crate) fn play_without_keys(&mut self, mv: Move) {
        self.play_with::<false, ()>(mv, &mut ());
    }

    #[inline]
    fn play_with<const KEYS: bool, O: Observer>(&mut self, mv: Move, observer: &mut O) {
        debug_assert!(self.is_legal(mv), "{mv:?} in {self}");
        let us = self.side_to_move;
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_on(from) else { return };

        self.close_en_passant();
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.repetition_window = self.repetition_window.saturating_add(1);
        if mv.is_capture() || piece.kind() == PieceType::Pawn {
            self.halfmove_clock = 0;
            self.repetition_window = 0;
        }
        if self.castling.watched.meets(Bitboard::of(from) | to) {
            self.revoke_castling(Bitboard::of(from) | to);
        }

        if mv.is_castling() {
            let wing = Wing::of(from, to);
            let rook = Piece::new(us, PieceType::Rook);
            self.lift::<KEYS, O>(piece, from, observer);
            self.lift::<KEYS, O>(rook, to, observer);
            self.place::<KEYS, O>(piece, wing.king_to(us), observer);
            self.place::<KEYS, O>(rook, wing.rook_to(us), observer);
        } else {
            if mv.is_capture() {
                let victim_on = if mv.is_en_passant() { to.behind(us) } else { to };
                if let Some(victim) = self.piece_on(victim_on) {
                    self.lift::<KEYS, O>(victim, victim_on, observer);
                }
            }
            self.lift::<KEYS, O>(piece, from, observer);
            self.place::<KEYS, O>(mv.promotion().map_or(piece, |kind| Piece::new(us, kind)), to, observer);
        }

        self.pass_turn();
        if mv.is_double_push() {
            self.offer_en_passant(to.behind(us));
        }
    }

    /// Passes the turn without a move, as the null move of a search does. The side to move must
    /// not be in check.
    ///
    /// ```
    /// let mut pos = chess::Position::startpos();
    /// pos.play_null();
    /// assert_eq!(pos.to_string(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 1 1");
    /// ```
    pub fn play_null(&mut self) {
        debug_assert!(!self.in_check());
        self.close_en_passant();
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        // Nothing before a null move is a repetition that the rules know.
        self.repetition_window = 0;
        self.pass_turn();
    }

    #[inline]
    fn lift<const KEYS: bool, O: Observer>(&mut self, piece: Piece, sq: Square, observer: &mut O) {
        self.take::<KEYS>(piece, sq);
        observer.take(piece, sq);
    }

    #[inline]
    fn place<const KEYS: bool, O: Observer>(&mut self, piece: Piece, sq: Square, observer: &mut O) {
        self.put_with::<KEYS>(piece, sq);
        observer.put(piece, sq);
    }

    #[inline]
    fn close_en_passant(&mut self) {
        if let Some(sq) = self.en_passant.take() {
            self.keys.state ^= zobrist::en_passant(sq);
        }
    }

    fn revoke_castling(&mut self, touched: Bitboard) {
        let before = self.castling;
        self.castling.revoke(touched, Color::ALL.map(|color| self.king(color)));
        for color in Color::ALL {
            for wing in Wing::ALL {
                if before.rook(color, wing) != self.castling.rook(color, wing) {
                    self.keys.state ^= zobrist::castling(color, wing as usize);
                }
            }
        }
        // A right lost makes the positions before unreachable.
        self.repetition_window = 0;
    }

    #[inline]
    fn pass_turn(&mut self) {
        if self.side_to_move == Color::Black {
            self.fullmove_number = self.fullmove_number.saturating_add(1);
        }
        self.side_to_move = !self.side_to_move;
        self.keys.state ^= zobrist::BLACK_TO_MOVE;
        self.refresh_checks();
    }
}
