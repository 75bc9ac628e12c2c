//! Positions with a value and a result, counted.

use engine::value::Value;
use engine::wdl::MATERIAL;

/// How a game ended for the side to move, which is also the place of its count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    Win,
    Draw,
    Loss,
}

/// All positions with the same value and material.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Cell {
    pub(super) value: f64,
    pub(super) material: u32,
    /// Wins, draws and losses.
    pub(super) counts: [f64; 3],
}

/// The sample. Positions of one value and material are the same to a model, so that their counts say everything.
#[derive(Debug)]
pub(super) struct Sample {
    limit: Value,
    counts: Vec<[u32; 3]>,
    pub(super) games: usize,
    /// Games that were left out, since they did not end by the rules.
    pub(super) games_left_out: usize,
    pub(super) positions: usize,
}

impl Sample {
    /// A sample of values no further from zero than the limit.
    pub(super) fn new(limit: Value) -> Self {
        let cells = MATERIAL.count() * (2 * limit as usize + 1);
        Self { limit, counts: vec![[0; 3]; cells], games: 0, games_left_out: 0, positions: 0 }
    }

    /// Counts a position; its value and outcome are seen by the same side.
    pub(super) fn add(&mut self, value: Value, material: u32, outcome: Outcome) {
        if value.abs() <= self.limit {
            let row = (material - MATERIAL.start()) as usize;
            let cell = row * self.row_length() + (value + self.limit) as usize;
            self.counts[cell][outcome as usize] += 1;
            self.positions += 1;
        }
    }

    /// The largest value that counts.
    pub(super) fn limit(&self) -> Value {
        self.limit
    }

    fn row_length(&self) -> usize {
        2 * self.limit as usize + 1
    }

    /// The cells that are not empty.
    pub(super) fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        let row_length = self.row_length();
        self.counts.iter().enumerate().filter(|(_, counts)| **counts != [0; 3]).map(move |(index, counts)| {
            Cell {
                value: (index % row_length) as f64 - f64::from(self.limit),
                material: MATERIAL.start() + (index / row_length) as u32,
                counts: counts.map(f64::from),
            }
        })
    }
}
