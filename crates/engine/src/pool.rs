//! The threads that search: each has its own memory, and they sleep when there is nothing to do.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Barrier};
use std::thread::{self, JoinHandle};

use nnue::Network;

use crate::numa::{Binding, PerNode};
use crate::search::{Job, Worker};

/// Lines are searched by recursion, up to the largest ply.
const STACK_BYTES: usize = 16 << 20;

/// The system does not start so many threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoThread {
    /// How many were asked for.
    pub wanted: usize,
}

impl std::fmt::Display for NoThread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the system does not start {} threads; the old ones stay", self.wanted)
    }
}

impl std::error::Error for NoThread {}

enum Task {
    Search(Arc<Job>),
    /// Meet at the barrier.
    Meet(Arc<Barrier>),
    /// Forget everything learned, then meet at the barrier.
    Forget(Arc<Barrier>),
}

struct Thread {
    tasks: Option<Sender<Task>>,
    handle: Option<JoinHandle<()>>,
}

pub(crate) struct Pool {
    threads: Vec<Thread>,
}

impl Pool {
    /// So many threads, or the error of the first that the system refuses.
    pub(crate) fn new(threads: usize, network: &Arc<Network>, binding: &Binding) -> Result<Self, NoThread> {
        let copies = Arc::new(PerNode::new(binding));
        let spawn = |number: usize| {
            let (tasks, received) = channel();
            let (network, copies) = (Arc::clone(network), Arc::clone(&copies));
            let binding = binding.clone();
            let handle = thread::Builder::new()
                .name(format!("search-{number}"))
                .stack_size(STACK_BYTES)
                .spawn(move || {
                    // Before the thread's memory is made, so that it is near.
                    binding.bind(number);
                    let near = copies.get(&binding, number, || Arc::new(Network::clone(&network)));
                    work(number, Arc::clone(near.unwrap_or(&network)), &received);
                })
                .map_err(|_| NoThread { wanted: threads })?;
            Ok(Thread { tasks: Some(tasks), handle: Some(handle) })
        };
        let pool = Self { threads: (0..threads.max(1)).map(spawn).collect::<Result<_, _>>()? };
        // From here on every thread is bound and has its memory.
        pool.meet(Task::Meet);
        Ok(pool)
    }

    pub(crate) fn len(&self) -> usize {
        self.threads.len()
    }

    fn send(&self, task: impl Fn() -> Task) {
        for thread in &self.threads {
            if let Some(tasks) = &thread.tasks {
                // A thread ends only when its sender is dropped.
                let _ = tasks.send(task());
            }
        }
    }

    pub(crate) fn search(&self, job: Job) {
        let job = Arc::new(job);
        self.send(|| Task::Search(Arc::clone(&job)));
    }

    pub(crate) fn forget(&self) {
        self.meet(Task::Forget);
    }

    /// Waits until every thread has done the task and come to the barrier.
    fn meet(&self, task: fn(Arc<Barrier>) -> Task) {
        let barrier = Arc::new(Barrier::new(self.len() + 1));
        self.send(|| task(Arc::clone(&barrier)));
        barrier.wait();
    }
}

fn work(number: usize, network: Arc<Network>, tasks: &Receiver<Task>) {
    // Created here, so that the memory is near the thread that uses it.
    let mut worker = Worker::new(number, network);
    for task in tasks {
        match task {
            Task::Search(job) => worker.search(&job),
            Task::Meet(barrier) => {
                barrier.wait();
            }
            Task::Forget(barrier) => {
                worker.forget();
                barrier.wait();
            }
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.threads.iter_mut().for_each(|thread| thread.tasks = None);
        for thread in &mut self.threads {
            if let Some(handle) = thread.handle.take() {
                let _ = handle.join();
            }
        }
    }
}
