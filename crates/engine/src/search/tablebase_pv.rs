//! Extends lines that the tablebases decide to their end.

use std::time::Duration;

use chess::{KeyHistory, Move, Position};

use super::Searcher;
use crate::platform::Instant;
use crate::value::{self, MAX_PLY, Value};

/// The time limit for extending lines when the answer is due. A line of sixty moves takes less, unless the tables are
/// on a slow disk.
const TIME_LIMIT: Duration = Duration::from_millis(8);
/// The largest part of a running clock that it may take: one in this many.
const SHARE: u32 = 20;
/// The time limit when neither a clock nor a stop is pressing.
const ANALYSIS_TIME_LIMIT: Duration = Duration::from_secs(1);

impl Searcher<'_> {
    /// Completes lines after an iteration of a search without end, whose last lines may never come.
    pub(super) fn extend_tablebase_pvs_after_iteration(&mut self, lines: usize) {
        if !self.shared.limits.is_for_move() && self.shared.clock.maximum_time().is_none() {
            let (until, signal) = (Instant::now() + ANALYSIS_TIME_LIMIT, &self.shared.signal);
            self.extend_tablebase_pvs(lines, || signal.stopped() || Instant::now() >= until);
        }
    }

    /// Completes the lines that the search ends with.
    pub(super) fn extend_final_tablebase_pvs(&mut self, lines: usize) {
        let allowed = match self.shared.clock.maximum_time() {
            Some(most) => (most / SHARE).min(TIME_LIMIT),
            None if self.shared.signal.was_stopped() => TIME_LIMIT,
            None => ANALYSIS_TIME_LIMIT,
        };
        let mut until = Instant::now() + allowed;
        if let Some(end) = self.shared.clock.deadline() {
            // Whatever came late before, the helpers for one, has used this time up.
            until = until.min(end + allowed);
        }
        self.extend_tablebase_pvs(lines, || Instant::now() >= until);
    }

    fn extend_tablebase_pvs(&mut self, lines: usize, late: impl Fn() -> bool) {
        for root_move in &mut self.root_moves[..lines] {
            let won = root_move.tablebase.map_or(value::DRAW, |rank| rank.value);
            if value::is_decisive(won) && !value::is_mate(root_move.known_value()) {
                let line = TablebaseLine { shared: self.shared, won, late: &late }.complete(&root_move.pv);
                root_move.pv = line;
            }
        }
    }
}

/// A line that the tablebases call won or lost.
struct TablebaseLine<'a, F> {
    shared: &'a super::SharedSearch,
    /// What it is worth at the root.
    won: Value,
    late: &'a F,
}

impl<F: Fn() -> bool> TablebaseLine<'_, F> {
    /// The line to the mate, as far as time allows: first the search's own moves while they keep the
    /// result, then the shortest way to each capture or pawn move, against the longest resistance.
    fn complete(&self, line: &[Move]) -> Vec<Move> {
        let (mut pos, mut keys) = (self.shared.root, self.shared.history.clone());
        let mut moves = Vec::with_capacity(line.len());
        let mut own = line.iter().copied().fuse();
        let mut follows = true;
        while moves.len() < MAX_PLY && pos.has_legal_move() {
            if (self.late)() {
                // What was not reached is still the search's own.
                return if follows { line.to_vec() } else { moves };
            }
            let value = if moves.len() % 2 == 0 { self.won } else { -self.won };
            // The first move is the one that the line is about.
            let next = own.next().filter(|&mv| {
                follows && pos.is_legal(mv) && (moves.is_empty() || self.keeps(&pos, &keys, mv, value))
            });
            follows = next.is_some();
            let rule = self.shared.settings.fifty_move_rule;
            let Some(mv) = next.or_else(|| self.shared.tablebases.best_move(&pos, &keys, rule)) else {
                break;
            };
            keys.push(&pos);
            pos.play(mv);
            moves.push(mv);
        }
        moves
    }

    /// Does the move leave the position worth what it was?
    fn keeps(&self, pos: &Position, keys: &KeyHistory, mv: Move, value: Value) -> bool {
        let rule = self.shared.settings.fifty_move_rule;
        let ranking = self.shared.tablebases.rank(pos, keys, &[mv], rule);
        ranking.and_then(|ranking| ranking.rank_of(mv)).is_some_and(|rank| rank.value == value)
    }
}
