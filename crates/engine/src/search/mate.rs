//! Completes the lines of mates, and runs the mate solver for `go mate`.

use chess::Move;

use super::Searcher;
use super::mate_solver::{MateProof, MateSolver};
use super::node::Pv;
use crate::report::Report;
use crate::value::{self, Value};

/// Nodes that may be spent on completing all lines: a few milliseconds, since a clock may be running.
const BUDGET: u64 = 3_000;

/// Positions that a proof looks at for each node of the search beside it, and at the first attempt.
const PROOF_SHARE: u64 = 2;
const FIRST_PROOF: u64 = 20_000;

/// The mate solver that runs between the iterations of `go mate`: the search is quick where forcing moves lead on, the
/// solver where pruning hides the key.
pub(super) struct ConcurrentMateSearch {
    solver: Option<MateSolver>,
    nodes: u64,
    /// There is no mate of the length asked for, on either side.
    pub(super) refuted: bool,
}

impl ConcurrentMateSearch {
    /// Only the first thread proves, and only when asked for a mate.
    pub(super) fn new(search: &Searcher<'_>) -> Self {
        let shared = search.shared;
        let asked = shared.limits.mate.filter(|_| search.number == 0);
        let solver = asked.map(|moves| {
            MateSolver::new(
                &shared.root,
                &shared.root_moves,
                &shared.history,
                usize::try_from(moves).unwrap_or(usize::MAX),
            )
        });
        Self { solver, nodes: 0, refuted: false }
    }

    /// Goes on for a while. True when a mate is proved, for or against; it is then the search's answer.
    pub(super) fn proves_mate(&mut self, search: &mut Searcher<'_>) -> bool {
        let Some(solver) = &mut self.solver else { return false };
        let others = search.nodes - self.nodes;
        let limit = FIRST_PROOF + PROOF_SHARE * others;
        let nodes = &mut self.nodes;
        let proof = solver.run(&mut || {
            *nodes += 1;
            search.nodes += 1;
            *nodes < limit && !search.should_stop()
        });
        let (value, line) = match proof {
            MateProof::Unknown => return false,
            MateProof::NoMate => {
                self.solver = None;
                self.refuted = true;
                let moves = search.shared.limits.mate.unwrap_or(0);
                search.shared.report(&Report::Note(format!("neither side mates in {moves} by force")));
                return false;
            }
            MateProof::Mate(moves, line) => (value::mate_in(2 * moves - 1), line),
            MateProof::Mated(moves, line) => (value::mated_in(2 * moves), line),
        };
        search.adopt_mate_proof(value, &line);
        true
    }
}

impl Searcher<'_> {
    /// Makes a proved line the answer.
    fn adopt_mate_proof(&mut self, value: Value, line: &[Move]) {
        let depths = (self.root_depth as usize, line.len());
        let Some((&first, tail)) = line.split_first() else { return };
        for root_move in &mut self.root_moves {
            if root_move.mv == first {
                root_move.improve(value, -value::INFINITE, value::INFINITE, depths, tail);
            } else if value::is_loss(value) {
                // No move is better, and the others resist less.
                root_move.value = -value::INFINITE;
                root_move.previous = -value::INFINITE;
            }
        }
        self.root_moves.sort_by_key(super::root_moves::RootMove::rank);
        self.proved = true;
    }

    /// Completes the lines of mates among the first root moves, where the table has cut them short.
    pub(super) fn extend_mate_pvs(&mut self, lines: usize) {
        let mut budget = BUDGET;
        for index in 0..lines {
            let root_move = &self.root_moves[index];
            let exact = !root_move.lower_bound && !root_move.upper_bound;
            let value = root_move.known_value();
            if value::is_mate(value) && exact {
                self.extend_mate_pv(index, value, &mut budget);
            }
        }
    }

    fn extend_mate_pv(&mut self, index: usize, value: Value, budget: &mut u64) {
        let wanted = (value::MATE - value.abs()) as usize;
        while self.root_moves[index].pv.len() < wanted && *budget > 0 {
            let line = self.root_moves[index].pv.clone();
            let mut pos = self.shared.root;
            if line.iter().any(|&mv| {
                let legal = pos.is_legal(mv);
                if legal {
                    pos.play(mv);
                }
                !legal
            }) {
                return;
            }
            let tail = self.search_pv_tail(&line, wanted - line.len(), budget);
            if tail.is_empty() {
                return;
            }
            let missing = wanted - line.len();
            self.root_moves[index].pv.extend(tail.into_iter().take(missing));
        }
    }

    /// A line from the end of this one, found by a small search of its own.
    fn search_pv_tail(&mut self, line: &[Move], plies: usize, budget: &mut u64) -> Vec<Move> {
        let nodes = self.nodes;
        let mut pos = self.shared.root;
        for (ply, &mv) in line.iter().enumerate() {
            let before = pos;
            self.play(&before, &mut pos, mv, ply);
        }
        // The search may have been stopped; this one has limits of its own.
        let (stopped, next_check) = (self.stopped, self.next_check);
        // It counts nodes, not time, and so it keeps away from the disk.
        let tablebase_men = std::mem::take(&mut self.tablebase_men);
        self.stopped = false;
        self.next_check = self.nodes + *budget;
        self.in_sub_search = true;
        self.node::<Pv>(&pos, -value::INFINITE, value::INFINITE, plies as i32 + 1, line.len(), false);
        let complete = !self.stopped;
        self.in_sub_search = false;
        self.tablebase_men = tablebase_men;
        (self.stopped, self.next_check) = (stopped, next_check);
        // Not part of the search that was asked for, so not of its nodes either.
        *budget = budget.saturating_sub(self.nodes - nodes);
        self.nodes = nodes;
        for _ in line {
            self.take_back();
        }
        if complete { self.data.pv.line(line.len()).to_vec() } else { Vec::new() }
    }
}
