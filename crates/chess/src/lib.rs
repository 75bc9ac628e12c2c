//! The rules of chess and Chess960.
mod bitboard;
mod piece;
mod square;

pub use bitboard::{Bitboard, Squares};
pub use piece::{Piece, PieceType};
pub use square::{Color, File, ParseSquareError, Rank, Square};
