//! Singular extensions, negative extensions and multicut.

use super::super::Searcher;
use super::context::{MoveContext, NodeContext};
use super::{NodeKind, NonPv};
use crate::params;
use crate::value::{self, Value};

/// What the singular search found.
pub(super) enum SingularResult {
    /// The move is searched so much deeper.
    Extend(i32),
    /// The same where the move is singular: the depth of the whole node grows as well.
    Singular(i32),
    /// Multicut: other moves beat beta too, so that the node would most likely fail high.
    MultiCut(Value),
}

impl Searcher<'_> {
    /// Searches all moves but the table's against a bound below the table's value. If they fail low, the table's move is
    /// singular and extended.
    pub(super) fn singular_extension<N: NodeKind>(
        &mut self,
        node: &NodeContext<'_>,
        current: &MoveContext,
        beta: Value,
        depth: i32,
    ) -> SingularResult {
        let NodeContext { ref tt, ply, .. } = *node;
        let may_be = Some(current.mv) == tt.mv
            && node.excluded.is_none()
            && depth >= params::singular_depth() + i32::from(tt.pv)
            && !value::is_decisive(tt.value)
            && tt.value != value::NONE
            && tt.bound.is_lower()
            && tt.depth >= depth - params::singular_tt_depth()
            && (ply as i32) < 2 * self.root_depth;
        if !may_be {
            return SingularResult::Extend(0);
        }
        let margin = params::singular_margin() + params::singular_pv_margin() * i32::from(tt.pv && !N::PV);
        let singular_beta = tt.value - margin * depth / 60;
        self.frame(ply).excluded = Some(current.mv);
        let value = self.node::<NonPv>(
            node.pos,
            singular_beta - 1,
            singular_beta,
            (depth - 1) / 2,
            ply,
            node.cut_node,
        );
        self.frame(ply).excluded = None;
        self.frame(ply).move_count = current.move_count;
        if value < singular_beta {
            let (pv, quiet) = (i32::from(N::PV), i32::from(current.is_quiet));
            let double =
                params::double_margin() + params::double_pv_margin() * pv - params::double_quiet() * quiet;
            let triple =
                params::triple_margin() + params::triple_pv_margin() * pv - params::triple_quiet() * quiet;
            SingularResult::Singular(
                1 + i32::from(value < singular_beta - double) + i32::from(value < singular_beta - triple),
            )
        } else if value >= beta && !value::is_decisive(value) && params::multicut() > 0 {
            SingularResult::MultiCut((2 * value + beta) / 3)
        } else if tt.value >= beta {
            SingularResult::Extend(-params::negative_beta())
        } else if node.cut_node {
            SingularResult::Extend(-params::negative_cut_node())
        } else {
            SingularResult::Extend(0)
        }
    }
}
