//! Seeded random numbers, start positions and games.

use chess::{Move, Position};

/// The project's generator with moves and start positions.
pub(crate) struct Random(rng::Random);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(rng::Random::new(seed))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0.bits()
    }

    /// A number below `end`, which must not be zero.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// The standard start half of the time, else two set-ups of Chess960.
    pub(crate) fn start(&mut self) -> Position {
        let mut number = || self.below(usize::from(Position::CHESS960_SETUPS)) as u16;
        match (number(), number()) {
            (white, _) if white % 2 == 0 => Position::startpos(),
            (white, black) => Position::chess960(white, black),
        }
    }

    /// One of the legal moves, if there is one. Castling, en passant, promotions and captures are
    /// picked more often than their number would make them, for they are where mistakes hide.
    pub(crate) fn legal_move(&mut self, pos: &Position) -> Option<Move> {
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
