//! Random and mutated command lines into the real program.
//!
//! `cargo run --release -p rufous --example fuzz -- PROGRAM [MINUTES] [SEED]`
//!
//! Each round is a process: a stream of commands, good, mangled and mad, sent in pieces at random
//! moments. The program must answer `isready`, keep the count of `bestmove`, stay small, and leave
//! with 0. Now and then a round is long, and its process must not have grown when it is brought back
//! to the state in which it began. The first failure ends the run, with the seed of its round and
//! the whole stream.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use rng::Random;

/// An answer may take so long.
const PATIENCE: Duration = Duration::from_secs(60);
/// The memory that a round may need, in kilobytes. Its largest hash table has 16 megabytes.
const LARGEST_MEMORY: u64 = 400_000;
/// What the memory at rest may grow by from the second to the last quarter of a long round, in
/// kilobytes: a leak of two kilobytes a line shows.
const LARGEST_GROWTH: u64 = 8_000;
/// Lines of a part of a round. A short round is one part.
const LINES: usize = 200;
/// Parts of a long round.
const PARTS: usize = 40;
/// One round in so many is long.
const LONG_EVERY: u64 = 50;

/// Takes back what costs memory, and waits for it. The hash table becomes as small as it can be, since
/// how much of a large one is resident depends on who touched it last.
const REST: &[u8] =
    b"\nstop\ndebug off\nsetoption name Threads value 1\nsetoption name Hash value 1\nucinewgame\nisready\n";

/// Lines to send as they are, and to mangle.
const SEEDS: &[&str] = &[
    "uci",
    "isready",
    "ucinewgame",
    "debug on",
    "debug off",
    "stop",
    "ponderhit",
    "d",
    "eval",
    "flip",
    "help",
    "license",
    "compiler",
    "register later",
    "register name A B code 12",
    "position startpos",
    "position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5",
    "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "position fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9 moves a1b2",
    "position fen 8/8/8/4k3/8/8/3PK3/8 w - - 0 1 moves d2d4",
    "position moves e2e4 e7e5",
    "position fen 8/8/8/8/4k3/8/8/R3K3 w - - 0 1",
    "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "go depth 4",
    "go nodes 300",
    "go movetime 5",
    "go infinite",
    "go ponder wtime 100 btime 100 winc 1 binc 1 movestogo 3",
    "go wtime 50 btime 50",
    "go mate 2 nodes 1000",
    "go depth 3 searchmoves e2e4 d2d4 a1a1",
    "go perft 3",
    "perft 2",
    "bench 1 1 50 current nodes",
    "genfens 2 seed 9 book None",
    "setoption name Hash value 2",
    "setoption name Hash value 16",
    "setoption name Threads value 2",
    "setoption name Threads value 1",
    "setoption name MultiPV value 3",
    "setoption name Clear Hash",
    "setoption name UCI_Chess960 value true",
    "setoption name UCI_ShowWDL value true",
    "setoption name Move Overhead value 7",
    "setoption name nodestime value 500",
    "setoption name EvalFile value <empty>",
    "setoption name Ponder value true",
    "setoption name UCI_ShowCurrLine value true",
    "setoption name UCI_ShowRefutations value true",
    "setoption name OwnBook value true",
    "setoption name Book File value no-such-book.bin",
    "setoption name SyzygyPath value no-such-folder:no-such-other",
    "setoption name NumaPolicy value none",
    "setoption name NumaPolicy value 0",
    "setoption name UCI_Opponent value GM 2800 human Gary Kasparov",
    "setoption name Skill Level value 3",
    "setoption name UCI_LimitStrength value true",
    "setoption name UCI_Elo value 1500",
    "setoption name UCI_AnalyseMode value true",
    "setoption name UCI_SetPositionValue value 50 8/8/8/4k3/8/8/3PK3/8 w - - 0 1",
    "setoption name UCI_SetPositionValue value clearall",
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(program) = arguments.first() else {
        eprintln!("usage: fuzz PROGRAM [MINUTES] [SEED]");
        std::process::exit(2);
    };
    let number = |index: usize, default: f64| {
        arguments.get(index).and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let (minutes, first_seed) = (number(1, 1.0), number(2, 1.0) as u64);
    let end = Instant::now() + Duration::from_secs_f64(60.0 * minutes);
    let (mut seed, mut lines, mut largest) = (first_seed, 0, 0);
    while Instant::now() < end {
        let parts = if seed % LONG_EVERY == 0 { PARTS } else { 1 };
        match round(program, seed, parts) {
            Ok(memory) => largest = memory.max(largest),
            Err(reason) => {
                eprintln!("seed {seed}: {reason}");
                std::process::exit(1);
            }
        }
        seed += 1;
        lines += parts * LINES;
    }
    println!("{} rounds, {lines} lines, at most {largest} kB of memory: no failure", seed - first_seed);
}

/// One process from its start to its end; its largest memory, or what went wrong.
fn round(program: &str, seed: u64, parts: usize) -> Result<u64, String> {
    let mut random = Random::new(seed);
    let mut child = Command::new(program)
        // The allocator of Linux keeps what each thread has freed, several hash tables at times, which
        // looks like a leak and is none. So there is one arena, and what is large goes back at once.
        .env("MALLOC_ARENA_MAX", "1")
        .env("MALLOC_MMAP_THRESHOLD_", "65536")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot start {program}: {error}"))?;
    let mut stream = Vec::new();
    let result = talk(&mut child, &mut random, &mut stream, parts);
    let _ = child.kill();
    let _ = child.wait();
    result.map_err(|reason| format!("{reason}\n{}", String::from_utf8_lossy(&stream)))
}

/// A conversation, and what was seen of the program's side of it.
struct Talk<'a> {
    child: &'a mut Child,
    input: ChildStdin,
    stream: &'a mut Vec<u8>,
    moves: Arc<AtomicUsize>,
    answers: mpsc::Receiver<()>,
    /// Answers to `isready` that have been waited for.
    answered: usize,
}

