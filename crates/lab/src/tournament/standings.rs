//! The score of the match: for each encounter wins, draws, losses and pairs, and the faults of each engine.

use std::collections::{BTreeMap, HashMap};

use super::fault::FaultKind;
use super::game::Score;
use super::journal::Record;
use super::schedule::Schedule;
use super::statistics::Pentanomial;

/// The results of one engine against another, or against all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) wins: u64,
    pub(super) draws: u64,
    pub(super) losses: u64,
    /// Only whole pairs are in here.
    pub(super) pairs: Pentanomial,
}

impl Tally {
    pub(super) fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    pub(super) fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The share of the games that was drawn.
    pub(super) fn draw_ratio(&self) -> f64 {
        self.draws as f64 / self.games().max(1) as f64
    }

    fn reversed(self) -> Self {
        Self { wins: self.losses, losses: self.wins, pairs: self.pairs.reversed(), ..self }
    }

    fn add(&mut self, other: Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        self.pairs.add(other.pairs);
    }
}

/// The standings of a match.
pub(super) struct Standings<'a> {
    schedule: &'a Schedule,
    tallies: Vec<Tally>,
    /// Half points of the first engine in pairs of which one game has been played.
    open_pairs: HashMap<usize, usize>,
    faults: BTreeMap<(usize, FaultKind), u64>,
}

impl<'a> Standings<'a> {
    pub(super) fn new(schedule: &'a Schedule) -> Self {
        let tallies = vec![Tally::default(); schedule.encounters().len()];
        Self { schedule, tallies, open_pairs: HashMap::new(), faults: BTreeMap::new() }
    }

    pub(super) fn add(&mut self, record: &Record) {
        let game = self.schedule.game(record.game);
        let tally = &mut self.tallies[game.encounter];
        let half_points = match (record.result, game.reversed) {
            (Score::Draw, _) => 1,
            (Score::White, false) | (Score::Black, true) => 2,
            (Score::White, true) | (Score::Black, false) => 0,
        };
        *[&mut tally.losses, &mut tally.draws, &mut tally.wins][half_points] += 1;
        match self.open_pairs.remove(&(record.game / 2)) {
            Some(before) => tally.pairs.0[before + half_points] += 1,
            None => {
                self.open_pairs.insert(record.game / 2, half_points);
            }
        }
        if let Some(fault) = record.fault {
            let loser = if record.result == Score::White { game.black } else { game.white };
            *self.faults.entry((loser, fault)).or_default() += 1;
        }
    }

    pub(super) fn games(&self) -> u64 {
        self.tallies.iter().map(Tally::games).sum()
    }

    /// The results of each encounter, from the view of its first engine.
    pub(super) fn encounters(&self) -> impl Iterator<Item = ((usize, usize), Tally)> + '_ {
        self.schedule.encounters().iter().copied().zip(self.tallies.iter().copied())
    }

    /// The results of an engine against all others.
    pub(super) fn of(&self, engine: usize) -> Tally {
        let mut total = Tally::default();
        for ((first, second), tally) in self.encounters() {
            if first == engine {
                total.add(tally);
            } else if second == engine {
                total.add(tally.reversed());
            }
        }
        total
    }

    /// The number of faults of each kind.
    pub(super) fn faults(&self, engine: usize) -> impl Iterator<Item = (FaultKind, u64)> + '_ {
        let of_engine = self.faults.iter().filter(move |((who, _), _)| *who == engine);
        of_engine.map(|((_, kind), count)| (*kind, *count))
    }

    /// An engine that failed in every game that it played.
    pub(super) fn always_failed(&self) -> Option<usize> {
        let engines = self.schedule.encounters().iter().flat_map(|&(first, second)| [first, second]);
        engines.into_iter().find(|&engine| {
            let games = self.of(engine).games();
            games > 0 && self.faults(engine).map(|(_, count)| count).sum::<u64>() == games
        })
    }

    pub(super) fn total_faults(&self) -> u64 {
        self.faults.values().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(game: usize, result: Score, fault: Option<FaultKind>) -> Record {
        let (white, black, reason) = (String::new(), String::new(), String::new());
        Record { game, white, black, result, reason, fault, plies: 0 }
    }

    #[test]
    fn pairs_are_counted_when_they_are_whole() {
        let schedule = Schedule::new(2, false, 3);
        let mut standings = Standings::new(&schedule);
        // The first engine has White in even games: it wins both of the first pair, in any order of arrival.
        for (game, result) in [(1, Score::Black), (2, Score::Draw), (0, Score::White), (3, Score::White)] {
            standings.add(&record(game, result, None));
        }
        standings.add(&record(4, Score::Black, Some(FaultKind::Crash)));
        let first = standings.of(0);
        assert_eq!((first.wins, first.draws, first.losses), (2, 1, 2));
        assert_eq!(first.pairs, Pentanomial([0, 1, 0, 0, 1]));
        assert_eq!(standings.of(1).pairs, Pentanomial([1, 0, 0, 1, 0]));
        assert_eq!(standings.faults(0).collect::<Vec<_>>(), [(FaultKind::Crash, 1)]);
        assert_eq!((standings.total_faults(), standings.faults(1).count()), (1, 0));
        assert_eq!(standings.always_failed(), None);
    }

    #[test]
    fn an_engine_that_fails_in_every_game_is_known() {
        let schedule = Schedule::new(2, false, 2);
        let mut standings = Standings::new(&schedule);
        assert_eq!(standings.always_failed(), None, "it has played none yet");
        // The second engine has Black in even games.
        for (game, result) in [(0, Score::White), (1, Score::Black), (2, Score::White)] {
            standings.add(&record(game, result, Some(FaultKind::IllegalMove)));
            assert_eq!(standings.always_failed(), Some(1));
        }
        standings.add(&record(3, Score::Draw, None));
        assert_eq!(standings.always_failed(), None);
    }
}
