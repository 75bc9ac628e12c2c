//! Ways out of a node without looking at all its moves.

use chess::Move;

use super::super::picker::{Kinds, Picker};
use super::super::{Search, params};
use super::NonPv;
use super::facts::Facts;
use crate::tt::{Entry, EntryBound};
use crate::value::{self, Value};

/// How far above beta an evaluation must be for the opponent never to come here.
fn reverse_futility_margin(facts: &Facts<'_>, depth: i32) -> Value {
    (params::rfp_slope() - params::rfp_no_tt_hit() * i32::from(!facts.memo.hit)) * depth
        + params::rfp_square() * depth * depth
        - params::rfp_improving() * i32::from(facts.improving)
        - params::rfp_worsening() * i32::from(facts.opponent_worsening)
        + facts.correction.abs() / 4
}

impl Search<'_> {
    /// Razoring: so far behind that only captures could help.
    pub(super) fn razor(
        &mut self,
        facts: &Facts<'_>,
        alpha: Value,
        beta: Value,
        depth: i32,
    ) -> Option<Value> {
        let margin = params::razor_base() + params::razor_square() * depth * depth;
        (facts.eval < alpha - margin).then(|| self.quiescence::<NonPv>(facts.pos, alpha, beta, facts.ply))
    }

    /// Reverse futility: so far ahead that the opponent would not come here.
    pub(super) fn reverse_futility(&self, facts: &Facts<'_>, beta: Value, depth: i32) -> Option<Value> {
        let far_ahead = !facts.memo.pv
            && depth < params::rfp_depth()
            && facts.eval >= beta
            && facts.eval - reverse_futility_margin(facts, depth) >= beta
            && (facts.memo.mv.is_none() || facts.memo.is_capture())
            && !value::is_loss(beta)
            && !value::is_win(facts.eval);
        far_ahead.then(|| (2 * beta + facts.eval) / 3)
    }

    /// Null move: so good that even passing keeps it above beta.
    pub(super) fn null_move(&mut self, facts: &Facts<'_>, beta: Value, depth: i32) -> Option<Value> {
        let Facts { pos, ply, .. } = *facts;
        let margin = params::nmp_margin()
            - params::nmp_margin_slope() * depth
            - params::nmp_improving() * i32::from(facts.improving);
        if !facts.cut_node
            || facts.eval < beta
            || facts.static_eval < beta + margin
            || self.frame_before(ply, 1).mv.is_none()
            || ply < self.null_min_ply
            || value::is_loss(beta)
            // With king and pawns alone, having to move may be what loses.
            || !pos.has_pieces(facts.us)
        {
            return None;
        }
        let surplus = (facts.eval - beta).min(params::nmp_eval_max());
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
        // At high depth a zugzwang would cost too much: look again without null moves.
        self.null_min_ply = ply + 3 * (depth - reduction).max(0) as usize / 4;
        let verified = self.node::<NonPv>(pos, beta - 1, beta, depth - reduction, ply, false);
        self.null_min_ply = 0;
        (!self.stopped && verified >= beta).then_some(value)
    }

    /// `ProbCut`: a good capture that beats a raised beta at low depth would beat beta here.
    pub(super) fn probcut(&mut self, facts: &Facts<'_>, beta: Value, depth: i32) -> Option<Value> {
        let memo = &facts.memo;
        let raised =
            beta + params::probcut_margin() - params::probcut_improving() * i32::from(facts.improving);
        // The table's value, or else the evaluation, must make such a capture likely.
        let likely = if memo.value == value::NONE { facts.eval >= beta } else { memo.value >= raised };
        if facts.in_check
            || !facts.cut_node
            || depth < params::probcut_depth()
            || !likely
            || memo.mv.is_some_and(Move::is_quiet)
        {
            return None;
        }
        let wanted = Kinds::NoisyWinning((raised - facts.static_eval) / 2);
        let mut picker = Picker::new(self, facts.pos, memo.mv, wanted);
        let surplus = (facts.static_eval - beta).max(0) / params::probcut_surplus();
        let reduced = (depth - 4 - surplus).max(0);
        while let Some(mv) = picker.next(self, facts.ply) {
            let value = self.try_capture(facts, mv, raised, reduced);
            if self.stopped {
                return None;
            }
            if value >= raised {
                let entry = Entry {
                    mv: Some(mv),
                    value,
                    eval: facts.raw_eval,
                    depth: reduced + 1,
                    bound: EntryBound::Lower,
                    pv: memo.pv,
                };
                self.table.store(facts.pos, facts.ply, entry);
                return Some(if value::is_decisive(value) { value } else { value - (raised - beta) });
            }
        }
        None
    }

    /// What a capture is worth beside the raised beta; a look at captures alone comes first.
    fn try_capture(&mut self, facts: &Facts<'_>, mv: Move, raised: Value, depth: i32) -> Value {
        let ply = facts.ply + 1;
        let mut next = *facts.pos;
        self.play(facts.pos, &mut next, mv, facts.ply);
        let mut value = -self.quiescence::<NonPv>(&next, -raised, -raised + 1, ply);
        if value >= raised && depth > 0 {
            value = -self.node::<NonPv>(&next, -raised, -raised + 1, depth, ply, !facts.cut_node);
        }
        self.take_back();
        value
    }

    /// The same idea without a search: the table knows a value far above beta, if not quite as deep.
    pub(super) fn remembered_probcut(facts: &Facts<'_>, beta: Value, depth: i32) -> Option<Value> {
        let memo = &facts.memo;
        let raised = beta + params::probcut_small_margin();
        let known = memo.bound.is_lower()
            && memo.depth >= depth - 4
            && memo.value != value::NONE
            && memo.value >= raised
            && !value::is_decisive(memo.value);
        known.then_some(raised)
    }
}
