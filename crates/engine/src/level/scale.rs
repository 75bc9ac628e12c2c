//! From Elo to the traits of a player.

use super::{STRONGEST, WEAKEST};

/// What makes a player of some strength.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Traits {
    /// Nodes that he looks at.
    pub(super) nodes: u64,
    /// The chance that an ordinary move on a full board is not seen.
    pub(super) oversight: f64,
    /// The spread of the error in an evaluation on a full board, in the network's units.
    pub(super) error: f64,
}

/// Strength from 0 to 1 at some points of the Elo scale; straight lines in between. The points come
/// from first matches against Stockfish 15.1 at the same `UCI_Elo`; docs/levels.md tells how far they go.
const SCALE: [(f64, f64); 7] = [
    (WEAKEST as f64, 0.0),
    (1350.0, 0.30),
    (1600.0, 0.365),
    (2000.0, 0.57),
    (2400.0, 0.86),
    (2800.0, 0.95),
    (STRONGEST as f64, 1.0),
];

fn strength(elo: f64) -> f64 {
    let above = SCALE.iter().position(|&(at, _)| elo <= at).unwrap_or(SCALE.len() - 1).max(1);
    let ((low, from), (high, to)) = (SCALE[above - 1], SCALE[above]);
    from + (to - from) * (elo - low) / (high - low)
}

impl Traits {
    pub(super) fn of(elo: u64) -> Self {
        let strength = strength(elo as f64);
        let weakness = 1.0 - strength;
        Self {
            nodes: (15.0 * (8.2 * strength + 4.3 * strength * strength).exp()) as u64,
            oversight: 0.63 * weakness.powi(3),
            error: 440.0 * weakness.powi(2),
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
        assert!(last.nodes > 50_000 && last.oversight < 1e-9 && last.error < 1e-6, "{last:?}");
    }
}
