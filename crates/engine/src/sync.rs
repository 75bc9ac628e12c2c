//! The primitives that threads share: the standard ones, or those of a model checker.

use std::sync::PoisonError;
use std::time::Duration;

#[cfg(loom)]
pub(crate) use loom::sync::{
    Condvar, Mutex, MutexGuard,
    atomic::{AtomicBool, Ordering},
};
#[cfg(not(loom))]
pub(crate) use std::sync::{
    Condvar, Mutex, MutexGuard,
    atomic::{AtomicBool, Ordering},
};

/// A value behind a lock, and a way to wait until it has changed.
#[derive(Debug)]
pub(crate) struct Monitor<T> {
    value: Mutex<T>,
    changed: Condvar,
}

impl<T> Monitor<T> {
    pub(crate) fn new(value: T) -> Self {
        Self { value: Mutex::new(value), changed: Condvar::new() }
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
        // No value here is invalid where a thread panics.
        self.value.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// To be called by whoever has changed the value, while the lock is held.
    pub(crate) fn notify(&self) {
        self.changed.notify_all();
    }

    /// Sleeps while this holds.
    pub(crate) fn wait_while(&self, held: impl Fn(&T) -> bool) {
        let mut value = self.lock();
        while held(&value) {
            value = self.wait(value);
        }
    }

    #[cfg(not(single_threaded))]
    fn wait<'a>(&'a self, value: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
        self.changed.wait(value).unwrap_or_else(PoisonError::into_inner)
    }

    /// Sleeps until a change, for so long at the most.
    #[cfg(not(single_threaded))]
    pub(crate) fn wait_timeout<'a>(&'a self, value: MutexGuard<'a, T>, most: Duration) -> MutexGuard<'a, T> {
        self.changed.wait_timeout(value, most).unwrap_or_else(PoisonError::into_inner).0
    }

    /// The change has to come from what this thread does meanwhile.
    #[cfg(single_threaded)]
    fn wait<'a>(&'a self, value: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
        self.wait_timeout(value, Duration::from_millis(20))
    }

    /// The same, for so long at the most.
    #[cfg(single_threaded)]
    pub(crate) fn wait_timeout<'a>(&'a self, value: MutexGuard<'a, T>, most: Duration) -> MutexGuard<'a, T> {
        drop(value);
        crate::platform::idle(most);
        self.lock()
    }
}
