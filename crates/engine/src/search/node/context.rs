//! What the steps of the node search know about the node, and about the move being searched.

use chess::{Color, Move, Position};

use super::evaluation::TtData;
use crate::value::Value;

/// What is known about a node before its moves are searched.
pub(super) struct NodeContext<'p> {
    pub(super) pos: &'p Position,
    pub(super) us: Color,
    pub(super) ply: usize,
    pub(super) in_check: bool,
    /// The node is expected to exceed beta.
    pub(super) cut_node: bool,
    /// The move excluded by a singular search.
    pub(super) excluded: Option<Move>,
    pub(super) tt: TtData,
    /// The network's value, as the table keeps it.
    pub(super) raw_eval: Value,
    /// With the correction histories; [`value::NONE`] in check, and so is `eval`.
    pub(super) static_eval: Value,
    /// The static evaluation, or the table's value where its bound is tighter.
    pub(super) eval: Value,
    pub(super) correction: Value,
    /// The static evaluation is better than two plies ago.
    pub(super) improving: bool,
    /// The opponent's last move made the evaluation worse for him.
    pub(super) opponent_worsening: bool,
}

/// A move that is about to be searched.
pub(super) struct MoveContext {
    pub(super) mv: Move,
    /// The moving piece and its destination, the index of most histories.
    pub(super) piece_to: usize,
    /// The number of the move in the node, from 1.
    pub(super) move_count: usize,
    pub(super) is_quiet: bool,
    pub(super) gives_check: bool,
}
