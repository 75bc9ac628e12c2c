//! How the course of a search decides how much of its time it takes: a best move that stays, a value that does
//! not fall and a search that looks at little else need less.

use chess::Move;

use super::Search;
use crate::value::Value;

/// What the iterations of one search came to.
pub(super) struct Course {
    best: Option<Move>,
    /// Iterations since the best move changed.
    stable: u32,
    values: Vec<Value>,
}

impl Course {
    pub(super) fn new() -> Self {
        Self { best: None, stable: 0, values: Vec::new() }
    }

    /// An iteration is done: is it enough?
    pub(super) fn enough(&mut self, search: &Search<'_>) -> bool {
        let best = &search.root_moves[0];
        self.stable = if self.best == Some(best.mv) { self.stable + 1 } else { 0 };
        self.best = Some(best.mv);
        self.values.push(best.value);
        let job = search.job;
        if !job.clock.is_planned() {
            return false;
        }
        // The only move needs no thought, but for a line to show.
        if search.root_moves.len() == 1 {
            return true;
        }
        let stability = 1.45 - 0.075 * f64::from(self.stable.min(9));
        let earlier = self.values[self.values.len().saturating_sub(4)];
        let fall = f64::from((earlier - best.value).clamp(-60, 120));
        let trend = 1.0 + fall / 250.0;
        let share = best.nodes as f64 / search.nodes.max(1) as f64;
        let effort = 1.75 - 0.95 * share;
        job.clock.enough(job.nodes(), stability * trend * effort)
    }
}
