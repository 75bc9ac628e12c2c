//! The transposition table's entry of a node, and its static evaluation.

use chess::{Move, Position};

use super::super::Searcher;
use super::super::correction_history::corrected;
use super::NodeKind;
use super::context::NodeContext;
use crate::params;
use crate::tt::{Entry, EntryBound};
use crate::value::{self, Value};

/// The depth under which an evaluation without a search is kept.
const EVAL_DEPTH: i32 = -5;

/// The entry of a node in the transposition table, or what stands for a missing one.
#[derive(Clone, Copy)]
pub(super) struct TtData {
    pub(super) mv: Option<Move>,
    /// [`value::NONE`] where only the evaluation is known.
    pub(super) value: Value,
    pub(super) bound: EntryBound,
    pub(super) depth: i32,
    /// The node is, or once was, part of a principal variation.
    pub(super) pv: bool,
    /// The evaluation, where the entry has one.
    eval: Value,
    /// The table knows the position.
    pub(super) hit: bool,
}

impl TtData {
    /// Does the bound say on which side of `limit` the node's value lies?
    #[inline(always)]
    fn settles(&self, limit: Value) -> bool {
        self.value != value::NONE
            && if self.value >= limit { self.bound.is_lower() } else { self.bound.is_upper() }
    }

    /// Is the value deep enough to stand for a search with a closed window?
    #[inline(always)]
    pub(super) fn cuts(&self, beta: Value, depth: i32, cut_node: bool) -> bool {
        self.depth > depth - i32::from(self.value <= beta)
            && self.settles(beta)
            && (cut_node == (self.value >= beta) || depth > params::tt_cut_depth())
    }

    #[inline(always)]
    pub(super) fn is_capture(&self) -> bool {
        self.mv.is_some_and(|mv| !mv.is_quiet())
    }
}

impl Searcher<'_> {
    /// Probes the table. The move has not been checked for legality. A singular search keeps the PV flag of its node.
    #[inline(always)]
    pub(super) fn probe_table<N: NodeKind>(&mut self, pos: &Position, ply: usize) -> TtData {
        let entry = self.table.probe(pos, ply);
        let mv =
            if N::ROOT { Some(self.root_moves[self.pv_index].mv) } else { entry.and_then(|entry| entry.mv) };
        let frame = self.frame(ply);
        if frame.excluded.is_none() {
            frame.tt_pv = N::PV || entry.is_some_and(|entry| entry.pv);
        }
        frame.tt_hit = entry.is_some();
        TtData {
            mv,
            value: entry.map_or(value::NONE, |entry| entry.value),
            bound: entry.map_or(EntryBound::None, |entry| entry.bound),
            depth: entry.map_or(EVAL_DEPTH, |entry| entry.depth),
            pv: frame.tt_pv,
            eval: entry.map_or(value::NONE, |entry| entry.eval),
            hit: entry.is_some(),
        }
    }

    /// Evaluates the node and compares it with the nodes before.
    #[inline(always)]
    pub(super) fn evaluate_node<'p>(
        &mut self,
        pos: &'p Position,
        ply: usize,
        in_check: bool,
        cut_node: bool,
        tt: TtData,
    ) -> NodeContext<'p> {
        let mut node = NodeContext {
            pos,
            us: pos.side_to_move(),
            ply,
            in_check,
            cut_node,
            excluded: self.frame(ply).excluded,
            tt,
            raw_eval: value::NONE,
            static_eval: value::NONE,
            eval: value::NONE,
            correction: self.data.corrections.value(pos, self.last_moves(ply)),
            improving: false,
            opponent_worsening: false,
        };
        if in_check {
            // Later nodes compare their evaluation with that of two plies ago instead.
            self.frame(ply).static_eval = self.frame_before(ply, 2).static_eval;
            return node;
        }
        if node.excluded.is_some() {
            node.static_eval = self.frame(ply).static_eval;
            node.eval = node.static_eval;
        } else {
            self.evaluate_statically(&mut node);
        }
        self.compare_with_earlier_evals(&mut node);
        node
    }

    #[inline(always)]
    fn evaluate_statically(&mut self, node: &mut NodeContext<'_>) {
        let NodeContext { pos, ply, tt, .. } = *node;
        node.raw_eval = if tt.eval == value::NONE { self.evaluate(pos) } else { tt.eval };
        node.static_eval = corrected(node.raw_eval, node.correction, pos);
        node.eval = node.static_eval;
        if !tt.hit {
            let bare = Entry {
                mv: None,
                value: value::NONE,
                eval: node.raw_eval,
                depth: EVAL_DEPTH,
                bound: EntryBound::None,
                pv: tt.pv,
            };
            self.table.store(pos, ply, bare);
        } else if tt.settles(node.eval + 1) {
            node.eval = tt.value;
        }
        self.frame(ply).static_eval = node.static_eval;
    }

    #[inline(always)]
    fn compare_with_earlier_evals(&self, node: &mut NodeContext<'_>) {
        let before = |plies| self.frame_before(node.ply, plies).static_eval;
        node.improving = before(2) != value::NONE && node.static_eval > before(2);
        node.opponent_worsening = before(1) != value::NONE && node.static_eval > -before(1);
    }
}
