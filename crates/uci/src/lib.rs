//! The Universal Chess Interface as types, both halves of it.
//!
//! A client sends [`Command`]s and an engine answers with [`Message`]s. Both are read leniently, from any bytes and
//! without ever failing hard, and printed strictly; what is printed is read back as the same value. This part knows
//! text and not boards: a [`UciMove`] is two squares and perhaps a letter, legal or not. The [`client`] starts an engine
//! and drives it; everything else here is pure.
//!
//! ```
//! use uci::{Command, Go, Message, UciMove};
//!
//! let parsed = Command::parse("go wtime 1000 btime 900 joho depth 12\r\n");
//! let Some(Command::Go(go)) = parsed.command else { panic!() };
//! assert_eq!(go, Go { wtime: Some(1000), btime: Some(900), depth: Some(12), ..Go::default() });
//! assert_eq!(parsed.problems[0].to_string(), "unknown word 'joho' skipped");
//!
//! let best: UciMove = "e2e4".parse().unwrap();
//! let answer = Message::BestMove { best: Some(best), ponder: None };
//! assert_eq!(answer.to_string(), "bestmove e2e4");
//! assert_eq!(Message::parse("bestmove e2e4"), Some(answer));
//! ```

pub mod client;
mod command;
mod message;
mod moves;
mod opponent;
mod problem;
mod tokens;

pub use command::{Command, GenFens, Go, Parsed, Register, Start, option_text};
pub use message::{
    Bound, Check, CurrLine, Info, Message, OptionDeclaration, OptionKind, Score, ScoreValue, Wdl,
};
pub use moves::{NotAMove, UciMove};
pub use opponent::{NotAnOpponent, Opponent};
pub use problem::Problem;
