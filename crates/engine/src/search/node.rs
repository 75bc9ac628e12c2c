//! The search of one node, as numbered steps.
//!
//! The figures behind the steps are what each gained in games against the search without it, in Elo with error bars
//! of 95 % (60 games at 25,000 nodes a move, `Bench: 1950851`, `docs/ablation.md`). A small figure is not known to differ from zero.

mod context;
mod evaluation;
mod extension;
mod history_updates;
mod move_pruning;
mod node_pruning;
mod reduction;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use chess::{Move, Position};

use self::context::MoveContext;
use self::extension::SingularResult;
use self::history_updates::TriedMoves;
use self::move_pruning::Pruning;
use super::Searcher;
use super::history::piece_to;
use super::move_picker::{MoveFilter, MovePicker, OrderingContext};
use super::tablebase_probe::TablebaseResult;
use crate::params;
use crate::tt::{Entry, EntryBound};
use crate::value::{self, MAX_PLY, Value};

/// The first moves of a node, which are seldom pruned.
const PREFETCHED_MOVES: usize = 3;

/// Root, PV or non-PV node; the node search is compiled for each.
pub(super) trait NodeKind {
    /// The window is open, and the line may become the principal variation.
    const PV: bool;
    /// The position that the search was asked about.
    const ROOT: bool;
}

pub(super) struct Root;
pub(super) struct Pv;
pub(super) struct NonPv;

impl NodeKind for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl NodeKind for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}

impl NodeKind for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}

