//! Perft beside Stockfish's `go perft`, one thread each, in turns:
//! `cargo run --release -p rufous-chess --example perft_speed -- [ROUNDS [STOCKFISH]]`
//!
//! Each count is timed in every round and the fastest round stands, since a busy machine only ever
//! slows down. Where the system tells it, processor time is measured in place of the clock's.
//! `cargo run --release -p rufous-chess --example perft_speed -- alone [ROUNDS]` needs no Stockfish.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use chess::{FenStyle, Position, perft};

/// Name, FEN, depth and count of what is timed.
const WORK: [(&str, &str, u32, u64); 3] = [
    ("start position", Position::START_FEN, 6, 119_060_324),
    ("Kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5, 193_690_690),
    ("Chess960", "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 6, 227_689_589),
];

/// A running Stockfish.
struct Stockfish {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Stockfish {
    fn start(program: &str) -> std::io::Result<Self> {
        let mut process = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = process.stdin.take().expect("piped");
        let output = BufReader::new(process.stdout.take().expect("piped"));
        let mut stockfish = Self { process, input, output };
        writeln!(stockfish.input, "setoption name UCI_Chess960 value true\nisready")?;
        stockfish.wait_for("readyok")?;
        Ok(stockfish)
    }

    /// The rest of the next line that starts like this.
    fn wait_for(&mut self, start: &str) -> std::io::Result<String> {
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
            if let Some(rest) = line.strip_prefix(start) {
                return Ok(rest.trim().to_owned());
            }
        }
    }

    fn perft(&mut self, pos: &Position, depth: u32) -> std::io::Result<u64> {
        let fen = pos.fen(FenStyle::Shredder);
        writeln!(self.input, "position fen {fen}\ngo perft {depth}")?;
        let count = self.wait_for("Nodes searched:")?;
        Ok(count.parse().expect("a count"))
    }
}

impl Drop for Stockfish {
    fn drop(&mut self) {
        // Whatever becomes of it, the process must not outlive this one.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The time that all threads of a process had a processor, where the system tells.
fn processor_time(process: u32) -> Option<Duration> {
    let mut total = 0;
    for thread in fs::read_dir(format!("/proc/{process}/task")).ok()? {
        let stat = fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        total += stat.split(' ').next()?.parse::<u64>().ok()?;
    }
    Some(Duration::from_nanos(total))
}

/// How long the work of this process takes, and what comes of it.
fn time<T>(process: u32, work: impl FnOnce() -> T) -> (Duration, T) {
    let (clock, before) = (Instant::now(), processor_time(process));
    let result = work();
    let by_clock = clock.elapsed();
    let by_processor = processor_time(process).zip(before).map(|(after, before)| after - before);
    (by_processor.unwrap_or(by_clock), result)
}

fn find_stockfish() -> String {
    // Debian keeps games outside of the usual search path.
    let debian = "/usr/games/stockfish";
    if Path::new(debian).exists() { debian.to_owned() } else { "stockfish".to_owned() }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let alone = arguments.first().is_some_and(|first| first == "alone");
    let mut arguments = arguments.into_iter().skip(usize::from(alone));
    let rounds = arguments.next().map_or(5, |text| text.parse::<usize>().expect("ROUNDS"));
    let program = arguments.next().unwrap_or_else(find_stockfish);
    let mut stockfish = match (!alone).then(|| Stockfish::start(&program)).transpose() {
        Ok(stockfish) => stockfish,
        Err(error) => {
            eprintln!("{program} does not start: {error}");
            return ExitCode::FAILURE;
        }
    };

    let mut best = [[Duration::MAX; 2]; WORK.len()];
    for _ in 0..rounds.max(1) {
        for ((_, fen, depth, expected), best) in WORK.into_iter().zip(&mut best) {
            let pos = Position::from_fen(fen).expect("a FEN");
            let (took, count) = time(std::process::id(), || perft(&pos, depth));
            assert_eq!(count, expected, "{fen}");
            best[0] = best[0].min(took);
            if let Some(stockfish) = &mut stockfish {
                let (took, count) = time(stockfish.process.id(), || stockfish.perft(&pos, depth));
                assert_eq!(count.expect("Stockfish answers"), expected, "{fen}");
                best[1] = best[1].min(took);
            }
        }
    }
    report(&best, stockfish.is_some());
    ExitCode::SUCCESS
}

fn report(best: &[[Duration; 2]; WORK.len()], beside: bool) {
    let mean =
        |values: &mut dyn Iterator<Item = f64>| (values.map(f64::ln).sum::<f64>() / WORK.len() as f64).exp();
    let speed = |work: usize, who: usize| WORK[work].3 as f64 / best[work][who].as_secs_f64() / 1e6;
    for (work, (name, _, depth, _)) in WORK.into_iter().enumerate() {
        print!("{name:>14} {depth}: {:4.0} M/s", speed(work, 0));
        if beside {
            print!(", Stockfish {:4.0} M/s, ratio {:.2}", speed(work, 1), speed(work, 0) / speed(work, 1));
        }
        println!();
    }
    print!("geometric mean: {:4.0} M/s", mean(&mut (0..WORK.len()).map(|work| speed(work, 0))));
    if beside {
        let ratio = mean(&mut (0..WORK.len()).map(|work| speed(work, 0) / speed(work, 1)));
        print!(", ratio {ratio:.2}");
    }
    println!();
}
