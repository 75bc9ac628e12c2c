//! How long a client waits: from the start to `uciok`, from `stop` to `bestmove`, and more.
//!
//! `cargo run --release -p rufous --example latency -- PROGRAM [ROUNDS]`

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

struct Engine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start(program: &str) -> Self {
        let mut child = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("cannot start {program}: {error}"));
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Self { child, input, output }
    }

    fn send(&mut self, text: &str) {
        self.input.write_all(text.as_bytes()).and_then(|()| self.input.flush()).expect("the program reads");
    }

    fn wait_for(&mut self, beginning: &str) {
        let mut line = String::new();
        while !line.starts_with(beginning) {
            line.clear();
            assert_ne!(
                self.output.read_line(&mut line).expect("text"),
                0,
                "the output ends before {beginning}"
            );
        }
    }

    fn time(&mut self, text: &str, beginning: &str) -> Duration {
        let begun = Instant::now();
        self.send(text);
        self.wait_for(beginning);
        begun.elapsed()
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(program) = arguments.first() else {
        eprintln!("usage: latency PROGRAM [ROUNDS]");
        std::process::exit(2);
    };
    let rounds: usize = arguments.get(1).and_then(|text| text.parse().ok()).unwrap_or(100);
    println!("{:28} {:>9} {:>9} {:>9} {:>9}", "milliseconds", "median", "90 %", "99 %", "largest");

    let from_start = |text: &str, beginning: &str| {
        let begun = Instant::now();
        let mut engine = Engine::start(program);
        engine.time(text, beginning);
        let time = begun.elapsed();
        engine.send("quit\n");
        let _ = engine.child.wait();
        time
    };
    show("start to uciok", rounds, || from_start("uci\n", "uciok"));
    show("start to readyok", rounds, || from_start("isready\n", "readyok"));

    let mut engine = Engine::start(program);
    engine.time("isready\n", "readyok");
    let mut pause = 0;
    show("stop to bestmove", rounds, || {
        engine.send("go infinite\n");
        pause = (pause * 7 + 3) % 40;
        thread::sleep(Duration::from_millis(pause));
        engine.time("stop\n", "bestmove")
    });
    show("go and stop to bestmove", rounds, || engine.time("go infinite\nstop\n", "bestmove"));
    engine.send("go infinite\n");
    show("isready while searching", rounds, || engine.time("isready\n", "readyok"));
    engine.time("stop\n", "bestmove");
    let game = format!("position startpos moves {}\nisready\n", "g1f3 g8f6 f3g1 f6g8 ".repeat(300));
    show("position with 1,200 plies", rounds, || engine.time(&game, "readyok"));
    drop(engine.child.kill());

    show("quit while searching", rounds.min(50), || {
        let mut engine = Engine::start(program);
        engine.time("isready\n", "readyok");
        engine.send("go infinite\n");
        engine.wait_for("info depth 3 ");
        let begun = Instant::now();
        engine.send("quit\n");
        let _ = engine.child.wait();
        begun.elapsed()
    });
}

/// Measures this many times and prints the distribution.
fn show(what: &str, rounds: usize, mut measure: impl FnMut() -> Duration) {
    let mut times: Vec<f64> = (0..rounds.max(1)).map(|_| measure().as_secs_f64() * 1000.0).collect();
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share).round() as usize];
    println!("{what:28} {:9.3} {:9.3} {:9.3} {:9.3}", at(0.5), at(0.9), at(0.99), at(1.0));
}
