//! The errors of the client.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

/// Why an operation of the client failed.
#[derive(Debug)]
pub enum ClientError {
    /// The program could not be started.
    Spawn {
        /// The program.
        program: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The engine did not answer in time. It is still running, and so is its search.
    Timeout {
        /// What was waited for.
        what: &'static str,
        /// For how long.
        after: Duration,
    },
    /// The engine ended, or closed its output.
    Died {
        /// How it ended; `None` if it still runs without an output.
        status: Option<ExitStatus>,
        /// The last it wrote to standard error.
        stderr: String,
    },
    /// The engine said something that it must not say.
    Protocol {
        /// The line.
        line: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The engine sent answers that nobody asked for until they filled the queue.
    Flooded,
    /// The engine does not read its input, and no more fits into the pipe and the queue.
    NotReading,
    /// The engine does not declare this option.
    UnknownOption(String),
    /// The option is declared, but not for this value.
    BadOptionValue {
        /// The option.
        name: String,
        /// The value, if there was one.
        value: Option<String>,
    },
    /// A search was asked for while another one was running.
    Searching,
    /// The end of a search was waited for while there was none.
    NotSearching,
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Spawn { program, error } => write!(f, "cannot start {}: {error}", program.display()),
            Self::Timeout { what, after } => write!(f, "no {what} after {} ms", after.as_millis()),
            Self::Died { status, stderr } => {
                match status {
                    Some(status) => write!(f, "the engine ended ({status})")?,
                    None => f.write_str("the engine closed its output")?,
                }
                if stderr.is_empty() { Ok(()) } else { write!(f, "; standard error: {}", stderr.trim_end()) }
            }
            Self::Protocol { line, reason } => write!(f, "{reason}: '{line}'"),
            Self::Flooded => f.write_str("the engine floods its output with answers"),
            Self::NotReading => f.write_str("the engine does not read its input"),
            Self::UnknownOption(name) => write!(f, "the engine has no option '{name}'"),
            Self::BadOptionValue { name, value: Some(value) } => {
                write!(f, "option '{name}' cannot be set to '{value}'")
            }
            Self::BadOptionValue { name, value: None } => write!(f, "option '{name}' needs a value"),
            Self::Searching => f.write_str("the engine is searching already"),
            Self::NotSearching => f.write_str("the engine is not searching"),
        }
    }
}

impl std::error::Error for ClientError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Spawn { error, .. } => Some(error),
            _ => None,
        }
    }
}
