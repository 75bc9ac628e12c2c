//! The transcript of a session: every line in both directions with its time, for logs and tests.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Which way a line went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the client to the engine's standard input.
    ToEngine,
    /// From the engine's standard output.
    FromEngine,
    /// From the engine's standard error.
    Stderr,
}

/// A line of the conversation.
#[derive(Clone, Copy, Debug)]
pub struct Traffic<'a> {
    /// Which way it went.
    pub direction: Direction,
    /// When it was handed over for writing, or when it arrived.
    pub at: Instant,
    /// The line without its end.
    pub line: &'a str,
}

/// Is called with every line before it is processed, on the threads of the pipes, so it must be quick.
pub type Observer = Box<dyn FnMut(Traffic<'_>) + Send>;

/// The observer, if there is one, shared by the threads.
#[derive(Clone)]
pub(super) struct Transcript(Option<Arc<Mutex<Observer>>>);

impl Transcript {
    pub(super) fn new(observer: Option<Observer>) -> Self {
        Self(observer.map(|observer| Arc::new(Mutex::new(observer))))
    }

    pub(super) fn record(&self, direction: Direction, at: Instant, line: &str) {
        if let Some(observer) = &self.0 {
            let mut observer = observer.lock().unwrap_or_else(PoisonError::into_inner);
            observer(Traffic { direction, at, line });
        }
    }
}
