//! Correction histories: how far the evaluation was off in positions that share something with
//! this one, learned from what the search found.

use chess::{Color, Position};
use nnue::memory::ZeroedMemory;

use super::history::PIECE_TO;
use super::params;
use crate::value::{EVAL_LIMIT, Value};

const SLOTS: usize = 16_384;
const LIMIT: i32 = 1024;

/// The tables of one thread. Each is indexed by the side to move and a key.
pub(crate) struct Corrections {
    pawn: ZeroedMemory<i16>,
    minor: ZeroedMemory<i16>,
    non_pawn: [ZeroedMemory<i16>; 2],
    continuation: ZeroedMemory<i16>,
}

#[inline]
fn slot(pos: &Position, key: u64) -> usize {
    (key as usize & (SLOTS - 1)) * 2 + pos.side_to_move().index()
}

impl Corrections {
    pub(crate) fn new() -> Self {
        let table = ZeroedMemory::indispensable;
        Self {
            pawn: table(2 * SLOTS),
            minor: table(2 * SLOTS),
            non_pawn: [table(2 * SLOTS), table(2 * SLOTS)],
            continuation: table((PIECE_TO + 1) * (PIECE_TO + 1)),
        }
    }

    pub(crate) fn forget(&mut self) {
        for table in
            [&mut self.pawn, &mut self.minor, &mut self.continuation].into_iter().chain(&mut self.non_pawn)
        {
            table.fill(0);
        }
    }

    #[inline]
    fn continuation_slot(last: usize, before: usize) -> usize {
        before * (PIECE_TO + 1) + last
    }

    /// What to add to the raw evaluation. `line` are the moves one, two and four plies ago.
    #[inline]
    pub(crate) fn value(&self, pos: &Position, [last, two, four]: [usize; 3]) -> Value {
        let at = |table: &[i16], key| Value::from(table[slot(pos, key)]);
        let sum = params::correction_pawn() * at(&self.pawn, pos.pawn_key())
            + params::correction_minor() * at(&self.minor, pos.minor_key())
            + params::correction_non_pawn()
                * (at(&self.non_pawn[0], pos.non_pawn_key(Color::White))
                    + at(&self.non_pawn[1], pos.non_pawn_key(Color::Black)))
            + params::correction_continuation()
                * (Value::from(self.continuation[Self::continuation_slot(last, two)])
                    + Value::from(self.continuation[Self::continuation_slot(last, four)]));
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
        let bonus = (error * depth * weight / 128).clamp(-LIMIT / 4, LIMIT / 4);
        let adjust = |entry: &mut i16| {
            let old = i32::from(*entry);
            *entry = (old + bonus - old * bonus.abs() / LIMIT) as i16;
        };
        adjust(&mut self.pawn[slot(pos, pos.pawn_key())]);
        adjust(&mut self.minor[slot(pos, pos.minor_key())]);
        for color in Color::ALL {
            adjust(&mut self.non_pawn[color.index()][slot(pos, pos.non_pawn_key(color))]);
        }
        for before in [two, four] {
            adjust(&mut self.continuation[Self::continuation_slot(last, before)]);
        }
    }
}

/// The raw evaluation, corrected, and drawn towards zero as the fifty-move rule comes near.
#[inline]
pub(crate) fn corrected(raw: Value, correction: Value, pos: &Position) -> Value {
    let faded = raw - raw * Value::from(pos.halfmove_clock().min(100)) / params::fifty_scale();
    (faded + correction).clamp(-EVAL_LIMIT, EVAL_LIMIT)
}
