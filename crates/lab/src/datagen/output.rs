//! The file that games are appended to, and the journal beside it by which an interrupted run goes on.
//!
//! Every game is written as soon as it was played. The journal records, a little later, how much of the file is valid;
//! the next start truncates the file there and plays the rest again.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::encoding::Encoded;
use crate::binpack::{self, HEADER};
use crate::file;

/// A chunk is closed at this size, so that readers can decode chunks in parallel.
const CHUNK_BYTES: u64 = 1 << 20;

/// How often the journal is written: this much work is lost at most.
const JOURNAL_PAUSE: Duration = Duration::from_secs(2);

/// How far the file is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Journal {
    /// Everything on which the games depend.
    run: String,
    games: u64,
    positions: u64,
    bytes: u64,
    /// Where the last chunk begins.
    chunk: u64,
}

/// Why a file cannot be extended.
#[derive(Debug)]
pub(super) enum OutputError {
    Io(PathBuf, io::Error),
    Journal(PathBuf, serde_json::Error),
    NoJournal(PathBuf),
    Shorter(PathBuf),
    OtherRun { path: PathBuf, was: String, is: String },
}

impl fmt::Display for OutputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Journal(path, error) => write!(f, "{}: {error}", path.display()),
            Self::NoJournal(path) => {
                write!(f, "{}: this file exists but has no journal to resume from", path.display())
            }
            Self::Shorter(path) => {
                write!(f, "{}: this file is shorter than its journal says", path.display())
            }
            Self::OtherRun { path, was, is } => {
                write!(f, "{}: this file belongs to another run ({was}; now {is})", path.display())
            }
        }
    }
}

impl std::error::Error for OutputError {}

/// An open file of games.
#[derive(Debug)]
pub(super) struct Output {
    path: PathBuf,
    file: File,
    journal: Journal,
    journal_written: Instant,
}

impl Output {
    /// Creates the file, or opens it where its journal ends. `run` describes all that decides its games.
    pub(super) fn open(path: &Path, run: &str) -> Result<Self, OutputError> {
        let io_error = |error| OutputError::Io(path.to_owned(), error);
        let journal = match fs::read_to_string(journal_path(path)) {
            Ok(text) => serde_json::from_str(&text)
                .map_err(|error| OutputError::Journal(journal_path(path), error))?,
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(io_error(error)),
            Err(_) if path.exists() => return Err(OutputError::NoJournal(path.to_owned())),
            Err(_) => Journal { run: run.to_owned(), games: 0, positions: 0, bytes: 0, chunk: 0 },
        };
        if journal.run != run {
            let (was, is) = (journal.run, run.to_owned());
            return Err(OutputError::OtherRun { path: path.to_owned(), was, is });
        }
        let file =
            OpenOptions::new().create(true).truncate(false).write(true).open(path).map_err(io_error)?;
        if file.metadata().map_err(io_error)?.len() < journal.bytes {
            return Err(OutputError::Shorter(path.to_owned()));
        }
        file.set_len(journal.bytes).map_err(io_error)?;
        let mut output = Self { path: path.to_owned(), file, journal, journal_written: Instant::now() };
        output.write_chunk_length().and_then(|()| output.write_journal()).map_err(io_error)?;
        Ok(output)
    }

    /// How many games the file has.
    pub(super) fn games(&self) -> u64 {
        self.journal.games
    }

    /// How many positions they have.
    pub(super) fn positions(&self) -> u64 {
        self.journal.positions
    }

    /// Writes the next game.
    pub(super) fn append(&mut self, game: &Encoded) -> Result<(), OutputError> {
        self.try_append(game).map_err(|error| OutputError::Io(self.path.clone(), error))
    }

    /// Writes the journal.
    pub(super) fn finish(&mut self) -> Result<(), OutputError> {
        self.write_journal().map_err(|error| OutputError::Io(self.path.clone(), error))
    }

    fn try_append(&mut self, game: &Encoded) -> io::Result<()> {
        let Journal { bytes, chunk, .. } = self.journal;
        self.file.seek(SeekFrom::Start(bytes))?;
        if bytes == 0 || bytes - chunk >= CHUNK_BYTES {
            self.file.write_all(&binpack::header(0)?)?;
            self.journal.chunk = bytes;
            self.journal.bytes += HEADER as u64;
        }
        self.file.write_all(&game.bytes)?;
        self.journal.bytes += game.bytes.len() as u64;
        self.journal.games += 1;
        self.journal.positions += game.positions;
        self.write_chunk_length()?;
        if self.journal_written.elapsed() >= JOURNAL_PAUSE {
            self.write_journal()?;
        }
        Ok(())
    }

    /// Puts the length of the last chunk into its header.
    fn write_chunk_length(&mut self) -> io::Result<()> {
        let Journal { bytes, chunk, .. } = self.journal;
        if bytes == 0 {
            return Ok(());
        }
        let length = u32::try_from(bytes - chunk - HEADER as u64).map_err(io::Error::other)?;
        self.file.seek(SeekFrom::Start(chunk + 4))?;
        self.file.write_all(&length.to_le_bytes())
    }

    /// Replaces the journal at once, so that there is always a whole one, and only after what it tells is safe.
    fn write_journal(&mut self) -> io::Result<()> {
        self.file.sync_data()?;
        file::replace(&journal_path(&self.path), serde_json::to_string(&self.journal)?.as_bytes())?;
        self.journal_written = Instant::now();
        Ok(())
    }
}

fn journal_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".journal");
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(number: u8) -> Encoded {
        Encoded { bytes: vec![number; 100], positions: u64::from(number) }
    }

    #[test]
    fn what_the_journal_does_not_know_is_cut_off() {
        let folder = std::env::temp_dir().join(format!("rufous-lab-output-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("x.binpack");
        let mut output = Output::open(&path, "run").unwrap();
        output.append(&game(1)).unwrap();
        output.finish().unwrap();
        // No journal for this one, and half of another.
        output.append(&game(2)).unwrap();
        output.file.seek(SeekFrom::End(0)).unwrap();
        output.file.write_all(b"torn").unwrap();
        drop(output);

        let mut output = Output::open(&path, "run").unwrap();
        assert_eq!((output.games(), output.positions()), (1, 1));
        output.append(&game(3)).unwrap();
        output.finish().unwrap();
        let expected = [&b"BINP"[..], &200u32.to_le_bytes(), &[1; 100], &[3; 100]].concat();
        assert_eq!(fs::read(&path).unwrap(), expected);

        assert!(matches!(Output::open(&path, "other"), Err(OutputError::OtherRun { .. })));
        OpenOptions::new().write(true).open(&path).unwrap().set_len(50).unwrap();
        assert!(matches!(Output::open(&path, "run"), Err(OutputError::Shorter(_))));
        fs::write(journal_path(&path), "rubbish").unwrap();
        assert!(matches!(Output::open(&path, "run"), Err(OutputError::Journal(..))));
        fs::remove_file(journal_path(&path)).unwrap();
        assert!(matches!(Output::open(&path, "run"), Err(OutputError::NoJournal(_))));
        fs::remove_dir_all(&folder).unwrap();
    }
}
