//! Random games beside the `shakmaty` crate until so many positions were compared, or until the two disagree:
//! `cargo run --release -p rufous-chess --example differential -- [POSITIONS [SEED]]`

use std::process::ExitCode;
use std::time::Instant;

#[path = "../tests/support/beside.rs"]
mod beside;
#[path = "../tests/support/random.rs"]
mod random;

/// Positions between two lines of progress.
const CHUNK: u64 = 500_000;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<u64>().expect("a number"));
    let positions = arguments.next().unwrap_or(1_000_000);
    let mut random = random::Random::new(arguments.next().unwrap_or(1));
    let start = Instant::now();
    let mut compared = 0;
    while compared < positions {
        let chunk = CHUNK.min(positions - compared);
        if let Err(disagreement) = beside::play(chunk, &mut random) {
            println!("after {compared} positions: {disagreement}");
            return ExitCode::FAILURE;
        }
        compared += chunk;
        println!("{compared} positions agree, {:.0} s", start.elapsed().as_secs_f64());
    }
    ExitCode::SUCCESS
}
