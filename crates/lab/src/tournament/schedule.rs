//! Pairings, openings and their order. The number of a game determines it, and a longer match begins with the games of a
//! shorter one; that makes a match resumable and extendable.

/// One game of the match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Assignment {
    /// The number of the game, from 0.
    pub(super) index: usize,
    /// Which two engines meet, as an index into the encounters.
    pub(super) encounter: usize,
    /// The engine with the white men.
    pub(super) white: usize,
    /// The engine with the black men.
    pub(super) black: usize,
    /// The number of the opening.
    pub(super) round: usize,
    /// Whether this is the pair's second game, in which the colours are reversed.
    pub(super) reversed: bool,
}

/// All games.
#[derive(Debug)]
pub(super) struct Schedule {
    encounters: Vec<(usize, usize)>,
    rounds: usize,
}

impl Schedule {
    /// Every engine against every other one, or with `gauntlet` only the first against each of the others. Each
    /// encounter has `rounds` pairs of games.
    pub(super) fn new(engines: usize, gauntlet: bool, rounds: usize) -> Self {
        let firsts = if gauntlet { 1 } else { engines };
        let encounters =
            (0..firsts).flat_map(|first| (first + 1..engines).map(move |second| (first, second))).collect();
        Self { encounters, rounds }
    }

    pub(super) fn encounters(&self) -> &[(usize, usize)] {
        &self.encounters
    }

    /// The number of games.
    pub(super) fn len(&self) -> usize {
        2 * self.rounds * self.encounters.len()
    }

    pub(super) fn game(&self, index: usize) -> Assignment {
        let (pair, reversed) = (index / 2, index % 2 == 1);
        let (round, encounter) = (pair / self.encounters.len(), pair % self.encounters.len());
        let (first, second) = self.encounters[encounter];
        let (white, black) = if reversed { (second, first) } else { (first, second) };
        Assignment { index, encounter, white, black, round, reversed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_opening_is_played_with_both_colours_by_all() {
        let schedule = Schedule::new(3, false, 2);
        assert_eq!((schedule.len(), schedule.encounters()), (12, [(0, 1), (0, 2), (1, 2)].as_slice()));
        let games: Vec<_> = (0..12).map(|index| schedule.game(index)).collect();
        assert!(
            games[..6].iter().all(|game| game.round == 0) && games[6..].iter().all(|game| game.round == 1)
        );
        for pair in games.chunks(2) {
            assert_eq!((pair[0].white, pair[0].black), (pair[1].black, pair[1].white));
            assert_eq!((pair[0].round, pair[0].encounter), (pair[1].round, pair[1].encounter));
        }
    }

    #[test]
    fn a_gauntlet_and_a_longer_match() {
        assert_eq!(Schedule::new(4, true, 5).encounters(), [(0, 1), (0, 2), (0, 3)]);
        let (short, long) = (Schedule::new(4, true, 5), Schedule::new(4, true, 9));
        assert!((0..short.len()).all(|index| short.game(index) == long.game(index)));
    }
}
