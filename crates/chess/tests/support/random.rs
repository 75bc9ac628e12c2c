//! Random start positions and moves.

use chess::{Move, Position};
pub(crate) use rng::Random;

pub(crate) trait RandomPlay {
    /// The standard start half of the time, else two set-ups of Chess960.
    fn start(&mut self) -> Position;

    /// One of the legal moves, if there is one. Castling, en passant, promotions and captures are
    /// picked more often than their number would make them, for they are where mistakes hide.
    fn legal_move(&mut self, pos: &Position) -> Option<Move>;
}

impl RandomPlay for Random {
    fn start(&mut self) -> Position {
        let mut number = || self.below(usize::from(Position::CHESS960_SETUPS)) as u16;
        match (number(), number()) {
            (white, _) if white % 2 == 0 => Position::startpos(),
            (white, black) => Position::chess960(white, black),
        }
    }

    fn legal_move(&mut self, pos: &Position) -> Option<Move> {
        let moves = pos.legal_moves();
        if moves.is_empty() {
            return None;
        }
        let rare: Vec<Move> = moves
            .iter()
            .copied()
            .filter(|mv| mv.is_castling() || mv.is_en_passant() || mv.is_promotion())
            .collect();
        if !rare.is_empty() && self.below(3) == 0 {
            return Some(rare[self.below(rare.len())]);
        }
        Some(moves[self.below(moves.len())])
    }
}
