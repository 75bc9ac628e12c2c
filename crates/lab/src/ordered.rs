//! Numbered work on several threads, with the results taken in the order of their numbers.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;

/// Computes the items with these numbers and gives their results to `take`, in order, until it breaks. Each thread has
/// a worker of its own, created when it is first needed. The first error ends the run.
///
/// # Errors
/// The first error of a worker or of `take`.
pub(crate) fn run<W, T: Send, E: Send, F: From<E>>(
    threads: usize,
    numbers: Range<u64>,
    new_worker: impl Fn() -> Result<W, E> + Sync,
    compute: impl Fn(u64, &mut W) -> Result<T, E> + Sync,
    mut take: impl FnMut(T) -> Result<ControlFlow<()>, F>,
) -> Result<(), F> {
    let (next, stopped) = (AtomicU64::new(numbers.start), AtomicBool::new(false));
    thread::scope(|scope| {
        let (sender, results) = sync_channel(2 * threads);
        for _ in 0..threads {
            let sender = sender.clone();
            scope.spawn(|| {
                let sender = sender;
                let mut worker = None;
                while !stopped.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= numbers.end {
                        break;
                    }
                    let result = match &mut worker {
                        Some(worker) => compute(number, worker),
                        None => new_worker().and_then(|new| compute(number, worker.insert(new))),
                    };
                    // The receiver is gone when the run has ended.
                    if sender.send((number, result)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut take_all = || {
            // Results that came before one with a lower number.
            let mut early = BTreeMap::new();
            let mut number = numbers.start;
            for (of, result) in &results {
                early.insert(of, result?);
                while let Some(result) = early.remove(&number) {
                    number += 1;
                    if take(result)?.is_break() {
                        return Ok(());
                    }
                }
            }
            Ok(())
        };
        let taken = take_all();
        stopped.store(true, Ordering::Relaxed);
        // Unblocks workers that still wait to send.
        drop(results);
        taken
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_until_the_end_or_an_error() {
        let taken = |threads, last, bad: Option<u64>| {
            let mut taken = Vec::new();
            let compute = |number: u64, worker: &mut u64| {
                *worker += 1;
                if bad == Some(number) { Err(number) } else { Ok(number) }
            };
            let result: Result<(), u64> = run(
                threads,
                3..30,
                || Ok(0),
                compute,
                |number| {
                    taken.push(number);
                    Ok(if number == last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
                },
            );
            (taken, result)
        };
        for threads in [1, 4] {
            assert_eq!(taken(threads, 7, None), ((3..=7).collect(), Ok(())));
            assert_eq!(taken(threads, 99, None), ((3..30).collect(), Ok(())));
            assert_eq!(taken(threads, 99, Some(3)), (vec![], Err(3)));
        }
        assert_eq!(run(2, 0..9, || Err(5), |_, ()| Ok(()), |()| Ok(ControlFlow::Continue(()))), Err(5));
    }
}
