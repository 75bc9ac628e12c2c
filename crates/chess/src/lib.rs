//! The rules of chess and Chess960: an always-valid [`Position`], its legal moves, FEN, SAN and
//! the notation of UCI, repetition, static exchange evaluation and perft.
//!
//! No I/O, no dependency, nothing to initialise: every table is built at compile time.
//!
//! ```
//! use chess::Position;
//!
//! let mut pos = Position::startpos();
//! for san in ["e4", "e5", "Nf3", "Nc6", "Bb5"] {
//!     pos.play(pos.parse_san(san)?);
//! }
//! assert_eq!(pos.to_string(), "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3");
//! assert_eq!(chess::perft(&pos, 2), 959);
//! # Ok::<(), chess::ParseMoveError>(())
//! ```
//!
//! Where to look:
//!
//! - [`Position`]: what stands where, [`Position::legal_moves`], [`Position::play`] and, because a
//!   position is `Copy`, taking back by keeping the old value. [`Position::play_observed`] tells an
//!   [`Observer`] what changes.
//! - Text: [`Position::from_fen`] and `to_string`, [`Position::parse_uci_move`] and
//!   [`Position::uci_move`], [`Position::parse_san`] and [`Position::san`]. Nothing that is read
//!   panics; every error says what is wrong. [`Setup`] is a position that nobody has checked yet.
//! - The end of a game: [`Position::game_end`], with a [`KeyHistory`] of the positions before.
//! - For a search: keys, [`CheckInfo`], [`Position::see_at_least`], [`Generate`],
//!   [`Position::is_legal`] for moves from a hash table.
//!
//! Castling is the king taking its own rook inside the crate, in standard chess too, so Chess960 and
//! double Chess960 ([`Position::chess960`]) need no mode.

pub mod attacks;
mod bitboard;
mod castling;
mod chess960;
mod fen;
mod game_end;
mod legality;
mod movegen;
mod moves;
mod notation;
mod perft;
mod piece;
mod position;
mod repetition;
mod see;
mod setup;
mod square;
mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use castling::{CastlingRights, Wing};
pub use fen::{FenError, FenStyle, fen_lines};
pub use game_end::{FIFTY_MOVES, GameEnd};
pub use legality::CheckInfo;
pub use movegen::Generate;
pub use moves::{MAX_MOVES, Move, MoveKind, MoveList};
pub use notation::{CastlingNotation, ParseMoveError};
pub use perft::{divide, divide_with, perft};
pub use piece::{Piece, PieceType};
pub use position::{Observer, Position};
pub use repetition::KeyHistory;
pub use see::EXCHANGE_VALUES;
pub use setup::{ClaimedRook, Mend, Setup, SetupError};
pub use square::{Color, File, ParseSquareError, Rank, Square};
