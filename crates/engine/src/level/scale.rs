//! From Elo to nodes, oversights and evaluation error.

use super::{STRONGEST, WEAKEST};

/// The parameters of a strength.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Traits {
    /// Nodes of a search.
    pub(super) nodes: u64,
    /// The chance that an ordinary move on a full board is not seen.
    pub(super) oversight: f64,
    /// The spread of the error in an evaluation on a full board, in the network's units.
    pub(super) error: f64,
}

const fn player(nodes: u64, oversight: f64, error: f64) -> Traits {
    Traits { nodes, oversight, error }
}

/// Players at some points of the Elo scale, set by matches against Stockfish 15.1 at the same `UCI_Elo`
/// (docs/levels.md has them). Up to 2000 the nodes take milliseconds. Above that Stockfish chooses among
/// the best four moves of a deep search, so that tens of thousands are needed there before anything may be overlooked.
const SCALE: [(u64, Traits); 7] = [
    (WEAKEST, player(15, 0.63, 440.0)),
    (1350, player(160, 0.270, 255.0)),
    (1600, player(285, 0.222, 220.0)),
    (2000, player(2_700, 0.071, 102.0)),
    (2400, player(42_000, 0.006, 16.0)),
    (2800, player(75_000, 0.002, 6.0)),
    (STRONGEST, player(4_000_000, 0.0, 0.0)),
];

impl Traits {
    /// The player of this strength: between two points everything changes evenly, the nodes by factors.
    pub(super) fn of(elo: u64) -> Self {
        let above = SCALE.iter().position(|&(at, _)| elo <= at).unwrap_or(SCALE.len() - 1).max(1);
        let ((low, weaker), (high, stronger)) = (SCALE[above - 1], SCALE[above]);
        let way = elo.saturating_sub(low) as f64 / (high - low) as f64;
        let between = |from: f64, to: f64| from * (1.0 - way) + to * way;
        Self {
            nodes: between((weaker.nodes as f64).ln(), (stronger.nodes as f64).ln()).exp().round() as u64,
            oversight: between(weaker.oversight, stronger.oversight),
            error: between(weaker.error, stronger.error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_makes_a_better_player() {
        let mut last = Traits::of(WEAKEST);
        for elo in WEAKEST + 1..=STRONGEST {
            let here = Traits::of(elo);
            assert!(here.nodes >= last.nodes && here.oversight < last.oversight && here.error < last.error);
            last = here;
        }
    }

    #[test]
    fn the_points_of_the_scale_are_met() {
        for (elo, player) in SCALE {
            assert_eq!(Traits::of(elo), player);
        }
    }
}
