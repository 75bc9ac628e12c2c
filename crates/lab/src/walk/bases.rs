//! Where walks start.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use chess::Position;
use rng::Random;

use crate::binpack::{BinpackError, Reader};

/// Beyond this score one position in ten is kept: walks from decided games teach little.
const LOPSIDED: u16 = 1000;
const KEPT_LOPSIDED: usize = 10;

/// Positions with a legal move whose side to move is not in check.
#[derive(Debug)]
pub(super) struct Bases(Vec<Position>);

impl Bases {
    /// A random sample of at most `limit` positions of the files.
    ///
    /// # Errors
    /// When a file cannot be read or there is no position in them.
    pub(super) fn read(files: &[PathBuf], limit: usize, seed: u64) -> Result<Self, Box<dyn Error>> {
        let mut reservoir =
            Reservoir { random: Random::new(seed), limit: limit.max(1), offered: 0, drawn: Vec::new() };
        for path in files {
            if path.extension().is_some_and(|ending| ending == "binpack") {
                read_binpack(path, &mut reservoir)?;
            } else {
                read_lines(path, &mut reservoir).map_err(|error| format!("{}: {error}", path.display()))?;
            }
        }
        if reservoir.drawn.is_empty() {
            return Err("there is no position to start from".into());
        }
        Ok(Self(reservoir.drawn))
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// A random one.
    pub(super) fn draw(&self, random: &mut Random) -> &Position {
        &self.0[random.below(self.0.len())]
    }
}

/// Reservoir sampling: every position offered has the same chance to be kept.
struct Reservoir {
    random: Random,
    limit: usize,
    offered: usize,
    drawn: Vec<Position>,
}

impl Reservoir {
    /// Offers a position, which is only computed if it is kept.
    fn offer(&mut self, position: impl FnOnce() -> Option<Position>) {
        let place = if self.drawn.len() < self.limit {
            self.drawn.len()
        } else {
            self.random.below(self.offered + 1)
        };
        self.offered += 1;
        if place >= self.limit {
            return;
        }
        let sound = |position: &Position| !position.in_check() && position.has_legal_move();
        let Some(position) = position().filter(sound) else { return };
        match self.drawn.get_mut(place) {
            Some(slot) => *slot = position,
            None => self.drawn.push(position),
        }
    }
}

fn read_binpack(path: &Path, reservoir: &mut Reservoir) -> Result<(), BinpackError> {
    Reader::open(path)?.for_each(|entry, _| {
        if entry.score.unsigned_abs() <= LOPSIDED || reservoir.random.below(KEPT_LOPSIDED) == 0 {
            reservoir.offer(|| Some(entry.position));
        }
    })
}

fn read_lines(path: &Path, reservoir: &mut Reservoir) -> Result<(), Box<dyn Error>> {
    for (number, line) in chess::fen_lines(&fs::read_to_string(path)?) {
        let position = Position::from_fen(line).map_err(|error| format!("line {number}: {error}"))?;
        reservoir.offer(|| Some(position));
    }
    Ok(())
}
