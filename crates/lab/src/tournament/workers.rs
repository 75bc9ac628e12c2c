//! The threads that play, each with engines of its own, and the thread that receives the results.

use std::error::Error;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// How often the listener is called when nothing has come.
const PAUSE: Duration = Duration::from_secs(1);

/// Lets `play` run on so many threads, and gives what they send to `listen`. Whether that has had enough or has failed,
/// the players are told to leave.
pub(super) fn run<T: Send>(
    threads: usize,
    play: impl Fn(&AtomicBool, &Sender<T>) + Sync,
    mut listen: impl FnMut(Option<T>) -> Result<ControlFlow<()>, Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let abort = AtomicBool::new(false);
    let (sender, results) = channel();
    thread::scope(|scope| {
        for _ in 0..threads {
            let (sender, play, abort) = (sender.clone(), &play, &abort);
            scope.spawn(move || play(abort, &sender));
        }
        drop(sender);
        let outcome = loop {
            let result = match results.recv_timeout(PAUSE) {
                Ok(result) => Some(result),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => break Ok(()),
            };
            match listen(result) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        abort.store(true, Ordering::Relaxed);
        outcome
    })
}