fn talk(child: &mut Child, random: &mut Random, stream: &mut Vec<u8>, parts: usize) -> Result<u64, String> {
    let input = child.stdin.take().ok_or("no input")?;
    let output = BufReader::new(child.stdout.take().ok_or("no output")?);
    let moves = Arc::new(AtomicUsize::new(0));
    let (ready, answers) = mpsc::channel();
    let counted = Arc::clone(&moves);
    thread::spawn(move || {
        for line in output.split(b'\n').map_while(Result::ok) {
            counted.fetch_add(usize::from(line.starts_with(b"bestmove")), Ordering::SeqCst);
            if line == b"readyok" && ready.send(()).is_err() {
                break;
            }
        }
    });
    let mut talk = Talk { child, input, stream, moves, answers, answered: 0 };
    let mut largest = 0;
    let mut resting = Vec::new();
    for _ in 0..parts {
        largest = talk.part(random)?.max(largest);
        resting.push(talk.rest()?);
    }
    // The smallest of several, since a hash table that was freed may stay resident for a while.
    let smallest = |from: usize, to: usize| resting[from..to].iter().min().copied().unwrap_or(0);
    let (early, late) = (smallest(parts / 4, parts / 2), smallest(parts * 3 / 4, parts));
    if parts == PARTS && late > early + LARGEST_GROWTH {
        return Err(format!("the program at rest has grown from {early} to {late} kB"));
    }
    if largest > LARGEST_MEMORY {
        return Err(format!("{largest} kB of memory are in use"));
    }
    talk.end(random)?;
    Ok(largest)
}

impl Talk<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<(), String> {
        self.stream.extend_from_slice(bytes);
        let written = self.input.write_all(bytes).and_then(|()| self.input.flush());
        written.map_err(|error| format!("it reads no more: {error}"))
    }

    /// Sends random lines; gives the largest memory seen meanwhile.
    fn part(&mut self, random: &mut Random) -> Result<u64, String> {
        let mut memory = 0;
        for _ in 0..LINES {
            let line = line(random);
            // In pieces, as a pipe may deliver it.
            let (first, second) = line.split_at(random.below(line.len()));
            for part in [first, second] {
                self.write(part)?;
                if random.below(8) == 0 {
                    thread::sleep(Duration::from_micros(random.below(3000) as u64));
                }
            }
            memory = used_memory(self.child.id()).max(memory);
        }
        Ok(memory)
    }

    /// Everything must come to rest: after a stop, every `isready` is answered and every search is
    /// closed. Gives the memory at rest.
    fn rest(&mut self) -> Result<u64, String> {
        self.write(REST)?;
        let pings = count(self.stream, asks_ready);
        for _ in self.answered..pings {
            self.answers.recv_timeout(PATIENCE).map_err(|_| "isready is not answered".to_owned())?;
        }
        self.answered = pings;
        // A search that waits in the queue would be cut off by `quit`, so all must be closed before.
        // The bench gives moves too, so there may be more.
        let searches = count(self.stream, starts_search);
        wait_until(|| self.moves.load(Ordering::SeqCst) >= searches)
            .map_err(|()| format!("{searches} searches, but {} moves", self.moves.load(Ordering::SeqCst)))?;
        Ok(used_memory(self.child.id()))
    }

    fn end(mut self, random: &mut Random) -> Result<(), String> {
        if random.below(2) == 0 {
            self.write(b"quit\n")?;
        } else {
            drop(self.input);
        }
        wait_until(|| !matches!(self.child.try_wait(), Ok(None)))
            .map_err(|()| "it does not end".to_owned())?;
        match self.child.wait().map(|status| status.code()) {
            Ok(Some(0)) => Ok(()),
            other => Err(format!("it ended with {other:?}")),
        }
    }
}

