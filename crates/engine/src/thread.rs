//! A worker thread that owns a state and runs jobs in order.

use std::io;

use crate::platform;

#[cfg(not(single_threaded))]
mod implementation {
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::{process, thread};

    use super::{io, platform};

    /// A panic on such a thread aborts the process, in every profile: otherwise its job would never end.
    struct EndOnPanic;

    impl Drop for EndOnPanic {
        fn drop(&mut self) {
            if thread::panicking() {
                process::abort();
            }
        }
    }

    type Task<S> = Box<dyn FnOnce(&mut S) + Send>;

    /// See the module. To drop it waits for the thread's end.
    pub(crate) struct Thread<S> {
        tasks: Option<Sender<Task<S>>>,
        /// Closed by the thread when it ends.
        ended: Receiver<()>,
    }

    impl<S: 'static> Thread<S> {
        /// Starts a thread, which makes its state itself: memory lies near the thread that first writes to it.
        pub(crate) fn start(
            name: &str,
            stack: usize,
            state: impl FnOnce() -> S + Send + 'static,
        ) -> io::Result<Self> {
            let (tasks, received) = channel::<Task<S>>();
            let (end, ended) = channel();
            platform::spawn(name, stack, move || {
                let _guard = EndOnPanic;
                let mut state = state();
                received.into_iter().for_each(|task| task(&mut state));
                drop(state);
                drop(end);
            })?;
            Ok(Self { tasks: Some(tasks), ended })
        }

        /// Has the thread do something.
        pub(crate) fn tell(&self, task: impl FnOnce(&mut S) + Send + 'static) {
            if let Some(tasks) = &self.tasks {
                // The thread ends only when its sender is dropped.
                let _ = tasks.send(Box::new(task));
            }
        }
    }

    impl<S> Drop for Thread<S> {
        fn drop(&mut self) {
            self.tasks = None;
            let _ = self.ended.recv();
        }
    }
}

#[cfg(single_threaded)]
mod implementation {
    use std::sync::{Arc, Mutex, PoisonError};

    use super::{io, platform};

    /// See the module. With a single thread, jobs run when something waits for them.
    pub(crate) struct Thread<S> {
        state: Arc<Mutex<S>>,
    }

    impl<S: Send + 'static> Thread<S> {
        /// Makes the state.
        pub(crate) fn start(
            _name: &str,
            _stack: usize,
            state: impl FnOnce() -> S + Send + 'static,
        ) -> io::Result<Self> {
            Ok(Self { state: Arc::new(Mutex::new(state())) })
        }

        /// Has it done later.
        pub(crate) fn tell(&self, task: impl FnOnce(&mut S) + Send + 'static) {
            let state = Arc::clone(&self.state);
            let work = move || task(&mut state.lock().unwrap_or_else(PoisonError::into_inner));
            let _ = platform::spawn("", 0, work);
        }
    }
}

pub(crate) use implementation::Thread;
