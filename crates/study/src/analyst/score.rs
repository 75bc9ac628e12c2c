//! Scores and winning chances.

use serde::{Deserialize, Serialize};

/// A score for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Score {
    #[serde(rename = "cp")]
    Centipawns(i32),
    /// Moves to mate; negative where the side to move gets mated, 0 where it is mated.
    #[serde(rename = "mate")]
    Mate(i32),
}

/// Centipawns are clamped to this, and mates count as much.
const CEILING: i32 = 1000;

impl Score {
    /// Winning chances of the side to move in per cent (expected score), by the curve that Lichess fitted to games of its
    /// players and publishes with its accuracy formula.
    pub(crate) fn winning_chances(self) -> f64 {
        const SLOPE: f64 = 0.003_682_08;
        let centipawns = f64::from(self.bounded_centipawns());
        100.0 / (1.0 + (-SLOPE * centipawns).exp())
    }

    /// Centipawns, at most ten pawns either way, which is also what a mate counts.
    pub(crate) fn bounded_centipawns(self) -> i32 {
        match self {
            Self::Centipawns(centipawns) => centipawns.clamp(-CEILING, CEILING),
            Self::Mate(moves) if moves > 0 => CEILING,
            Self::Mate(_) => -CEILING,
        }
    }

    /// The same from the other side's view.
    #[must_use]
    pub(crate) fn reversed(self) -> Self {
        match self {
            Self::Centipawns(centipawns) => Self::Centipawns(-centipawns),
            Self::Mate(moves) => Self::Mate(-moves),
        }
    }
}

/// Chances in permille to win, to draw and to lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "[u16; 3]", into = "[u16; 3]")]
pub(crate) struct Wdl {
    pub(crate) win: u16,
    pub(crate) draw: u16,
    pub(crate) loss: u16,
}

impl From<[u16; 3]> for Wdl {
    fn from([win, draw, loss]: [u16; 3]) -> Self {
        Self { win, draw, loss }
    }
}

impl From<Wdl> for [u16; 3] {
    fn from(Wdl { win, draw, loss }: Wdl) -> Self {
        [win, draw, loss]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_those_of_lichess() {
        let chances = |score: Score| (score.winning_chances() * 100.0).round() / 100.0;
        assert_eq!(chances(Score::Centipawns(0)), 50.0);
        assert_eq!(chances(Score::Centipawns(100)), 59.1);
        assert_eq!(chances(Score::Centipawns(-300)), 24.89);
        assert_eq!(chances(Score::Mate(3)), chances(Score::Centipawns(2000)));
        assert_eq!(chances(Score::Mate(0)), chances(Score::Mate(-5)));
        assert_eq!(chances(Score::Mate(-5)), 2.46);
    }
}
