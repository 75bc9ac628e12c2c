//! The search threads. Each owns its data; they sleep between searches.

use std::sync::Arc;

use nnue::Network;

use crate::numa::{Binding, PerNode};
use crate::platform;
use crate::search::{SharedSearch, Worker};
use crate::sync::Monitor;
use crate::thread::Thread;

/// Lines are searched by recursion, up to the largest ply.
const STACK_BYTES: usize = 16 << 20;

/// The system could not start that many threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SpawnError {
    /// How many were asked for.
    pub wanted: usize,
}

impl std::fmt::Display for SpawnError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the system does not start {} threads; the old ones stay", self.wanted)
    }
}

impl std::error::Error for SpawnError {}

pub(crate) struct Pool {
    threads: Vec<Thread<Worker>>,
}

impl Pool {
    /// So many threads, or the error of the first that the system refuses.
    pub(crate) fn new(threads: usize, network: &Arc<Network>, binding: &Binding) -> Result<Self, SpawnError> {
        let refused = SpawnError { wanted: threads };
        if platform::MAX_THREADS.is_some_and(|most| threads > most) {
            return Err(refused);
        }
        let copies = Arc::new(PerNode::new(binding));
        let start = |number: usize| {
            let (network, copies) = (Arc::clone(network), Arc::clone(&copies));
            let binding = binding.clone();
            Thread::start(&format!("search-{number}"), STACK_BYTES, move || {
                // Before the thread's memory is made, so that it is near.
                binding.bind(number);
                let near = copies.get(&binding, number, || Arc::new(Network::clone(&network)));
                Worker::new(number, Arc::clone(near.unwrap_or(&network)))
            })
            .map_err(|_| refused)
        };
        let pool = Self { threads: (0..threads.max(1)).map(start).collect::<Result<_, _>>()? };
        // From here on every thread is bound and has its memory.
        pool.run_on_all(|_, _, _| {});
        Ok(pool)
    }

    pub(crate) fn len(&self) -> usize {
        self.threads.len()
    }

    pub(crate) fn search(&self, job: SharedSearch) {
        let job = Arc::new(job);
        for thread in &self.threads {
            let job = Arc::clone(&job);
            thread.tell(move |worker| worker.search(&job));
        }
    }

    pub(crate) fn forget(&self) {
        self.run_on_all(|_, _, worker| worker.forget());
    }

    /// Runs a task on every thread and waits for the last; it gets the thread's number and the number of threads.
    pub(crate) fn run_on_all(&self, task: impl Fn(usize, usize, &mut Worker) + Send + Sync + 'static) {
        let (task, busy) = (Arc::new(task), Arc::new(Monitor::new(self.len())));
        let threads = self.len();
        for (number, thread) in self.threads.iter().enumerate() {
            let (task, busy) = (Arc::clone(&task), Arc::clone(&busy));
            thread.tell(move |worker| {
                task(number, threads, worker);
                *busy.lock() -= 1;
                busy.notify();
            });
        }
        busy.wait_while(|&busy| busy > 0);
    }
}
