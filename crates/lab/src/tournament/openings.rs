//! Openings: books of positions (FEN or EPD, one per line) and of games (PGN).

mod pgn;

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use chess::{Move, Position};
use rng::Random;

/// The beginning of a game.
#[derive(Clone, Debug)]
pub(super) struct Opening {
    pub(super) start: Position,
    pub(super) moves: Vec<Move>,
}

/// In which order a book is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Order {
    /// As they stand in the file
    Sequential,
    /// Shuffled with the seed
    Random,
}

/// The openings of a match, in the order of play; the list starts again when it has been used up.
#[derive(Debug)]
pub(super) struct Openings(Vec<Opening>);

/// What is wrong with a book.
#[derive(Debug)]
pub(super) enum BookError {
    File { path: PathBuf, error: std::io::Error },
    Entry { path: PathBuf, number: usize, reason: String },
    Empty(PathBuf),
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, error } => write!(f, "{}: {error}", path.display()),
            Self::Entry { path, number, reason } => {
                let unit = if is_pgn(path) { "game" } else { "line" };
                write!(f, "{}, {unit} {number}: {reason}", path.display())
            }
            Self::Empty(path) => write!(f, "{}: no openings in this book", path.display()),
        }
    }
}

impl std::error::Error for BookError {}

fn is_pgn(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"))
}

impl Openings {
    /// The start position alone.
    pub(super) fn startpos() -> Self {
        Self(vec![Opening { start: Position::startpos(), moves: Vec::new() }])
    }

    /// Reads a book. Of the games of a PGN book the first `plies` are played, or all moves where there is no limit.
    pub(super) fn read(path: &Path, plies: Option<usize>) -> Result<Self, BookError> {
        let bytes = fs::read(path).map_err(|error| BookError::File { path: path.to_owned(), error })?;
        let text = ::pgn::decode(&bytes);
        let parsed = if is_pgn(path) { pgn::games(&text, plies) } else { positions(&text) };
        let openings =
            parsed.map_err(|(number, reason)| BookError::Entry { path: path.to_owned(), number, reason })?;
        if openings.is_empty() { Err(BookError::Empty(path.to_owned())) } else { Ok(Self(openings)) }
    }

    pub(super) fn shuffle(&mut self, seed: u64) {
        let mut random = Random::new(seed);
        for left in (1..self.0.len()).rev() {
            self.0.swap(left, random.below(left + 1));
        }
    }

    pub(super) fn get(&self, round: usize) -> &Opening {
        &self.0[round % self.0.len()]
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Does some opening need the rules of Chess960?
    pub(super) fn need_chess960(&self) -> bool {
        self.0.iter().any(|opening| opening.start.needs_chess960())
    }
}

/// The openings, or the number of the bad entry and what is wrong with it.
type Parsed = Result<Vec<Opening>, (usize, String)>;

fn positions(text: &str) -> Parsed {
    chess::fen_lines(text)
        .map(|(number, line)| {
            let start = Position::from_fen(line).map_err(|error| (number, error.to_string()))?;
            if !start.has_legal_move() {
                return Err((number, "there is no legal move".to_owned()));
            }
            Ok(Opening { start, moves: Vec::new() })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_with_and_without_counters() {
        let text = "# comment\n\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n\
                    r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - hmvc 3; id \"Ruy\";\n";
        let openings = positions(text).unwrap();
        assert_eq!(openings.len(), 2);
        assert_eq!(openings[1].start.legal_moves().len(), 30);
        assert_eq!(positions("8/8 w - -").unwrap_err().0, 1);
        assert_eq!(positions("\n7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").unwrap_err().0, 2);
    }

    #[test]
    fn the_same_seed_gives_the_same_order() {
        let order = |seed| {
            let list =
                (1..=20).map(|number| format!("6k1/8/8/8/8/8/8/K6R w - - 0 {number}\n")).collect::<String>();
            let mut openings = Openings(positions(&list).unwrap());
            openings.shuffle(seed);
            (0..20).map(|round| openings.get(round).start.fullmove_number()).collect::<Vec<_>>()
        };
        assert_eq!(order(1), order(1));
        assert_ne!(order(1), order(2));
        let mut sorted = order(1);
        sorted.sort_unstable();
        assert_eq!(sorted, (1..=20).collect::<Vec<_>>());
    }
}
