//! Late move reductions, the re-searches after them, and hindsight adjustments of the depth.

use chess::{EXCHANGE_VALUES, Position};

use super::super::Searcher;
use super::super::history::captured_type;
use super::super::threats::Threats;
use super::context::{MoveContext, NodeContext};
use super::{NodeKind, NonPv, Pv};
use crate::params;
use crate::value::{self, Value};

/// 1024 times the natural logarithm; that of 0, which is never asked for, counts as that of 1.
static LOGARITHMS: [i32; 64] = logarithms();

const fn logarithms() -> [i32; 64] {
    let mut table = [0; 64];
    let mut sum = 0.0;
    let mut n = 2;
    while n < table.len() {
        // From the one before by ln(n / (n - 1)) = 2 artanh(1 / (2n - 1)), whose series is short.
        let x = 1.0 / (2 * n - 1) as f64;
        let mut power = x;
        let mut k = 1;
        while k < 40 {
            sum += 2.0 * power / k as f64;
            power *= x * x;
            k += 2;
        }
        table[n] = (1024.0 * sum) as i32;
        n += 1;
    }
    table
}

impl Searcher<'_> {
    /// The reduction of a late move in 1024ths of a ply, before its adjustments: less where the window is wide.
    #[inline(always)]
    pub(super) fn base_reduction(
        &self,
        node: &NodeContext<'_>,
        depth: i32,
        move_count: usize,
        delta: Value,
    ) -> i32 {
        let product = LOGARITHMS[(depth as usize).min(63)] * LOGARITHMS[move_count.min(63)];
        let scale = product / 1024 * params::lmr_slope() / 1024;
        params::lmr_base() + scale + scale * params::lmr_improving() / 512 * i32::from(!node.improving)
            - delta * params::lmr_window() / self.root_delta
            + params::lmr_tt_pv_first() * i32::from(node.tt.pv)
    }

    /// The continuation histories of the last two moves.
    #[inline(always)]
    pub(super) fn recent_continuations(&self, ply: usize, piece_to: usize) -> i32 {
        let after =
            |plies| self.data.histories.continuation(self.frame_before(ply, plies).piece_to, piece_to);
        after(1) + after(2)
    }

    /// The sum of a move's histories, for a capture also the captured piece.
    #[inline(always)]
    pub(super) fn stat_score(&self, node: &NodeContext<'_>, current: &MoveContext, threats: &Threats) -> i32 {
        let histories = &self.data.histories;
        if current.is_quiet {
            2 * histories.quiet(node.us, threats.all, current.mv)
                + self.recent_continuations(node.ply, current.piece_to)
        } else {
            let victim = captured_type(node.pos, current.mv);
            params::lmr_victim() * EXCHANGE_VALUES[victim.index()] + histories.capture(node.pos, current.mv)
        }
    }

    /// Adjusts the reduction of a move by what is known about it and about its node.
    #[inline(always)]
    pub(super) fn adjusted_reduction<N: NodeKind>(
        &mut self,
        node: &NodeContext<'_>,
        current: &MoveContext,
        stat_score: i32,
        alpha: Value,
        depth: i32,
        mut reduction: i32,
    ) -> i32 {
        let tt = &node.tt;
        let all_node = !N::PV && !node.cut_node;
        reduction += params::lmr_offset();
        if tt.pv {
            reduction -= params::lmr_tt_pv() + params::lmr_pv_node() * i32::from(N::PV);
            if tt.value != value::NONE && tt.value > alpha {
                reduction -= params::lmr_tt_above();
            }
            if tt.depth >= depth {
                reduction -= params::lmr_tt_deep() + params::lmr_tt_deep_cut() * i32::from(node.cut_node);
            }
        }
        reduction -= params::lmr_move_count() * current.move_count as i32;
        reduction -= params::lmr_correction() * node.correction.abs();
        if node.cut_node {
            reduction += params::lmr_cut_node() + params::lmr_no_tt_move() * i32::from(tt.mv.is_none());
        }
        if tt.is_capture() {
            reduction += params::lmr_tt_capture();
        }
        if self.frame(node.ply + 1).cutoff_count as i32 > params::lmr_cutoff_count() {
            reduction += params::lmr_cutoffs() + params::lmr_cutoffs_all() * i32::from(all_node);
        }
        if Some(current.mv) == tt.mv {
            reduction -= params::lmr_tt_move();
        }
        reduction -= stat_score * params::lmr_history() / 1024;
        if all_node {
            reduction += reduction * params::lmr_all_node() / (256 * depth + params::lmr_all_node_offset());
        }
        reduction
    }

    /// Searches a move that was just played: late moves at reduced depth first, and all but the first with a null window
    /// until they beat alpha.
    #[allow(clippy::too_many_arguments, reason = "the window, the depths, and what they are about")]
    #[inline(always)]
    pub(super) fn search_move<N: NodeKind>(
        &mut self,
        node: &NodeContext<'_>,
        current: &MoveContext,
        next: &Position,
        (alpha, beta, best): (Value, Value, Value),
        depth: i32,
        mut new_depth: i32,
        mut reduction: i32,
    ) -> Value {
        let NodeContext { ply, cut_node, ref tt, .. } = *node;
        let mut value = -value::INFINITE;
        if depth >= params::lmr_depth() && current.move_count > 1 {
            let most = (new_depth + params::lmr_extension()).max(1);
            let reduced = (new_depth - reduction / 1024).clamp(1, most) + i32::from(N::PV);
            self.frame(ply).reduction = new_depth - reduced;
            value = -self.node::<NonPv>(next, -(alpha + 1), -alpha, reduced, ply + 1, true);
            self.frame(ply).reduction = 0;
            if value > alpha {
                // A value far above the best one is searched deeper, one barely above it shallower.
                let deeper = reduced < new_depth
                    && value > best + params::lmr_deeper() + params::lmr_deeper_slope() * new_depth;
                new_depth += i32::from(deeper) - i32::from(value < best + params::lmr_shallower());
                if reduced < new_depth {
                    value = -self.node::<NonPv>(next, -(alpha + 1), -alpha, new_depth, ply + 1, !cut_node);
                }
                if current.is_quiet {
                    self.update_continuations(current.piece_to, ply, params::lmr_bonus());
                }
            }
        } else if !N::PV || current.move_count > 1 {
            if tt.mv.is_none() {
                reduction += params::full_depth_no_tt_move();
            }
            let shallower = i32::from(reduction > params::full_depth_reduction())
                + i32::from(reduction > params::full_depth_reduction_two() && new_depth > 2);
            value =
                -self.node::<NonPv>(next, -(alpha + 1), -alpha, new_depth - shallower, ply + 1, !cut_node);
        }
        if N::PV && (current.move_count == 1 || value > alpha) {
            // The table's move is searched at least one ply where the table knows more than quiescence.
            if Some(current.mv) == tt.mv && tt.depth > 1 {
                new_depth = new_depth.max(1);
            }
            value = -self.node::<Pv>(next, -beta, -alpha, new_depth, ply + 1, false);
        }
        value
    }

    /// The depth after hindsight: one more if the parent's reduction was large and the evaluation did not get worse for the
    /// opponent, one less if both sides' evaluations say that this node is good for the side to move.
    #[inline(always)]
    pub(super) fn hindsight_depth(
        &self,
        node: &NodeContext<'_>,
        mut depth: i32,
        prior_reduction: i32,
    ) -> i32 {
        if node.in_check {
            return depth;
        }
        if prior_reduction >= params::hindsight_depth_up() && !node.opponent_worsening {
            depth += 1;
        }
        let before = self.frame_before(node.ply, 1).static_eval;
        if prior_reduction >= 2
            && depth >= 2
            && before != value::NONE
            && node.static_eval + before > params::hindsight_eval_down()
        {
            depth -= 1;
        }
        depth
    }
}

#[cfg(test)]
mod tests {
    use super::LOGARITHMS;

    #[test]
    fn the_table_holds_logarithms() {
        for (n, &value) in LOGARITHMS.iter().enumerate().skip(1) {
            assert_eq!(value, (1024.0 * (n as f64).ln()) as i32, "{n}");
        }
    }
}
