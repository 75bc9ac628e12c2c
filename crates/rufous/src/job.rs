//! Long work, done on a separate thread while the driver handles events.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use engine::{Control, Engine, Limits, OptionChange, Reporter, platform};

/// The result of a job.
#[derive(Debug)]
pub(crate) enum JobResult {
    /// It is done.
    Done,
    /// This option has its new value.
    OptionSet(OptionChange),
    /// The engine could not be created, for this reason.
    NoEngine(String),
}

/// The engine, once it is there, is lent to the job.
pub(crate) type Job = Box<dyn FnOnce(&mut Option<Engine>, &Cancel) -> JobResult + Send>;

/// Cancels a job.
#[derive(Clone, Default)]
pub(crate) struct Cancel {
    cancelled: Arc<AtomicBool>,
    control: Arc<Mutex<Option<Control>>>,
}

impl Cancel {
    fn control(&self) -> MutexGuard<'_, Option<Control>> {
        self.control.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The job shall end.
    pub(crate) fn cancel(&self) {
        self.cancelled.store(true, Ordering::SeqCst);
        if let Some(control) = &*self.control() {
            control.stop();
        }
    }

    /// Was the job cancelled?
    pub(crate) fn is_set(&self) -> bool {
        self.cancelled.load(Ordering::SeqCst)
    }

    /// The same for the job itself, which has to call it often: with a single thread (WebAssembly) this also lets the host
    /// handle messages.
    pub(crate) fn cancelled(&self) -> bool {
        platform::yield_to_host();
        self.is_set()
    }

    /// Searches to the end, or until the job is cancelled.
    pub(crate) fn search(&self, engine: &mut Engine, limits: Limits, reporter: Box<dyn Reporter>) {
        let control = engine.control();
        *self.control() = Some(control.clone());
        engine.go(limits, reporter);
        // Cancelling sets the flag first and then stops the search: either the flag is seen here, or the stop comes after
        // the start of the search.
        if self.is_set() {
            control.stop();
        }
        engine.wait();
    }
}
