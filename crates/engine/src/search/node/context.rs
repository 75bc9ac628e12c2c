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
    /// The move that a singular search leaves out.
    pub(super) excluded: Option<Move>,
    pub(super) tt: TtData,
    /// The network's opinion, as the table keeps it.
    pub(super) raw_eval: Value,
    /// The same, corrected by experience; [`value::NONE`] in check, as the next one.
    pub(super) static_eval: Value,
    /// The table's value in its place, where that is nearer to the truth.
    pub(super) eval: Value,
    pub(super) correction: Value,
    /// The position has become better for us since our last move,
    pub(super) improving: bool,
    /// or worse for the opponent with the last move.
    pub(super) opponent_worsening: bool,
}

/// A move that is about to be searched.
pub(super) struct MoveContext {
    pub(super) mv: Move,
    /// The moving piece and its destination, the index of most histories.
    pub(super) piece_to: usize,
    /// How many moves of the node came up to it, itself included.
    pub(super) move_count: usize,
    pub(super) is_quiet: bool,
    pub(super) gives_check: bool,
}
