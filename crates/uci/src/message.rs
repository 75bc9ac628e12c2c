//! The messages of an engine to a client.

mod info;
mod option;
mod score;

use std::fmt;

pub use info::{CurrLine, Info};
pub use option::{OptionDeclaration, OptionKind};
pub use score::{Bound, Score, ScoreValue, Wdl};

use crate::moves::UciMove;
use crate::tokens::{Words, decode, write_text};

/// How the protocol writes an empty string.
pub(crate) const EMPTY: &str = "<empty>";

/// The answer of an engine that has no move.
const NO_MOVE: &str = "(none)";

/// A line from the engine.
///
/// Printing gives the canonical form, and parsing that gives the same message again; so a line of a foreign engine is
/// canonical exactly if it is printed as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// `id name X`.
    IdName(String),
    /// `id author X`.
    IdAuthor(String),
    /// `uciok`.
    UciOk,
    /// `readyok`.
    ReadyOk,
    /// `bestmove M [ponder M]`.
    BestMove {
        /// The move; `None` is printed as `(none)`.
        best: Option<UciMove>,
        /// The answer that the engine would like to ponder on.
        ponder: Option<UciMove>,
    },
    /// `copyprotection checking|ok|error`.
    CopyProtection(Check),
    /// `registration checking|ok|error`.
    Registration(Check),
    /// `info ...`.
    Info(Box<Info>),
    /// `option name X type T ...`.
    Option(OptionDeclaration),
}

/// The state of a check for copy protection or registration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// It has begun.
    Checking,
    /// It was passed.
    Ok,
    /// It was failed.
    Error,
}

impl Check {
    /// The word for the state.
    pub fn word(self) -> &'static str {
        match self {
            Self::Checking => "checking",
            Self::Ok => "ok",
            Self::Error => "error",
        }
    }
}

/// The words that begin a message.
const WORDS: [&str; 8] =
    ["id", "uciok", "readyok", "bestmove", "copyprotection", "registration", "info", "option"];

impl Message {
    /// Reads a line, leniently: unknown words are skipped, also those before the message, as the specification asks
    /// of a client. `None` where no message can be made of it.
    ///
    /// ```
    /// use uci::Message;
    /// let line = "info depth 3 wonder 7 score cp 20 pv e2e4";
    /// let Some(Message::Info(info)) = Message::parse(line) else { panic!() };
    /// assert_eq!((info.depth, info.pv.len()), (Some(3), 1));
    /// assert_eq!(info.to_string(), "info depth 3 score cp 20 pv e2e4");
    /// ```
    pub fn parse(line: impl AsRef<[u8]>) -> Option<Self> {
        let line = decode(line.as_ref());
        let mut words = Words::new(&line);
        match words.find(|word| WORDS.contains(word))? {
            "id" => parse_id(words),
            "uciok" => Some(Self::UciOk),
            "readyok" => Some(Self::ReadyOk),
            "bestmove" => parse_best_move(words),
            "copyprotection" => parse_check(words).map(Self::CopyProtection),
            "registration" => parse_check(words).map(Self::Registration),
            "info" => Some(Self::Info(Box::new(Info::parse(words)))),
            _ => OptionDeclaration::parse(words).map(Self::Option),
        }
    }
}

fn parse_id(mut words: Words<'_>) -> Option<Message> {
    let kind = words.find_map(|word| match word {
        "name" => Some(Message::IdName as fn(String) -> Message),
        "author" => Some(Message::IdAuthor),
        _ => None,
    })?;
    Some(kind(words.rest().to_owned()))
}

fn parse_best_move(mut words: Words<'_>) -> Option<Message> {
    let best = move_or_none(words.next()?)?;
    let ponder = words.find(|word| *word == "ponder").and_then(|_| move_or_none(words.next()?)?);
    Some(Message::BestMove { best, ponder })
}

/// A move, or one of the words by which engines say that there is none; `None` for anything else.
fn move_or_none(word: &str) -> Option<Option<UciMove>> {
    match word {
        NO_MOVE | "none" | "NULL" | "null" => Some(None),
        text => UciMove::read(text).map(Some),
    }
}

fn parse_check(mut words: Words<'_>) -> Option<Check> {
    let states = [Check::Checking, Check::Ok, Check::Error];
    words.find_map(|word| states.into_iter().find(|state| state.word() == word))
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::IdName(name) => {
                f.write_str("id")?;
                write_text(f, "name", name)
            }
            Self::IdAuthor(author) => {
                f.write_str("id")?;
                write_text(f, "author", author)
            }
            Self::UciOk => f.write_str("uciok"),
            Self::ReadyOk => f.write_str("readyok"),
            Self::BestMove { best, ponder } => {
                write!(f, "bestmove {}", best.as_ref().map_or(NO_MOVE, UciMove::as_str))?;
                ponder.map_or(Ok(()), |ponder| write!(f, " ponder {ponder}"))
            }
            Self::CopyProtection(check) => write!(f, "copyprotection {}", check.word()),
            Self::Registration(check) => write!(f, "registration {}", check.word()),
            Self::Info(info) => info.fmt(f),
            Self::Option(option) => option.fmt(f),
        }
    }
}

impl From<Info> for Message {
    fn from(info: Info) -> Self {
        Self::Info(Box::new(info))
    }
}
