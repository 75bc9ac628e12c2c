//! `bench`: searches a set of positions and counts the nodes.
//!
//! It runs in a new engine with the network and the tablebases in use, so that the count is a signature of the search: the
//! same every time, whatever was done before.

use std::fs;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use chess::{CastlingNotation, Move, Position};
use engine::platform::Instant;
use engine::{Engine, Limits, Report, Reporter};
use uci::Command;

use crate::job::Cancel;
use crate::protocol::{self, nodes_per_second};
use crate::writer::Writer;
use crate::{eval, network, perft};

/// The positions, one a line.
const POSITIONS: &str = include_str!("bench/positions.epd");

/// The depth of the signature.
const DEFAULT_DEPTH: u64 = 13;

/// What is done with each position.
#[derive(Clone, Debug, PartialEq)]
enum Exercise {
    Search(Limits),
    Perft(u64),
    Eval,
}

/// A bench as it was asked for.
#[derive(Clone, Debug)]
pub(crate) struct BenchRequest {
    hash: usize,
    threads: usize,
    exercise: Exercise,
    positions: Vec<Position>,
}

impl BenchRequest {
    /// Reads `[hash] [threads] [limit] [positions] [type]`.
    pub(crate) fn read(words: &[String], current: &Position) -> Result<Self, String> {
        if let Some(word) = words.get(5) {
            return Err(format!("'{word}' is one word too many for 'bench'"));
        }
        let depth = DEFAULT_DEPTH.to_string();
        let word = |index: usize, default| words.get(index).map_or(default, String::as_str);
        Ok(Self {
            hash: setting("Hash", word(0, "16"))?,
            threads: setting("Threads", word(1, "1"))?,
            exercise: exercise(word(4, "depth"), word(2, &depth))?,
            positions: match word(3, "default") {
                "default" => read_positions(POSITIONS)?,
                "current" => vec![*current],
                path => {
                    let text = fs::read_to_string(path);
                    let refused = |error| format!("cannot read '{path}': {}", engine::io_error_text(&error));
                    read_positions(&text.map_err(refused)?)?
                }
            },
        })
    }
}

/// A number that the option of this name would take.
pub(crate) fn setting(name: &str, word: &str) -> Result<usize, String> {
    let checked = engine::Options::default().check(name, Some(word)).map_err(|error| error.to_string())?;
    Ok(checked.map_or_else(|| word.parse().unwrap_or(1), |change| change.value().number() as usize))
}

/// The exercise of this type; any limit of `go` that takes a number will do.
fn exercise(kind: &str, limit: &str) -> Result<Exercise, String> {
    if kind == "eval" {
        return Ok(Exercise::Eval);
    }
    let line = if kind == "infinite" { "go infinite".to_owned() } else { format!("go {kind} {limit}") };
    let parsed = Command::parse(&line);
    let Some(Command::Go(go)) = parsed.command else { return Err(format!("'{kind}' is no type of limit")) };
    if let Some(problem) = parsed.problems.first() {
        return Err(problem.to_string());
    }
    Ok(match go.perft {
        Some(depth) => Exercise::Perft(depth),
        None => Exercise::Search(protocol::limits(&go, &Position::startpos())),
    })
}

fn read_positions(text: &str) -> Result<Vec<Position>, String> {
    let positions: Vec<Position> = chess::fen_lines(text)
        .map(|(_, line)| line.parse().map_err(|error| format!("'{line}' is no position: {error}")))
        .collect::<Result<_, _>>()?;
    if positions.is_empty() { Err("there are no positions".to_owned()) } else { Ok(positions) }
}

/// Runs the bench and prints what it finds.
pub(crate) fn run(
    engine: Option<&Engine>,
    request: &BenchRequest,
    out: &Writer,
    cancel: &Cancel,
) -> Result<(), String> {
    let present = engine;
    let network = network::in_use(present)?;
    let mut engine = Engine::new(network).map_err(|error| error.to_string())?;
    if let Some(present) = present {
        engine.share_tablebases(present);
    }
    engine.set_threads(request.threads).map_err(|error| error.to_string())?;
    engine.set_hash(request.hash).map_err(|error| error.to_string())?;
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for (index, position) in request.positions.iter().enumerate() {
        if cancel.cancelled() {
            break;
        }
        out.line(format!("\nPosition: {}/{} ({position})", index + 1, request.positions.len()));
        let begun = Instant::now();
        nodes += exercise_once(&mut engine, position, &request.exercise, out, cancel);
        time += begun.elapsed();
    }
    let speed = nodes_per_second(nodes, time);
    // Where Stockfish's scripts look for it; once, since they read both streams as one.
    out.aside(format!(
        "\n===========================\nTotal time (ms) : {}\nNodes searched  : {nodes}\n\
         Nodes/second    : {speed}",
        time.as_millis().max(1),
    ));
    // What OpenBench reads: a bench that was cut short has no signature.
    if cancel.cancelled() {
        out.note("stopped before its end");
    } else {
        out.line(format!("{nodes} nodes {speed} nps"));
    }
    Ok(())
}

