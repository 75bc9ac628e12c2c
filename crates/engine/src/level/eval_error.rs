//! The error that a limited level adds to the evaluation.

use chess::{Color, Position};

use super::{Level, complexity};
use crate::value::Value;

impl Level {
    /// A number from a normal distribution, near enough, that belongs to the key.
    fn normal(&self, key: u64) -> f64 {
        let bits = self.random(key).bits();
        // Four numbers from 0 to 1 of variance 1/12 each.
        let sum: f64 = (0..4).map(|part| f64::from((bits >> (16 * part)) as u16) / 65_536.0).sum();
        (sum - 2.0) * 3_f64.sqrt()
    }

    /// The error in the evaluation of a position, for its side to move. Most of it depends on what many positions share, the
    /// pawns and the squares of the pieces, so that a misjudgement lasts for some moves.
    pub(crate) fn error(&self, pos: &Position) -> Value {
        let pawns = self.normal(pos.pawn_key());
        let pieces =
            self.normal(pos.non_pawn_key(Color::White)) - self.normal(pos.non_pawn_key(Color::Black));
        let white = 0.5 * pawns + 0.4 * pieces;
        let shared = if pos.side_to_move() == Color::White { white } else { -white };
        let own = 0.6 * self.normal(pos.key());
        (self.traits.error * complexity(pos) * (shared + own)) as Value
    }
}
