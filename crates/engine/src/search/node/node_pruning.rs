//! Pruning of whole nodes: razoring, reverse futility, null move and `ProbCut`.

use chess::Move;

use super::super::Searcher;
use super::super::move_picker::{MoveFilter, MovePicker};
use super::NonPv;
use super::context::NodeContext;
use crate::params;
use crate::tt::{Entry, EntryBound};
use crate::value::{self, Value};

/// How far above beta the evaluation must be.
fn reverse_futility_margin(node: &NodeContext<'_>, depth: i32) -> Value {
    (params::rfp_slope() - params::rfp_no_tt_hit() * i32::from(!node.tt.hit)) * depth
        + params::rfp_square() * depth * depth
        - params::rfp_improving() * i32::from(node.improving)
        - params::rfp_worsening() * i32::from(node.opponent_worsening)
        + node.correction.abs() / params::rfp_correction()
}

impl Searcher<'_> {
    /// Razoring: far below alpha, quiescence decides.
    pub(super) fn razor(
        &mut self,
        node: &NodeContext<'_>,
        alpha: Value,
        beta: Value,
        depth: i32,
    ) -> Option<Value> {
        let margin = params::razor_base() + params::razor_square() * depth * depth;
        (node.eval < alpha - margin).then(|| self.quiescence::<NonPv>(node.pos, alpha, beta, node.ply))
    }

    /// Reverse futility: far above beta, the node fails high.
    pub(super) fn reverse_futility(&self, node: &NodeContext<'_>, beta: Value, depth: i32) -> Option<Value> {
        let far_ahead = !node.tt.pv
            && depth < params::rfp_depth()
            && node.eval >= beta
            && node.eval - reverse_futility_margin(node, depth) >= beta
            && (node.tt.mv.is_none() || node.tt.is_capture())
            && !value::is_loss(beta)
            && !value::is_win(node.eval);
        far_ahead.then(|| (2 * beta + node.eval) / 3)
    }

    /// Null move: if passing still fails high, so would the best move.
    pub(super) fn null_move(&mut self, node: &NodeContext<'_>, beta: Value, depth: i32) -> Option<Value> {
        let NodeContext { pos, ply, .. } = *node;
        let margin = params::nmp_margin()
            - params::nmp_margin_slope() * depth
            - params::nmp_improving() * i32::from(node.improving);
        if !node.cut_node
            || node.eval < beta
            || node.static_eval < beta + margin
            || self.frame_before(ply, 1).mv.is_none()
            || ply < self.null_min_ply
            || value::is_loss(beta)
            // With king and pawns alone zugzwang is common.
            || !pos.has_pieces(node.us)
        {
            return None;
        }
        let surplus = (node.eval - beta).min(params::nmp_eval_max());
        let reduction =
            (params::nmp_base() + params::nmp_depth() * depth + params::nmp_eval() * surplus) / 1024;
        let next = self.play_null(pos, ply);
        let value = -self.node::<NonPv>(&next, -beta, -beta + 1, depth - reduction, ply + 1, false);
        self.take_back();
        if self.stopped || value < beta || value::is_win(value) {
            return None;
        }
        if self.null_min_ply > 0 || depth < params::nmp_verification_depth() {
            return Some(value);
        }
        // At high depth the result is verified without null moves, against zugzwang.
        self.null_min_ply = ply + 3 * (depth - reduction).max(0) as usize / 4;
        let verified = self.node::<NonPv>(pos, beta - 1, beta, depth - reduction, ply, false);
        self.null_min_ply = 0;
        (!self.stopped && verified >= beta).then_some(value)
    }

    /// `ProbCut`: a good capture that beats beta by a margin at low depth would most likely beat beta here.
    pub(super) fn probcut(&mut self, node: &NodeContext<'_>, beta: Value, depth: i32) -> Option<Value> {
        let tt = &node.tt;
        let probcut_beta =
            beta + params::probcut_margin() - params::probcut_improving() * i32::from(node.improving);
        // The table's value, or else the evaluation, must make such a capture likely.
        let likely = if tt.value == value::NONE { node.eval >= beta } else { tt.value >= probcut_beta };
        if node.in_check
            || !node.cut_node
            || depth < params::probcut_depth()
            || !likely
            || tt.mv.is_some_and(Move::is_quiet)
        {
            return None;
        }
        let wanted = MoveFilter::NoisyWinning(value::to_exchange(probcut_beta - node.static_eval));
        let mut picker = MovePicker::new(self, node.pos, tt.mv, wanted);
        let surplus = (node.static_eval - beta).max(0) / params::probcut_surplus();
        let reduced = (depth - params::probcut_reduction() - surplus).max(0);
        while let Some(mv) = picker.next(self, node.ply) {
            let value = self.probcut_move(node, mv, probcut_beta, reduced);
            if self.stopped {
                return None;
            }
            if value >= probcut_beta {
                let entry = Entry {
                    mv: Some(mv),
                    value,
                    eval: node.raw_eval,
                    depth: reduced + 1,
                    bound: EntryBound::Lower,
                    pv: tt.pv,
                };
                self.table.store(node.pos, node.ply, entry);
                return Some(if value::is_decisive(value) { value } else { value - (probcut_beta - beta) });
            }
        }
        None
    }

    /// Searches a capture against the ProbCut beta: quiescence first, then the reduced search.
    fn probcut_move(&mut self, node: &NodeContext<'_>, mv: Move, probcut_beta: Value, depth: i32) -> Value {
        let ply = node.ply + 1;
        let mut next = *node.pos;
        self.play(node.pos, &mut next, mv, node.ply);
        let mut value = -self.quiescence::<NonPv>(&next, -probcut_beta, -probcut_beta + 1, ply);
        if value >= probcut_beta && depth > 0 {
            value = -self.node::<NonPv>(&next, -probcut_beta, -probcut_beta + 1, depth, ply, !node.cut_node);
        }
        self.take_back();
        value
    }

    /// The same idea without a search: the table knows a value far above beta, if not quite as deep.
    pub(super) fn tt_probcut(node: &NodeContext<'_>, beta: Value, depth: i32) -> Option<Value> {
        let tt = &node.tt;
        let probcut_beta = beta + params::probcut_small_margin();
        let known = tt.bound.is_lower()
            && tt.depth >= depth - params::probcut_small_depth()
            && tt.value != value::NONE
            && tt.value >= probcut_beta
            && !value::is_decisive(tt.value);
        known.then_some(probcut_beta)
    }
}
