//! Accessors of a position.

use super::Position;
use crate::attacks::{bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks};
use crate::{
    Bitboard, CastlingNotation, CastlingRights, Color, File, Move, Piece, PieceType, Square, Wing, zobrist,
};

impl Position {
    /// What stands on the square.
    #[inline]
    pub fn piece_on(&self, sq: Square) -> Option<Piece> {
        self.board[sq.index()]
    }

    /// What stands on each square, from A1 to H8.
    #[inline]
    pub fn board(&self) -> &[Option<Piece>; 64] {
        &self.board
    }

    /// All occupied squares.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// The men of a colour.
    #[inline]
    pub fn of_color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// The pieces of a kind, of both colours.
    #[inline]
    pub fn of_kind(&self, kind: PieceType) -> Bitboard {
        self.kinds[kind.index()]
    }

    /// The pieces of a colour and kind.
    #[inline]
    pub fn pieces(&self, color: Color, kind: PieceType) -> Bitboard {
        self.colors[color.index()] & self.kinds[kind.index()]
    }

    /// Every man with its square, from A1 to H8.
    pub fn men(&self) -> impl Iterator<Item = (Piece, Square)> + '_ {
        self.occupied().into_iter().filter_map(|sq| Some((self.piece_on(sq)?, sq)))
    }

    /// Where the king stands.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        // Every valid position has the king; `new` masks the index of a board still being filled.
        Square::new(self.pieces(color, PieceType::King).0.trailing_zeros() as usize)
    }

    /// Whose turn it is.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// Who may still castle.
    #[inline]
    pub fn castling(&self) -> &CastlingRights {
        &self.castling
    }

    /// The square on which a legal capture en passant ends, if there is one.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Plies since the last capture or pawn move.
    #[inline]
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the move, from 1, as in FEN.
    #[inline]
    pub fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// Plies since the start of the game, from the move number.
    #[inline]
    pub fn game_ply(&self) -> usize {
        2 * usize::from(self.fullmove_number.saturating_sub(1)) + self.side_to_move.index()
    }

    /// How many plies back a repetition of this position can lie.
    #[inline]
    pub fn repetition_window(&self) -> usize {
        usize::from(self.repetition_window)
    }

    /// The enemy pieces that give check.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Is the side to move in check?
    #[inline]
    pub fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// The own men that an enemy slider pins to the own king.
    #[inline]
    pub fn pinned(&self) -> Bitboard {
        self.pinned
    }

    /// The key of the whole position.
    #[inline]
    pub fn key(&self) -> u64 {
        self.keys.men[0] ^ self.keys.men[1] ^ self.keys.men[2] ^ self.keys.state
    }

    /// The key after a move, unless it castles, promotes, changes who may castle or allows a capture en passant: enough
    /// to fetch what a table has on most of the positions to come, before the move is played.
    #[inline]
    pub fn likely_key_after(&self, mv: Move) -> u64 {
        let mut key = self.key() ^ zobrist::BLACK_TO_MOVE;
        if let Some(piece) = self.piece_on(mv.from()) {
            key ^= zobrist::piece(piece, mv.from()) ^ zobrist::piece(piece, mv.to());
        }
        if let Some(victim) = self.piece_on(mv.to()) {
            key ^= zobrist::piece(victim, mv.to());
        }
        if let Some(sq) = self.en_passant {
            key ^= zobrist::en_passant(sq);
        }
        key
    }

    /// The key of the pawns.
    #[inline]
    pub fn pawn_key(&self) -> u64 {
        self.keys.men[0]
    }

    /// The key of knights, bishops and kings.
    #[inline]
    pub fn minor_key(&self) -> u64 {
        self.keys.minor
    }

    /// The key of a colour's men without its pawns.
    #[inline]
    pub fn non_pawn_key(&self, color: Color) -> u64 {
        self.keys.men[1 + color.index()]
    }

    /// Has this colour anything but king and pawns?
    #[inline]
    pub fn has_pieces(&self, color: Color) -> bool {
        (self.of_color(color) & !(self.of_kind(PieceType::Pawn) | self.of_kind(PieceType::King))).any()
    }

    /// All men of both colours that attack a square when `occupied` is what stands in the way.
    #[inline]
    pub fn attackers_to(&self, sq: Square, occupied: Bitboard) -> Bitboard {
        let queens = self.of_kind(PieceType::Queen);
        pawn_attacks(Color::Black, sq) & self.pieces(Color::White, PieceType::Pawn)
            | pawn_attacks(Color::White, sq) & self.pieces(Color::Black, PieceType::Pawn)
            | knight_attacks(sq) & self.of_kind(PieceType::Knight)
            | king_attacks(sq) & self.of_kind(PieceType::King)
            | bishop_attacks(sq, occupied) & (self.of_kind(PieceType::Bishop) | queens)
            | rook_attacks(sq, occupied) & (self.of_kind(PieceType::Rook) | queens)
    }

    /// Does `by` attack the square? Cheaper than the set of attackers.
    #[inline]
    pub fn is_attacked(&self, sq: Square, by: Color, occupied: Bitboard) -> bool {
        let them = self.of_color(by);
        let queens = self.of_kind(PieceType::Queen);
        (pawn_attacks(!by, sq) & self.of_kind(PieceType::Pawn) & them
            | knight_attacks(sq) & self.of_kind(PieceType::Knight) & them
            | king_attacks(sq) & self.of_kind(PieceType::King) & them)
            .any()
            || (bishop_attacks(sq, occupied) & (self.of_kind(PieceType::Bishop) | queens) & them).any()
            || (rook_attacks(sq, occupied) & (self.of_kind(PieceType::Rook) | queens) & them).any()
    }

    /// Can neither side ever give mate? True for bare kings, a lone minor piece, and any number of
    /// bishops that all stand on squares of one colour.
    ///
    /// ```
    /// use chess::Position;
    /// assert!(Position::from_fen("4k3/8/8/8/8/8/8/4KN2 w - -").unwrap().is_dead());
    /// assert!(!Position::from_fen("4k3/8/8/8/8/8/8/3NKN2 w - -").unwrap().is_dead());
    /// ```
    pub fn is_dead(&self) -> bool {
        let kings = self.of_kind(PieceType::King);
        let bishops = self.of_kind(PieceType::Bishop);
        let rest = self.occupied() ^ kings;
        if rest == bishops {
            return !bishops.meets(Bitboard::DARK) || !bishops.meets(!Bitboard::DARK);
        }
        rest == self.of_kind(PieceType::Knight) && !rest.many()
    }

    /// How castling is written in moves from this position: king takes rook where the client asked for Chess960, and
    /// also where the king's two squares would not tell which castling is meant.
    pub fn castling_notation(&self, chess960: bool) -> CastlingNotation {
        CastlingNotation::new(chess960 || self.needs_chess960())
    }

    /// Does a right to castle start from squares that standard chess does not know? Then only
    /// the notation of Chess960 can write the moves.
    pub fn needs_chess960(&self) -> bool {
        Color::ALL.into_iter().any(|color| {
            Wing::ALL.into_iter().any(|wing| {
                let home = if wing == Wing::King { File::H } else { File::A };
                self.castling
                    .rook(color, wing)
                    .is_some_and(|rook| rook.file() != home || self.king(color).file() != File::E)
            })
        })
    }
}
