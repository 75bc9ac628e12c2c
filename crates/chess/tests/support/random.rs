//! Seeded random numbers, start positions and games.

use chess::{Move, Position};

/// SplitMix64, so that a seed means the same everywhere and for ever.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
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
