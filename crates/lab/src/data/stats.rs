//! Counts positions by result, score, number of pieces and phase.

use std::fmt::Write;

use chess::{PieceType, Position};

use crate::binpack::Entry;

/// The upper bounds of the bands of scores, in the units of the file; the last band is open.
const SCORE_BANDS: [u16; 8] = [25, 100, 250, 500, 1000, 2500, 10_000, 20_000];

/// What pieces weigh in the phase of a game, of which the start position has 24.
const PHASE_WEIGHTS: [(PieceType, usize); 4] =
    [(PieceType::Knight, 1), (PieceType::Bishop, 1), (PieceType::Rook, 2), (PieceType::Queen, 4)];

/// The counts.
#[derive(Debug)]
pub(super) struct Statistics {
    games: u64,
    positions: u64,
    /// Losses, draws and wins of the side to move.
    results: [u64; 3],
    scores: [u64; SCORE_BANDS.len() + 1],
    men: [u64; 33],
    phases: [u64; 25],
    checks: u64,
    score_sum: i64,
    longest: u64,
    length: u64,
}

impl Default for Statistics {
    fn default() -> Self {
        Self {
            games: 0,
            positions: 0,
            results: [0; 3],
            scores: [0; SCORE_BANDS.len() + 1],
            men: [0; 33],
            phases: [0; 25],
            checks: 0,
            score_sum: 0,
            longest: 0,
            length: 0,
        }
    }
}

impl Statistics {
    pub(super) fn add(&mut self, entry: &Entry, begins: bool) {
        self.positions += 1;
        self.games += u64::from(begins);
        self.length = if begins { 1 } else { self.length + 1 };
        self.longest = self.longest.max(self.length);
        self.results[(entry.result.signum() + 1) as usize] += 1;
        let magnitude = entry.score.unsigned_abs();
        self.scores[SCORE_BANDS.iter().position(|bound| magnitude < *bound).unwrap_or(SCORE_BANDS.len())] +=
            1;
        self.score_sum += i64::from(entry.score);
        self.men[entry.position.occupied().count()] += 1;
        self.phases[phase(&entry.position)] += 1;
        self.checks += u64::from(entry.position.in_check());
    }

    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        let share = |count: u64| 100.0 * count as f64 / self.positions.max(1) as f64;
        let average = self.positions as f64 / self.games.max(1) as f64;
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(
            text,
            "{} positions in {} games of {average:.1} positions on average and {} at most\n\
             side to move: wins {:.1} %, draws {:.1} %, losses {:.1} %; in check {:.1} %; mean score {:+.1}",
            self.positions,
            self.games,
            self.longest,
            share(self.results[2]),
            share(self.results[1]),
            share(self.results[0]),
            share(self.checks),
            self.score_sum as f64 / self.positions.max(1) as f64
        );
        let mut table = |title: &str, rows: &mut dyn Iterator<Item = (String, u64)>| {
            let _ = writeln!(text, "\n{title}");
            for (name, count) in rows {
                let bar = "#".repeat(share(count).round() as usize);
                let _ = writeln!(text, "{name:>14} {count:>12} {:>5.1} %  {bar}", share(count));
            }
        };
        let bands = (0..=SCORE_BANDS.len()).map(|band| {
            let name = match SCORE_BANDS.get(band) {
                Some(bound) => format!("below {bound}"),
                None => "mate or table".to_owned(),
            };
            (name, self.scores[band])
        });
        table("score, without its sign", &mut bands.into_iter());
        let men = self.men.iter().enumerate().rev().filter(|(_, count)| **count > 0);
        table("men on the board", &mut men.map(|(men, count)| (men.to_string(), *count)));
        let phases = [("opening", 20..25), ("middle game", 12..20), ("late", 5..12), ("end game", 0..5)];
        let rows = phases.into_iter().map(|(name, range)| (name.to_owned(), self.phases[range].iter().sum()));
        table(
            "phase: 24 with all pieces (minor 1, rook 2, queen 4); 20-24, 12-19, 5-11, 0-4",
            &mut rows.into_iter(),
        );
        text
    }
}

/// Promotions may go beyond the start position, which counts as such.
fn phase(position: &Position) -> usize {
    let weight = |(kind, weight)| weight * position.of_kind(kind).count();
    PHASE_WEIGHTS.into_iter().map(weight).sum::<usize>().min(24)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(fen: &str, score: i16, result: i8) -> Entry {
        Entry { position: Position::from_fen(fen).unwrap(), mv: None, score, ply: 0, result }
    }

    #[test]
    fn every_position_is_counted_once_in_every_table() {
        let mut statistics = Statistics::default();
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        statistics.add(&entry(start, 24, 1), true);
        statistics.add(&entry(start, -24, -1), false);
        statistics.add(&entry("4k3/8/8/8/8/8/8/R3K3 b - - 0 1", -20_001, -1), true);
        statistics.add(&entry("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1", -600, 0), false);
        assert_eq!((statistics.games, statistics.positions, statistics.longest), (2, 4, 2));
        assert_eq!(statistics.results, [2, 1, 1]);
        assert_eq!((statistics.men[32], statistics.men[3], statistics.checks), (2, 2, 1));
        assert_eq!((statistics.phases[24], statistics.phases[2]), (2, 2));
        assert_eq!(statistics.scores, [2, 0, 0, 0, 1, 0, 0, 0, 1]);
        assert!(
            statistics
                .text()
                .starts_with("4 positions in 2 games of 2.0 positions on average and 2 at most\n")
        );
    }
}
