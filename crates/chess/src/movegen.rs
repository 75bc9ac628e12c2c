//! Legal move generation. Moves are generated in sets, one piece or one shift of all pawns at a time; a
//! sink turns a set into a list of moves, or only counts it.

use crate::attacks::{
    between, bishop_attacks, king_attacks, knight_attacks, line, pawn_attacks, rook_attacks,
};
use crate::{Bitboard, Color, Move, MoveKind, MoveList, PieceType, Position, Rank, Square, Wing};

/// Which legal moves are wanted. In check each of them means the evasions of that sort.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Generate {
    /// Every legal move.
    All,
    /// Captures and promotions.
    Noisy,
    /// Everything else.
    Quiet,
}

/// Takes the moves as they are made.
trait Sink {
    /// A piece goes from one square to each of these.
    fn piece(&mut self, from: Square, targets: Bitboard);
    /// Pawns arrive at these squares, each from the square `back` away.
    fn pawns(&mut self, targets: Bitboard, back: i8, kind: MoveKind);
    /// The same on the last rank.
    fn promotions(&mut self, targets: Bitboard, back: i8, captures: bool);
    /// One move of a special kind.
    fn single(&mut self, from: Square, to: Square, kind: MoveKind);
}

/// Writes the moves down, one by one.
struct Each<'a> {
    list: &'a mut MoveList,
    enemies: Bitboard,
    /// Which moves there are at all.
    wanted: Generate,
}

#[inline]
fn origin(to: Square, back: i8) -> Square {
    Square::new(to.index().wrapping_add_signed(isize::from(back)))
}

impl Sink for Each<'_> {
    #[inline(always)]
    fn piece(&mut self, from: Square, targets: Bitboard) {
        if self.wanted != Generate::Quiet {
            for to in targets & self.enemies {
                self.list.push(Move::new(from, to, MoveKind::Capture));
            }
        }
        if self.wanted != Generate::Noisy {
            for to in targets & !self.enemies {
                self.list.push(Move::new(from, to, MoveKind::Quiet));
            }
        }
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, back: i8, kind: MoveKind) {
        for to in targets {
            self.list.push(Move::new(origin(to, back), to, kind));
        }
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, back: i8, captures: bool) {
        for to in targets {
            for piece in PieceType::PROMOTIONS {
                if let Some(kind) = MoveKind::promotion(piece, captures) {
                    self.list.push(Move::new(origin(to, back), to, kind));
                }
            }
        }
    }

    #[inline]
    fn single(&mut self, from: Square, to: Square, kind: MoveKind) {
        self.list.push(Move::new(from, to, kind));
    }
}

struct Count(usize);

impl Sink for Count {
    #[inline]
    fn piece(&mut self, _: Square, targets: Bitboard) {
        self.0 += targets.count();
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, _: i8, _: MoveKind) {
        self.0 += targets.count();
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, _: i8, _: bool) {
        self.0 += 4 * targets.count();
    }

    #[inline]
    fn single(&mut self, _: Square, _: Square, _: MoveKind) {
        self.0 += 1;
    }
}

