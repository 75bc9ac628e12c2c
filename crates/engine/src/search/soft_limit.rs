//! Scales the planned time by how the search goes: a stable best move, a value that does
//! not fall and a search that looks at little else need less.

use chess::Move;

use super::Searcher;
use crate::value::{self, Value};

/// What the iterations of one search came to.
pub(super) struct SoftLimit {
    best: Option<Move>,
    /// Iterations since the best move changed.
    same_move: u32,
    /// Iterations since the value left the neighbourhood of its mean.
    same_value: u32,
    /// What the previous search of the game ended with, from the side to move.
    previous: Option<Value>,
}

/// A value within this of the mean of its move counts as unchanged.
const SMALL_CHANGE: Value = 8;

impl SoftLimit {
    pub(super) fn new(previous: Option<Value>) -> Self {
        Self { best: None, same_move: 0, same_value: 0, previous }
    }

    /// An iteration is done: is it enough?
    pub(super) fn is_reached(&mut self, search: &Searcher<'_>) -> bool {
        let best = &search.root_moves[0];
        self.same_move = if self.best == Some(best.mv) { self.same_move + 1 } else { 0 };
        self.best = Some(best.mv);
        let steady = (best.value - best.average).abs() <= SMALL_CHANGE;
        self.same_value = if steady { self.same_value + 1 } else { 0 };
        let shared = search.shared;
        if !shared.clock.uses_game_clock() {
            return false;
        }
        // The only move needs no thought, but for a line to show.
        if search.root_moves.len() == 1 {
            return true;
        }
        let share = best.nodes as f64 / search.nodes.max(1) as f64;
        let effort = (3.0 - 2.5 * share).max(0.55);
        let stability = 1.25 - 0.05 * f64::from(self.same_move.min(9));
        let calm = 1.15 - 0.04 * f64::from(self.same_value.min(8));
        let fall = match self.previous {
            Some(previous) if !value::is_decisive(previous) => f64::from(previous - best.value),
            _ => 0.0,
        };
        let trend = (0.85 + 0.01 * fall).clamp(0.75, 1.45);
        shared.clock.soft_limit_reached(shared.nodes(), effort * stability * calm * trend)
    }
}
