//! Move histories: butterfly, capture, pawn and continuation history.

use crate::params;
use chess::{Bitboard, Color, Move, Piece, PieceType, Position, Square};
use nnue::memory::{self, Zeroable};

/// Squares and pieces: a move's piece and target in one index.
pub(crate) const PIECE_TO: usize = 12 * 64;
/// The row of a continuation table when there is no move to continue.
pub(crate) const NO_MOVE: usize = PIECE_TO;

const PAWN_SLOTS: usize = 1024;

/// The index of a piece arriving at a square. What one colour's pieces have lies together, since a node asks for those
/// of one colour only.
#[inline]
pub(crate) fn piece_to(piece: Piece, to: Square) -> usize {
    (piece.color().index() * 6 + piece.kind().index()) * 64 + to.index()
}

/// The piece type that a move takes. En passant and promotions without a capture count as taking a pawn.
#[inline]
pub(crate) fn captured_type(pos: &Position, mv: Move) -> PieceType {
    pos.piece_on(mv.to()).map_or(PieceType::Pawn, Piece::kind)
}

/// Moves an entry towards `limit` or its negative: the nearer it is, the less a bonus moves it.
#[inline]
pub(super) fn update(entry: &mut i16, bonus: i32, limit: i32) {
    let bonus = bonus.clamp(-limit, limit);
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / limit) as i16;
}

/// The part of a table that belongs to one pawn structure or one earlier move, by piece and target.
pub(crate) type Row = [i16; PIECE_TO];

/// From and to.
type Butterfly = [[i16; 64]; 64];

/// The tables of one thread. Their sizes are part of the type, so that few accesses have to be checked, and they lie
/// together on large pages.
pub(crate) struct Histories {
    /// By an earlier move and this one.
    continuation: [Row; PIECE_TO + 1],
    /// By pawn structure, moved piece and target.
    pawn: [Row; PAWN_SLOTS],
    /// By colour, whether the squares are attacked, from and to.
    quiet: [[Butterfly; 4]; 2],
    /// By moved piece, target and captured piece type, padded to a power of two.
    capture: [[i16; 8]; PIECE_TO],
}

#[allow(unsafe_code, reason = "the promise that zeroed numbers are valid")]
// SAFETY: arrays of numbers are valid as zeros and need no drop.
unsafe impl Zeroable for Histories {}

impl Histories {
    #[inline]
    fn attacked(threats: Bitboard, mv: Move) -> usize {
        usize::from(threats.has(mv.from())) * 2 + usize::from(threats.has(mv.to()))
    }

    #[inline]
    fn capture_index(pos: &Position, mv: Move) -> (usize, usize) {
        let piece = pos.piece_on(mv.from()).map_or(0, |piece| piece_to(piece, mv.to()));
        (piece, captured_type(pos, mv).index())
    }

    #[inline]
    fn pawn_slot(pos: &Position) -> usize {
        pos.pawn_key() as usize & (PAWN_SLOTS - 1)
    }

    /// The pawn history of a position.
    #[inline]
    pub(crate) fn pawn_row(&self, pos: &Position) -> &Row {
        &self.pawn[Self::pawn_slot(pos)]
    }

    /// The continuation history of an earlier move.
    #[inline]
    pub(crate) fn continuation_row(&self, earlier: usize) -> &Row {
        &self.continuation[earlier]
    }

    /// Starts to fetch what the quiet moves of a node will be ordered by, but for the butterfly tables.
    #[inline]
    pub(crate) fn prefetch(&self, pos: &Position, earlier: [usize; 5]) {
        let rows = earlier.map(|row| self.continuation_row(row)).into_iter().chain([self.pawn_row(pos)]);
        for row in rows {
            let own = &row.as_chunks::<{ PIECE_TO / 2 }>().0[pos.side_to_move().index()];
            for line in own.chunks(memory::CACHE_LINE / size_of::<i16>()) {
                memory::prefetch(line.as_ptr());
            }
        }
    }

    #[inline]
    pub(crate) fn quiet(&self, color: Color, threats: Bitboard, mv: Move) -> i32 {
        let table = &self.quiet[color.index()][Self::attacked(threats, mv)];
        i32::from(table[mv.from().index()][mv.to().index()])
    }

    #[inline]
    pub(crate) fn capture(&self, pos: &Position, mv: Move) -> i32 {
        let (piece_to, victim) = Self::capture_index(pos, mv);
        i32::from(self.capture[piece_to][victim])
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
        let table = &mut self.quiet[color.index()][Self::attacked(threats, mv)];
        update(&mut table[mv.from().index()][mv.to().index()], bonus, params::quiet_history_max());
    }

    #[inline]
    pub(crate) fn update_capture(&mut self, pos: &Position, mv: Move, bonus: i32) {
        let (piece_to, victim) = Self::capture_index(pos, mv);
        update(&mut self.capture[piece_to][victim], bonus, params::capture_history_max());
    }

    /// The same by the arriving piece and what it took.
    #[inline]
    pub(crate) fn update_captured(&mut self, piece_to: usize, victim: PieceType, bonus: i32) {
        update(&mut self.capture[piece_to][victim.index()], bonus, params::capture_history_max());
    }

    #[inline]
    pub(crate) fn update_pawn(&mut self, pos: &Position, piece_to: usize, bonus: i32) {
        update(&mut self.pawn[Self::pawn_slot(pos)][piece_to], bonus, params::pawn_history_max());
    }

    #[inline]
    pub(crate) fn update_continuation(&mut self, earlier: usize, piece_to: usize, bonus: i32) {
        update(&mut self.continuation[earlier][piece_to], bonus, params::continuation_history_max());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: i32 = 7200;

    #[test]
    fn entries_never_leave_their_limits() {
        let mut entry = 0;
        for _ in 0..1000 {
            update(&mut entry, 5000, LIMIT);
        }
        assert!(i32::from(entry) <= LIMIT && i32::from(entry) > LIMIT / 2);
        for _ in 0..1000 {
            update(&mut entry, -100_000, LIMIT);
        }
        assert_eq!(i32::from(entry), -LIMIT);
    }
}
