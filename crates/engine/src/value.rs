//! Values of the search, and scores as they are shown.

use chess::Position;

/// A value from the view of the side to move, in the network's units.
pub type Value = i32;

/// The deepest line that is ever searched.
pub const MAX_PLY: usize = 246;

/// Neither side is better.
pub const DRAW: Value = 0;
/// The side to move has just won; mates further away are worth a little less.
pub const MATE: Value = 32_000;
/// Above every value.
pub const INFINITE: Value = 32_001;
/// No value is known.
pub const NONE: Value = 32_002;
/// The value of the longest mate.
pub const MATE_IN_MAX: Value = MATE - MAX_PLY as Value;
/// A win that tablebases promise, at the root; further away it is worth a little less.
pub const TABLEBASE_WIN: Value = MATE_IN_MAX - 1;
/// The value of the furthest tablebase win.
pub const TABLEBASE_WIN_IN_MAX: Value = TABLEBASE_WIN - MAX_PLY as Value;
/// The largest value that an evaluation may take.
pub const EVAL_LIMIT: Value = TABLEBASE_WIN_IN_MAX - 1;

/// Units of an evaluation for one of the static exchange evaluation, which counts 100 to the pawn.
const EXCHANGE_SCALE: i32 = 2;

/// The side to move gives mate after `ply` plies.
#[inline]
pub fn mate_in(ply: usize) -> Value {
    MATE - ply as Value
}

/// The side to move is mated after `ply` plies.
#[inline]
pub fn mated_in(ply: usize) -> Value {
    -MATE + ply as Value
}

/// Is it a mate, for one side or the other?
#[inline]
pub fn is_mate(value: Value) -> bool {
    value.abs() >= MATE_IN_MAX && value.abs() <= MATE
}

/// Is it certain, by mate or by tablebases?
#[inline]
pub fn is_decisive(value: Value) -> bool {
    is_win(value) || is_loss(value)
}

/// Is it a certain win?
#[inline]
pub fn is_win(value: Value) -> bool {
    value >= TABLEBASE_WIN_IN_MAX
}

/// Is it a certain loss?
#[inline]
pub fn is_loss(value: Value) -> bool {
    value <= -TABLEBASE_WIN_IN_MAX
}

/// The value of material counted as exchanges count it, with 100 to the pawn.
#[inline]
pub fn from_exchange(material: i32) -> Value {
    EXCHANGE_SCALE * material
}

/// A difference of values as exchanges count material.
#[inline]
pub fn to_exchange(value: Value) -> i32 {
    value / EXCHANGE_SCALE
}

/// A value as it is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// Centipawns; 100 means a 50 % chance to win.
    Centipawns(i32),
    /// Mate in so many moves; negative when the side to move is mated, 0 when it is so already.
    Mate(i32),
}

impl Score {
    /// The score of a value in a position with that much material on the board.
    pub fn new(value: Value, pos: &Position) -> Self {
        if is_mate(value) {
            let plies = MATE - value.abs();
            let moves = (plies + 1) / 2;
            Self::Mate(if value > 0 { moves } else { -moves })
        } else if is_decisive(value) {
            // Tablebase wins: far outside of what an evaluation says, sooner is more.
            let plies = TABLEBASE_WIN - value.abs();
            Self::Centipawns(value.signum() * (20_000 - plies))
        } else {
            Self::Centipawns(crate::wdl::centipawns(value, pos))
        }
    }
}
