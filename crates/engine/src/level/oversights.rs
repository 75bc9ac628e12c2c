//! Which moves a limited level overlooks.

use chess::{EXCHANGE_VALUES, Move, PieceType, Position, Square};

use super::{Level, complexity};

/// The largest chance that a move is overlooked.
const MAX_OVERSIGHT: f64 = 0.85;

/// Is the move mate at once?
fn mates(pos: &Position, mv: Move) -> bool {
    pos.gives_check(mv) && !pos.after(mv).has_legal_move()
}

/// Can the opponent mate at once after the move?
fn allows_mate(pos: &Position, mv: Move) -> bool {
    let after = pos.after(mv);
    after.legal_moves().iter().any(|&answer| mates(&after, answer))
}

/// How easily a move is overlooked, where 1 is a quiet move of ordinary length: captures less, the more they capture;
/// long moves and backward moves more.
fn obscurity(pos: &Position, mv: Move) -> f64 {
    let Some(piece) = pos.piece_on(mv.from()) else { return 0.0 };
    let base = match pos.piece_on(mv.to()) {
        Some(victim) if mv.is_capture() => {
            let worth = |kind: PieceType| EXCHANGE_VALUES[kind.index()];
            if worth(victim.kind()) > worth(piece.kind()) { 0.4 } else { 0.6 }
        }
        _ if mv.is_promotion() => 0.3,
        _ => 1.0,
    };
    let us = pos.side_to_move();
    let (from, to) = (mv.from().relative_to(us), mv.to().relative_to(us));
    let ranks = to.rank().index() as i32 - from.rank().index() as i32;
    let files = to.file().index() as i32 - from.file().index() as i32;
    let far = if ranks.abs().max(files.abs()) >= 4 { 1.2 } else { 1.0 };
    let backwards = if ranks < 0 { 1.25 } else { 1.0 };
    base * far * backwards
}

impl Level {
    fn misses(&self, pos: &Position, mv: Move, taken_on: Option<Square>) -> bool {
        let takes_back = mv.is_capture() && Some(mv.to()) == taken_on;
        let blindness = self.traits.oversight * complexity(pos) * obscurity(pos, mv);
        !takes_back && self.chance(pos, mv) < blindness.min(MAX_OVERSIGHT)
    }

    /// Is the move overlooked? Never when in check, nor when nothing else would be seen. `taken_on`:
    /// where the move before took something.
    pub(crate) fn overlooks(&self, pos: &Position, mv: Move, taken_on: Option<Square>) -> bool {
        !pos.in_check()
            && self.misses(pos, mv, taken_on)
            && pos.legal_moves().iter().any(|&other| !self.misses(pos, other, taken_on))
    }

    /// The root moves that are searched. A mate in one is always played, and none is allowed
    /// that can be avoided.
    pub(crate) fn visible_moves(&self, root: &Position, moves: Vec<Move>) -> Vec<Move> {
        if let Some(&mate) = moves.iter().find(|&&mv| mates(root, mv)) {
            return vec![mate];
        }
        let safe = kept(moves, |mv| !allows_mate(root, mv));
        kept(safe, |mv| !self.overlooks(root, mv, self.taken_on))
    }
}

/// The moves that are wanted, or all of them if none is.
fn kept(moves: Vec<Move>, wanted: impl Fn(Move) -> bool) -> Vec<Move> {
    let some: Vec<Move> = moves.iter().copied().filter(|&mv| wanted(mv)).collect();
    if some.is_empty() { moves } else { some }
}
