//! Scales the planned time by how the search goes: a stable best move, a value that does
//! not fall and a search that looks at little else need less.

use chess::Move;

use super::Searcher;
use crate::params::{self, thousandths};
use crate::value::{self, Value};

/// What the iterations of one search say about the time it needs.
pub(super) struct SoftLimit {
    best: Option<Move>,
    /// Iterations since the best move changed.
    same_move: u32,
    /// Iterations since the value left the neighbourhood of its mean.
    same_value: u32,
    /// What the previous search of the game ended with, from the side to move.
    previous: Option<Value>,
}

impl SoftLimit {
    pub(super) fn new(previous: Option<Value>) -> Self {
        Self { best: None, same_move: 0, same_value: 0, previous }
    }

    /// An iteration is done: is the scaled soft limit reached?
    pub(super) fn is_reached(&mut self, search: &Searcher<'_>) -> bool {
        let best = &search.root_moves[0];
        self.same_move = if self.best == Some(best.mv) { self.same_move + 1 } else { 0 };
        self.best = Some(best.mv);
        let steady = (best.value - best.average).abs() <= params::time_steady_value();
        self.same_value = if steady { self.same_value + 1 } else { 0 };
        let shared = search.shared;
        if !shared.clock.uses_game_clock() {
            return false;
        }
        // A single legal move is played after the first iteration, which gives a line to show.
        if search.root_moves.len() == 1 {
            return true;
        }
        let share = best.nodes as f64 / search.nodes.max(1) as f64;
        let effort = (thousandths(params::time_effort_base())
            - thousandths(params::time_effort_slope()) * share)
            .max(thousandths(params::time_effort_min()));
        let stability = thousandths(params::time_stability_base())
            - thousandths(params::time_stability_slope()) * f64::from(self.same_move.min(9));
        let calm = thousandths(params::time_calm_base())
            - thousandths(params::time_calm_slope()) * f64::from(self.same_value.min(8));
        let fall = match self.previous {
            Some(previous) if !value::is_decisive(previous) => f64::from(previous - best.value),
            _ => 0.0,
        };
        let trend = (thousandths(params::time_trend_base()) + thousandths(params::time_trend_slope()) * fall)
            .clamp(thousandths(params::time_trend_min()), thousandths(params::time_trend_max()));
        shared.clock.soft_limit_reached(shared.nodes(), effort * stability * calm * trend)
    }
}