/// The positions of the bench.
pub(crate) fn positions() -> Vec<Position> {
    read_positions(POSITIONS).unwrap_or_default()
}

/// The nodes of the default bench with the embedded network, without output.
pub(crate) fn signature(cancel: &Cancel) -> Result<u64, String> {
    // It has one thread and a hash table of 16 MB, as the bench has.
    let mut engine = network::new_engine()?;
    let limits = Limits::depth(DEFAULT_DEPTH);
    let positions = positions().into_iter().take_while(|_| !cancel.cancelled());
    Ok(positions.map(|position| search(&mut engine, &position, &limits, None, cancel)).sum())
}

fn exercise_once(
    engine: &mut Engine,
    position: &Position,
    exercise: &Exercise,
    out: &Writer,
    cancel: &Cancel,
) -> u64 {
    match exercise {
        Exercise::Search(limits) => search(engine, position, limits, Some(out.clone()), cancel),
        Exercise::Perft(depth) => {
            let castling = position.castling_notation(false);
            perft::run(position, *depth, engine.threads(), castling, out, cancel)
        }
        Exercise::Eval => {
            out.line(eval::explain(engine.network(), position));
            0
        }
    }
}

/// Searches a position, with output if `out` is given, and returns the nodes.
fn search(
    engine: &mut Engine,
    position: &Position,
    limits: &Limits,
    out: Option<Writer>,
    cancel: &Cancel,
) -> u64 {
    let (told, nodes) = channel();
    let castling = position.castling_notation(false);
    let reporter = BenchReporter { out, root: *position, castling, nodes: 0, told };
    engine.set_position(*position, &[]);
    cancel.search(engine, limits.clone(), Box::new(reporter));
    nodes.recv().unwrap_or(0)
}

/// Prints a search, if it is to be printed, and counts its nodes.
struct BenchReporter {
    out: Option<Writer>,
    root: Position,
    castling: CastlingNotation,
    nodes: u64,
    told: Sender<u64>,
}

impl Reporter for BenchReporter {
    fn report(&mut self, report: &Report) {
        if let Report::Line(line) = report {
            // Lines come with growing counts; the last one before the move has them all.
            self.nodes = self.nodes.max(line.nodes);
            if let Some(out) = &self.out {
                out.message(protocol::info(&self.root, self.castling, line));
            }
        }
    }

    fn best_move(&mut self, best: Option<Move>, _ponder: Option<Move>) {
        if let Some(out) = &self.out {
            out.message(protocol::best_move(&self.root, self.castling, best, None));
        }
        let _ = self.told.send(self.nodes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_positions_are_many_and_different() {
        let positions = read_positions(POSITIONS).unwrap();
        assert!((45..=60).contains(&positions.len()), "{}", positions.len());
        for (index, position) in positions.iter().enumerate() {
            assert!(position.has_legal_move(), "{position}");
            assert!(positions[..index].iter().all(|other| other.key() != position.key()), "{position}");
        }
        assert!(positions.iter().filter(|position| position.needs_chess960()).count() >= 4);
        assert!(positions.iter().filter(|position| position.occupied().count() <= 7).count() >= 8);
    }

    #[test]
    fn arguments_are_read() {
        let read = |text: &str| {
            let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
            BenchRequest::read(&words, &Position::startpos())
        };
        let request = read("64 2 5000 current nodes").unwrap();
        assert_eq!((request.hash, request.threads, request.positions.len()), (64, 2, 1));
        assert_eq!(request.exercise, Exercise::Search(Limits::nodes(5000)));
        assert_eq!(read("16 1 4 current perft").unwrap().exercise, Exercise::Perft(4));
        assert_eq!(read("16 1 13 default eval").unwrap().exercise, Exercise::Eval);
        assert_eq!(read("").unwrap().exercise, Exercise::Search(Limits::depth(13)));
        for wrong in
            ["0", "16 0", "16 1 x", "16 1 5 no-such-file", "16 1 5 default wonder", "16 1 5 default depth 6"]
        {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        assert!(read("4096 16 _ current infinite").is_ok());
    }
}
