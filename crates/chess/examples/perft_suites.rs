//! Every line of every perft suite, at every depth it gives:
//! `cargo run --release -p rufous-chess --example perft_suites -- [THREADS [MAX_COUNT]]`
//!
//! Counts above `MAX_COUNT` are left out and reported as such. All of them together are 545 billion
//! leaves. The exit code is 1 where a count is wrong.

use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

#[path = "../tests/support/suites.rs"]
mod suites;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let threads = arguments.next().map_or(1, |text| text.parse::<usize>().expect("THREADS"));
    let largest = arguments.next().map_or(u64::MAX, |text| text.parse::<u64>().expect("MAX_COUNT"));
    let Some(cases) = suites::load() else {
        eprintln!("the perft suites are not in ../shared/suites/perft beside the workspace");
        return ExitCode::FAILURE;
    };

    let mut jobs: Vec<_> = cases
        .iter()
        .flat_map(|case| case.counts.iter().map(move |&(depth, count)| (count, depth, case)))
        .collect();
    let all = jobs.len();
    jobs.retain(|&(count, ..)| count <= largest);
    // The small counts come first, so that a mistake shows early.
    jobs.sort_by_key(|&(count, depth, _)| (count, depth));
    println!("{} counts of {} positions, {} counts left out", jobs.len(), cases.len(), all - jobs.len());

    let (next, done, leaves, wrong) =
        (AtomicUsize::new(0), AtomicUsize::new(0), AtomicU64::new(0), AtomicUsize::new(0));
    let start = Instant::now();
    let work = || {
        while let Some(&(count, depth, case)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(error) = case.check(depth, count) {
                wrong.fetch_add(1, Ordering::Relaxed);
                println!("WRONG {}: {error}", case.suite);
            }
            let total = leaves.fetch_add(count, Ordering::Relaxed) + count;
            let finished = done.fetch_add(1, Ordering::Relaxed) + 1;
            if finished.is_multiple_of(500) || finished == jobs.len() {
                let seconds = start.elapsed().as_secs_f64();
                println!("{finished} counts, {total} leaves, {seconds:.0} s");
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(work);
        }
    });
    println!("{} wrong", wrong.load(Ordering::Relaxed));
    if wrong.into_inner() == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
