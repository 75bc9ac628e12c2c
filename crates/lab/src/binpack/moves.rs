//! The numbers of moves in move text.
//!
//! The moves of a man are numbered in the order of the squares that they end on, whether or not they leave the own king in
//! check; a promotion is four moves, to a knight, a bishop, a rook and a queen. A king's castlings follow its other moves, that
//! towards the A file first, and count wherever there is the right to them.

use chess::attacks::{king_attacks, pawn_attacks, piece_attacks};
use chess::{Bitboard, Color, Move, MoveKind, PieceType, Position, Rank, Square, Wing};

use super::rights::{Rights, corner, king_home};
use super::select::nth_square;

/// Castlings in the order of their numbers.
const CASTLINGS: [Wing; 2] = [Wing::Queen, Wing::King];

/// What a pawn becomes, in the order of its numbers.
pub(super) const PROMOTED: [PieceType; 4] =
    [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen];

/// The number of what a pawn becomes.
pub(super) fn promoted_number(piece: PieceType) -> usize {
    piece.index() - PieceType::Knight.index()
}

/// The moves of one man.
#[derive(Clone, Copy, Debug)]
pub(super) struct MovesOf {
    from: Square,
    kind: PieceType,
    us: Color,
    /// Where they end, castlings aside.
    targets: Bitboard,
    rights: Rights,
    /// How many there are.
    pub(super) count: usize,
}

impl MovesOf {
    /// Those of the man of the side to move that stands on this square.
    #[inline]
    pub(super) fn new(position: &Position, from: Square, kind: PieceType, rights: Rights) -> Self {
        let us = position.side_to_move();
        let targets = match kind {
            PieceType::Pawn => pawn_targets(position, us, from),
            PieceType::King => king_attacks(from) & !position.of_color(us),
            _ => piece_attacks(kind, from, position.occupied()) & !position.of_color(us),
        };
        let count = match kind {
            PieceType::Pawn if promotes(us, from) => 4 * targets.count(),
            PieceType::King => targets.count() + rights.count(us),
            _ => targets.count(),
        };
        Self { from, kind, us, targets, rights, count }
    }

    /// The move with this number, which is below the count. Only that its man can make it is certain.
    #[inline]
    pub(super) fn nth(&self, position: &Position, number: usize) -> Move {
        let promotes = self.kind == PieceType::Pawn && promotes(self.us, self.from);
        if self.kind == PieceType::King && number >= self.targets.count() {
            let first = number == self.targets.count();
            let wing = if first && self.rights.has(self.us, Wing::Queen) { Wing::Queen } else { Wing::King };
            return Move::new(king_home(self.us), corner(self.us, wing), MoveKind::Castling);
        }
        let to = nth_square(self.targets, if promotes { number / 4 } else { number });
        let captures = position.of_color(!self.us).has(to);
        let kind = if promotes {
            MoveKind::promotion(PROMOTED[number % 4], captures).unwrap_or(MoveKind::Quiet)
        } else if captures {
            MoveKind::Capture
        } else if self.kind == PieceType::Pawn {
            quiet_pawn_move(self.from, to)
        } else {
            MoveKind::Quiet
        };
        Move::new(self.from, to, kind)
    }

    /// The number of a move of this man.
    pub(super) fn number_of(&self, mv: Move) -> Option<usize> {
        if mv.is_castling() {
            let rights = CASTLINGS.into_iter().filter(|&wing| self.rights.has(self.us, wing));
            let number = rights.map(|wing| corner(self.us, wing)).position(|corner| corner == mv.to())?;
            return Some(self.targets.count() + number);
        }
        let below = (self.targets & Bitboard((1 << mv.to().index()) - 1)).count();
        let number = match mv.promotion() {
            Some(piece) => 4 * below + promoted_number(piece),
            None => below,
        };
        self.targets.has(mv.to()).then_some(number)
    }
}

fn promotes(us: Color, from: Square) -> bool {
    from.rank() == us.rank(Rank::Seventh)
}

#[inline]
fn pawn_targets(position: &Position, us: Color, from: Square) -> Bitboard {
    let empty = !position.occupied();
    let captures = match position.en_passant() {
        Some(sq) => position.of_color(!us) | sq,
        None => position.of_color(!us),
    };
    let once = Bitboard::of(from).ahead(us) & empty;
    let twice = (once & Bitboard::rank(us.rank(Rank::Third))).ahead(us) & empty;
    pawn_attacks(us, from) & captures | once | twice
}

/// A pawn that changes its file without a man on the square takes en passant.
#[inline]
fn quiet_pawn_move(from: Square, to: Square) -> MoveKind {
    match from.index().abs_diff(to.index()) {
        8 => MoveKind::Quiet,
        16 => MoveKind::DoublePush,
        _ => MoveKind::EnPassant,
    }
}
