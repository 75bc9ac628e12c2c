//! Ends the program when nobody reads its output any more.

use std::time::Duration;
use std::{process, thread};

use crate::writer::Writer;

/// How long an answer may stay unread after a `quit`.
const UNREAD: Duration = Duration::from_millis(90);
/// The interval between checks.
const PAUSE: Duration = Duration::from_millis(30);

/// To be called for a `quit` of this batch. A client that stops reading when it sends `quit` would block the program for
/// ever; the answers to a script, which are of the same batch, may take any time to be read.
pub(crate) fn for_an_unread_answer(writer: &Writer, batch: u64) {
    let writer = writer.clone();
    watch("quit", move || writer.is_stuck_before(batch, UNREAD));
}

/// To be called when the input has ended: if the output has no reader either, the client is gone. A search would notice
/// at its next line, but a count prints nothing before its end.
pub(crate) fn for_a_closed_output() {
    watch("output", output_is_closed);
}

fn watch(name: &str, mut over: impl FnMut() -> bool + Send + 'static) {
    let look = move || {
        while !over() {
            thread::sleep(PAUSE);
        }
        process::exit(0);
    };
    // If no thread can be started, nothing is watched.
    let _ = thread::Builder::new().name(name.to_owned()).spawn(look);
}

/// Is the output a pipe or a socket that nobody can read from any more?
#[cfg(unix)]
#[allow(unsafe_code, reason = "the standard library has no such question")]
fn output_is_closed() -> bool {
    let mut output = libc::pollfd { fd: libc::STDOUT_FILENO, events: 0, revents: 0 };
    // SAFETY: one entry, ours, for the time of the call, which returns at once.
    let ready = unsafe { libc::poll(&raw mut output, 1, 0) };
    ready > 0 && output.revents & (libc::POLLERR | libc::POLLHUP | libc::POLLNVAL) != 0
}

/// On other systems only a write would show it.
#[cfg(not(unix))]
fn output_is_closed() -> bool {
    false
}
