//! Mates are shown with the whole line that leads to them.

use super::Search;
use super::node::Pv;
use crate::value::{self, Value};

/// Nodes that may be spent on completing all lines: a few milliseconds, since a clock may be running.
const BUDGET: u64 = 3_000;

impl Search<'_> {
    /// Completes the lines of mates among the first root moves, where the table has cut them short.
    pub(super) fn complete_mates(&mut self, lines: usize) {
        let mut budget = BUDGET;
        for index in 0..lines {
            let root_move = &self.root_moves[index];
            let exact = !root_move.lower_bound && !root_move.upper_bound;
            let value = root_move.known_value();
            if value::is_mate(value) && exact {
                self.complete_mate(index, value, &mut budget);
            }
        }
    }

    fn complete_mate(&mut self, index: usize, value: Value, budget: &mut u64) {
        let wanted = (value::MATE - value.abs()) as usize;
        while self.root_moves[index].pv.len() < wanted && *budget > 0 {
            let line = self.root_moves[index].pv.clone();
            let mut pos = self.job.root;
            if line.iter().any(|&mv| {
                let legal = pos.is_legal(mv);
                if legal {
                    pos.play(mv);
                }
                !legal
            }) {
                return;
            }
            let tail = self.search_behind(&line, wanted - line.len(), budget);
            if tail.is_empty() {
                return;
            }
            let missing = wanted - line.len();
            self.root_moves[index].pv.extend(tail.into_iter().take(missing));
        }
    }

    /// A line from the end of this one, found by a small search of its own.
    fn search_behind(&mut self, line: &[chess::Move], plies: usize, budget: &mut u64) -> Vec<chess::Move> {
        let nodes = self.nodes;
        let mut pos = self.job.root;
        for (ply, &mv) in line.iter().enumerate() {
            pos = self.play(&pos, mv, ply);
        }
        // The search may have been stopped; this one has limits of its own.
        let (stopped, next_check) = (self.stopped, self.next_check);
        self.stopped = false;
        self.next_check = self.nodes + *budget;
        self.on_a_budget = true;
        self.node::<Pv>(&pos, -value::INFINITE, value::INFINITE, plies as i32 + 1, line.len(), false);
        let complete = !self.stopped;
        self.on_a_budget = false;
        (self.stopped, self.next_check) = (stopped, next_check);
        // Not part of the search that was asked for, so not of its nodes either.
        *budget = budget.saturating_sub(self.nodes - nodes);
        self.nodes = nodes;
        for _ in line {
            self.take_back();
        }
        if complete { self.pv.line(line.len()).to_vec() } else { Vec::new() }
    }
}
