//! Games in PGN: [`Games`] reads them, with variations, comments and signs; [`Game`]'s `Display` writes them.
//!
//! Reading is lenient as files in the wild ask for: Windows-1252 texts, comments to the end of a line, long and figurine
//! moves, signs written out, games without results. A game that cannot be read is a [`Fault`] with its number and line,
//! and the games behind it are read.
//!
//! The crate `pgn-reader` is compared with in the tests instead of being used: it passes over the words it does not
//! know (`e2-e4`, `bxa8Q`, `exd6e.p.`) and over comments behind `;`, and does not tell lines.
//!
//! ```
//! let text = "[White \"Anna\"]\n\n1. e4 e5 (1... c5 {Sicilian}) 2. Nf3! *\n\n1. e4 Ke7 *\n";
//! let games: Vec<_> = pgn::Games::new(text).collect();
//! let first = games[0].as_ref().unwrap();
//! assert_eq!(first.tag("White"), Some("Anna"));
//! assert_eq!(first.main.moves[1].variations[0].moves[0].comments, ["Sicilian"]);
//! assert_eq!(games[1].as_ref().unwrap_err().to_string(), "game 2, line 5: 'Ke7': not a legal move");
//! ```

mod commands;
mod decode;
mod game;
mod read;
mod token;
mod write;

pub use commands::{command, without_command};
pub use decode::decode;
pub use game::{Game, Line, Node, Outcome};
pub use read::{Fault, Games};
pub use write::{escaped_tag, wrapped};
