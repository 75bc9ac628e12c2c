//! What is known about a node before its moves are looked at: what the table remembers, and what the
//! evaluation says.

use chess::{Color, Move, PieceType, Position};

use super::super::correction::corrected;
use super::super::{Search, params};
use super::NodeKind;
use crate::tt::{Entry, EntryBound};
use crate::value::{self, Value};

/// The depth under which an evaluation without a search is kept.
const EVAL_DEPTH: i32 = -5;

/// What the transposition table remembers of a node.
#[derive(Clone, Copy)]
pub(super) struct Memo {
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

impl Memo {
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
            && (cut_node == (self.value >= beta) || depth > 5)
    }

    #[inline(always)]
    pub(super) fn is_capture(&self) -> bool {
        self.mv.is_some_and(|mv| !mv.is_quiet())
    }
}

/// What is known about a node.
pub(super) struct Facts<'p> {
    pub(super) pos: &'p Position,
    pub(super) us: Color,
    pub(super) ply: usize,
    pub(super) in_check: bool,
    /// The node is expected to exceed beta.
    pub(super) cut_node: bool,
    /// The move that a singular search leaves out.
    pub(super) excluded: Option<Move>,
    pub(super) memo: Memo,
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

impl Search<'_> {
    /// Asks the table; whether its move is legal here has to be seen. A singular search keeps what its node knew of the principal variation.
    #[inline(always)]
    pub(super) fn recall<N: NodeKind>(&mut self, pos: &Position, ply: usize) -> Memo {
        let entry = self.table.probe(pos, ply);
        let mv =
            if N::ROOT { Some(self.root_moves[self.pv_index].mv) } else { entry.and_then(|entry| entry.mv) };
        let frame = self.frame(ply);
        if frame.excluded.is_none() {
            frame.tt_pv = N::PV || entry.is_some_and(|entry| entry.pv);
        }
        frame.tt_hit = entry.is_some();
        Memo {
            mv,
            value: entry.map_or(value::NONE, |entry| entry.value),
            bound: entry.map_or(EntryBound::None, |entry| entry.bound),
            depth: entry.map_or(EVAL_DEPTH, |entry| entry.depth),
            pv: frame.tt_pv,
            eval: entry.map_or(value::NONE, |entry| entry.eval),
            hit: entry.is_some(),
        }
    }

    /// Evaluates the node, and sees what that means beside the nodes before.
    #[inline(always)]
    pub(super) fn assess<'p>(
        &mut self,
        pos: &'p Position,
        ply: usize,
        in_check: bool,
        cut_node: bool,
        memo: Memo,
    ) -> Facts<'p> {
        let mut facts = Facts {
            pos,
            us: pos.side_to_move(),
            ply,
            in_check,
            cut_node,
            excluded: self.frame(ply).excluded,
            memo,
            raw_eval: value::NONE,
            static_eval: value::NONE,
            eval: value::NONE,
            correction: self.memory.corrections.value(pos, self.last_moves(ply)),
            improving: false,
            opponent_worsening: false,
        };
        if in_check {
            // What was known two plies ago stands in for the nodes that look back.
            self.frame(ply).static_eval = self.frame_before(ply, 2).static_eval;
            return facts;
        }
        if facts.excluded.is_some() {
            facts.static_eval = self.frame(ply).static_eval;
            facts.eval = facts.static_eval;
        } else {
            self.evaluate_anew(&mut facts);
        }
        self.compare_with_earlier(&mut facts);
        facts
    }

    #[inline(always)]
    fn evaluate_anew(&mut self, facts: &mut Facts<'_>) {
        let Facts { pos, ply, memo, .. } = *facts;
        facts.raw_eval = if memo.eval == value::NONE { self.evaluate(pos) } else { memo.eval };
        facts.static_eval = corrected(facts.raw_eval, facts.correction, pos);
        facts.eval = facts.static_eval;
        if !memo.hit {
            let bare = Entry {
                mv: None,
                value: value::NONE,
                eval: facts.raw_eval,
                depth: EVAL_DEPTH,
                bound: EntryBound::None,
                pv: memo.pv,
            };
            self.table.store(pos, ply, bare);
        } else if memo.settles(facts.eval + 1) {
            facts.eval = memo.value;
        }
        self.frame(ply).static_eval = facts.static_eval;
    }

    #[inline(always)]
    fn compare_with_earlier(&self, facts: &mut Facts<'_>) {
        let before = |plies| self.frame_before(facts.ply, plies).static_eval;
        facts.improving = before(2) != value::NONE && facts.static_eval > before(2);
        facts.opponent_worsening = before(1) != value::NONE && facts.static_eval > -before(1);
    }

    /// The opponent's quiet move shows its worth in how the evaluation changed.
    #[inline(always)]
    pub(super) fn judge_last_move(&mut self, facts: &Facts<'_>) {
        let before = *self.frame_before(facts.ply, 1);
        if let Some(last) = before.mv
            && !facts.in_check
            && !before.in_check
            && before.static_eval != value::NONE
            && facts.excluded.is_none()
            && last.is_quiet()
        {
            let swing = -(before.static_eval + facts.static_eval);
            let bonus =
                (params::eval_history_slope() * swing).clamp(-1900, 1500) + params::eval_history_offset();
            let histories = &mut self.memory.histories;
            histories.update_quiet(!facts.us, before.threats, last, bonus);
            if !facts.memo.hit
                && facts.pos.piece_on(last.to()).is_some_and(|piece| piece.kind() != PieceType::Pawn)
            {
                histories.update_pawn(facts.pos, before.row, bonus * 5 / 4);
            }
        }
    }

    /// Hindsight: the parent reduced this node by what it knew then. Gives the new depth.
    #[inline(always)]
    pub(super) fn in_hindsight(&self, facts: &Facts<'_>, mut depth: i32, prior_reduction: i32) -> i32 {
        if facts.in_check {
            return depth;
        }
        if prior_reduction >= params::hindsight_depth_up() && !facts.opponent_worsening {
            depth += 1;
        }
        let before = self.frame_before(facts.ply, 1).static_eval;
        if prior_reduction >= 2
            && depth >= 2
            && before != value::NONE
            && facts.static_eval + before > params::hindsight_eval_down()
        {
            depth -= 1;
        }
        depth
    }
}
