//! Reads the input games of `review` and `puzzles`.

use std::error::Error;
use std::io::Read;
use std::path::Path;
use std::{fs, io};

use pgn::{Game, Games};

use crate::output::warn;

/// The games of a file; `-` is standard input.
pub(crate) struct Input {
    pub(crate) bytes: Vec<u8>,
    pub(crate) games: Vec<Game>,
    /// How many could not be read.
    pub(crate) broken: usize,
}

impl Input {
    /// Reads the file, and reports on standard error what cannot be read.
    ///
    /// # Errors
    /// Where there is not a single game.
    pub(crate) fn read(path: &Path) -> Result<Self, Box<dyn Error>> {
        let mut bytes = Vec::new();
        let read = if path == Path::new("-") {
            io::stdin().read_to_end(&mut bytes).map(|_| ())
        } else {
            fs::read(path).map(|read| bytes = read)
        };
        read.map_err(|error| format!("{}: {error}", path.display()))?;
        let mut input = Self { games: Vec::new(), broken: 0, bytes: Vec::new() };
        for game in Games::new(&pgn::decode(&bytes)) {
            match game {
                Ok(game) => {
                    for (line, reason) in &game.left_out {
                        let place = format_args!("{}: game {}, line {line}", path.display(), game.number);
                        warn(format_args!("{place}: left out {reason}"));
                    }
                    input.games.push(game);
                }
                Err(fault) => {
                    warn(format_args!("{}: {fault}; skipped", path.display()));
                    input.broken += 1;
                }
            }
        }
        if input.games.is_empty() {
            return Err(format!("{}: no game that can be read", path.display()).into());
        }
        input.bytes = bytes;
        Ok(input)
    }
}
