//! A pool of workers whose results come in the order of the input, in bounded memory.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// Items that may be in work or wait for an earlier one, for each worker.
const WINDOW: usize = 64;

/// The state shared by the workers and the consumer.
struct State<R> {
    /// Items handed out.
    begun: usize,
    /// Results taken.
    taken: usize,
    /// Results that wait for earlier ones, or to be taken.
    ready: BTreeMap<usize, R>,
    /// Workers that may still have a result.
    working: usize,
    /// The consumer has stopped.
    stopped: bool,
}

struct Shared<R> {
    state: Mutex<State<R>>,
    changed: Condvar,
    window: usize,
}

impl<R> Shared<R> {
    fn lock(&self) -> MutexGuard<'_, State<R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_while(&self, condition: impl FnMut(&mut State<R>) -> bool) -> MutexGuard<'_, State<R>> {
        self.changed.wait_while(self.lock(), condition).unwrap_or_else(PoisonError::into_inner)
    }
}

/// Marks a worker as finished when dropped, also after a panic.
struct AtEnd<'a, R>(&'a Shared<R>);

impl<R> Drop for AtEnd<'_, R> {
    fn drop(&mut self) {
        self.0.lock().working -= 1;
        self.0.changed.notify_all();
    }
}

/// Lets each worker take the next item when it is free, and hands over the results in the order of the items, each as
/// soon as it is its turn. Ends with the items, or with the first error of `take`; items in work are finished then.
///
/// Items are read one by one as they are needed, and not more than a few for each worker are kept.
pub(crate) fn in_order<W, T, R, E>(
    workers: &mut [W],
    items: impl Iterator<Item = T> + Send,
    work: impl Fn(&mut W, T) -> R + Sync,
    mut take: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E>
where
    W: Send,
    R: Send,
{
    let state = State { begun: 0, taken: 0, ready: BTreeMap::new(), working: workers.len(), stopped: false };
    let window = workers.len() * WINDOW;
    let shared = Shared { state: Mutex::new(state), changed: Condvar::new(), window };
    let items = Mutex::new(items.fuse());
    let (shared, items, work) = (&shared, &items, &work);
    thread::scope(|scope| {
        for worker in workers {
            scope.spawn(move || {
                let _at_end = AtEnd(shared);
                while let Some((index, item)) = next(shared, items) {
                    let result = work(worker, item);
                    shared.lock().ready.insert(index, result);
                    shared.changed.notify_all();
                }
            });
        }
        loop {
            let mut state =
                shared.wait_while(|state| !state.ready.contains_key(&state.taken) && state.working > 0);
            let index = state.taken;
            let Some(result) = state.ready.remove(&index) else { return Ok(()) };
            state.taken += 1;
            drop(state);
            shared.changed.notify_all();
            if let Err(error) = take(result) {
                shared.lock().stopped = true;
                shared.changed.notify_all();
                return Err(error);
            }
        }
    })
}

/// The next item with its number. Reading it may block, which must not delay results, so the items have a separate lock.
fn next<T, R>(shared: &Shared<R>, items: &Mutex<impl Iterator<Item = T>>) -> Option<(usize, T)> {
    let mut items = items.lock().unwrap_or_else(PoisonError::into_inner);
    let state = shared.wait_while(|state| !state.stopped && state.begun >= state.taken + shared.window);
    if state.stopped {
        return None;
    }
    drop(state);
    let item = items.next()?;
    let mut state = shared.lock();
    state.begun += 1;
    Some((state.begun - 1, item))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;

    #[test]
    fn results_come_in_order_from_any_number_of_workers() {
        for count in 1..6 {
            let mut workers = vec![0; count];
            let mut results = Vec::new();
            let work = |done: &mut usize, item: usize| {
                *done += 1;
                if item.is_multiple_of(97) {
                    thread::sleep(Duration::from_millis(2));
                }
                item * 2
            };
            let taken: Result<(), ()> = in_order(&mut workers, 0..3000, work, |result| {
                results.push(result);
                Ok(())
            });
            assert_eq!(taken, Ok(()));
            assert!(results.into_iter().eq((0..3000).map(|item| item * 2)));
            assert_eq!(workers.into_iter().sum::<usize>(), 3000);
        }
    }

    #[test]
    fn no_more_is_read_than_the_window_allows() {
        let (read, taken) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let mut workers = [(); 3];
        let items = (0..5000).inspect(|_| {
            let ahead = read.fetch_add(1, Ordering::SeqCst) - taken.load(Ordering::SeqCst);
            assert!(ahead <= 3 * WINDOW, "{ahead}");
        });
        let slow_to_take = |item: usize| {
            if item.is_multiple_of(500) {
                thread::sleep(Duration::from_millis(5));
            }
            taken.fetch_add(1, Ordering::SeqCst);
            Ok::<(), ()>(())
        };
        in_order(&mut workers, items, |(), item| item, slow_to_take).unwrap();
        assert_eq!(read.into_inner(), 5000);
    }

    #[test]
    fn an_error_ends_the_work() {
        let mut workers = [(); 4];
        let result = in_order(
            &mut workers,
            0..,
            |(), item: u64| item,
            |item| if item < 100 { Ok(()) } else { Err(item) },
        );
        assert_eq!(result, Err(100));
    }
}
