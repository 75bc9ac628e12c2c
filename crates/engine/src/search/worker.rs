//! A searching thread: iterative deepening from the root, and the end of a search.

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use chess::Move;
use nnue::Network;

use super::mate::ConcurrentMateSearch;
use super::node::Root;
use super::root_moves::RootMove;
use super::soft_limit::SoftLimit;
use super::thread_voting::vote;
use super::{Searcher, SharedSearch, ThreadData, ThreadResult};
use crate::level;
use crate::params;
use crate::platform;
use crate::report::Report;
use crate::time::Plan;
use crate::tt::EntryBound;
use crate::value::{self, MAX_PLY, Value};

/// Nodes between two looks at the clock.
const CHECK_INTERVAL: u64 = 1024;

/// A search thread with the data that it keeps between searches.
pub(crate) struct Worker {
    number: usize,
    data: ThreadData,
}

impl Worker {
    pub(crate) fn new(number: usize, network: Arc<Network>) -> Self {
        Self { number, data: ThreadData::new(network) }
    }

    pub(crate) fn forget(&mut self) {
        self.data.forget();
    }

    /// Takes part in a search; the first thread leads it and gives the answer.
    pub(crate) fn search(&mut self, shared: &SharedSearch) {
        let mut search = Searcher::new(shared, &mut self.data, self.number);
        if self.number == 0 {
            search.run_main_thread();
        } else {
            // The strength of a limited search must not depend on the number of threads.
            if shared.needs_search() && shared.level.is_none() {
                search.iterative_deepening();
                shared.results.lock().unwrap_or_else(PoisonError::into_inner).push(search.result());
            }
            *shared.helpers_busy.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
            shared.helper_done.notify_all();
        }
    }
}

