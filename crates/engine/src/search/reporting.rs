//! What a search shows of itself.

use std::time::Duration;

use chess::{KeyHistory, Move, Position};

use super::Search;
use super::root::RootMove;
use crate::report::{Bound, Report, SearchInfo};
use crate::value::{self, Score, Value};
use crate::wdl;

/// Moves and lines being searched are shown from this time on, and not more often than this.
const STATUS_AFTER: Duration = Duration::from_secs(1);
const STATUS_EVERY: Duration = Duration::from_millis(100);

impl Search<'_> {
    pub(super) fn info(
        &self,
        value: Value,
        depth: usize,
        selective_depth: usize,
        multipv: usize,
        pv: Vec<Move>,
    ) -> SearchInfo {
        SearchInfo {
            depth,
            selective_depth,
            multipv,
            value,
            score: Score::new(value, &self.job.root),
            bound: None,
            wdl: None,
            nodes: self.job.nodes(),
            hashfull: self.table.hashfull(),
            tablebase_hits: self.job.tablebase_hits(),
            time: self.job.clock.elapsed(),
            pv,
        }
    }

    /// All lines wanted, as they stand; those that this iteration has not reached as the last one left them.
    pub(super) fn report_lines(&self) {
        let lines = self.job.settings.multipv.clamp(1, self.root_moves.len());
        for (index, root_move) in self.root_moves[..lines].iter().enumerate() {
            self.report_line(root_move, index + 1);
        }
    }

    /// The line of a root move, as far as it can be played.
    pub(super) fn line(&self, root_move: &RootMove) -> Vec<Move> {
        playable(&self.job.root, &self.job.history, &root_move.pv)
    }

    fn report_line(&self, root_move: &RootMove, multipv: usize) {
        let root = &self.job.root;
        let value = root_move.known_value();
        // Only a mate says more than the tablebases do.
        let decided = root_move.table.filter(|_| !value::is_mate(value));
        let shown = decided.map_or(value, |verdict| verdict.value);
        let pv = self.line(root_move);
        let mut info = self.info(shown, root_move.depth, root_move.selective_depth, multipv, pv);
        // What is left of the last iteration was exact.
        if root_move.value != -value::INFINITE && decided.is_none() {
            info.bound = match (root_move.lower_bound, root_move.upper_bound) {
                (true, _) => Some(Bound::Lower),
                (_, true) => Some(Bound::Upper),
                _ => None,
            };
        }
        if self.job.settings.show_wdl {
            info.wdl = Some(wdl::wdl(shown, root));
        }
        self.job.report(&Report::Line(info));
    }

    /// The move that the root looks at; after a while, and not too often.
    pub(super) fn report_current_move(&mut self, mv: Move, number: usize) {
        if self.number != 0 {
            return;
        }
        let elapsed = self.job.clock.elapsed();
        if elapsed < STATUS_AFTER || elapsed < self.last_status + STATUS_EVERY {
            return;
        }
        self.last_status = elapsed;
        let number = number + self.pv_index;
        self.job.report(&Report::CurrentMove { depth: self.root_depth as usize, mv, number });
        if self.job.settings.show_current_line {
            self.report_current_lines();
        }
    }

    /// Keeps the line of this thread for the one that reports.
    pub(super) fn note_current_line(&self) {
        let line = self.frames[super::FRAMES_BEFORE..].iter().map_while(|frame| frame.mv).collect::<Vec<_>>();
        if let Ok(mut kept) = self.job.lines[self.number].try_lock() {
            *kept = line;
        }
    }

    /// The lines of all threads, together as the specification asks.
    fn report_current_lines(&self) {
        self.note_current_line();
        for (index, line) in self.job.lines.iter().enumerate() {
            let Ok(line) = line.lock().map(|line| line.clone()) else { continue };
            let line = playable(&self.job.root, &self.job.history, &line);
            if !line.is_empty() {
                self.job.report(&Report::CurrentLine { thread: index + 1, line });
            }
        }
    }

    /// For every root move but the best, the answer that keeps it from being so.
    pub(super) fn report_refutations(&self) {
        if self.job.clock.elapsed() < STATUS_AFTER {
            return;
        }
        for root_move in &self.root_moves[1..] {
            let after = self.job.root.after(root_move.mv);
            let answer = self
                .job
                .table
                .probe(after.key(), 1)
                .and_then(|entry| entry.mv)
                .filter(|&mv| after.is_legal(mv));
            self.job.report(&Report::Refutation(std::iter::once(root_move.mv).chain(answer).collect()));
        }
    }
}

/// The line as far as it is legal and the game goes on: nothing comes after mate, a third
/// repetition, fifty moves, or a position in which nobody can win.
fn playable(root: &Position, history: &KeyHistory, line: &[Move]) -> Vec<Move> {
    let mut pos = *root;
    let mut keys = history.clone();
    let mut moves = Vec::with_capacity(line.len());
    for &mv in line {
        let over = !moves.is_empty()
            && (pos.halfmove_clock() >= 100 || pos.is_dead() || keys.occurrences(&pos) >= 2);
        if over || !pos.is_legal(mv) {
            break;
        }
        keys.push(&pos);
        pos.play(mv);
        moves.push(mv);
    }
    moves
}
