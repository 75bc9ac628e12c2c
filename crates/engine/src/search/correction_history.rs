//! Correction histories: how far the evaluation was off in positions that share something with
//! this one, learned from what the search found.

use std::sync::Arc;
use std::sync::atomic::{AtomicI16, Ordering};

use chess::{Color, Position};
use nnue::memory::{self, Zeroable, ZeroedBox};

use super::history::{self, PIECE_TO};
use crate::params;
use crate::value::{EVAL_LIMIT, Value};

const SLOTS: usize = 16_384;

/// By the side to move and a key.
type Table = [[AtomicI16; 2]; SLOTS];

/// What positions with the same pieces on the same squares have in common. All threads of a NUMA node learn it together: two
/// that change an entry at the same time lose one of the changes, which does no harm.
pub(crate) struct PositionCorrections {
    pawn: Table,
    minor: Table,
    non_pawn: [Table; 2],
}

#[allow(unsafe_code, reason = "the promise that zeroed numbers are valid")]
// SAFETY: arrays of numbers are valid as zeros and need no drop.
unsafe impl Zeroable for PositionCorrections {}

impl PositionCorrections {
    /// The entries of a position.
    #[inline]
    fn entries(&self, pos: &Position) -> [&AtomicI16; 4] {
        let us = pos.side_to_move().index();
        let [white, black] = Color::ALL.map(|color| slot(pos.non_pawn_key(color)));
        [
            &self.pawn[slot(pos.pawn_key())][us],
            &self.minor[slot(pos.minor_key())][us],
            &self.non_pawn[0][white][us],
            &self.non_pawn[1][black][us],
        ]
    }

    fn forget(&self) {
        for table in [&self.pawn, &self.minor].into_iter().chain(&self.non_pawn) {
            table.as_flattened().iter().for_each(|entry| entry.store(0, Ordering::Relaxed));
        }
    }
}

#[inline]
fn slot(key: u64) -> usize {
    key as usize & (SLOTS - 1)
}

/// By two moves, the earlier one first. Each thread has its own, since all of them write to the same few lines.
struct ContinuationCorrections([[i16; PIECE_TO + 1]; PIECE_TO + 1]);

#[allow(unsafe_code, reason = "the promise that zeroed numbers are valid")]
// SAFETY: an array of numbers is valid as zeros and needs no drop.
unsafe impl Zeroable for ContinuationCorrections {}

/// The correction histories as one thread sees them.
pub(crate) struct CorrectionHistory {
    positions: Arc<ZeroedBox<PositionCorrections>>,
    continuation: ZeroedBox<ContinuationCorrections>,
}

impl CorrectionHistory {
    pub(crate) fn new(positions: Arc<ZeroedBox<PositionCorrections>>) -> Self {
        Self { positions, continuation: ZeroedBox::new() }
    }

    /// Forgets everything, also what other threads have learned.
    pub(crate) fn clear(&mut self) {
        self.positions.forget();
        self.continuation.clear();
    }

    /// Starts to fetch what [`CorrectionHistory::value`] will ask for.
    #[inline]
    pub(crate) fn prefetch(&self, pos: &Position, [last, two, four]: [usize; 3]) {
        self.positions.entries(pos).into_iter().for_each(|entry| memory::prefetch(entry));
        for before in [two, four] {
            memory::prefetch(&self.continuation.0[before][last]);
        }
    }

    /// What to add to the raw evaluation. `line` are the moves one, two and four plies ago.
    #[inline]
    pub(crate) fn value(&self, pos: &Position, [last, two, four]: [usize; 3]) -> Value {
        let [pawn, minor, white, black] =
            self.positions.entries(pos).map(|entry| Value::from(entry.load(Ordering::Relaxed)));
        let [two, four] = [two, four].map(|before| Value::from(self.continuation.0[before][last]));
        let sum = params::correction_pawn() * pawn
            + params::correction_minor() * minor
            + params::correction_non_pawn() * (white + black)
            + params::correction_continuation() * (two + four);
        sum / 512
    }

    /// The search found the position to be worth `error` more than it was evaluated.
    pub(crate) fn update(
        &mut self,
        pos: &Position,
        [last, two, four]: [usize; 3],
        error: Value,
        depth: i32,
        found: bool,
    ) {
        let weight = if found { params::correction_found() } else { params::correction_not_found() };
        let limit = params::correction_history_max();
        let bonus = (error * depth * weight / 128).clamp(-limit / 4, limit / 4);
        for entry in self.positions.entries(pos) {
            let mut value = entry.load(Ordering::Relaxed);
            history::update(&mut value, bonus, limit);
            entry.store(value, Ordering::Relaxed);
        }
        for before in [two, four] {
            history::update(&mut self.continuation.0[before][last], bonus, limit);
        }
    }
}

/// The raw evaluation, corrected, and drawn towards zero as the fifty-move rule comes near.
#[inline]
pub(crate) fn corrected(raw: Value, correction: Value, pos: &Position) -> Value {
    let faded = raw - raw * Value::from(pos.halfmove_clock().min(100)) / params::fifty_scale();
    (faded + correction).clamp(-EVAL_LIMIT, EVAL_LIMIT)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Moves that lead to the start position, if there were any.
    const LINE: [usize; 3] = [1, 2, 3];

    fn learn(thread: &mut CorrectionHistory, error: Value) {
        for _ in 0..50 {
            thread.update(&Position::startpos(), LINE, error, 8, true);
        }
    }

    #[test]
    fn threads_learn_about_positions_together_and_about_moves_alone() {
        let positions = Arc::default();
        let [mut first, mut second] = [(); 2].map(|()| CorrectionHistory::new(Arc::clone(&positions)));
        let start = Position::startpos();
        learn(&mut first, 100);
        let (own, shared) = (first.value(&start, LINE), second.value(&start, LINE));
        assert!(0 < shared && shared < own, "{own} and {shared}");
        second.clear();
        assert!(first.value(&start, LINE) < own);
        assert_eq!(second.value(&start, LINE), 0);
    }

    #[test]
    fn corrections_follow_the_error_and_stay_within_their_limits() {
        let mut thread = CorrectionHistory::new(Arc::default());
        learn(&mut thread, -100);
        let below = thread.value(&Position::startpos(), LINE);
        assert!(below < 0);
        learn(&mut thread, -30_000);
        let lowest = thread.value(&Position::startpos(), LINE);
        learn(&mut thread, -30_000);
        assert_eq!(thread.value(&Position::startpos(), LINE), lowest);
    }
}
