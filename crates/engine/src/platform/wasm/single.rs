//! WebAssembly with one thread: spawned work is queued, and the search yields to the host.
//!
//! The host may call the module again from inside `pause`: that is how a `stop` is heard during a search. No lock is held
//! then, and nothing is borrowed but what the search owns.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::io;
use std::time::Duration;

use super::Instant;

/// How often the search yields to the host, which bounds the latency of a `stop`.
const YIELD_INTERVAL: Duration = Duration::from_millis(8);

#[link(wasm_import_module = "rufous")]
unsafe extern "C" {
    /// Hands over what has come for the module, after waiting for so many milliseconds at the most where nothing has.
    safe fn pause(milliseconds: f64);
}

type Work = Box<dyn FnOnce()>;

thread_local! {
    static SPAWNED: RefCell<VecDeque<Work>> = const { RefCell::new(VecDeque::new()) };
    static LAST_YIELD: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// Queues a job, to be run when something waits.
///
/// # Errors
/// Never.
pub fn spawn(_name: &str, _stack: usize, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    SPAWNED.with_borrow_mut(|spawned| spawned.push_back(Box::new(work)));
    Ok(())
}

/// Does one of the things that were spawned; false where there are none.
pub fn run_spawned() -> bool {
    let next = SPAWNED.with_borrow_mut(VecDeque::pop_front);
    next.map(|work| work()).is_some()
}

/// Does what was spawned, or lets the host wait for news, for so long at the most.
pub(crate) fn idle(most: Duration) {
    if !run_spawned() {
        pause(most.as_secs_f64() * 1000.0);
    }
}

/// Lets the host in if it has been out for long.
pub(crate) fn yield_to_host() {
    let now = Instant::now();
    if LAST_YIELD.get().is_none_or(|last| now - last >= YIELD_INTERVAL) {
        pause(0.0);
        LAST_YIELD.set(Some(Instant::now()));
    }
}
