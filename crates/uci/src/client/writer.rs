//! Writing to an engine that may never read: a separate thread does the blocking writes.

use std::io::Write;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

/// How many lines may wait. A client sends a handful for each move.
const CAPACITY: usize = 1024;

/// A line on its way.
struct Outgoing {
    text: String,
    starts_clock: bool,
}

/// Why a line could not be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The engine reads nothing.
    Full,
    /// The engine has closed its input.
    Closed,
}

/// The sender's end. The engine's input is closed when this is dropped and everything has been written.
pub(super) struct Writer {
    lines: SyncSender<Outgoing>,
    clock: Arc<Mutex<Option<Instant>>>,
}

impl Writer {
    pub(super) fn new(input: impl Write + Send + 'static) -> std::io::Result<Self> {
        let (lines, receiver) = sync_channel(CAPACITY);
        let clock = Arc::new(Mutex::new(None));
        let stamp = Arc::clone(&clock);
        thread::Builder::new().name("uci-writer".to_owned()).spawn(move || run(input, &receiver, &stamp))?;
        Ok(Self { lines, clock })
    }

    /// Sends a line, of which the end is added here. With `starts_clock` the moment of its writing is kept.
    pub(super) fn send(&self, line: &str, starts_clock: bool) -> Result<(), Refusal> {
        let text = format!("{line}\n");
        self.lines.try_send(Outgoing { text, starts_clock }).map_err(|error| match error {
            TrySendError::Full(_) => Refusal::Full,
            TrySendError::Disconnected(_) => Refusal::Closed,
        })
    }

    /// When the last line that starts a clock was handed to the system.
    pub(super) fn clock(&self) -> Option<Instant> {
        *self.clock.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes all that is there at once, so that the engine wakes only once for `position` and `go`.
fn run(mut input: impl Write, lines: &Receiver<Outgoing>, clock: &Mutex<Option<Instant>>) {
    while let Ok(Outgoing { mut text, mut starts_clock }) = lines.recv() {
        while let Ok(more) = lines.try_recv() {
            text.push_str(&more.text);
            starts_clock |= more.starts_clock;
        }
        if starts_clock {
            *clock.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        }
        if input.write_all(text.as_bytes()).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn lines_that_wait_are_written_at_once_and_any_of_them_starts_the_clock() {
        for (starts_clock, expected) in
            [([false, true], true), ([true, false], true), ([false, false], false)]
        {
            let (sender, receiver) = sync_channel(2);
            for starts_clock in starts_clock {
                sender.send(Outgoing { text: "line\n".to_owned(), starts_clock }).unwrap();
            }
            drop(sender);
            let (mut written, clock) = (Vec::new(), Mutex::new(None));
            run(&mut written, &receiver, &clock);
            assert_eq!(written, b"line\nline\n");
            assert_eq!(clock.into_inner().unwrap().is_some(), expected, "{starts_clock:?}");
        }
    }

    #[test]
    fn the_clock_starts_before_the_line_is_out() {
        let (mut output, input) = std::io::pipe().unwrap();
        let writer = Writer::new(input).unwrap();
        assert_eq!(writer.clock(), None);
        writer.send("go", true).unwrap();
        let mut line = [0; 3];
        output.read_exact(&mut line).unwrap();
        assert_eq!(&line, b"go\n");
        assert!(writer.clock().is_some_and(|clock| clock <= Instant::now()));
    }
}
