//! Problems of a command line, as types with messages for the user.

use std::fmt;

/// Something in a command line that could not be honoured.
///
/// Every word taken from the line is printed in quotes, so that no client that scans an `info string` for words such
/// as `depth` or `score` mistakes a report for a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// No word of the line is a command; holds the first word.
    UnknownCommand(String),
    /// An unknown word was passed over and the rest was honoured, as the specification asks. A note, not an error.
    Skipped(String),
    /// Something that a command cannot do without is not there.
    Missing {
        /// The command or keyword that lacks it.
        after: &'static str,
        /// What should have followed.
        wanted: &'static str,
    },
    /// The word behind a keyword is not a number that it can take.
    BadNumber {
        /// The keyword.
        keyword: &'static str,
        /// What followed it.
        text: String,
    },
    /// A word of `searchmoves` that is no move.
    BadMove(String),
}

impl Problem {
    /// Whether the user should hear of it even outside of debug mode.
    pub fn is_error(&self) -> bool {
        !matches!(self, Self::Skipped(_))
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownCommand(word) => write!(f, "unknown command '{word}'"),
            Self::Skipped(word) => write!(f, "unknown word '{word}' skipped"),
            Self::Missing { after, wanted } => write!(f, "'{after}' needs {wanted}"),
            Self::BadNumber { keyword, text } => write!(f, "'{keyword}' cannot take '{text}'"),
            Self::BadMove(text) => write!(f, "'{text}' is not a move like e2e4 or e7e8q"),
        }
    }
}

impl std::error::Error for Problem {}

/// A report repeats at most this many characters of a line, which may be a megabyte long.
const SHOWN: usize = 40;

/// The text as a report shows it.
pub(crate) fn shorten(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