fn wait_until(mut happened: impl FnMut() -> bool) -> Result<(), ()> {
    let deadline = Instant::now() + PATIENCE;
    while !happened() {
        if Instant::now() > deadline {
            return Err(());
        }
        thread::sleep(Duration::from_millis(1));
    }
    Ok(())
}

fn count(stream: &[u8], wanted: impl Fn(&[u8]) -> bool) -> usize {
    stream.split(|byte| matches!(byte, b'\n' | b'\r')).filter(|line| wanted(line)).count()
}

fn asks_ready(line: &[u8]) -> bool {
    uci::Command::parse(line).command == Some(uci::Command::IsReady)
}

fn starts_search(line: &[u8]) -> bool {
    matches!(uci::Command::parse(line).command, Some(uci::Command::Go(go)) if go.perft.is_none())
}

/// A line with its end.
fn line(random: &mut Random) -> Vec<u8> {
    let mut line = SEEDS[random.below(SEEDS.len())].as_bytes().to_vec();
    if random.below(2) == 0 {
        for _ in 0..=random.below(4) {
            mutate(&mut line, random);
        }
    }
    if too_dear(uci::Command::parse(&line).command.as_ref()) {
        line = b"isready".to_vec();
    }
    line.retain(|&byte| byte != b'\n' && byte != b'\r');
    line.extend_from_slice([&b"\n"[..], b"\r\n", b"\n\n", b"\r"][random.below(4)]);
    line
}

/// Lines that a mutation may bring about and that would end the round early or take too long.
fn too_dear(command: Option<&uci::Command>) -> bool {
    match command {
        Some(uci::Command::Quit | uci::Command::SpeedTest(_) | uci::Command::ExportNet(_)) => true,
        Some(uci::Command::Bench(words)) => *words != ["1", "1", "50", "current", "nodes"],
        Some(uci::Command::GenFens(request)) => request.count > 100 || request.book.is_some(),
        Some(uci::Command::Go(go)) => go.perft.is_some_and(|depth| depth > 4),
        Some(uci::Command::SetOption { name, value }) => {
            let text = value.as_deref().unwrap_or_default();
            let number = text.trim().parse::<u64>().unwrap_or(0);
            let name = name.to_ascii_lowercase();
            name.contains("log")
                // A path that exists by chance may be the root of a large disk.
                || (name.contains("path") && !text.contains("no-such"))
                || (name.contains("hash") && number > 16)
                || (name.contains("threads") && number > 4)
        }
        _ => false,
    }
}

fn mutate(line: &mut Vec<u8>, random: &mut Random) {
    let place = random.below(line.len() + 1);
    match random.below(9) {
        0 => line.insert(place, random.below(256) as u8),
        1 if !line.is_empty() => {
            line.remove(place.min(line.len() - 1));
        }
        2 => line.truncate(place),
        3 => {
            let other = SEEDS[random.below(SEEDS.len())].as_bytes();
            line.splice(place..place, other.iter().copied());
        }
        4 => line.splice(place..place, *b" -99999999999999999999 ").for_each(drop),
        5 => line.splice(place..place, *b" \t\0 \xff ").for_each(drop),
        6 => line.make_ascii_uppercase(),
        7 => {
            let again = line.clone();
            for _ in 0..random.below(20) {
                line.push(b' ');
                line.extend_from_slice(&again);
            }
        }
        _ => {
            if let Some(byte) = line.get_mut(place) {
                *byte ^= 1 << random.below(8);
            }
        }
    }
}

/// The memory that a process has written to, in kilobytes, where the system tells it. What the system
/// has moved out of the way counts, and the pages of the program's file do not.
fn used_memory(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let number = |name: &str| -> u64 {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
    };
    number("RssAnon:") + number("VmSwap:")
}
