//! How a search is told to stop, and how it tells that it has ended.
//!
//! The flags that the node search reads are atomics; everything that somebody waits for changes
//! under the lock, so that no wake-up is lost. Every search is begun before anyone can stop it
//! ([`Signal::begin`] is called by the one who starts it, not by the searching thread), so a stop
//! that comes right behind a start always finds it.

use std::time::Duration;

use crate::platform::Instant;
use crate::sync::{AtomicBool, Monitor, Ordering};

#[derive(Default, Debug)]
struct State {
    searching: bool,
    stopped: bool,
    pondering: bool,
    infinite: bool,
}

/// Shared between the one who commands and the ones who search.
#[derive(Debug)]
pub struct Signal {
    stop: AtomicBool,
    pondering: AtomicBool,
    state: Monitor<State>,
}

impl Default for Signal {
    fn default() -> Self {
        Self {
            stop: AtomicBool::new(false),
            pondering: AtomicBool::new(false),
            state: Monitor::new(State::default()),
        }
    }
}

impl Signal {
    /// A search starts. Its `pondering` and `infinite` say what keeps it from ending by itself.
    pub fn begin(&self, pondering: bool, infinite: bool) {
        let mut state = self.state.lock();
        self.stop.store(false, Ordering::Relaxed);
        self.pondering.store(pondering, Ordering::Relaxed);
        *state = State { searching: true, stopped: false, pondering, infinite };
    }

    /// Ends the search as soon as possible.
    pub fn stop(&self) {
        let mut state = self.state.lock();
        self.stop.store(true, Ordering::Relaxed);
        self.pondering.store(false, Ordering::Relaxed);
        state.stopped = true;
        state.pondering = false;
        state.infinite = false;
        self.state.notify();
    }

    /// The expected move was played: the search goes on, now on the own clock.
    pub fn ponder_hit(&self) {
        let mut state = self.state.lock();
        self.pondering.store(false, Ordering::Relaxed);
        state.pondering = false;
        self.state.notify();
    }

    /// The searching threads shall end; unlike [`Signal::stop`] it does not release a search that
    /// has to wait for its ponder hit.
    pub fn end_threads(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Has the search been told to end?
    #[inline]
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Has somebody else than the search itself ended it?
    pub fn was_stopped(&self) -> bool {
        self.state.lock().stopped
    }

    /// Does the search run on the opponent's time?
    #[inline]
    pub fn pondering(&self) -> bool {
        self.pondering.load(Ordering::Relaxed)
    }

    /// Sleeps until the search may give its answer: not before the ponder hit or a stop.
    pub fn wait_for_release(&self) {
        self.state.wait_while(|state| state.pondering || state.infinite);
    }

    /// Sleeps for so long, or until a stop.
    pub fn pause(&self, time: Duration) {
        let until = Instant::now() + time;
        let mut state = self.state.lock();
        while !state.stopped {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            state = self.state.wait_timeout(state, left);
        }
    }

    /// The answer was given.
    pub fn finish(&self) {
        let mut state = self.state.lock();
        state.searching = false;
        self.state.notify();
    }

    /// Is a search running?
    pub fn searching(&self) -> bool {
        self.state.lock().searching
    }

    /// Sleeps until no search is running.
    pub fn wait_until_idle(&self) {
        self.state.wait_while(|state| state.searching);
    }
}
