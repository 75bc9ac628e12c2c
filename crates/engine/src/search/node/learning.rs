//! What a node teaches: which moves were good, and which were tried in vain.

use chess::{Bitboard, Move, Position};

use super::super::history::piece_to;
use super::super::{Frame, Search, params};
use super::facts::Facts;

/// Tried moves that are remembered for a malus.
const TRIED: usize = 32;

/// A short list of moves that were tried and did not help.
pub(super) struct Tried {
    moves: [Option<Move>; TRIED],
    len: usize,
}

impl Tried {
    pub(super) const fn new() -> Self {
        Self { moves: [None; TRIED], len: 0 }
    }

    pub(super) fn push(&mut self, mv: Move) {
        if self.len < TRIED {
            self.moves[self.len] = Some(mv);
            self.len += 1;
        }
    }

    /// All of them but the best move of the node, which may be among them.
    fn but(&self, best: Move) -> impl Iterator<Item = Move> + '_ {
        self.moves[..self.len].iter().copied().flatten().filter(move |&mv| mv != best)
    }
}

/// What a good move gains in the histories.
pub(super) fn bonus(depth: i32) -> i32 {
    (params::bonus_slope() * depth - params::bonus_offset()).clamp(0, params::bonus_max())
}

/// What a move that did not help loses.
fn malus(depth: i32) -> i32 {
    (params::malus_slope() * depth - params::malus_offset()).clamp(0, params::malus_max())
}

impl Search<'_> {
    /// A move was good, those tried before it were not.
    #[allow(clippy::too_many_arguments, reason = "what happened in the node")]
    pub(super) fn learn(
        &mut self,
        pos: &Position,
        threats: Bitboard,
        best: Move,
        ply: usize,
        depth: i32,
        quiets: &Tried,
        captures: &Tried,
    ) {
        let (good, bad) = (bonus(depth), malus(depth));
        if best.is_quiet() {
            self.update_quiet(pos, threats, best, ply, good);
            for mv in quiets.but(best) {
                self.update_quiet(pos, threats, mv, ply, -bad);
            }
        } else {
            self.memory.histories.update_capture(pos, best, good);
        }
        for mv in captures.but(best) {
            self.memory.histories.update_capture(pos, mv, -bad);
        }
    }

    /// Every move failed: what the opponent did last was good.
    pub(super) fn credit_last_move(&mut self, facts: &Facts<'_>, depth: i32) {
        let before = *self.frame_before(facts.ply, 1);
        if let Some(last) = before.mv
            && last.is_quiet()
        {
            let bonus = bonus(depth) * if before.move_count > 8 { 3 } else { 2 } / 2;
            self.memory.histories.update_quiet(!facts.us, before.threats, last, bonus);
            self.update_continuations(before.row, facts.ply - 1, bonus);
        }
    }

    pub(super) fn update_quiet(
        &mut self,
        pos: &Position,
        threats: Bitboard,
        mv: Move,
        ply: usize,
        bonus: i32,
    ) {
        let Some(piece) = pos.piece_on(mv.from()) else { return };
        let target = piece_to(piece, mv.to());
        self.memory.histories.update_quiet(pos.side_to_move(), threats, mv, bonus);
        self.memory.histories.update_pawn(pos, target, bonus);
        self.update_continuations(target, ply, bonus);
    }

    /// Tells the histories of the last moves that this one followed them well, or badly.
    pub(super) fn update_continuations(&mut self, target: usize, ply: usize, bonus: i32) {
        for plies in [1, 2, 3, 4, 6] {
            let Frame { row, mv, in_check, .. } = *self.frame_before(ply, plies);
            if mv.is_some() {
                let weighted = if plies == 3 { bonus / 2 } else { bonus };
                self.memory.histories.update_continuation(row, target, weighted);
            }
            // Before a check the line was forced, and says little.
            if in_check && plies >= 2 {
                break;
            }
        }
    }
}
