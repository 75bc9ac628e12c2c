//! Correction histories: how far the evaluation was off in positions that share something with
//! this one, learned from what the search found.

use chess::{Color, Position};
use nnue::memory::{self, Zeroable};

use super::history::{self, PIECE_TO};
use crate::params;
use crate::value::{EVAL_LIMIT, Value};

const SLOTS: usize = 16_384;

/// By the side to move and a key.
type Table = [[i16; 2]; SLOTS];

/// The tables of one thread.
pub(crate) struct CorrectionHistory {
    /// By two moves, the earlier one first.
    continuation: [[i16; PIECE_TO + 1]; PIECE_TO + 1],
    pawn: Table,
    minor: Table,
    non_pawn: [Table; 2],
}

#[allow(unsafe_code, reason = "the promise that zeroed numbers are valid")]
// SAFETY: arrays of numbers are valid as zeros and need no drop.
unsafe impl Zeroable for CorrectionHistory {}

#[inline]
fn slot(key: u64) -> usize {
    key as usize & (SLOTS - 1)
}

impl CorrectionHistory {
    /// The entries that belong to a position and the moves one, two and four plies ago.
    #[inline]
    fn entries(&self, pos: &Position, [last, two, four]: [usize; 3]) -> [&i16; 6] {
        let us = pos.side_to_move().index();
        let [white, black] = Color::ALL.map(|color| slot(pos.non_pawn_key(color)));
        [
            &self.pawn[slot(pos.pawn_key())][us],
            &self.minor[slot(pos.minor_key())][us],
            &self.non_pawn[0][white][us],
            &self.non_pawn[1][black][us],
            &self.continuation[two][last],
            &self.continuation[four][last],
        ]
    }

    /// Starts to fetch what [`CorrectionHistory::value`] will ask for.
    #[inline]
    pub(crate) fn prefetch(&self, pos: &Position, line: [usize; 3]) {
        for entry in self.entries(pos, line) {
            memory::prefetch(entry);
        }
    }

    /// What to add to the raw evaluation. `line` are the moves one, two and four plies ago.
    #[inline]
    pub(crate) fn value(&self, pos: &Position, line: [usize; 3]) -> Value {
        let [pawn, minor, white, black, two, four] = self.entries(pos, line).map(|&entry| Value::from(entry));
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
        let adjust = |entry: &mut i16| history::update(entry, bonus, limit);
        let us = pos.side_to_move().index();
        adjust(&mut self.pawn[slot(pos.pawn_key())][us]);
        adjust(&mut self.minor[slot(pos.minor_key())][us]);
        for color in Color::ALL {
            adjust(&mut self.non_pawn[color.index()][slot(pos.non_pawn_key(color))][us]);
        }
        for before in [two, four] {
            adjust(&mut self.continuation[before][last]);
        }
    }
}

/// The raw evaluation, corrected, and drawn towards zero as the fifty-move rule comes near.
#[inline]
pub(crate) fn corrected(raw: Value, correction: Value, pos: &Position) -> Value {
    let faded = raw - raw * Value::from(pos.halfmove_clock().min(100)) / params::fifty_scale();
    (faded + correction).clamp(-EVAL_LIMIT, EVAL_LIMIT)
}
