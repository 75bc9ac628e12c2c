//! Updates of the histories at the end of a node.

use chess::{Bitboard, Move, PieceType, Position};

use super::super::history::piece_to;
use super::super::threats::Threats;
use super::super::{Frame, Searcher};
use super::context::NodeContext;
use crate::params;
use crate::value::{self, Value};

/// How many plies ago, and what share of a bonus the continuation history of that move gets, in 1024ths.
#[inline(always)]
fn continuation_shares() -> [(usize, i32); 5] {
    [
        (1, params::continuation_share_one()),
        (2, params::continuation_share_two()),
        (3, params::continuation_share_three()),
        (4, params::continuation_share_four()),
        (6, params::continuation_share_six()),
    ]
}

/// Moves kept for a malus; later ones get none.
const TRIED: usize = 32;

/// A short list of moves that were tried and did not help.
pub(super) struct TriedMoves {
    moves: [Option<Move>; TRIED],
    len: usize,
}

impl TriedMoves {
    pub(super) const fn new() -> Self {
        Self { moves: [None; TRIED], len: 0 }
    }

    pub(super) fn push(&mut self, mv: Move) {
        if self.len < TRIED {
            self.moves[self.len] = Some(mv);
            self.len += 1;
        }
    }

    /// All of them except the best move of the node, which may be among them.
    fn except(&self, best: Move) -> impl Iterator<Item = Move> + '_ {
        self.moves[..self.len].iter().copied().flatten().filter(move |&mv| mv != best)
    }
}

/// The bonus of a good move.
fn bonus(depth: i32) -> i32 {
    (params::bonus_slope() * depth - params::bonus_offset()).clamp(0, params::bonus_max())
}

/// The malus of a move that failed low.
fn malus(depth: i32) -> i32 {
    (params::malus_slope() * depth - params::malus_offset()).clamp(0, params::malus_max())
}

/// A part of a bonus, in 1024ths.
const fn part(bonus: i32, share: i32) -> i32 {
    bonus * share / 1024
}

