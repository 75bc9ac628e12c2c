//! Texts that are almost FENs, SANs and moves, for as long as wanted:
//! `cargo run --release -p rufous-chess --example fuzz_positions -- [MINUTES [SEED]]`
//!
//! Nothing may panic, and whatever is read must be sound; a panic shows the text.

use std::time::{Duration, Instant};

#[path = "../tests/support/mutants.rs"]
mod mutants;
#[path = "../tests/support/random.rs"]
mod random;

/// Texts between two looks at the clock.
const CHUNK: u64 = 200_000;

fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<f64>().expect("a number"));
    let minutes = arguments.next().unwrap_or(1.0);
    let mut random = random::Random::new(arguments.next().unwrap_or(1.0) as u64);
    let end = Instant::now() + Duration::from_secs_f64(60.0 * minutes);
    let mut tally = mutants::Tally::default();
    while Instant::now() < end {
        tally += mutants::throw(CHUNK, &mut random);
    }
    println!("{tally:?}: no failure");
}
