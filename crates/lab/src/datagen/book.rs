//! A book of positions, one FEN or EPD per line.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use chess::Position;
use rng::Random;

/// The positions of a book, of which there is at least one.
#[derive(Debug)]
pub(super) struct Book {
    positions: Vec<Position>,
    hash: String,
}

/// What is wrong with a book.
#[derive(Debug)]
pub(super) enum BookError {
    File(PathBuf, std::io::Error),
    Line(PathBuf, usize, chess::FenError),
    Empty(PathBuf),
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Line(path, number, error) => write!(f, "{}, line {number}: {error}", path.display()),
            Self::Empty(path) => write!(f, "{}: no positions in this book", path.display()),
        }
    }
}

impl std::error::Error for BookError {}

impl Book {
    /// Reads all positions.
    pub(super) fn read(path: &Path) -> Result<Self, BookError> {
        let text = fs::read_to_string(path).map_err(|error| BookError::File(path.to_owned(), error))?;
        let positions = chess::fen_lines(&text)
            .map(|(number, line)| {
                Position::from_fen(line).map_err(|error| BookError::Line(path.to_owned(), number, error))
            })
            .collect::<Result<Vec<_>, _>>()?;
        if positions.is_empty() {
            return Err(BookError::Empty(path.to_owned()));
        }
        Ok(Self { positions, hash: super::hash(text.as_bytes()) })
    }

    /// Identifies the content of the book.
    pub(super) fn hash(&self) -> &str {
        &self.hash
    }

    /// A random position.
    pub(super) fn draw(&self, random: &mut Random) -> Position {
        self.positions[random.below(self.positions.len())]
    }
}