impl Searcher<'_> {
    /// Bonus for the best move, malus for the moves tried before it.
    pub(super) fn update_histories(
        &mut self,
        node: &NodeContext<'_>,
        threats: Bitboard,
        best: Move,
        depth: i32,
        quiets: &TriedMoves,
        captures: &TriedMoves,
    ) {
        let NodeContext { pos, ply, .. } = *node;
        let good = bonus(depth) + params::bonus_tt_move() * i32::from(node.tt.mv == Some(best));
        let bad = malus(depth);
        if best.is_quiet() {
            self.update_quiet(pos, threats, best, ply, good);
            // The earlier a move was tried, the more was expected of it.
            let mut falling = bad;
            for mv in quiets.except(best) {
                self.update_quiet(pos, threats, mv, ply, -falling);
                falling = part(falling, params::malus_decay());
            }
        } else {
            self.data.histories.update_capture(pos, best, part(good, params::capture_bonus()));
        }
        for mv in captures.except(best) {
            self.data.histories.update_capture(pos, mv, -part(bad, params::capture_malus()));
        }
        // The opponent's first move, or the first after the table's, was refuted.
        let before = *self.frame_before(ply, 1);
        if before.move_count == 1 + usize::from(before.tt_hit) {
            self.penalize_prior_move(ply, part(bad, params::early_malus()));
        }
    }

    /// A cutoff by the table: bonus for its move, malus for an early move of the opponent.
    pub(super) fn update_after_tt_cutoff(&mut self, pos: &Position, mv: Move, ply: usize, depth: i32) {
        if mv.is_quiet() {
            let bonus = (params::tt_cut_bonus_slope() * depth - params::bonus_offset())
                .clamp(0, params::tt_cut_bonus_max());
            self.update_quiet(pos, Threats::new(pos).all, mv, ply, bonus);
        }
        if self.frame_before(ply, 1).move_count < params::tt_cut_early() as usize {
            self.penalize_prior_move(ply, params::tt_cut_malus());
        }
    }

    /// Malus for the opponent's last quiet move in the continuation histories.
    fn penalize_prior_move(&mut self, ply: usize, malus: i32) {
        let before = *self.frame_before(ply, 1);
        if before.mv.is_some_and(Move::is_quiet) {
            self.update_continuations(before.piece_to, ply - 1, -malus);
        }
    }

    /// Every move failed low: bonus for the opponent's last move, larger where that is a surprise.
    pub(super) fn reward_prior_move(&mut self, node: &NodeContext<'_>, depth: i32, best: Value) {
        let NodeContext { pos, ply, .. } = *node;
        let before = *self.frame_before(ply, 1);
        let Some(last) = before.mv else { return };
        let histories = &mut self.data.histories;
        if !last.is_quiet() {
            if let Some(victim) = before.captured {
                histories.update_captured(before.piece_to, victim, params::prior_move_capture());
            }
            return;
        }
        let below = !node.in_check && best <= node.static_eval - params::prior_move_below_margin();
        let surprise = !before.in_check && best <= -before.static_eval - params::prior_move_surprise_margin();
        let scale = (params::prior_move_base() - before.stat_score / params::prior_move_stat_score()
            + (params::prior_move_depth() * depth).min(params::prior_move_depth_max())
            + params::prior_move_late()
                * i32::from(before.move_count > params::prior_move_late_count() as usize)
            + params::prior_move_below() * i32::from(below)
            + params::prior_move_surprise() * i32::from(surprise))
        .max(0);
        let bonus = bonus(depth) * scale / 32;
        histories.update_quiet(!node.us, before.threats, last, part(bonus, params::prior_move_quiet()));
        if !last.is_promotion()
            && pos.piece_on(last.to()).is_some_and(|piece| piece.kind() != PieceType::Pawn)
        {
            histories.update_pawn(pos, before.piece_to, part(bonus, params::prior_move_pawn()));
        }
        self.update_continuations(before.piece_to, ply - 1, part(bonus, params::prior_move_continuation()));
    }

    /// Bonus or malus for the opponent's last quiet move by how it changed the static evaluation.
    #[inline(always)]
    pub(super) fn update_history_by_eval(&mut self, node: &NodeContext<'_>) {
        let before = *self.frame_before(node.ply, 1);
        if let Some(last) = before.mv
            && !node.in_check
            && !before.in_check
            && before.static_eval != value::NONE
            && node.excluded.is_none()
            && last.is_quiet()
        {
            let swing = -(before.static_eval + node.static_eval);
            let bonus = (params::eval_history_slope() * swing)
                .clamp(-params::eval_history_max_malus(), params::eval_history_max_bonus())
                + params::eval_history_offset();
            let histories = &mut self.data.histories;
            histories.update_quiet(!node.us, before.threats, last, bonus);
            if !node.tt.hit
                && node.pos.piece_on(last.to()).is_some_and(|piece| piece.kind() != PieceType::Pawn)
            {
                histories.update_pawn(node.pos, before.piece_to, part(bonus, params::eval_history_pawn()));
            }
        }
    }

    fn update_quiet(&mut self, pos: &Position, threats: Bitboard, mv: Move, ply: usize, bonus: i32) {
        let Some(piece) = pos.piece_on(mv.from()) else { return };
        let target = piece_to(piece, mv.to());
        let histories = &mut self.data.histories;
        histories.update_quiet(pos.side_to_move(), threats, mv, bonus);
        let (pawn, continuation) = if bonus > 0 {
            (params::pawn_bonus(), params::continuation_bonus())
        } else {
            (params::pawn_malus(), params::continuation_malus())
        };
        histories.update_pawn(pos, target, part(bonus, pawn));
        self.update_continuations(target, ply, part(bonus, continuation));
    }

    /// Updates the continuation histories of the moves before.
    pub(super) fn update_continuations(&mut self, target: usize, ply: usize, bonus: i32) {
        // In check the answers are forced, and say little about moves longer ago.
        let shares = continuation_shares();
        let reach = if self.frame_before(ply, 0).in_check { 2 } else { shares.len() };
        for (plies, share) in shares.into_iter().take(reach) {
            let Frame { piece_to: earlier, mv, .. } = *self.frame_before(ply, plies);
            if mv.is_some() {
                self.data.histories.update_continuation(earlier, target, part(bonus, share));
            }
        }
    }
}
