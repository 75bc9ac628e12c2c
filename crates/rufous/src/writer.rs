//! All output: whole lines, flushed, never interleaved, and recorded in the session log.

use std::fmt::Display;
use std::io::{self, Write};
use std::process;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use engine::platform::Instant;
use uci::{Info, Message};

use crate::log::{Direction, Log};

/// Who reads the output, which decides how errors are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Audience {
    /// A program that understands the lines of the protocol and nothing else.
    Client,
    /// A user at a terminal.
    Person,
    /// A shell: commands are arguments, and errors go to standard error and the exit code.
    Shell,
}

impl Audience {
    const ALL: [Self; 3] = [Self::Client, Self::Person, Self::Shell];
}

struct Shared {
    /// The index of the [`Audience`].
    audience: AtomicUsize,
    failed: AtomicBool,
    /// The batch of input that is being answered.
    serving: AtomicU64,
    /// When the write began that is going on: milliseconds since the start of the program, or [`NOT_WRITING`].
    writing_since: AtomicU64,
    started: Instant,
    /// Held until a line is out, so that lines never mix and the log has them in their order.
    output: Mutex<Box<dyn Write + Send>>,
    /// Separate from the output: recording input must not wait for an output that nobody reads.
    log: Mutex<Option<Log>>,
}

const NOT_WRITING: u64 = u64::MAX;

/// Writes to standard output, or where a host wants it; clones write to the same place.
#[derive(Clone)]
pub(crate) struct Writer {
    shared: Arc<Shared>,
}

impl Writer {
    pub(crate) fn new(audience: Audience) -> Self {
        Self::to(audience, Box::new(io::stdout()))
    }

    pub(crate) fn to(audience: Audience, output: Box<dyn Write + Send>) -> Self {
        let audience = AtomicUsize::new(audience as usize);
        Self {
            shared: Arc::new(Shared {
                audience,
                failed: AtomicBool::new(false),
                serving: AtomicU64::new(0),
                writing_since: AtomicU64::new(NOT_WRITING),
                started: Instant::now(),
                output: Mutex::new(output),
                log: Mutex::new(None),
            }),
        }
    }

    fn log(&self) -> MutexGuard<'_, Option<Log>> {
        self.shared.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The reader is a UCI client from now on, unless it is a shell.
    pub(crate) fn greet_client(&self) {
        if self.audience() != Audience::Shell {
            self.shared.audience.store(Audience::Client as usize, Ordering::Relaxed);
        }
    }

    pub(crate) fn audience(&self) -> Audience {
        Audience::ALL[self.shared.audience.load(Ordering::Relaxed)]
    }

    /// What is written from now on answers this batch of input.
    pub(crate) fn serve(&self, batch: u64) {
        self.shared.serving.store(batch, Ordering::SeqCst);
    }

    /// Has the answer to a batch before this one been unread for at least this time?
    pub(crate) fn is_stuck_before(&self, batch: u64, time: Duration) -> bool {
        let since = self.shared.writing_since.load(Ordering::SeqCst);
        let now = self.milliseconds();
        self.shared.serving.load(Ordering::SeqCst) < batch
            && since != NOT_WRITING
            && u128::from(now.saturating_sub(since)) >= time.as_millis()
    }

    fn milliseconds(&self) -> u64 {
        self.shared.started.elapsed().as_millis() as u64
    }

    /// Starts to record, or ends it.
    pub(crate) fn set_log(&self, log: Option<Log>) {
        *self.log() = log;
    }

    /// Records a line that came in.
    pub(crate) fn record_input(&self, line: &[u8]) {
        if let Some(log) = &mut *self.log() {
            log.record(Direction::In, line);
        }
    }

    /// Writes a line, or several at once where the text has line breaks in it.
    pub(crate) fn line(&self, text: impl Display) {
        let mut text = text.to_string();
        text.push('\n');
        let mut out = self.shared.output.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(log) = &mut *self.log() {
            text.lines().for_each(|line| log.record(Direction::Out, line.as_bytes()));
        }
        self.shared.writing_since.store(self.milliseconds(), Ordering::SeqCst);
        if out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_err() {
            // The output is closed: exit.
            process::exit(0);
        }
        self.shared.writing_since.store(NOT_WRITING, Ordering::SeqCst);
    }

    /// Writes a message of the protocol.
    pub(crate) fn message(&self, message: impl Into<Message>) {
        self.line(message.into());
    }

    /// Prints a note to the user.
    pub(crate) fn note(&self, text: impl Display) {
        let text = plain(&text.to_string());
        match self.audience() {
            Audience::Client => self.message(Info::text(text)),
            Audience::Person | Audience::Shell => self.line(text),
        }
    }

    /// Writes to standard error.
    pub(crate) fn aside(&self, text: impl Display) {
        // In the order of what goes to standard output, should both go to one place.
        let _out = self.shared.output.lock().unwrap_or_else(PoisonError::into_inner);
        let text = text.to_string();
        if let Some(log) = &mut *self.log() {
            text.lines().for_each(|line| log.record(Direction::Out, line.as_bytes()));
        }
        // A closed standard error does not end the program.
        let _ = writeln!(io::stderr().lock(), "{text}");
    }

    /// Prints an error to the user.
    pub(crate) fn error(&self, text: impl Display) {
        self.shared.failed.store(true, Ordering::Relaxed);
        match self.audience() {
            Audience::Client => self.note(format!("ERROR {text}")),
            Audience::Person => self.note(format!("error: {text}")),
            Audience::Shell => self.aside(format!("rufous: {text}")),
        }
    }

    /// Was any error printed?
    pub(crate) fn failed(&self) -> bool {
        self.shared.failed.load(Ordering::Relaxed)
    }
}

/// The text with those words quoted that some clients would parse as fields of `info`.
fn plain(text: &str) -> String {
    let quote = |word: &str| match word {
        "score" | "depth" | "pv" => format!("'{word}'"),
        _ => word.to_owned(),
    };
    text.split(' ').map(quote).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn words_of_reports_are_quoted() {
        assert_eq!(plain("go depth 5, no score"), "go 'depth' 5, no 'score'");
        assert_eq!(plain("/a b/depth pv"), "/a b/depth 'pv'");
    }
}
