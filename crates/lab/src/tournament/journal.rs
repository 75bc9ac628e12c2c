//! The journal of a match: a line of JSON for each finished game, from which an interrupted match goes on.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::fault::FaultKind;
use super::game::Score;

/// A finished game, as far as statistics need it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    /// The number of the game, from 0.
    pub(super) game: usize,
    pub(super) white: String,
    pub(super) black: String,
    pub(super) result: Score,
    pub(super) reason: String,
    /// The loser's fault, where one decided the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) fault: Option<FaultKind>,
    pub(super) plies: usize,
}

/// The first line: everything on which the games depend.
#[derive(Debug, Serialize, Deserialize)]
struct Header {
    match_of: String,
}

/// An open journal.
pub(super) struct Journal(File);

/// Why a journal cannot be used.
#[derive(Debug)]
pub(super) enum JournalError {
    Io { path: PathBuf, error: io::Error },
    OtherMatch(PathBuf),
    BadLine { path: PathBuf, number: usize, error: serde_json::Error },
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { path, error } => write!(f, "{}: {error}", path.display()),
            Self::OtherMatch(path) => write!(
                f,
                "{}: this journal belongs to another match (engines, limits, book, seed or rules differ)",
                path.display()
            ),
            Self::BadLine { path, number, error } => {
                write!(f, "{}, line {number}: {error}", path.display())
            }
        }
    }
}

impl std::error::Error for JournalError {}

impl Journal {
    /// Opens the journal of a match, which `fingerprint` describes, and reads the games that it has already.
    pub(super) fn open(path: &Path, fingerprint: &str) -> Result<(Self, Vec<Record>), JournalError> {
        let io = |error| JournalError::Io { path: path.to_owned(), error };
        let text = match std::fs::read_to_string(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            other => other.map_err(io)?,
        };
        // A line without an end was cut off by the interruption; its game is played again.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut file = OpenOptions::new().create(true).append(true).open(path).map_err(io)?;
        file.set_len(whole as u64).map_err(io)?;
        let mut lines = text[..whole].lines().enumerate();
        match lines.next() {
            None => write_line(&mut file, &Header { match_of: fingerprint.to_owned() }).map_err(io)?,
            Some((_, line)) => {
                let header: Header = serde_json::from_str(line).map_err(|error| JournalError::BadLine {
                    path: path.to_owned(),
                    number: 1,
                    error,
                })?;
                if header.match_of != fingerprint {
                    return Err(JournalError::OtherMatch(path.to_owned()));
                }
            }
        }
        let read = |(index, line): (usize, &str)| {
            let bad = |error| JournalError::BadLine { path: path.to_owned(), number: index + 1, error };
            serde_json::from_str(line).map_err(bad)
        };
        let records = lines.map(read).collect::<Result<_, _>>()?;
        Ok((Self(file), records))
    }

    pub(super) fn record(&mut self, record: &Record) -> io::Result<()> {
        write_line(&mut self.0, record)
    }
}

fn write_line(file: &mut File, value: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_string(value)?;
    line.push('\n');
    file.write_all(line.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(game: usize) -> Record {
        let (white, black, reason) = ("a".to_owned(), "b".to_owned(), "White mates".to_owned());
        let fault = (game == 1).then_some(FaultKind::TimeLoss);
        Record { game, white, black, result: Score::White, reason, fault, plies: 7 }
    }

    #[test]
    fn games_are_found_again_and_a_torn_line_is_not() {
        let path = std::env::temp_dir().join(format!("rufous-lab-journal-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let (mut journal, found) = Journal::open(&path, "x").unwrap();
        assert!(found.is_empty());
        (0..3).for_each(|game| journal.record(&record(game)).unwrap());
        drop(journal);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, &text[..text.len() - 5]).unwrap();
        let (mut journal, found) = Journal::open(&path, "x").unwrap();
        assert_eq!(found, [record(0), record(1)]);
        journal.record(&record(2)).unwrap();
        assert_eq!(Journal::open(&path, "x").unwrap().1.len(), 3);
        assert!(matches!(Journal::open(&path, "y"), Err(JournalError::OtherMatch(_))));
        std::fs::write(&path, "rubbish\n").unwrap();
        assert!(matches!(Journal::open(&path, "x"), Err(JournalError::BadLine { number: 1, .. })));
        std::fs::remove_file(&path).unwrap();
    }
}