impl Searcher<'_> {
    /// Searches, waits until the answer may be given, and gives it.
    fn run_main_thread(&mut self) {
        let shared = self.shared;
        if shared.needs_search() {
            self.iterative_deepening();
        }
        shared.signal.end_threads();
        shared.signal.wait_for_release();
        self.wait_thinking_time();
        let mut busy = shared.helpers_busy.lock().unwrap_or_else(PoisonError::into_inner);
        while *busy > 0 {
            busy = shared.helper_done.wait(busy).unwrap_or_else(PoisonError::into_inner);
        }
        drop(busy);
        shared.clock.finish_move(shared.nodes());
        shared.tablebases.take_faults().into_iter().for_each(|fault| shared.report(&Report::Note(fault)));

        let (best, ponder) = if let Some(mv) = shared.book_move {
            self.report_book_move(mv);
            (Some(mv), None)
        } else if shared.root_moves.is_empty() {
            self.report_no_moves();
            (None, None)
        } else {
            self.choose_best_move()
        };
        // The search counts as ended before the move is reported, so that a client may start the next one at once.
        shared.signal.finish();
        shared.reporter.lock().unwrap_or_else(PoisonError::into_inner).best_move(best, ponder);
    }

    /// Waits as long as a player of a limited level would think; a stop ends the wait.
    fn wait_thinking_time(&self) {
        let shared = self.shared;
        if let Some(level) = &shared.level
            && shared.needs_search()
            && let Some(plan) = shared.clock.planned_time()
        {
            let agreement = match self.root_moves.as_slice() {
                [_] => 1.0,
                moves => moves[0].nodes as f64 / self.nodes.max(1) as f64,
            };
            let time = match plan {
                Plan::About(time) => level.thinking_time(&shared.root, time, agreement),
                Plan::Exactly(time) => time,
            };
            shared.signal.pause(time.saturating_sub(shared.clock.elapsed()));
        }
    }

    fn result(&self) -> ThreadResult {
        ThreadResult { best: self.root_moves[0].clone(), depth: self.completed_depth }
    }

    /// Chooses among what the threads found, and shows it unless it was the last that was shown.
    fn choose_best_move(&mut self) -> (Option<Move>, Option<Move>) {
        let own = self.result();
        let others = self.shared.results.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let alone = self.proved || self.shared.settings.multipv > 1 || others.is_empty();
        let lines = self.shared.settings.multipv.clamp(1, self.root_moves.len());
        if !alone {
            self.root_moves[0] = vote(own, others).best;
        }
        // Those of a complete iteration of this thread are complete already, as far as they can be.
        if !alone || self.reported.interrupted {
            self.extend_mate_pvs(lines);
        }
        self.extend_final_tablebase_pvs(lines);
        let mut line = self.report_final_lines();
        // A search that was stopped in time for one move only may still know what to expect after it.
        if let [best] = line[..]
            && self.root_moves[0].pv.len() == 1
        {
            let after = self.shared.root.after(best);
            line.extend(self.table.probe(&after, 1).and_then(|entry| entry.mv));
            line = self.playable(&line);
        }
        (line.first().copied(), line.get(1).copied())
    }

    /// Iterative deepening.
    pub(super) fn iterative_deepening(&mut self) {
        let shared = self.shared;
        let max_depth =
            shared.limits.depth.map_or(MAX_PLY as u64 - 1, |depth| depth.clamp(1, MAX_PLY as u64 - 1)) as i32;
        let lines = shared.settings.multipv.clamp(1, self.root_moves.len());
        let mut soft_limit = SoftLimit::new(self.data.last_value);
        let mut proof = ConcurrentMateSearch::new(self);
        self.set_static_root_scores();
        let first_depth = self.resume_from_hash();

        for depth in first_depth..=max_depth {
            self.root_depth = depth;
            for root_move in &mut self.root_moves {
                root_move.previous = root_move.value;
                root_move.value = -value::INFINITE;
            }
            for line in 0..lines {
                self.pv_index = line;
                self.selective_depth = 0;
                self.aspiration_search(depth);
                self.root_moves[..=line].sort_by_key(RootMove::rank);
                if self.stopped {
                    break;
                }
                if self.number == 0 && line + 1 == lines {
                    self.extend_mate_pvs(lines);
                    self.extend_tablebase_pvs_after_iteration(lines);
                    if depth == max_depth {
                        self.extend_final_tablebase_pvs(lines);
                    }
                    self.publish_counters();
                    self.report_lines();
                }
            }
            if self.stopped {
                self.interrupt_iteration();
                break;
            }
            self.completed_depth = depth;
            if self.number == 0 {
                self.complete_iteration();
                if shared.level.is_some() {
                    // From some depth on the nodes of the level count.
                    self.next_check = self.nodes;
                }
                if shared.settings.show_refutations {
                    self.report_refutations();
                }
                if proof.proves_mate(self) {
                    self.publish_counters();
                    self.report_lines();
                    break;
                }
                if self.stopped {
                    break;
                }
                // While pondering the answer has to wait, and so the search may as well go on.
                let answered = proof.refuted && shared.limits.is_for_mate_alone();
                if (answered || self.mate_found() || soft_limit.is_reached(self)) && shared.signal.may_end() {
                    // The proof counts as well.
                    self.interrupt_iteration();
                    break;
                }
            }
        }
        if self.completed_depth > 0 {
            self.data.last_value = Some(self.root_moves[0].average);
        }
        self.publish_counters();
    }

    /// Gives every root move the static evaluation, in case the search is stopped before the first iteration ends.
    fn set_static_root_scores(&mut self) {
        let eval = if self.shared.root.in_check() { value::DRAW } else { self.evaluate(&self.shared.root) };
        for root_move in &mut self.root_moves {
            root_move.shown = eval;
        }
    }

    /// The depth to begin with. In a table that was loaded the root has the depth that an earlier search came to, and
    /// where that knew the value, its line is told at once and the next depth is the first to search.
    fn resume_from_hash(&mut self) -> i32 {
        let shared = self.shared;
        let entry = if shared.hash_loaded { shared.table.probe(&shared.root, 0) } else { None };
        let Some(entry) = entry.filter(|entry| entry.value != value::NONE && entry.bound != EntryBound::None)
        else {
            return 1;
        };
        let Some(index) = self.root_moves.iter().position(|root_move| Some(root_move.mv) == entry.mv) else {
            return 1;
        };
        if self.root_moves[index].tablebase_rank() != self.root_moves[0].tablebase_rank() {
            return 1;
        }
        self.root_moves[..=index].rotate_right(1);
        let line = self.table_line(entry.depth);
        let best = &mut self.root_moves[0];
        (best.value, best.average, best.shown) = (entry.value, entry.value, entry.value);
        self.has_answer = true;
        let known = entry.bound == EntryBound::Exact && shared.settings.multipv == 1;
        if known && self.number == 0 && entry.depth > 0 {
            best.depth = entry.depth as usize;
            best.selective_depth = line.len();
            best.pv = line;
            self.report_lines();
        }
        entry.depth.max(1) + i32::from(known)
    }

    /// The line that the table has from the best root move on, of so many plies at most.
    fn table_line(&self, plies: i32) -> Vec<Move> {
        let mut line = vec![self.root_moves[0].mv];
        let mut pos = self.shared.root.after(line[0]);
        while (line.len() as i32) < plies {
            let entry = self.shared.table.probe(&pos, line.len());
            let Some(mv) = entry.and_then(|entry| entry.mv).filter(|&mv| pos.is_legal(mv)) else { break };
            pos.play(mv);
            line.push(mv);
        }
        line
    }

    /// Searches one line of the root, with a narrow window that widens until it holds the value.
    fn aspiration_search(&mut self, depth: i32) {
        let average = self.root_moves[self.pv_index].average;
        let mut delta = params::aspiration_delta();
        let (mut alpha, mut beta) = (-value::INFINITE, value::INFINITE);
        if depth >= params::aspiration_depth() && average != -value::INFINITE {
            delta += average * average / params::aspiration_square();
            alpha = (average - delta).max(-value::INFINITE);
            beta = (average + delta).min(value::INFINITE);
        }
        let mut failed_high = 0;
        loop {
            let searched = (depth - failed_high).max(1);
            let root = self.shared.root;
            self.root_delta = beta - alpha;
            let value = self.node::<Root>(&root, alpha, beta, searched, 0, false);
            let line = self.pv_index;
            self.root_moves[line..].sort_by_key(RootMove::rank);
            if self.stopped {
                return;
            }
            if value <= alpha {
                beta = (alpha + beta) / 2;
                alpha = (value - delta).max(-value::INFINITE);
                failed_high = 0;
            } else if value >= beta {
                alpha = alpha.max(beta - delta);
                beta = (value + delta).min(value::INFINITE);
                failed_high += 1;
            } else {
                return;
            }
            if self.number == 0
                && self.shared.settings.multipv == 1
                && self.shared.clock.elapsed().as_millis() > 3000
            {
                self.publish_counters();
                self.report_lines();
            }
            delta += delta * params::aspiration_growth() / 100 + 1;
        }
    }

    /// Has the search proved the mate that it was asked for? Also a mate that no deeper search
    /// could shorten needs no more time.
    fn mate_found(&self) -> bool {
        let best = self.root_moves[0].value;
        if !value::is_mate(best) {
            return false;
        }
        let plies = value::MATE - best.abs();
        let asked = self.shared.limits.mate.is_some_and(|moves| plies as u64 <= moves.saturating_mul(2));
        let settled = self.shared.clock.uses_game_clock() && best > 0 && self.completed_depth > plies + 3;
        asked || settled
    }

    /// Must the search end now? Also keeps the counters that others read up to date.
    #[inline]
    pub(super) fn should_stop(&mut self) -> bool {
        if self.nodes >= self.next_check {
            self.check_limits();
        }
        self.stopped
    }

    /// Lets the next node look at the clock: something has happened that may have taken long.
    #[inline]
    pub(super) fn check_soon(&mut self) {
        if self.number == 0 && !self.in_sub_search {
            self.next_check = self.next_check.min(self.nodes);
        }
    }

    #[cold]
    fn check_limits(&mut self) {
        self.publish_counters();
        if self.in_sub_search {
            self.stopped = true;
            return;
        }
        let shared = self.shared;
        let mut next = self.nodes + CHECK_INTERVAL;
        if let Some(limit) = shared.limits.nodes {
            let limit = limit.max(1);
            let left = limit.saturating_sub(shared.nodes());
            // The last checks come closer together, so that one thread ends on the very node.
            next = next.min(self.nodes + left.max(1));
            self.stopped |= left == 0 && self.number == 0;
        }
        if let Some(level) = &shared.level
            && self.completed_depth >= level::LEAST_DEPTH
        {
            let left = level.nodes().saturating_sub(self.nodes);
            next = next.min(self.nodes + left);
            self.stopped |= left == 0;
        }
        self.next_check = next;
        platform::yield_to_host();
        // One root move is always searched, so that there is something to answer with; helpers need not answer.
        if self.has_answer || self.number > 0 {
            self.stopped |= shared.signal.stopped();
            if self.number == 0 && !shared.signal.pondering() {
                self.stopped |= shared.clock.hard_limit_reached(shared.nodes());
            }
        }
        if shared.settings.show_current_line {
            self.note_current_line();
        }
    }

    pub(super) fn publish_counters(&self) {
        let counters = &self.shared.counters[self.number];
        counters.nodes.store(self.nodes, Ordering::Relaxed);
        counters.tablebase_hits.store(self.tablebase_hits, Ordering::Relaxed);
    }

    /// May the move be searched at the root now? In MultiPV those of the lines before are not, and
    /// neither are those that the tablebases call worse.
    pub(super) fn is_root_move_to_search(&self, mv: Move) -> bool {
        let left = &self.root_moves[self.pv_index..];
        left.iter()
            .any(|root_move| root_move.mv == mv && root_move.tablebase_rank() == left[0].tablebase_rank())
    }

    /// Remembers what the search of a root move found.
    pub(super) fn update_root_move(
        &mut self,
        mv: Move,
        value: Value,
        alpha: Value,
        beta: Value,
        move_count: usize,
        nodes: u64,
    ) {
        let depths = (self.root_depth as usize, self.selective_depth);
        let tail = self.data.pv.line(1).to_vec();
        let Some(root_move) = self.root_moves.iter_mut().find(|root_move| root_move.mv == mv) else { return };
        root_move.nodes += nodes;
        if move_count == 1 || value > alpha {
            root_move.improve(value, alpha, beta, depths, &tail);
            self.has_answer = true;
        } else {
            // Only that it is worse is known, which keeps the old order among the rest.
            root_move.value = -value::INFINITE;
        }
    }

    /// Reports a book move with the static evaluation.
    fn report_book_move(&mut self, mv: Move) {
        self.set_static_root_scores();
        let value = self.root_moves[0].shown;
        self.shared.report(&Report::Note("book move".to_owned()));
        self.shared.report(&Report::Line(self.info(value, 1, 1, 1, vec![mv])));
    }

    fn report_no_moves(&self) {
        let value = if self.shared.root.in_check() { value::mated_in(0) } else { value::DRAW };
        self.shared.report(&Report::Line(self.info(value, 0, 0, 1, Vec::new())));
    }
}
