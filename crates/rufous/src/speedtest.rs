//! `speedtest`: how fast this computer searches, measured on the positions of whole games.

mod games;

use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

use chess::{Move, Position};
use engine::platform::Instant;
use engine::{Engine, Limits, Report, Reporter};

use crate::bench::setting;
use crate::job::Cancel;
use crate::protocol::nodes_per_second;
use crate::writer::Writer;
use crate::{about, network};

/// The default duration in seconds.
const DEFAULT_SECONDS: usize = 150;
/// Megabytes of hash table a thread.
const HASH_PER_THREAD: usize = 128;
/// Searches before the clock counts: they wake the processor and touch the memory.
const WARM_UPS: usize = 3;

/// A test as it was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SpeedTestRequest {
    threads: usize,
    hash: usize,
    seconds: usize,
    invocation: String,
}

impl SpeedTestRequest {
    /// Reads `[threads] [hash] [seconds]`.
    pub(crate) fn read(words: &[String]) -> Result<Self, String> {
        if let Some(word) = words.get(3) {
            return Err(format!("'{word}' is one word too many for 'speedtest'"));
        }
        let threads = match words.first() {
            Some(word) => setting("Threads", word)?,
            None => thread::available_parallelism().map_or(1, usize::from),
        };
        let hash = words.get(1).map_or(Ok(HASH_PER_THREAD * threads), |word| setting("Hash", word))?;
        let seconds = match words.get(2) {
            None => DEFAULT_SECONDS,
            Some(word) => {
                let seconds = word.parse().ok().filter(|seconds| (1..=1_000_000).contains(seconds));
                seconds.ok_or_else(|| format!("the time '{word}' is no number of seconds"))?
            }
        };
        let invocation = std::iter::once("speedtest".to_owned()).chain(words.iter().cloned());
        Ok(Self { threads, hash, seconds, invocation: invocation.collect::<Vec<_>>().join(" ") })
    }
}

/// The counts of a finished search.
#[derive(Clone, Copy, Default)]
struct Count {
    nodes: u64,
    hashfull: usize,
}

/// Counts over all searches.
#[derive(Default)]
struct Totals {
    nodes: u64,
    time: Duration,
    searches: usize,
    fullest: usize,
    fullness: usize,
}

impl Totals {
    fn add(&mut self, count: Count, time: Duration) {
        self.nodes += count.nodes;
        self.time += time;
        self.searches += 1;
        self.fullest = self.fullest.max(count.hashfull);
        self.fullness += count.hashfull;
    }
}

/// Runs the test and prints what it finds.
pub(crate) fn run(
    engine: Option<&Engine>,
    request: &SpeedTestRequest,
    out: &Writer,
    cancel: &Cancel,
) -> Result<(), String> {
    let mut engine = Engine::new(network::in_use(engine)?).map_err(|error| error.to_string())?;
    engine.set_threads(request.threads).map_err(|error| error.to_string())?;
    engine.set_hash(request.hash).map_err(|error| error.to_string())?;
    // There is no clock to lose time to.
    engine.settings_mut().move_overhead = 0;
    let games = games::all();
    let positions: usize = games.iter().map(Vec::len).sum();
    let total = Duration::from_secs(request.seconds as u64);

    for (index, moves) in warm_ups(&games).enumerate() {
        out.line(format!("Warmup position {}/{WARM_UPS}", index + 1));
        search(&mut engine, moves, total / positions as u32, cancel);
    }
    let mut totals = Totals::default();
    for game in &games {
        engine.new_game();
        for ply in 0..game.len() {
            if cancel.cancelled() {
                break;
            }
            // Up to where the searches should be by then, so that the whole takes the time asked for.
            let until = total * (totals.searches as u32 + 1) / positions as u32;
            let begun = Instant::now();
            let count = search(&mut engine, &game[..ply], until.saturating_sub(totals.time), cancel);
            totals.add(count, begun.elapsed());
        }
        out.line(format!("Position {}/{positions}", totals.searches));
    }
    out.line(summary(request, &engine, &totals));
    Ok(())
}

/// The first game in its opening, its middle and its end.
fn warm_ups(games: &[Vec<Move>]) -> impl Iterator<Item = &[Move]> {
    games.iter().take(1).flat_map(|game| (0..WARM_UPS).map(|part| &game[..part * game.len() / WARM_UPS]))
}

fn search(engine: &mut Engine, moves: &[Move], time: Duration, cancel: &Cancel) -> Count {
    let (told, count) = channel();
    engine.set_position(Position::startpos(), moves);
    let limits = Limits { move_time: Some((time.as_millis() as i64).max(1)), ..Limits::default() };
    cancel.search(engine, limits, Box::new(Counter { count: Count::default(), told }));
    count.recv().unwrap_or_default()
}

fn summary(request: &SpeedTestRequest, engine: &Engine, totals: &Totals) -> String {
    let SpeedTestRequest { threads, hash, seconds, invocation } = request;
    format!(
        "===========================\n\
         Version                    : {}\n\
         Compiled by                : {}\n\
         Compilation target         : {}\n\
         Network arithmetic         : {:?}\n\
         User invocation            : {invocation}\n\
         Filled invocation          : speedtest {threads} {hash} {seconds}\n\
         Available processors       : {}\n\
         Thread count               : {threads}\n\
         TT size [MiB]              : {hash}\n\
         Hash max, avg [per mille]  : {}, {}\n\
         Total nodes searched       : {}\n\
         Total search time [s]      : {:.3}\n\
         Nodes/second               : {}",
        about::NAME_AND_VERSION,
        env!("BUILD_COMPILER"),
        env!("BUILD_TARGET"),
        engine.network().arch(),
        thread::available_parallelism().map_or(1, usize::from),
        totals.fullest,
        totals.fullness / totals.searches.max(1),
        totals.nodes,
        totals.time.as_secs_f64(),
        nodes_per_second(totals.nodes, totals.time),
    )
}

/// Listens for the counts of a search only.
struct Counter {
    count: Count,
    told: Sender<Count>,
}

impl Reporter for Counter {
    fn report(&mut self, report: &Report) {
        if let Report::Line(line) = report {
            self.count = Count { nodes: self.count.nodes.max(line.nodes), hashfull: line.hashfull };
        }
    }

    fn best_move(&mut self, _best: Option<Move>, _ponder: Option<Move>) {
        let _ = self.told.send(self.count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read() {
        let read = |text: &str| {
            let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
            SpeedTestRequest::read(&words)
        };
        let request = read("2 64 10").unwrap();
        assert_eq!((request.threads, request.hash, request.seconds), (2, 64, 10));
        assert_eq!(read("3").unwrap().hash, 384);
        assert_eq!(read("").unwrap().seconds, 150);
        for wrong in ["0", "2 0", "2 64 0", "2 64 x", "2 64 10 1"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
