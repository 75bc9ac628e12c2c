//! Moves as text: the long algebraic notation of UCI, and standard algebraic notation.

mod san;
mod uci;

use std::fmt;

/// How castling is written in long algebraic notation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CastlingNotation {
    /// The king's two squares, `e1g1`: standard chess.
    KingMove,
    /// The king's square and the rook's, `e1h1`: Chess960.
    KingTakesRook,
}

impl CastlingNotation {
    /// The notation of Chess960, or that of standard chess.
    pub const fn new(chess960: bool) -> Self {
        if chess960 { Self::KingTakesRook } else { Self::KingMove }
    }
}

/// Why a text is not a move here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParseMoveError {
    /// The text is not the notation of any move.
    Syntax,
    /// It reads as a move, but no legal one.
    Illegal,
    /// More than one legal move fits.
    Ambiguous,
}

impl fmt::Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Syntax => "not a move",
            Self::Illegal => "not a legal move",
            Self::Ambiguous => "more than one legal move fits",
        })
    }
}

impl std::error::Error for ParseMoveError {}
