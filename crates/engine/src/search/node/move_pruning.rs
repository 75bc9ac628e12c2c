//! Pruning of single moves: futility, history and SEE pruning.

use chess::EXCHANGE_VALUES;

use super::super::Searcher;
use super::super::history::captured_type;
use super::super::move_picker::MovePicker;
use super::super::threats::Threats;
use super::context::{MoveContext, NodeContext};
use crate::params;
use crate::value::{self, Value};

/// Whether a move is searched.
pub(super) enum Pruning {
    Keep,
    Prune,
    /// Pruned by futility; the node's value is at least this estimate.
    PruneWithBound(Value),
}

impl Searcher<'_> {
    /// Prunes moves that most likely cannot raise alpha. `picker` has just returned the move.
    #[allow(clippy::too_many_arguments, reason = "the window, the depths, and what they are about")]
    #[inline(always)]
    pub(super) fn prune_move(
        &self,
        node: &NodeContext<'_>,
        current: &MoveContext,
        picker: &MovePicker<'_>,
        threats: &Threats,
        window: (Value, Value, bool),
        depth: i32,
        reduction: i32,
    ) -> Pruning {
        let lmr_depth = depth - 1 - reduction / 1024;
        if !current.is_quiet || current.gives_check {
            self.prune_noisy(node, current, picker, window.0, depth, lmr_depth)
        } else {
            self.prune_quiet(node, current, threats, window, depth, lmr_depth)
        }
    }

    #[inline(always)]
    fn prune_noisy(
        &self,
        node: &NodeContext<'_>,
        current: &MoveContext,
        picker: &MovePicker<'_>,
        alpha: Value,
        depth: i32,
        lmr_depth: i32,
    ) -> Pruning {
        let NodeContext { pos, .. } = *node;
        let mv = current.mv;
        let history = if current.is_quiet { 0 } else { self.data.histories.capture(pos, mv) };
        if !current.gives_check
            && !node.in_check
            && lmr_depth < params::capture_futility_depth()
            && mv.is_capture()
            && !mv.is_promotion()
        {
            let futility_value = node.static_eval
                + params::capture_futility_base()
                + params::capture_futility_slope() * lmr_depth.max(0)
                + value::from_exchange(EXCHANGE_VALUES[captured_type(pos, mv).index()])
                + history * params::capture_futility_history() / 1024;
            if futility_value <= alpha {
                return Pruning::Prune;
            }
        }
        let margin = params::capture_see_margin() * depth + history / params::capture_see_history();
        let threshold = -margin.max(0);
        if picker.see_at_least(mv, threshold) { Pruning::Keep } else { Pruning::Prune }
    }

    #[inline(always)]
    fn prune_quiet(
        &self,
        node: &NodeContext<'_>,
        current: &MoveContext,
        threats: &Threats,
        (alpha, best, found): (Value, Value, bool),
        depth: i32,
        lmr_depth: i32,
    ) -> Pruning {
        let NodeContext { pos, ply, us, .. } = *node;
        let MoveContext { mv, piece_to, .. } = *current;
        let histories = &self.data.histories;
        let history = self.recent_continuations(ply, piece_to) + histories.pawn(pos, piece_to);
        if history < -params::history_pruning() * depth {
            return Pruning::Prune;
        }
        let history = history + 2 * histories.quiet(us, threats.all, mv);
        let lmr_depth = lmr_depth + history / params::history_to_depth();
        let futility_value = node.static_eval + params::futility_base()
            - params::futility_found() * i32::from(found)
            + params::futility_above_alpha() * i32::from(node.static_eval > alpha)
            + params::futility_slope() * lmr_depth;
        if !node.in_check && lmr_depth < params::futility_depth() && futility_value <= alpha {
            return if best <= futility_value && !value::is_decisive(best) && !value::is_win(futility_value) {
                Pruning::PruneWithBound(futility_value)
            } else {
                Pruning::Prune
            };
        }
        let lmr_depth = lmr_depth.max(0);
        let threshold = -params::quiet_see_square() * lmr_depth * lmr_depth;
        if pos.see_at_least(mv, threshold) { Pruning::Keep } else { Pruning::Prune }
    }
}
