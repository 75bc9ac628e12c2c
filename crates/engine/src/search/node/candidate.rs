//! What is decided about one move of a node: to leave it out, to look deeper, or less deep.

use chess::{EXCHANGE_VALUES, Move, Piece, PieceType, Position};

use super::super::picker::{Picker, Threats};
use super::super::{Search, params};
use super::facts::Facts;
use super::{NodeKind, NonPv, Pv};
use crate::value::{self, Value};

/// A move that is about to be searched.
pub(super) struct Candidate {
    pub(super) mv: Move,
    /// Its piece and target, as the histories are indexed.
    pub(super) target: usize,
    /// How many moves of the node came up to it, itself included.
    pub(super) number: usize,
    pub(super) quiet: bool,
    pub(super) gives_check: bool,
}

/// Whether a move is worth a search.
pub(super) enum Worth {
    Search,
    Skip,
    /// Not worth one, but it would have been worth about this much.
    Promised(Value),
}

/// What the singular search found.
pub(super) enum Singularity {
    /// The move is searched so much deeper.
    Extend(i32),
    /// The same where it is singular: its alternatives deserve a closer look as well.
    ExtendAll(i32),
    /// Several moves beat beta: one of them will at full depth.
    Cut(Value),
}

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

impl Search<'_> {
    /// The reduction of a late move in 1024ths of a ply, before its adjustments: less where the window is wide.
    #[inline(always)]
    pub(super) fn base_reduction(&self, facts: &Facts<'_>, depth: i32, number: usize, delta: Value) -> i32 {
        let product = LOGARITHMS[(depth as usize).min(63)] * LOGARITHMS[number.min(63)];
        let scale = product / 1024 * params::lmr_slope() / 1024;
        params::lmr_base() + scale + scale * params::lmr_improving() / 512 * i32::from(!facts.improving)
            - delta * params::lmr_window() / self.root_delta
            + params::lmr_tt_pv_first() * i32::from(facts.memo.pv)
    }

    /// Moves that most likely cannot matter are not searched. `picker` has just given the move.
    #[allow(clippy::too_many_arguments, reason = "the window, the depths, and what they are about")]
    #[inline(always)]
    pub(super) fn worth(
        &self,
        facts: &Facts<'_>,
        candidate: &Candidate,
        picker: &Picker<'_>,
        threats: &Threats,
        window: (Value, Value, bool),
        depth: i32,
        reduction: i32,
    ) -> Worth {
        let lmr_depth = depth - 1 - reduction / 1024;
        if !candidate.quiet || candidate.gives_check {
            self.worth_of_noisy(facts, candidate, picker, window.0, depth, lmr_depth)
        } else {
            self.worth_of_quiet(facts, candidate, threats, window, depth, lmr_depth)
        }
    }

    #[inline(always)]
    fn worth_of_noisy(
        &self,
        facts: &Facts<'_>,
        candidate: &Candidate,
        picker: &Picker<'_>,
        alpha: Value,
        depth: i32,
        lmr_depth: i32,
    ) -> Worth {
        let Facts { pos, .. } = *facts;
        let mv = candidate.mv;
        let history = if candidate.quiet { 0 } else { self.memory.histories.capture(pos, mv) };
        if !candidate.gives_check && !facts.in_check && lmr_depth < 7 && mv.is_capture() && !mv.is_promotion()
        {
            let victim = pos.piece_on(mv.to()).map_or(PieceType::Pawn, Piece::kind);
            let promised = facts.static_eval
                + params::capture_futility_base()
                + params::capture_futility_slope() * lmr_depth.max(0)
                + 2 * EXCHANGE_VALUES[victim.index()]
                + history * params::capture_futility_history() / 1024;
            if promised <= alpha {
                return Worth::Skip;
            }
        }
        let margin = params::capture_see_margin() * depth + history / params::capture_see_history();
        let threshold = -margin.max(0);
        if picker.exchange_wins(mv, threshold) { Worth::Search } else { Worth::Skip }
    }

    #[inline(always)]
    fn worth_of_quiet(
        &self,
        facts: &Facts<'_>,
        candidate: &Candidate,
        threats: &Threats,
        (alpha, best, found): (Value, Value, bool),
        depth: i32,
        lmr_depth: i32,
    ) -> Worth {
        let Facts { pos, ply, us, .. } = *facts;
        let Candidate { mv, target, .. } = *candidate;
        let histories = &self.memory.histories;
        let history = self.following(ply, target) + histories.pawn(pos, target);
        if history < -params::history_pruning() * depth {
            return Worth::Skip;
        }
        let history = history + 2 * histories.quiet(us, threats.all, mv);
        let lmr_depth = lmr_depth + history / params::history_to_depth();
        let promised = facts.static_eval + params::futility_base()
            - params::futility_found() * i32::from(found)
            + params::futility_above_alpha() * i32::from(facts.static_eval > alpha)
            + params::futility_slope() * lmr_depth;
        if !facts.in_check && lmr_depth < params::futility_depth() && promised <= alpha {
            return if best <= promised && !value::is_decisive(best) && !value::is_win(promised) {
                Worth::Promised(promised)
            } else {
                Worth::Skip
            };
        }
        let lmr_depth = lmr_depth.max(0);
        let threshold = -params::quiet_see_square() * lmr_depth * lmr_depth;
        if pos.see_at_least(mv, threshold) { Worth::Search } else { Worth::Skip }
    }

    /// How well a move has followed the last two.
    #[inline(always)]
    fn following(&self, ply: usize, target: usize) -> i32 {
        let after = |plies| self.memory.histories.continuation(self.frame_before(ply, plies).row, target);
        after(1) + after(2)
    }

    /// A move that is much better than all others is searched deeper: `mv` is the table's, and the
    /// others are tried against what it is worth there, less a margin.
    pub(super) fn singularity<N: NodeKind>(
        &mut self,
        facts: &Facts<'_>,
        candidate: &Candidate,
        beta: Value,
        depth: i32,
    ) -> Singularity {
        let Facts { ref memo, ply, .. } = *facts;
        let may_be = Some(candidate.mv) == memo.mv
            && facts.excluded.is_none()
            && depth >= params::singular_depth() + i32::from(memo.pv)
            && !value::is_decisive(memo.value)
            && memo.value != value::NONE
            && memo.bound.is_lower()
            && memo.depth >= depth - 3
            && (ply as i32) < 2 * self.root_depth;
        if !may_be {
            return Singularity::Extend(0);
        }
        let margin = params::singular_margin() + params::singular_pv_margin() * i32::from(memo.pv && !N::PV);
        let limit = memo.value - margin * depth / 60;
        self.frame(ply).excluded = Some(candidate.mv);
        let value = self.node::<NonPv>(facts.pos, limit - 1, limit, (depth - 1) / 2, ply, facts.cut_node);
        self.frame(ply).excluded = None;
        self.frame(ply).move_count = candidate.number;
        if value < limit {
            let (pv, quiet) = (i32::from(N::PV), i32::from(candidate.quiet));
            let double =
                params::double_margin() + params::double_pv_margin() * pv - params::double_quiet() * quiet;
            let triple =
                params::triple_margin() + params::triple_pv_margin() * pv - params::triple_quiet() * quiet;
            Singularity::ExtendAll(1 + i32::from(value < limit - double) + i32::from(value < limit - triple))
        } else if value >= beta && !value::is_decisive(value) && params::multicut() > 0 {
            Singularity::Cut((2 * value + beta) / 3)
        } else if memo.value >= beta {
            Singularity::Extend(-params::negative_beta())
        } else if facts.cut_node {
            Singularity::Extend(-params::negative_cut_node())
        } else {
            Singularity::Extend(0)
        }
    }

    /// How good the histories find a move; a capture also by what it takes.
    #[inline(always)]
    pub(super) fn stat_score(&self, facts: &Facts<'_>, candidate: &Candidate, threats: &Threats) -> i32 {
        let histories = &self.memory.histories;
        if candidate.quiet {
            2 * histories.quiet(facts.us, threats.all, candidate.mv)
                + self.following(facts.ply, candidate.target)
        } else {
            let victim = facts.pos.piece_on(candidate.mv.to()).map_or(PieceType::Pawn, Piece::kind);
            params::lmr_victim() * EXCHANGE_VALUES[victim.index()]
                + histories.capture(facts.pos, candidate.mv)
        }
    }

    /// Adjusts the reduction of a move by what is known about it and about its node.
    #[inline(always)]
    pub(super) fn adjusted_reduction<N: NodeKind>(
        &mut self,
        facts: &Facts<'_>,
        candidate: &Candidate,
        stat_score: i32,
        alpha: Value,
        depth: i32,
        mut reduction: i32,
    ) -> i32 {
        let memo = &facts.memo;
        let all_node = !N::PV && !facts.cut_node;
        reduction += params::lmr_offset();
        if memo.pv {
            reduction -= params::lmr_tt_pv() + params::lmr_pv_node() * i32::from(N::PV);
            if memo.value != value::NONE && memo.value > alpha {
                reduction -= params::lmr_tt_above();
            }
            if memo.depth >= depth {
                reduction -= params::lmr_tt_deep() + params::lmr_tt_deep_cut() * i32::from(facts.cut_node);
            }
        }
        reduction -= params::lmr_move_count() * candidate.number as i32;
        reduction -= params::lmr_correction() * facts.correction.abs();
        if facts.cut_node {
            reduction += params::lmr_cut_node() + params::lmr_no_tt_move() * i32::from(memo.mv.is_none());
        }
        if memo.is_capture() {
            reduction += params::lmr_tt_capture();
        }
        if self.frame(facts.ply + 1).cutoffs > 2 {
            reduction += params::lmr_cutoffs() + params::lmr_cutoffs_all() * i32::from(all_node);
        }
        if Some(candidate.mv) == memo.mv {
            reduction -= params::lmr_tt_move();
        }
        reduction -= stat_score * params::lmr_history() / 1024;
        if all_node {
            reduction += reduction * params::lmr_all_node() / (256 * depth + 268);
        }
        reduction
    }

    /// The value of a move that was just played: late moves are searched shallower first, and with a
    /// closed window until they prove to be better than what is known.
    #[allow(clippy::too_many_arguments, reason = "the window, the depths, and what they are about")]
    #[inline(always)]
    pub(super) fn search_move<N: NodeKind>(
        &mut self,
        facts: &Facts<'_>,
        candidate: &Candidate,
        next: &Position,
        (alpha, beta, best): (Value, Value, Value),
        depth: i32,
        mut new_depth: i32,
        mut reduction: i32,
    ) -> Value {
        let Facts { ply, cut_node, ref memo, .. } = *facts;
        let mut value = -value::INFINITE;
        if depth >= params::lmr_depth() && candidate.number > 1 {
            let most = (new_depth + params::lmr_extension()).max(1);
            let reduced = (new_depth - reduction / 1024).clamp(1, most) + i32::from(N::PV);
            self.frame(ply).reduction = new_depth - reduced;
            value = -self.node::<NonPv>(next, -(alpha + 1), -alpha, reduced, ply + 1, true);
            self.frame(ply).reduction = 0;
            if value > alpha {
                // How surprising the value is says how deep to look.
                let deeper = reduced < new_depth && value > best + params::lmr_deeper() + 2 * new_depth;
                new_depth += i32::from(deeper) - i32::from(value < best + params::lmr_shallower());
                if reduced < new_depth {
                    value = -self.node::<NonPv>(next, -(alpha + 1), -alpha, new_depth, ply + 1, !cut_node);
                }
                if candidate.quiet {
                    self.update_continuations(candidate.target, ply, params::lmr_bonus());
                }
            }
        } else if !N::PV || candidate.number > 1 {
            if memo.mv.is_none() {
                reduction += params::full_depth_no_tt_move();
            }
            let shallower = i32::from(reduction > params::full_depth_reduction())
                + i32::from(reduction > params::full_depth_reduction_two() && new_depth > 2);
            value =
                -self.node::<NonPv>(next, -(alpha + 1), -alpha, new_depth - shallower, ply + 1, !cut_node);
        }
        if N::PV && (candidate.number == 1 || value > alpha) {
            // The table's move is not left to quiescence where more than that was known of it.
            if Some(candidate.mv) == memo.mv && memo.depth > 1 {
                new_depth = new_depth.max(1);
            }
            value = -self.node::<Pv>(next, -beta, -alpha, new_depth, ply + 1, false);
        }
        value
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
