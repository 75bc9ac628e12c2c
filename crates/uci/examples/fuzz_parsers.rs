//! The laws of both parsers over random values and rubbish, for as long as wanted:
//! `cargo run --release -p rufous-uci --example fuzz_parsers -- [MINUTES [SEED]]`
//!
//! The first law that does not hold ends the run, with the seed of its round. The memory in use must not grow.

#[path = "../tests/laws/laws.rs"]
mod laws;
#[path = "../tests/laws/random.rs"]
mod random;
#[path = "../tests/laws/values.rs"]
mod values;

use std::collections::BTreeSet;
use std::ops::Range;
use std::time::{Duration, Instant};
use std::{fs, panic, process};

use random::Random;

/// Values of each of the four kinds in a round.
const VALUES: usize = 20_000;
/// After so many rounds everything has the memory that it needs, and the smallest of so many is compared: what a very
/// long line needed stays with the allocator for a while.
const WARM_UP: usize = 20;
/// What the resident memory may grow by, in kilobytes. A byte lost in each value is noticed within minutes.
const GROWTH: u64 = 8_000;

fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<f64>().expect("a number"));
    let minutes = arguments.next().unwrap_or(1.0);
    let first_seed = arguments.next().unwrap_or(1.0) as u64;
    let end = Instant::now() + Duration::from_secs_f64(60.0 * minutes);
    let (mut understood, mut memory) = ([0; 2], Vec::new());
    while Instant::now() < end || memory.len() < 3 * WARM_UP {
        let seed = first_seed + memory.len() as u64;
        match panic::catch_unwind(|| round(seed)) {
            Ok(seen) => understood = [understood[0] + seen[0], understood[1] + seen[1]],
            Err(_) => fail(&format!("seed {seed} broke a law")),
        }
        memory.push(resident());
    }
    let rounds = memory.len();
    let smallest = |range: Range<usize>| memory[range].iter().min().copied().unwrap_or(0);
    let (before, after) = (smallest(WARM_UP..2 * WARM_UP), smallest(rounds - WARM_UP..rounds));
    if after > before + GROWTH {
        fail(&format!("the resident memory has grown from {before} to {after} kB"));
    }
    println!(
        "{rounds} rounds: {} commands and as many messages came back; of as many lines of rubbish each {} were commands \
         and {} messages, and came back too; {before} kB resident at first, {after} kB at the end",
        rounds * VALUES,
        understood[0],
        understood[1]
    );
}

fn fail(reason: &str) -> ! {
    eprintln!("{reason}");
    process::exit(1)
}

/// All laws; gives how many commands and messages were seen in rubbish.
fn round(seed: u64) -> [usize; 2] {
    let mut random = Random::new(seed);
    let mut words = BTreeSet::new();
    let mut seen = [0; 2];
    for _ in 0..VALUES {
        words.insert(laws::command_comes_back(&mut random));
        laws::message_comes_back(&mut random);
        seen[0] += usize::from(laws::command_from_rubbish_comes_back(&mut random));
        seen[1] += usize::from(laws::message_from_rubbish_comes_back(&mut random));
    }
    assert_eq!(words.len(), values::COMMANDS, "some variant was never made: {words:?}");
    seen
}

/// The resident memory of this process in kilobytes, where the system tells it.
fn resident() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
