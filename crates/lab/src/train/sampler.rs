//! Batches: windows of games in random order.
//!
//! A batch of whole games would have few games, whose positions are correlated. Windows of some dozens of plies bring
//! more games into a batch; each costs one refresh of the accumulators, so they are not made too short.

use std::ops::Range;

use chess::Color;
use nnue::Architecture;
use nnue::features::View;

use super::data::{Data, DataError};
use super::games::Games;
use super::rng::Rng;
use super::rows::view;
use super::stream::{Place, Pool, Stream};
use super::trainer::Settings;

/// A part of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Window {
    pub(super) game: u32,
    pub(super) first: u32,
    pub(super) plies: u32,
}

/// Every position of every game exactly once, in windows of up to `length` plies whose borders are drawn anew for
/// each `number` (0: whole games), shuffled. The same seed and number give the same windows.
pub(super) fn windows(games: &Games, length: usize, seed: u64, number: u64) -> Vec<Window> {
    let mut rng = Rng::new(seed, (number + 1) << 32);
    let mut windows = Vec::new();
    for game in 0..games.len() {
        let plies = games.plies(game);
        let mut first = 0;
        let mut end = if length == 0 { plies } else { 1 + rng.below(length) };
        while first < plies {
            end = end.min(plies);
            windows.push(Window { game: game as u32, first: first as u32, plies: (end - first) as u32 });
            first = end;
            end += length;
        }
    }
    rng.shuffle(&mut windows);
    windows
}

/// Cuts windows into runs of about `positions` positions, at least one window each.
pub(super) fn batches(windows: &[Window], positions: usize) -> Vec<Range<usize>> {
    let mut batches = Vec::new();
    let (mut first, mut held) = (0, 0);
    for (number, window) in windows.iter().enumerate() {
        held += window.plies as usize;
        if held >= positions {
            batches.push(first..number + 1);
            (first, held) = (number + 1, 0);
        }
    }
    if first < windows.len() {
        batches.push(first..windows.len());
    }
    batches
}

/// Sorts the windows of a batch by the views of both kings, so that one after another needs the same rows: those of
/// one view fit into the cache, those of all do not.
pub(super) fn sort(batch: &mut [Window], games: &Games, architecture: &Architecture) {
    batch.sort_by_cached_key(|window| {
        let board = games.board_at(window.game as usize, window.first as usize);
        Color::ALL.map(|side| View::slot(view(architecture, side, &board)))
    });
}

/// An endless sequence of batches.
pub(super) struct Feed {
    architecture: Architecture,
    stream: Stream,
    window: usize,
    batch: usize,
    seed: u64,
    /// Where the run began, or went on.
    begun: Place,
    pool: Option<Loaded>,
}

struct Loaded {
    pool: Pool,
    windows: Vec<Window>,
    batches: Vec<Range<usize>>,
    /// The batch at hand.
    at: usize,
}

impl Feed {
    /// Batches of what the data hold from a place on, cut as the settings say.
    pub(super) fn new(data: Data, architecture: Architecture, settings: &Settings, place: Place) -> Self {
        let Settings { window, batch, seed, pool, .. } = *settings;
        let stream = Stream::new(data, seed, place, pool);
        Self { architecture, stream, window, batch, seed, begun: place, pool: None }
    }

    /// Goes to the next batch.
    pub(super) fn advance(&mut self) -> Result<(), FeedError> {
        if let Some(loaded) = &mut self.pool
            && loaded.at + 1 < loaded.batches.len()
        {
            loaded.at += 1;
            return Ok(());
        }
        loop {
            let pool = self.stream.next().ok_or(FeedError::Nothing)?.map_err(FeedError::Data)?;
            let number = (pool.place.epoch as u64) << 24 ^ pool.place.block as u64;
            let mut windows = windows(&pool.games, self.window, self.seed, number);
            let batches = batches(&windows, self.batch);
            if batches.is_empty() {
                if pool.place.block == 0 {
                    return Err(FeedError::Nothing);
                }
                continue;
            }
            for batch in &batches {
                sort(&mut windows[batch.clone()], &pool.games, &self.architecture);
            }
            self.pool = Some(Loaded { pool, windows, batches, at: 0 });
            return Ok(());
        }
    }

    /// The batch at hand, with its games.
    pub(super) fn batch(&self) -> Option<(&Games, &[Window])> {
        let Loaded { pool, windows, batches, at } = self.pool.as_ref()?;
        Some((&pool.games, &windows[batches[*at].clone()]))
    }

    /// How many epochs will be done after the batch at hand.
    pub(super) fn epochs(&self) -> f64 {
        self.pool.as_ref().map_or(self.begun.epoch as f64, |Loaded { pool, batches, at, .. }| {
            let (from, to) = pool.share;
            let done = (*at + 1) as f64 / batches.len() as f64;
            pool.place.epoch as f64 + if *at + 1 == batches.len() { to } else { from + (to - from) * done }
        })
    }

    /// Where a run that is stopped now resumes: after the current pool.
    pub(super) fn place(&self) -> Place {
        self.pool.as_ref().map_or(self.begun, |loaded| loaded.pool.next)
    }
}

/// Why there is no batch.
#[derive(Debug)]
pub(super) enum FeedError {
    /// The files could not be read.
    Data(DataError),
    /// There is no position in them.
    Nothing,
}

impl std::fmt::Display for FeedError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Data(error) => error.fmt(f),
            Self::Nothing => f.write_str("the data have no position"),
        }
    }
}

impl std::error::Error for FeedError {}

#[cfg(test)]
mod tests {
    use super::super::games::{Label, PieceSets};
    use super::*;

    fn games(lengths: &[usize]) -> Games {
        let label = Label { score: 0, result: None, black_to_move: false, counts: true };
        let board = PieceSets::default();
        let mut games = Games::default();
        for &length in lengths {
            games.begin(&board, label, 0);
            (1..length).for_each(|_| games.advance(&board, &board, label));
        }
        games
    }

    #[test]
    fn an_epoch_visits_every_position_once() {
        let lengths = [1, 7, 64, 100, 33];
        let games = games(&lengths);
        for length in [0, 1, 16, 200] {
            let windows = windows(&games, length, 5, 3);
            let mut seen: Vec<Vec<u32>> = lengths.iter().map(|&plies| vec![0; plies]).collect();
            for window in &windows {
                assert!(length == 0 || window.plies as usize <= length);
                for ply in window.first..window.first + window.plies {
                    seen[window.game as usize][ply as usize] += 1;
                }
            }
            assert!(seen.iter().flatten().all(|&times| times == 1));
            let batched: usize = batches(&windows, 20).into_iter().map(|batch| batch.len()).sum();
            assert_eq!(batched, windows.len());
        }
    }

    #[test]
    fn epochs_differ_and_seeds_reproduce() {
        let games = games(&[80; 20]);
        assert_eq!(windows(&games, 16, 1, 1), windows(&games, 16, 1, 1));
        assert_ne!(windows(&games, 16, 1, 1), windows(&games, 16, 1, 2));
        assert_ne!(windows(&games, 16, 1, 1), windows(&games, 16, 2, 1));
    }
}
