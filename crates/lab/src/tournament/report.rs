//! The result of a match as text and as JSON.

use std::fmt::Write;
use std::io;
use std::path::Path;

use serde_json::{Value, json};

use super::engine::Engine;
use super::sprt::Sprt;
use super::standings::{Standings, Tally};
use super::statistics::Estimate;
use crate::file;

/// Everything that a report speaks of.
pub(super) struct Report<'a> {
    pub(super) engines: &'a [Engine],
    pub(super) standings: &'a Standings<'a>,
    pub(super) sprt: Option<&'a Sprt>,
    pub(super) planned: usize,
    pub(super) finished: bool,
}

impl Report<'_> {
    /// The results of the only encounter, or of the first engine against all others.
    fn main_tally(&self) -> Tally {
        self.standings.of(0)
    }

    /// One line for a match that is going on.
    pub(super) fn line(&self, games_a_minute: f64) -> String {
        let tally = self.main_tally();
        let mut line = format!(
            "{}/{} games  {} +{} ={} -{}",
            self.standings.games(),
            self.planned,
            self.engines[0].name,
            tally.wins,
            tally.draws,
            tally.losses
        );
        // Writing to a string cannot fail, here and below.
        let _ = write!(line, "  Elo {}", estimate(tally.pairs.elo()));
        let _ = write!(line, "  LOS {}", percent(tally.pairs.superiority()));
        if let Some(sprt) = self.sprt {
            let (lower, upper) = sprt.bounds();
            let _ = write!(line, "  LLR {:.2} [{lower:.2}, {upper:.2}]", sprt.ratio(&tally.pairs));
        }
        let _ = write!(line, "  faults {}  {games_a_minute:.1} games/min", self.standings.total_faults());
        line
    }

    /// The whole result.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        let width = self.engines.iter().map(|engine| engine.name.chars().count()).max().unwrap_or(0).max(6);
        let _ = writeln!(
            text,
            "{:width$}  {:>6}  {:>6} {:>6} {:>6}  {:>6}  {:>17}  faults",
            "engine", "points", "wins", "draws", "losses", "score", "Elo"
        );
        let mut order: Vec<usize> = (0..self.engines.len()).collect();
        let score = |engine: usize| {
            let tally = self.standings.of(engine);
            tally.points() / tally.games().max(1) as f64
        };
        order.sort_by(|a, b| score(*b).total_cmp(&score(*a)));
        for engine in order {
            let tally = self.standings.of(engine);
            let faults: Vec<String> = self
                .standings
                .faults(engine)
                .map(|(kind, count)| format!("{} {count}x", kind.words()))
                .collect();
            let faults = if faults.is_empty() { "none".to_owned() } else { faults.join(", ") };
            let _ = writeln!(
                text,
                "{:width$}  {:>6.1}  {:>6} {:>6} {:>6}  {:>5.1}%  {:>17}  {faults}",
                self.engines[engine].name,
                tally.points(),
                tally.wins,
                tally.draws,
                tally.losses,
                100.0 * score(engine),
                estimate(tally.pairs.elo())
            );
        }
        for ((first, second), tally) in self.standings.encounters() {
            text.push_str(&self.encounter(first, second, &tally));
        }
        if let Some(sprt) = self.sprt {
            let pairs = self.main_tally().pairs;
            let (lower, upper) = sprt.bounds();
            let verdict = match sprt.verdict(&pairs) {
                Some(super::sprt::Verdict::H0) => "H0 accepted: failed",
                Some(super::sprt::Verdict::H1) => "H1 accepted: passed",
                None => "undecided",
            };
            let ratio = sprt.ratio(&pairs);
            let _ = writeln!(text, "\nSPRT {sprt}: LLR {ratio:.2} [{lower:.2}, {upper:.2}], {verdict}");
        }
        text
    }

    fn encounter(&self, first: usize, second: usize, tally: &Tally) -> String {
        let pairs = tally.pairs;
        format!(
            "\n{} against {}: +{} ={} -{} in {} games\n  \
             Elo {} (95 %), normalised {}, LOS {}\n  \
             draws {:.1} %, pairs {} as {:?} for 0, 1/2, 1, 3/2, 2 points\n",
            self.engines[first].name,
            self.engines[second].name,
            tally.wins,
            tally.draws,
            tally.losses,
            tally.games(),
            estimate(pairs.elo()),
            estimate(pairs.normalised_elo()),
            percent(pairs.superiority()),
            100.0 * tally.draw_ratio(),
            pairs.pairs(),
            pairs.0
        )
    }

    /// The whole result for programs.
    pub(super) fn json(&self) -> Value {
        let engines: Vec<Value> = (0..self.engines.len())
            .map(|index| {
                let engine = &self.engines[index];
                let faults: serde_json::Map<String, Value> = self
                    .standings
                    .faults(index)
                    .filter_map(|(kind, count)| match json!(kind) {
                        Value::String(kind) => Some((kind, json!(count))),
                        _ => None,
                    })
                    .collect();
                json!({
                    "name": engine.name,
                    "limits": engine.limits.to_string(),
                    "options": engine.options,
                    "total": tally_json(&self.standings.of(index)),
                    "faults": faults,
                })
            })
            .collect();
        let name = |index: usize| &self.engines[index].name;
        let encounters: Vec<Value> = self
            .standings
            .encounters()
            .map(|((first, second), tally)| {
                json!({ "first": name(first), "second": name(second), "result": tally_json(&tally) })
            })
            .collect();
        let sprt = self.sprt.map(|sprt| {
            let pairs = self.main_tally().pairs;
            let (lower, upper) = sprt.bounds();
            json!({
                "test": sprt,
                "llr": sprt.ratio(&pairs),
                "lower": lower,
                "upper": upper,
                "verdict": sprt.verdict(&pairs),
            })
        });
        json!({
            "finished": self.finished,
            "games": self.standings.games(),
            "planned": self.planned,
            "engines": engines,
            "encounters": encounters,
            "sprt": sprt,
        })
    }

    pub(super) fn write_json(&self, path: &Path) -> io::Result<()> {
        file::replace(path, format!("{:#}\n", self.json()).as_bytes())
    }
}

fn tally_json(tally: &Tally) -> Value {
    let pairs = tally.pairs;
    let number = |estimate: Option<Estimate>| {
        estimate.map(|Estimate { value, error }| json!({ "value": value, "error95": error }))
    };
    json!({
        "games": tally.games(),
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "points": tally.points(),
        "pentanomial": pairs.0,
        "elo": number(pairs.elo()),
        "nelo": number(pairs.normalised_elo()),
        "los": pairs.superiority(),
        "draw_ratio": tally.draw_ratio(),
    })
}

fn estimate(estimate: Option<Estimate>) -> String {
    match estimate {
        None => "unknown".to_owned(),
        Some(Estimate { value, error }) if error.is_finite() => format!("{value:+.1} +/- {error:.1}"),
        Some(Estimate { value, .. }) => format!("{value:+.1} +/- ?"),
    }
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "unknown".to_owned(), |share| format!("{:.1} %", 100.0 * share))
}
