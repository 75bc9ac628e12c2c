//! The order of a network's pairs that is fastest to evaluate.
//!
//! The engine multiplies the products of the pairs in groups, and skips a group where all products are zero. Most pairs are
//! zero in most positions, so pairs that are active together belong into one group.

use nnue::{FormatError, GROUP, HeadKind, Network, Parameters};

use super::export::ToMove;
use super::games::Games;
use super::rng::Rng;

/// Views of a position that the order is found on, at most.
const VIEWS: usize = 1 << 14;
/// Exchanges of two pairs that are tried, for each pair.
const TRIES: usize = 4096;

/// The network with its pairs in an order found on these games, and what share of the groups is not zero in them, before
/// and after. A network without pairs has no such order.
pub(super) fn improve(
    parameters: Parameters,
    games: &Games,
) -> Result<(Parameters, Option<[f64; 2]>), FormatError> {
    if parameters.architecture.head != HeadKind::Pairwise {
        return Ok((parameters, None));
    }
    let activity = Activity::of(&Network::new(parameters.clone())?, games);
    let mut order: Vec<usize> = (0..activity.pairs.len()).collect();
    let before = activity.share(&order);
    activity.improve(&mut order);
    let after = activity.share(&order);
    Ok((parameters.with_pairs_in_order(&order)?, Some([before, after])))
}

/// In which views each pair is active: a bit for each view.
struct Activity {
    pairs: Vec<Vec<u64>>,
    views: usize,
}

impl Activity {
    /// Looks at positions from all over the games, from both sides.
    fn of(network: &Network, games: &Games) -> Self {
        let half = network.architecture().width / 2;
        let mut activity = Self { pairs: vec![vec![0; VIEWS / 64]; half], views: 0 };
        let spacing = (2 * games.steps().len()).div_ceil(VIEWS).max(1);
        let mut number = 0;
        for game in 0..games.len() {
            let mut board = games.board_at(game, 0);
            for step in games.steps_of(game) {
                board.apply(games.changes(step));
                if number % spacing == 0 {
                    let board = ToMove(&board, step.side());
                    for perspective in chess::Color::ALL {
                        activity.add(&network.products(&board, perspective));
                    }
                }
                number += 1;
            }
        }
        activity
    }

    fn add(&mut self, products: &[u8]) {
        for (pair, &product) in self.pairs.iter_mut().zip(products) {
            pair[self.views / 64] |= u64::from(product != 0) << (self.views % 64);
        }
        self.views += 1;
    }

    /// In how many views at least one pair of a group is active.
    fn active(&self, group: &[usize]) -> u32 {
        (0..VIEWS / 64)
            .map(|word| group.iter().fold(0, |any, &pair| any | self.pairs[pair][word]).count_ones())
            .sum()
    }

    /// The share of the groups that is not zero.
    fn share(&self, order: &[usize]) -> f64 {
        let groups = order.chunks(GROUP);
        let most = (groups.len() * self.views).max(1);
        f64::from(groups.map(|group| self.active(group)).sum::<u32>()) / most as f64
    }

    /// Begins with the order of how often pairs are active, and exchanges two of different groups where that helps.
    fn improve(&self, order: &mut [usize]) {
        order.sort_by_key(|&pair| self.active(&[pair]));
        let mut costs: Vec<u32> = order.chunks(GROUP).map(|group| self.active(group)).collect();
        let mut rng = Rng::new(1, 1);
        for _ in 0..TRIES * order.len() {
            let [a, b] = [(); 2].map(|()| rng.below(order.len()));
            let groups = [a / GROUP, b / GROUP];
            if groups[0] == groups[1] {
                continue;
            }
            order.swap(a, b);
            let new = groups.map(|group| self.active(&order[group * GROUP..][..GROUP]));
            if new[0] + new[1] < costs[groups[0]] + costs[groups[1]] {
                (costs[groups[0]], costs[groups[1]]) = (new[0], new[1]);
            } else {
                order.swap(a, b);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use nnue::{Architecture, ThreatForm};

    use super::super::bench::{Shape, walks};
    use super::super::{OUTPUT_BUCKETS, buckets};
    use super::*;

    fn random(head: HeadKind) -> Parameters {
        let king_buckets = buckets::layout(4).expect("on offer");
        let threats = Some(ThreatForm::Small);
        let architecture =
            Architecture { king_buckets, threats, width: 128, head, output_buckets: OUTPUT_BUCKETS };
        Parameters::random(architecture, 7).expect("a sound architecture")
    }

    #[test]
    fn fewer_groups_are_active_and_nothing_else_changes() {
        let games = walks(20, &Shape { lead: 10, positions: 20, siblings: 1 }, 3);
        let before = random(HeadKind::Pairwise);
        let (after, shares) = improve(before.clone(), &games).expect("sound parameters");
        let [share_before, share_after] = shares.expect("a network with pairs");
        assert!(share_after < share_before, "{share_before} and {share_after}");
        let share_of = |network: &Network| {
            let activity = Activity::of(network, &games);
            activity.share(&(0..activity.pairs.len()).collect::<Vec<_>>())
        };
        let [before, after] = [before, after].map(|parameters| Network::new(parameters).expect("sound"));
        assert_eq!((share_of(&before), share_of(&after)), (share_before, share_after));
        for game in 0..games.len() {
            let board = games.board_at(game, 0);
            assert_eq!(before.evaluate(&ToMove(&board, 0)), after.evaluate(&ToMove(&board, 0)));
        }
    }

    #[test]
    fn without_pairs_there_is_nothing_to_order() {
        let games = walks(2, &Shape { lead: 0, positions: 4, siblings: 1 }, 3);
        let network = random(HeadKind::Direct);
        assert_eq!(improve(network.clone(), &games).expect("sound parameters"), (network, None));
    }
}