impl Searcher<'_> {
    /// The value of a position, searched to `depth` within the window. `cut_node`: it is expected to
    /// exceed beta.
    pub(super) fn node<N: NodeKind>(
        &mut self,
        pos: &Position,
        alpha: Value,
        beta: Value,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Value {
        if depth <= 0 {
            return if N::PV {
                self.quiescence::<Pv>(pos, alpha, beta, ply)
            } else {
                self.quiescence::<NonPv>(pos, alpha, beta, ply)
            };
        }
        let base = self.data.arena.len();
        let value = self.inner_node::<N>(pos, alpha, beta, depth.min(MAX_PLY as i32 - 1), ply, cut_node);
        self.data.arena.truncate(base);
        value
    }

    /// What every node begins with: ends the node with a value, or continues with a possibly raised alpha.
    #[inline(always)]
    pub(super) fn enter<N: NodeKind>(
        &mut self,
        pos: &Position,
        mut alpha: Value,
        beta: Value,
        ply: usize,
    ) -> ControlFlow<Value, Value> {
        // Limits come first, so that no node escapes them.
        if self.should_stop() {
            return ControlFlow::Break(value::DRAW);
        }
        // Before any way out, so that no line of a sibling is left behind.
        if N::PV {
            self.data.pv.clear(ply);
            self.selective_depth = self.selective_depth.max(ply + 1);
        }
        // A reversible move that repeats makes the node worth a draw at least.
        if !N::ROOT && alpha < value::DRAW && self.upcoming_repetition(pos, ply) {
            alpha = self.draw_value();
            if alpha >= beta {
                return ControlFlow::Break(alpha);
            }
        }
        if !N::ROOT {
            if self.is_draw(pos, ply) {
                return ControlFlow::Break(self.draw_value());
            }
            if self.has_assigned
                && let Some(value) = self.shared.assigned.get(pos)
            {
                return ControlFlow::Break(value);
            }
            if ply >= MAX_PLY {
                let value = if pos.in_check() { value::DRAW } else { self.evaluate(pos) };
                return ControlFlow::Break(value);
            }
        }
        ControlFlow::Continue(alpha)
    }

    fn inner_node<N: NodeKind>(
        &mut self,
        pos: &Position,
        mut alpha: Value,
        mut beta: Value,
        mut depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Value {
        // 1. Limits, repetitions to come (+12 ± 58), draws by rule, and the user's own values.
        match self.enter::<N>(pos, alpha, beta, ply) {
            ControlFlow::Break(value) => return value,
            ControlFlow::Continue(raised) => alpha = raised,
        }
        let in_check = pos.in_check();

        // 2. Mate distance pruning.
        if !N::ROOT {
            alpha = alpha.max(value::mated_in(ply));
            beta = beta.min(value::mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }
        let excluded = self.frame(ply).excluded;
        self.frame(ply + 1).excluded = None;
        self.frame(ply + 2).cutoff_count = 0;
        self.frame(ply).in_check = in_check;
        self.frame(ply).move_count = 0;
        self.frame(ply).stat_score = 0;

        // 3. The transposition table. Near the fifty-move rule the same position is not worth the same.
        let mut tt = self.probe_table::<N>(pos, ply);
        if !N::PV
            && excluded.is_none()
            && tt.cuts(beta, depth, cut_node)
            && pos.halfmove_clock() < params::tt_cut_clock() as u16
        {
            if let Some(mv) = tt.mv.filter(|&mv| tt.value >= beta && pos.is_legal(mv)) {
                self.update_after_tt_cutoff(pos, mv, ply, depth);
            }
            return tt.value;
        }
        tt.mv = tt.mv.filter(|&mv| N::ROOT || pos.is_legal(mv));

        // 4. Tablebases.
        let mut known = (-value::INFINITE, value::INFINITE);
        if !N::ROOT && excluded.is_none() {
            match self.probe_tablebases(pos, alpha, beta, depth, ply, tt.pv) {
                TablebaseResult::Value(value) => return value,
                // Elsewhere the window is too small for what is still open to matter.
                TablebaseResult::Within(low, high) if N::PV => known = (low, high),
                TablebaseResult::Within(..) => {}
            }
            alpha = alpha.max(known.0);
        }

        // 5. Static evaluation, with the correction histories (+23 ± 65) and the table's value. Its change is a history
        // bonus of the move before (+120 ± 62).
        let mut node = self.evaluate_node(pos, ply, in_check, cut_node, tt);
        self.update_history_by_eval(&node);

        // 6. Hindsight (+6 ± 70): adjusts the depth if the parent's reduction looks wrong now. Only once, not again when the same node
        // is searched for a singular extension or to verify a null move.
        let prior_reduction = if N::ROOT { 0 } else { std::mem::take(&mut self.frame(ply - 1).reduction) };
        if excluded.is_none() {
            depth = self.hindsight_depth(&node, depth, prior_reduction);
        }

        if !N::PV && excluded.is_none() {
            if !in_check {
                // 7. Razoring (-12 ± 71).
                if let Some(value) = self.razor(&node, alpha, beta, depth) {
                    return value;
                }
                // 8. Reverse futility (+89 ± 57).
                if let Some(value) = self.reverse_futility(&node, beta, depth) {
                    return value;
                }
                // 9. Null move (+23 ± 63).
                if let Some(value) = self.null_move(&node, beta, depth) {
                    return value;
                }
            }
            if self.stopped {
                return value::DRAW;
            }
        }
        node.improving |= !in_check && node.static_eval >= beta;

        // 10. Internal iterative reductions (+23 ± 74): without a table move, a shallower search finds one cheaper.
        if depth >= params::iir_depth()
            && tt.mv.is_none()
            && (N::PV || cut_node)
            && prior_reduction <= params::iir_prior_reduction()
            && excluded.is_none()
        {
            depth -= 1;
        }

        // 11. ProbCut by search (-29 ± 46) and from the table (+12 ± 65).
        if !N::PV && excluded.is_none() && !value::is_decisive(beta) {
            if let Some(value) = self.probcut(&node, beta, depth) {
                return value;
            }
            if self.stopped {
                return value::DRAW;
            }
            if let Some(value) = Self::tt_probcut(&node, beta, depth) {
                return value;
            }
        }

        // 12. The moves, one by one. Their order: capture history +52 ± 50, butterfly history +47 ± 62, pawn history +35 ± 44.
        let ordering = OrderingContext::new(pos, depth);
        let threats = &ordering.threats;
        self.frame(ply).threats = threats.all;
        let mut picker = MovePicker::new(self, pos, tt.mv, MoveFilter::All(&ordering));
        let mut best = known.0;
        let mut best_move = None;
        let mut move_count = 0;
        let mut quiets = TriedMoves::new();
        let mut captures = TriedMoves::new();
        let original_alpha = alpha;

        while let Some(mv) = picker.next(self, ply) {
            if Some(mv) == excluded
                || (N::ROOT && !self.is_root_move_to_search(mv))
                || (!N::ROOT && self.overlooks(pos, mv, ply))
            {
                continue;
            }
            move_count += 1;
            self.frame(ply).move_count = move_count;
            if N::ROOT {
                self.report_current_move(mv, move_count);
            }
            let Some(piece) = pos.piece_on(mv.from()) else { continue };
            // For moves that are pruned in the end it would be a waste.
            if move_count <= PREFETCHED_MOVES {
                self.prefetch_entry(pos, mv);
            }
            let current = MoveContext {
                mv,
                piece_to: piece_to(piece, mv.to()),
                move_count,
                is_quiet: mv.is_quiet(),
                gives_check: ordering.checks.gives_check(pos, mv),
            };
            let reduction = self.base_reduction(&node, depth, move_count, beta - alpha);

            // 13. Pruning of moves: futility +76 ± 56, late moves +64 ± 57, captures by SEE +52 ± 69.
            if !N::ROOT && !value::is_loss(best) && pos.has_pieces(node.us) {
                let late = (params::lmp_base() + depth * depth) / (2 - i32::from(node.improving));
                if move_count as i32 >= late {
                    picker.skip_quiets();
                }
                let window = (alpha, best, best_move.is_some());
                match self.prune_move(&node, &current, &picker, threats, window, depth, reduction) {
                    Pruning::Keep => {}
                    Pruning::Prune => continue,
                    Pruning::PruneWithBound(value) => {
                        best = value;
                        continue;
                    }
                }
            }

            let new_depth = depth - 1;

            // 14. Singular extensions (+52 ± 50).
            let mut extension = 0;
            if !N::ROOT {
                match self.singular_extension::<N>(&node, &current, beta, depth) {
                    _ if self.stopped => return value::DRAW,
                    SingularResult::Extend(plies) => extension = plies,
                    SingularResult::Singular(plies) => {
                        extension = plies;
                        depth += params::singular_deepens();
                    }
                    SingularResult::MultiCut(value) => return value,
                }
            }

            // 15. The move is played.
            let nodes_before = self.nodes;
            let stat_score = self.stat_score(&node, &current, threats);
            self.frame(ply).stat_score = stat_score;
            let mut next = *pos;
            self.play(pos, &mut next, mv, ply);

            // 16. Late move reductions (+47 ± 64).
            let reduction =
                self.adjusted_reduction::<N>(&node, &current, stat_score, alpha, depth, reduction);
            let window = (alpha, beta, best);
            let new_depth = new_depth + extension;
            let value = self.search_move::<N>(&node, &current, &next, window, depth, new_depth, reduction);
            self.take_back();
            if self.stopped {
                return value::DRAW;
            }

            // 17. The value of the move.
            if N::ROOT {
                let nodes = self.nodes - nodes_before;
                self.update_root_move(mv, value, alpha, beta, move_count, nodes);
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(mv);
                    if N::PV && !N::ROOT {
                        self.data.pv.set(ply, mv);
                    }
                    if value >= beta {
                        self.frame(ply).cutoff_count += u32::from(extension < 2 || N::PV);
                        break;
                    }
                    alpha = value;
                    // After alpha was raised, the remaining moves are searched at lower depth (+41 ± 65).
                    if depth > 2 && depth < params::alpha_raise_depth() && !value::is_decisive(value) {
                        depth -= params::alpha_raise_reduction();
                    }
                }
            }
            if current.is_quiet {
                quiets.push(mv);
            } else {
                captures.push(mv);
            }
        }

        // 18. Mate and stalemate.
        if move_count == 0 {
            return if excluded.is_some() {
                alpha
            } else if in_check {
                value::mated_in(ply)
            } else {
                value::DRAW
            };
        }
        best = best.min(known.1);
        // A fail-high far above beta is mostly too high: it is drawn towards beta, less so at high depth.
        if best >= beta && !value::is_decisive(best) && !value::is_decisive(alpha) {
            best = (best * depth.max(1) + beta) / (depth.max(1) + 1);
        }

        // 19. Histories.
        if let Some(mv) = best_move {
            self.update_histories(&node, threats.all, mv, depth, &quiets, &captures);
        } else {
            self.reward_prior_move(&node, depth, best);
        }

        // 20. The transposition table and the correction histories. A node that fails low is near the principal variation if its parent is.
        let tt_pv = tt.pv || (best_move.is_none() && self.frame_before(ply, 1).tt_pv);
        let bound = if best >= beta {
            EntryBound::Lower
        } else if N::PV && best_move.is_some() && best > original_alpha {
            EntryBound::Exact
        } else {
            EntryBound::Upper
        };
        if excluded.is_none() && !(N::ROOT && self.pv_index > 0) {
            let entry = Entry { mv: best_move, value: best, eval: node.raw_eval, depth, bound, pv: tt_pv };
            self.table.store(pos, ply, entry);
        }
        if !in_check
            && excluded.is_none()
            && best_move.is_none_or(Move::is_quiet)
            && !value::is_decisive(best)
            && !(bound == EntryBound::Lower && best <= node.static_eval)
            && !(bound == EntryBound::Upper && best >= node.static_eval)
        {
            let line = self.last_moves(ply);
            self.data.corrections.update(pos, line, best - node.static_eval, depth, best_move.is_some());
        }
        best
    }
}
