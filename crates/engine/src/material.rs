//! What the men on the board are worth by the old count, in pawns.

use chess::{Color, PieceType, Position};

/// Of one side or both, as far as `count` counts them.
pub fn worth(count: impl Fn(PieceType) -> usize) -> usize {
    const WORTH: [usize; 6] = [1, 3, 3, 5, 9, 0];
    PieceType::ALL.iter().map(|&kind| WORTH[kind.index()] * count(kind)).sum()
}

/// By how much one side's men are worth more than the other's, whichever it is.
pub fn difference(count: impl Fn(Color, PieceType) -> usize) -> usize {
    worth(|kind| count(Color::White, kind)).abs_diff(worth(|kind| count(Color::Black, kind)))
}

/// The same for a position.
#[inline]
pub fn difference_in(pos: &Position) -> usize {
    difference(|color, kind| pos.pieces(color, kind).count())
}