impl Position {
    /// All legal moves.
    ///
    /// ```
    /// let pos = chess::Position::startpos();
    /// for &mv in &pos.legal_moves() {
    ///     assert!(pos.is_legal(mv) && pos.after(mv).side_to_move() != pos.side_to_move());
    /// }
    /// ```
    #[inline]
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate(Generate::All, &mut list);
        list
    }

    /// Adds the wanted legal moves to the list.
    ///
    /// ```
    /// use chess::{Generate, MoveList, Position};
    /// let pos = Position::from_fen("4k3/P7/8/3p4/4P3/8/8/4K3 w - - 0 1").unwrap();
    /// let mut list = MoveList::new();
    /// pos.generate(Generate::Noisy, &mut list);
    /// assert_eq!(list.len(), 5, "four promotions and a capture");
    /// pos.generate(Generate::Quiet, &mut list);
    /// assert_eq!(list.len(), pos.count_legal_moves());
    /// ```
    #[inline]
    pub fn generate(&self, wanted: Generate, list: &mut MoveList) {
        // One body for each, wherever it is called from: the code is large.
        match wanted {
            Generate::All => self.generate_all(list),
            Generate::Noisy => self.generate_noisy(list),
            Generate::Quiet => self.generate_quiet(list),
        }
    }

    #[inline(never)]
    fn generate_all(&self, list: &mut MoveList) {
        self.list(Generate::All, list);
    }

    #[inline(never)]
    fn generate_noisy(&self, list: &mut MoveList) {
        self.list(Generate::Noisy, list);
    }

    #[inline(never)]
    fn generate_quiet(&self, list: &mut MoveList) {
        self.list(Generate::Quiet, list);
    }

    #[inline(always)]
    fn list(&self, wanted: Generate, list: &mut MoveList) {
        let enemies = self.of_color(!self.side_to_move());
        self.generate_into(wanted, &mut Each { list, enemies, wanted });
    }

    /// How many legal moves there are, without making a list.
    #[inline]
    pub fn count_legal_moves(&self) -> usize {
        let mut count = Count(0);
        self.generate_into(Generate::All, &mut count);
        count.0
    }

    /// Is there any legal move?
    pub fn has_legal_move(&self) -> bool {
        self.count_legal_moves() > 0
    }

    #[inline]
    fn generate_into<S: Sink>(&self, wanted: Generate, sink: &mut S) {
        // The colour as a constant lets the compiler make each direction a fixed shift.
        match self.side_to_move() {
            Color::White => self.generate_for(Color::White, wanted, sink),
            Color::Black => self.generate_for(Color::Black, wanted, sink),
        }
    }

    #[inline(always)]
    fn generate_for<S: Sink>(&self, us: Color, wanted: Generate, sink: &mut S) {
        let wished = match wanted {
            Generate::All => !self.of_color(us),
            Generate::Noisy => self.of_color(!us),
            Generate::Quiet => !self.occupied(),
        };
        self.king_moves(us, wished, sink);

        let checkers = self.checkers();
        if checkers.many() {
            return;
        }
        let king = self.king(us);
        // In check every other piece must take the checker or step between.
        let answers = match checkers.first() {
            None => {
                if wanted != Generate::Noisy {
                    self.castling_moves(us, sink);
                }
                Bitboard::FULL
            }
            Some(checker) => between(king, checker) | checker,
        };
        self.piece_moves(us, wished & answers, sink);

        let pawns = self.pieces(us, PieceType::Pawn);
        self.pawn_moves(us, pawns & !self.pinned(), answers, wanted, sink);
        if checkers.is_empty() {
            for pawn in pawns & self.pinned() {
                self.pawn_moves(us, Bitboard::of(pawn), line(king, pawn), wanted, sink);
            }
        }
        if wanted != Generate::Quiet
            && let Some(to) = self.en_passant()
        {
            for from in pawn_attacks(!us, to) & pawns {
                if self.en_passant_is_safe(from, to) {
                    sink.single(from, to, MoveKind::EnPassant);
                }
            }
        }
    }

    #[inline(always)]
    fn king_moves<S: Sink>(&self, us: Color, wished: Bitboard, sink: &mut S) {
        let king = self.king(us);
        // The king itself does not block a slider's attack on the squares behind it.
        let occupied = self.occupied() ^ king;
        let mut targets = king_attacks(king) & wished;
        for sq in targets {
            if self.is_attacked(sq, !us, occupied) {
                targets ^= sq;
            }
        }
        sink.piece(king, targets);
    }

    #[inline(always)]
    fn castling_moves<S: Sink>(&self, us: Color, sink: &mut S) {
        if !self.castling().any_of(us) {
            return;
        }
        for wing in Wing::ALL {
            // Most often a man still stands between the two, and nothing else needs to be looked at.
            let king = self.king(us);
            if let Some(rook) = self.castling().rook(us, wing)
                && !between(king, rook).meets(self.occupied())
                && self.can_castle(us, wing, rook)
            {
                sink.single(king, rook, MoveKind::Castling);
            }
        }
    }

    /// Are all squares free and safe that castling needs? The king must not be in check.
    pub(crate) fn can_castle(&self, us: Color, wing: Wing, rook: Square) -> bool {
        let king = self.king(us);
        let (king_to, rook_to) = (wing.king_to(us), wing.rook_to(us));
        let others = self.occupied() ^ king ^ rook;
        let king_path = between(king, king_to) | king_to;
        let path = king_path | between(rook, rook_to) | rook_to;
        // Without the rook: in Chess960 it may be what shields the king's target on the first rank.
        !path.meets(others) && king_path.into_iter().all(|sq| !self.is_attacked(sq, !us, others))
    }

    #[inline(always)]
    fn piece_moves<S: Sink>(&self, us: Color, targets: Bitboard, sink: &mut S) {
        let own = self.of_color(us);
        let pinned = self.pinned();
        let king = self.king(us);
        let queens = self.of_kind(PieceType::Queen);
        let diagonal = (self.of_kind(PieceType::Bishop) | queens) & own;
        let straight = (self.of_kind(PieceType::Rook) | queens) & own;
        let occupied = self.occupied();

        // A pinned knight never can move; a pinned slider only along the pin.
        for from in self.pieces(us, PieceType::Knight) & !pinned {
            sink.piece(from, knight_attacks(from) & targets);
        }
        for from in diagonal & !pinned {
            sink.piece(from, bishop_attacks(from, occupied) & targets);
        }
        for from in straight & !pinned {
            sink.piece(from, rook_attacks(from, occupied) & targets);
        }
        if pinned.any() && !self.in_check() {
            for from in diagonal & pinned {
                sink.piece(from, bishop_attacks(from, occupied) & targets & line(king, from));
            }
            for from in straight & pinned {
                sink.piece(from, rook_attacks(from, occupied) & targets & line(king, from));
            }
        }
    }

    /// Pushes and captures, but for en passant, of these pawns onto `allowed` squares.
    #[inline(always)]
    fn pawn_moves<S: Sink>(
        &self,
        us: Color,
        pawns: Bitboard,
        allowed: Bitboard,
        wanted: Generate,
        sink: &mut S,
    ) {
        let empty = !self.occupied();
        let last = Bitboard::rank(us.rank(Rank::Eighth));
        let back: i8 = if us == Color::White { -8 } else { 8 };
        let pushed = pawns.ahead(us) & empty;
        if wanted != Generate::Noisy {
            let twice = (pushed & Bitboard::rank(us.rank(Rank::Third))).ahead(us) & empty;
            sink.pawns(pushed & allowed & !last, back, MoveKind::Quiet);
            sink.pawns(twice & allowed, 2 * back, MoveKind::DoublePush);
        }
        if wanted != Generate::Quiet {
            let victims = self.of_color(!us) & allowed;
            let east = pawns.ahead(us).east() & victims;
            let west = pawns.ahead(us).west() & victims;
            sink.pawns(east & !last, back - 1, MoveKind::Capture);
            sink.pawns(west & !last, back + 1, MoveKind::Capture);
            if (pawns.ahead(us) & last).any() {
                sink.promotions(pushed & allowed & last, back, false);
                sink.promotions(east & last, back - 1, true);
                sink.promotions(west & last, back + 1, true);
            }
        }
    }
}
