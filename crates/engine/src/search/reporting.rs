//! The `info` lines of a search.

use std::cmp::Reverse;
use std::time::Duration;

use chess::{KeyHistory, Move, Position};

use super::Searcher;
use super::root_moves::RootMove;
use crate::report::{Bound, Report, SearchInfo};
use crate::value::{self, Score, Value};
use crate::wdl;

/// Moves and lines being searched are shown from this time on, and not more often than this.
const STATUS_AFTER: Duration = Duration::from_secs(1);
const STATUS_EVERY: Duration = Duration::from_millis(100);

/// What was reported last.
#[derive(Default)]
pub(super) struct Reported {
    lines: Vec<SearchInfo>,
    /// The lines of the last complete iteration.
    complete: Vec<SearchInfo>,
    /// Nodes of this thread at that time.
    nodes: u64,
    /// An iteration has searched some since, and was not ended.
    pub(super) interrupted: bool,
}

impl Searcher<'_> {
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
            score: Score::new(value, &self.shared.root),
            bound: None,
            wdl: None,
            nodes: self.shared.nodes(),
            hashfull: self.table.hashfull(),
            tablebase_hits: self.shared.tablebase_hits(),
            time: self.shared.clock.elapsed(),
            pv,
        }
    }

    /// All lines wanted, as they stand; those that this iteration has not reached as the last one left them.
    pub(super) fn report_lines(&mut self) {
        let lines = self.lines();
        self.send(lines);
    }

    /// An iteration was begun and stopped.
    pub(super) fn interrupt_iteration(&mut self) {
        self.reported.interrupted = self.nodes != self.reported.nodes;
    }

    /// An iteration is complete, and its lines are what has just been reported.
    pub(super) fn complete_iteration(&mut self) {
        self.reported.complete.clone_from(&self.reported.lines);
    }

    /// The lines to end with. Those that an interrupted iteration left as a bound, or has begun but not valued, are shown as
    /// the last complete one had them. They are sent where something else was sent last; or nothing since, but an iteration
    /// has been begun: then with its nodes, so that the last lines count them all. Gives the best of them.
    pub(super) fn report_final_lines(&mut self) -> Vec<Move> {
        let mut lines = self.lines();
        let alone = lines.len() == 1;
        for (line, root_move) in lines.iter_mut().zip(&self.root_moves) {
            let valued = root_move.value != -value::INFINITE && line.bound.is_none();
            let old = self.reported.complete.iter().find(|old| old.pv.first() == line.pv.first());
            // Among several lines a move that has proved to be better than before keeps its place by its new bound.
            let better =
                |old: &&SearchInfo| line.bound == Some(Bound::Lower) && line.value > old.value && !alone;
            if let Some(old) = old.filter(|old| !valued && !better(old)) {
                let SearchInfo { multipv, nodes, hashfull, tablebase_hits, time, .. } = *line;
                *line = SearchInfo { multipv, nodes, hashfull, tablebase_hits, time, ..old.clone() };
            }
        }
        // Values of two iterations may be out of order.
        let ranks = self.root_moves.iter().map(RootMove::tablebase_rank);
        let mut ranked: Vec<(i32, SearchInfo)> = ranks.zip(lines).collect();
        ranked.sort_by_key(|(rank, line)| Reverse((*rank, line.value)));
        let numbered = ranked.into_iter().zip(1..);
        let lines: Vec<SearchInfo> =
            numbered.map(|((_, line), multipv)| SearchInfo { multipv, ..line }).collect();
        let same = |a: &SearchInfo, b: &SearchInfo| {
            (a.depth, a.selective_depth, a.value, a.bound, &a.pv)
                == (b.depth, b.selective_depth, b.value, b.bound, &b.pv)
        };
        let old = &self.reported.lines;
        let told = lines.len() == old.len() && lines.iter().zip(old).all(|(new, old)| same(new, old));
        let best = lines.first().map(|line| line.pv.clone()).unwrap_or_default();
        if !told || self.reported.interrupted {
            self.send(lines);
        }
        best
    }

    fn send(&mut self, lines: Vec<SearchInfo>) {
        lines.iter().for_each(|line| self.shared.report(&Report::Line(line.clone())));
        self.reported.lines = lines;
        self.reported.nodes = self.nodes;
    }

    fn lines(&self) -> Vec<SearchInfo> {
        let lines = self.shared.settings.multipv.clamp(1, self.root_moves.len());
        let root_moves = self.root_moves[..lines].iter().enumerate();
        root_moves.map(|(index, root_move)| self.line(root_move, index + 1)).collect()
    }

    /// A line of play from the root, as far as it can be played.
    pub(super) fn playable(&self, line: &[Move]) -> Vec<Move> {
        playable(&self.shared.root, &self.shared.history, line)
    }

    fn line(&self, root_move: &RootMove, multipv: usize) -> SearchInfo {
        let root = &self.shared.root;
        let value = root_move.known_value();
        // Only a mate says more than the tablebases do.
        let decided = root_move.tablebase.filter(|_| !value::is_mate(value));
        let shown = decided.map_or(value, |rank| rank.value);
        let pv = self.playable(&root_move.pv);
        let mut info = self.info(shown, root_move.depth, root_move.selective_depth, multipv, pv);
        // What is left of the last iteration was exact.
        if root_move.value != -value::INFINITE && decided.is_none() {
            info.bound = match (root_move.lower_bound, root_move.upper_bound) {
                (true, _) => Some(Bound::Lower),
                (_, true) => Some(Bound::Upper),
                _ => None,
            };
        }
        if self.shared.settings.show_wdl {
            info.wdl = Some(wdl::wdl(shown, root));
        }
        info
    }

    /// The move that the root looks at; after a while, and not too often.
    pub(super) fn report_current_move(&mut self, mv: Move, number: usize) {
        if self.number != 0 {
            return;
        }
        let elapsed = self.shared.clock.elapsed();
        if elapsed < STATUS_AFTER || elapsed < self.last_status + STATUS_EVERY {
            return;
        }
        self.last_status = elapsed;
        let number = number + self.pv_index;
        self.shared.report(&Report::CurrentMove { depth: self.root_depth as usize, mv, number });
        if self.shared.settings.show_current_line {
            self.report_current_lines();
        }
    }

    /// Keeps the line of this thread for the one that reports.
    pub(super) fn note_current_line(&self) {
        let line = self.frames[super::FRAMES_BEFORE..].iter().map_while(|frame| frame.mv).collect::<Vec<_>>();
        if let Ok(mut kept) = self.shared.lines[self.number].try_lock() {
            *kept = line;
        }
    }

    /// The lines of all threads, together as the specification asks.
    fn report_current_lines(&self) {
        self.note_current_line();
        for (index, line) in self.shared.lines.iter().enumerate() {
            let Ok(line) = line.lock().map(|line| line.clone()) else { continue };
            let line = self.playable(&line);
            if !line.is_empty() {
                self.shared.report(&Report::CurrentLine { thread: index + 1, line });
            }
        }
    }

    /// For every root move but the best, the answer that keeps it from being so.
    pub(super) fn report_refutations(&self) {
        if self.shared.clock.elapsed() < STATUS_AFTER {
            return;
        }
        for root_move in &self.root_moves[1..] {
            let after = self.shared.root.after(root_move.mv);
            let answer = self
                .shared
                .table
                .probe(&after, 1)
                .and_then(|entry| entry.mv)
                .filter(|&mv| after.is_legal(mv));
            self.shared.report(&Report::Refutation(std::iter::once(root_move.mv).chain(answer).collect()));
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
        let over = !moves.is_empty() && pos.game_end(&keys).is_some();
        if over || !pos.is_legal(mv) {
            break;
        }
        keys.push(&pos);
        pos.play(mv);
        moves.push(mv);
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many moves of a line are shown.
    fn shown(fen: &str, line: &str) -> usize {
        let root = Position::from_fen(fen).unwrap();
        let mut pos = root;
        let moves: Vec<Move> = line
            .split_whitespace()
            .map(|text| {
                let mv = pos.parse_uci_move(text).unwrap();
                pos.play(mv);
                mv
            })
            .collect();
        playable(&root, &KeyHistory::new(), &moves).len()
    }

    #[test]
    fn a_line_ends_where_the_game_does() {
        let there_and_back = "g1f3 g8f6 f3g1 f6g8 ";
        assert_eq!(shown(Position::START_FEN, &there_and_back.repeat(2)), 8);
        assert_eq!(shown(Position::START_FEN, &there_and_back.repeat(3)), 8, "the third time is a draw");
        assert_eq!(shown("k7/8/8/8/8/8/8/KR6 w - - 98 80", "b1b2 a8a7 b2b3"), 2, "fifty moves");
        assert_eq!(shown("k7/8/8/8/8/8/8/KR6 w - - 97 80", "b1b2 a8a7 b2b3"), 3);
        assert_eq!(shown("k7/8/8/8/8/8/3p4/3K4 w - - 0 1", "d1d2 a8a7"), 1, "nobody can win");
    }

    #[test]
    fn a_line_ends_before_an_illegal_move() {
        let root = Position::startpos();
        let first = root.parse_uci_move("e2e4").unwrap();
        assert_eq!(playable(&root, &KeyHistory::new(), &[first, first, first]), [first]);
    }
}
