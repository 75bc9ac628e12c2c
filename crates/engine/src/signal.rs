//! Stop, ponder hit and end of a search, as signals between threads.
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
    /// The search had done enough while it still had to ponder.
    enough: bool,
}

/// Shared between the controlling thread and the search threads.
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
        *state = State { searching: true, pondering, infinite, ..State::default() };
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

    /// The expected move was played: the search goes on, now on the own clock, unless it has done
    /// enough already.
    pub fn ponder_hit(&self) {
        let mut state = self.state.lock();
        if state.pondering && state.enough {
            self.end_threads();
        }
        self.pondering.store(false, Ordering::Relaxed);
        state.pondering = false;
        self.state.notify();
    }

    /// The search has done enough by its own measure. May it end now? If it has to ponder or was asked to
    /// go on for ever it may not, but the ponder hit will end it.
    pub fn may_end(&self) -> bool {
        let mut state = self.state.lock();
        state.enough = !state.infinite;
        !state.pondering && !state.infinite
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

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn enough_while_pondering_is_enough_after_the_hit() {
        let signal = Signal::default();
        signal.begin(true, false);
        assert!(!signal.may_end() && !signal.stopped(), "the answer has to wait");
        signal.ponder_hit();
        assert!(signal.stopped(), "the next look ends the search");
        assert!(!signal.was_stopped(), "nobody else did");

        signal.begin(true, false);
        signal.ponder_hit();
        assert!(!signal.stopped(), "what was enough for the last search is nothing to this one");
        assert!(signal.may_end());

        signal.begin(true, true);
        assert!(!signal.may_end());
        signal.ponder_hit();
        assert!(!signal.stopped() && !signal.may_end(), "only a stop ends a search without end");
    }

    #[test]
    fn a_stop_releases_whatever_waits() {
        for (pondering, infinite) in [(true, false), (false, true), (true, true)] {
            let signal = Signal::default();
            signal.begin(pondering, infinite);
            assert!(signal.searching() && !signal.may_end() && !signal.was_stopped());
            signal.stop();
            assert!(signal.stopped() && signal.was_stopped() && !signal.pondering() && signal.may_end());
            // Neither of them sleeps for ever.
            signal.wait_for_release();
            signal.pause(Duration::from_secs(1_000_000));
            signal.finish();
            signal.wait_until_idle();
            assert!(!signal.searching());
        }
    }
}
