//! Streaming of the data from disk: a thread reads blocks in random order and decodes some dozens of them into a pool
//! whose chains are mixed, one pool ahead of the training.
//!
//! Memory holds three pools at most. The same seed gives the same pools in the same order.

use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use super::data::{Data, DataError};
use super::games::Games;
use super::rng::Rng;

/// A pool is usually full with so many positions: about 80 MB.
pub(super) const POOL: usize = 1 << 22;

/// A place in the order of the blocks: the first one that is not yet in a pool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) epoch: usize,
    pub(super) block: usize,
}

/// Games to mix and learn from.
#[derive(Debug)]
pub(super) struct Pool {
    pub(super) games: Games,
    /// Where the pool begins, and where the next one does.
    pub(super) place: Place,
    pub(super) next: Place,
    /// Which part of its epoch the pool is, by the bytes of the files.
    pub(super) share: (f64, f64),
}

/// An endless sequence of pools, one epoch after another.
#[derive(Debug)]
pub(super) struct Stream(Receiver<Result<Pool, DataError>>);

impl Stream {
    /// Begins to read at a place, into pools of so many positions.
    pub(super) fn new(data: Data, seed: u64, place: Place, positions: usize) -> Self {
        let (sender, receiver) = sync_channel(0);
        thread::spawn(move || {
            let mut maker = PoolReader { data, seed, place, positions, order: Vec::new() };
            loop {
                let pool = maker.pool();
                let failed = pool.is_err();
                // The receiver is gone when the run has ended.
                if sender.send(pool).is_err() || failed {
                    return;
                }
            }
        });
        Self(receiver)
    }

    /// The next pool; none after an error.
    pub(super) fn next(&self) -> Option<Result<Pool, DataError>> {
        self.0.recv().ok()
    }
}

/// Reads pools.
struct PoolReader {
    data: Data,
    seed: u64,
    place: Place,
    positions: usize,
    /// The blocks of the epoch; empty before it is drawn.
    order: Vec<usize>,
}

impl PoolReader {
    fn pool(&mut self) -> Result<Pool, DataError> {
        if self.order.is_empty() {
            self.order = (0..self.data.blocks()).collect();
            Rng::new(self.seed, self.place.epoch as u64 + 1).shuffle(&mut self.order);
        }
        let (place, total) = (self.place, self.data.bytes().max(1) as f64);
        let bytes =
            |blocks: &[usize]| blocks.iter().map(|&block| self.data.bytes_of(block)).sum::<u64>() as f64;
        let mut games = Games::default();
        let mut end = place.block;
        while end < self.order.len() && games.steps().len() < self.positions {
            games.append(self.data.decode(self.order[end])?);
            end += 1;
        }
        let share = (bytes(&self.order[..place.block]) / total, bytes(&self.order[..end]) / total);
        if end < self.order.len() {
            self.place.block = end;
        } else {
            self.place = Place { epoch: place.epoch + 1, block: 0 };
            self.order.clear();
        }
        Ok(Pool { games, place, next: self.place, share })
    }
}
