//! What the opponent attacks, as the order of moves and the histories ask for it.

use chess::{Bitboard, PieceType, Position};

/// Squares that the opponent attacks, by the least valuable attacker.
#[derive(Clone, Copy, Default)]
pub(crate) struct Threats {
    pub(crate) by_pawn: Bitboard,
    pub(crate) by_minor: Bitboard,
    pub(crate) by_rook: Bitboard,
    pub(crate) all: Bitboard,
}

impl Threats {
    /// What the side that is not to move attacks.
    pub(crate) fn new(pos: &Position) -> Self {
        use chess::attacks::{bishop_attacks, king_attacks, knight_attacks, pawns_attack, rook_attacks};
        let them = !pos.side_to_move();
        let occupied = pos.occupied();
        let mut threats =
            Self { by_pawn: pawns_attack(them, pos.pieces(them, PieceType::Pawn)), ..Self::default() };
        threats.by_minor = threats.by_pawn;
        for sq in pos.pieces(them, PieceType::Knight) {
            threats.by_minor |= knight_attacks(sq);
        }
        for sq in pos.pieces(them, PieceType::Bishop) {
            threats.by_minor |= bishop_attacks(sq, occupied);
        }
        threats.by_rook = threats.by_minor;
        for sq in pos.pieces(them, PieceType::Rook) {
            threats.by_rook |= rook_attacks(sq, occupied);
        }
        threats.all = threats.by_rook | king_attacks(pos.king(them));
        for sq in pos.pieces(them, PieceType::Queen) {
            threats.all |= bishop_attacks(sq, occupied) | rook_attacks(sq, occupied);
        }
        threats
    }

    /// The squares on which a lesser piece attacks a piece of each kind.
    #[inline]
    pub(super) fn against(&self) -> [Bitboard; 6] {
        [Bitboard::EMPTY, self.by_pawn, self.by_pawn, self.by_minor, self.by_rook, Bitboard::EMPTY]
    }
}
