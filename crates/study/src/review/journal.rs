//! The journal of a review: a file with one line per finished game, beside the output, for `--resume`.

use std::error::Error;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::model::Review;

/// The review that a journal belongs to.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Heading {
    /// The version of this file.
    version: u32,
    /// A checksum of the games.
    games: String,
    engine: String,
    limits: String,
}

const VERSION: u32 = 1;

impl Heading {
    pub(super) fn new(games: &[u8], engine: &str, limits: &str) -> Self {
        let games = format!("{:016x}", fnv_1a(games));
        Self { version: VERSION, games, engine: engine.to_owned(), limits: limits.to_owned() }
    }
}

/// The 64-bit FNV-1a hash: enough to detect other files, since nobody has a reason to forge one.
fn fnv_1a(bytes: &[u8]) -> u64 {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

/// The finished games.
pub(super) struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Starts a journal, or resumes one and returns its reviews.
    pub(super) fn open(
        path: &Path,
        heading: &Heading,
        resume: bool,
    ) -> Result<(Self, Vec<Review>), Box<dyn Error>> {
        let place = |error: std::io::Error| format!("{}: {error}", path.display());
        let mut reviews = Vec::new();
        if resume {
            match fs::read_to_string(path) {
                Ok(text) => {
                    let read = read(&text, heading);
                    reviews = read.map_err(|reason| format!("{}: {reason}", path.display()))?;
                }
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(place(error).into()),
            }
        }
        // Rewritten: a line that was cut off must not precede the next one.
        let mut journal = Self { path: path.to_owned(), file: File::create(path).map_err(place)? };
        journal.line(heading).map_err(place)?;
        for review in &reviews {
            journal.line(review).map_err(place)?;
        }
        journal.file = OpenOptions::new().append(true).open(path).map_err(place)?;
        Ok((journal, reviews))
    }

    /// Keeps a finished game.
    pub(super) fn add(&mut self, review: &Review) -> Result<(), Box<dyn Error>> {
        self.line(review).map_err(|error| format!("{}: {error}", self.path.display()).into())
    }

    fn line(&mut self, entry: &impl Serialize) -> std::io::Result<()> {
        let mut line = serde_json::to_string(entry)?;
        line.push('\n');
        self.file.write_all(line.as_bytes())
    }

    /// Deletes the journal of a finished review.
    pub(super) fn finish(self) {
        // A journal that stays is replaced by the next review.
        let _ = fs::remove_file(&self.path);
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// The reviews of a journal; a last line that was cut short is left out.
fn read(text: &str, heading: &Heading) -> Result<Vec<Review>, String> {
    let mut lines = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    let found: Option<Heading> = lines.next().and_then(|line| serde_json::from_str(line).ok());
    match found {
        Some(found) if found == *heading => {}
        Some(_) => {
            return Err("the journal belongs to another review (other games, engine or limits)".to_owned());
        }
        None => return Err("not the journal of a review".to_owned()),
    }
    Ok(lines.map_while(|line| serde_json::from_str(line).ok()).collect())
}
