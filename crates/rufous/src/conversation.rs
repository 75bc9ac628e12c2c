//! The conversation for a host that hands over lines and takes lines: a page, or another program.

use std::io::Write;

use engine::platform::Instant;
use uci::Command;

use crate::driver::{Arrival, Driver, Event};
use crate::reader::{LONGEST_LINE, SILENCE};
use crate::writer::{Audience, Writer};

/// An engine to talk to in UCI. Nothing here waits: searches and other long work run on threads of their own, or, where
/// there is one thread, whenever the host runs what was spawned.
///
/// ```
/// use std::io::{self, Write};
/// use std::sync::mpsc::{Sender, channel};
///
/// struct Lines(Sender<String>);
/// impl Write for Lines {
///     fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
///         let _ = self.0.send(String::from_utf8_lossy(bytes).into_owned());
///         Ok(bytes.len())
///     }
///     fn flush(&mut self) -> io::Result<()> {
///         Ok(())
///     }
/// }
///
/// let (said, lines) = channel();
/// let (woken, wake) = channel();
/// let mut conversation =
///     rufous::Conversation::new(Box::new(Lines(said)), move || drop(woken.send(())));
/// conversation.hear("go depth 1");
/// while !lines.try_iter().any(|text| text.starts_with("bestmove")) {
///     wake.recv().unwrap();
///     conversation.attend();
/// }
/// assert!(!conversation.hear("quit"));
/// ```
pub struct Conversation {
    driver: Driver,
    last_line: Instant,
    batch: u64,
}

impl Conversation {
    /// Whole lines go to `output`, and `wake` is called, on any thread, when [`Self::attend`] has something to do.
    pub fn new(output: Box<dyn Write + Send>, wake: impl Fn() + Send + Sync + 'static) -> Self {
        let driver = Driver::waking(Writer::to(Audience::Client, output), wake);
        Self { driver, last_line: Instant::now(), batch: 0 }
    }

    /// Hears a line. False when it was the end of the conversation.
    pub fn hear(&mut self, line: &str) -> bool {
        // As in a stream: what comes together is one batch.
        if self.last_line.elapsed() >= SILENCE {
            self.batch += 1;
        }
        self.last_line = Instant::now();
        let arrival = Arrival { batch: self.batch, time: self.last_line };
        self.driver.attend(Some(if line.len() > LONGEST_LINE {
            Event::LineTooLong(arrival)
        } else {
            Event::Line(Command::parse(line), arrival)
        }))
    }

    /// No more lines will come; a search that ends by itself is finished. False when that was the end.
    pub fn end(&mut self) -> bool {
        self.driver.attend(Some(Event::EndOfInput))
    }

    /// Goes on where something has ended meanwhile. False when that was the end of the conversation.
    pub fn attend(&mut self) -> bool {
        self.driver.attend(None)
    }
}
