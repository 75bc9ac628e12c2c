//! Errors of setting an option.

use std::fmt;

/// The options of other engines' endgame databases, whose formats are closed.
const CLOSED: [&str; 3] = ["NalimovPath", "NalimovCache", "UCI_ShredderbasesPath"];

/// The option of Stockfish, and once of Rufous, for a second network.
const SECOND_NETWORK: &str = "EvalFileSmall";

/// A report repeats at most this many characters of a name.
const SHOWN: usize = 40;

/// Why an option was not set; it keeps the value that it had.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionError {
    /// There is no such option.
    Unknown(String),
    /// The option is of a format that is closed.
    ClosedFormat(&'static str),
    /// The option is for a second network, and there is only one.
    OneNetwork,
    /// The number lies outside of the range.
    OutOfRange {
        /// The option.
        name: &'static str,
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// A number is wanted.
    NotANumber {
        /// The option.
        name: &'static str,
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// True or false is wanted.
    NotABool(&'static str),
    /// The value is well formed, but cannot be had; says why.
    Refused(String),
}

impl OptionError {
    pub(super) fn unknown(name: &str) -> Self {
        if SECOND_NETWORK.eq_ignore_ascii_case(name) {
            return Self::OneNetwork;
        }
        let closed = CLOSED.into_iter().find(|closed| closed.eq_ignore_ascii_case(name));
        closed.map_or_else(|| Self::Unknown(name.chars().take(SHOWN).collect()), Self::ClosedFormat)
    }

    /// The engine could not do what was asked, for this reason.
    pub(super) fn refused(reason: impl fmt::Display) -> Self {
        Self::Refused(reason.to_string())
    }

    /// Whether this is an error rather than a note: clients routinely send options that an engine never listed.
    pub fn is_error(&self) -> bool {
        !matches!(self, Self::Unknown(_) | Self::ClosedFormat(_) | Self::OneNetwork)
    }
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => write!(f, "unknown option '{name}' ignored"),
            Self::ClosedFormat(name) => {
                write!(f, "{name} ignored: that format is closed and not read; Syzygy tablebases are")
            }
            Self::OneNetwork => {
                write!(
                    f,
                    "{SECOND_NETWORK} ignored: there is one network for all positions, that of EvalFile"
                )
            }
            Self::OutOfRange { name, min, max } => write!(f, "{name} must be from {min} to {max}"),
            Self::NotANumber { name, min, max } => write!(f, "{name} must be a number from {min} to {max}"),
            Self::NotABool(name) => write!(f, "{name} must be true or false"),
            Self::Refused(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for OptionError {}
