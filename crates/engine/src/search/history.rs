//! What the search has learned about moves: tables of bonuses that decay by themselves.

use chess::{Bitboard, Color, Move, Piece, PieceType, Position, Square};
use nnue::memory::ZeroedMemory;

/// Squares and pieces: a move's piece and target in one index.
pub(crate) const PIECE_TO: usize = 12 * 64;
/// The row of a continuation table when there is no move to continue.
pub(crate) const NO_MOVE: usize = PIECE_TO;

const QUIET_LIMIT: i32 = 7200;
const CAPTURE_LIMIT: i32 = 10_700;
const CONTINUATION_LIMIT: i32 = 30_000;
const PAWN_LIMIT: i32 = 8192;
/// Plies from the root that have a history of their own.
pub(crate) const LOW_PLIES: usize = 5;
const PAWN_SLOTS: usize = 1024;

/// The index of a piece arriving at a square.
#[inline]
pub(crate) fn piece_to(piece: Piece, to: Square) -> usize {
    piece.index() * 64 + to.index()
}

/// Moves an entry towards `limit` or its negative: the nearer it is, the less a bonus moves it.
#[inline]
fn update(entry: &mut i16, bonus: i32, limit: i32) {
    let bonus = bonus.clamp(-limit, limit);
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / limit) as i16;
}

type Table = ZeroedMemory<i16>;

/// The tables of one thread.
pub(crate) struct Histories {
    /// By colour, whether the squares are attacked, from and to.
    quiet: Table,
    /// By moved piece, target and captured kind.
    capture: Table,
    /// By pawn structure, moved piece and target.
    pawn: Table,
    /// By an earlier move and this one.
    continuation: Table,
    /// By the ply, from and to: what this search found near its root.
    low_ply: Table,
}

/// The part of a table that belongs to one pawn structure or one earlier move, by piece and target.
pub(crate) type Row = [i16; PIECE_TO];

#[inline]
fn row(table: &[i16], index: usize) -> &Row {
    &table.as_chunks().0[index]
}

impl Histories {
    pub(crate) fn new() -> Self {
        Self {
            quiet: Table::indispensable(2 * 4 * 64 * 64),
            capture: Table::indispensable(PIECE_TO * 6),
            pawn: Table::indispensable(PAWN_SLOTS * PIECE_TO),
            continuation: Table::indispensable((PIECE_TO + 1) * PIECE_TO),
            low_ply: Table::indispensable(LOW_PLIES * 64 * 64),
        }
    }

    pub(crate) fn forget(&mut self) {
        self.quiet.fill(0);
        self.capture.fill(0);
        self.pawn.fill(0);
        self.continuation.fill(0);
    }

    /// What was near the root of the last search is further from the next one's.
    pub(crate) fn begin_search(&mut self) {
        self.low_ply.fill(0);
    }

    #[inline]
    fn low_ply_index(ply: usize, mv: Move) -> usize {
        (ply * 64 + mv.from().index()) * 64 + mv.to().index()
    }

    #[inline]
    fn quiet_index(color: Color, threats: Bitboard, mv: Move) -> usize {
        let attacked = usize::from(threats.has(mv.from())) * 2 + usize::from(threats.has(mv.to()));
        ((color.index() * 4 + attacked) * 64 + mv.from().index()) * 64 + mv.to().index()
    }

    #[inline]
    fn capture_index(pos: &Position, mv: Move) -> usize {
        // En passant and promotions without a capture count as taking a pawn.
        let victim = pos.piece_on(mv.to()).map_or(PieceType::Pawn, Piece::kind);
        let piece = pos.piece_on(mv.from()).map_or(0, |piece| piece_to(piece, mv.to()));
        piece * 6 + victim.index()
    }

    #[inline]
    fn pawn_slot(pos: &Position) -> usize {
        pos.pawn_key() as usize & (PAWN_SLOTS - 1)
    }

    /// The pawn history of a position.
    #[inline]
    pub(crate) fn pawn_row(&self, pos: &Position) -> &Row {
        row(&self.pawn, Self::pawn_slot(pos))
    }

    /// The continuation history of an earlier move.
    #[inline]
    pub(crate) fn continuation_row(&self, earlier: usize) -> &Row {
        row(&self.continuation, earlier)
    }

    #[inline]
    pub(crate) fn low_ply(&self, ply: usize, mv: Move) -> i32 {
        i32::from(self.low_ply[Self::low_ply_index(ply, mv)])
    }

    #[inline]
    pub(crate) fn update_low_ply(&mut self, ply: usize, mv: Move, bonus: i32) {
        update(&mut self.low_ply[Self::low_ply_index(ply, mv)], bonus, QUIET_LIMIT);
    }

    #[inline]
    pub(crate) fn quiet(&self, color: Color, threats: Bitboard, mv: Move) -> i32 {
        i32::from(self.quiet[Self::quiet_index(color, threats, mv)])
    }

    #[inline]
    pub(crate) fn capture(&self, pos: &Position, mv: Move) -> i32 {
        i32::from(self.capture[Self::capture_index(pos, mv)])
    }

    #[inline]
    pub(crate) fn pawn(&self, pos: &Position, piece_to: usize) -> i32 {
        i32::from(self.pawn_row(pos)[piece_to])
    }

    #[inline]
    pub(crate) fn continuation(&self, earlier: usize, piece_to: usize) -> i32 {
        i32::from(self.continuation_row(earlier)[piece_to])
    }

    #[inline]
    pub(crate) fn update_quiet(&mut self, color: Color, threats: Bitboard, mv: Move, bonus: i32) {
        update(&mut self.quiet[Self::quiet_index(color, threats, mv)], bonus, QUIET_LIMIT);
    }

    #[inline]
    pub(crate) fn update_capture(&mut self, pos: &Position, mv: Move, bonus: i32) {
        update(&mut self.capture[Self::capture_index(pos, mv)], bonus, CAPTURE_LIMIT);
    }

    /// The same by the arriving piece and what it took.
    #[inline]
    pub(crate) fn update_captured(&mut self, piece_to: usize, victim: PieceType, bonus: i32) {
        update(&mut self.capture[piece_to * 6 + victim.index()], bonus, CAPTURE_LIMIT);
    }

    #[inline]
    pub(crate) fn update_pawn(&mut self, pos: &Position, piece_to: usize, bonus: i32) {
        update(&mut self.pawn[Self::pawn_slot(pos) * PIECE_TO + piece_to], bonus, PAWN_LIMIT);
    }

    #[inline]
    pub(crate) fn update_continuation(&mut self, earlier: usize, piece_to: usize, bonus: i32) {
        update(&mut self.continuation[earlier * PIECE_TO + piece_to], bonus, CONTINUATION_LIMIT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_never_leave_their_limits() {
        let mut entry = 0;
        for _ in 0..1000 {
            update(&mut entry, 5000, QUIET_LIMIT);
        }
        assert!(i32::from(entry) <= QUIET_LIMIT && i32::from(entry) > QUIET_LIMIT / 2);
        for _ in 0..1000 {
            update(&mut entry, -100_000, QUIET_LIMIT);
        }
        assert_eq!(i32::from(entry), -QUIET_LIMIT);
    }
}
