//! A UCI session for a host that passes lines in and gets lines back: a web page, or another program.

use std::io::Write;

use engine::platform::Instant;
use uci::Command;

use crate::driver::{Arrival, Driver, Event};
use crate::reader::{LONGEST_LINE, SILENCE};
use crate::writer::{Audience, Writer};

/// An engine that is controlled by UCI lines. No call blocks: searches and other long work run on separate threads or,
/// with a single thread (WebAssembly), when the host runs the queued jobs.
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
/// let mut session =
///     rufous::UciSession::new(Box::new(Lines(said)), move || drop(woken.send(())));
/// session.handle_line("go depth 1");
/// while !lines.try_iter().any(|text| text.starts_with("bestmove")) {
///     wake.recv().unwrap();
///     session.poll();
/// }
/// assert!(!session.handle_line("quit"));
/// ```
pub struct UciSession {
    driver: Driver,
    last_line: Instant,
    batch: u64,
}

impl UciSession {
    /// Whole lines go to `output`, and `wake` is called, on any thread, when [`Self::poll`] has something to do.
    pub fn new(output: Box<dyn Write + Send>, wake: impl Fn() + Send + Sync + 'static) -> Self {
        let driver = Driver::waking(Writer::to(Audience::Client, output), wake);
        Self { driver, last_line: Instant::now(), batch: 0 }
    }

    /// Handles a line. False when the session has ended.
    pub fn handle_line(&mut self, line: &str) -> bool {
        // As in a stream: lines that come together are one batch.
        if self.last_line.elapsed() >= SILENCE {
            self.batch += 1;
        }
        self.last_line = Instant::now();
        let arrival = Arrival { batch: self.batch, time: self.last_line };
        self.driver.poll(Some(if line.len() > LONGEST_LINE {
            Event::LineTooLong(arrival)
        } else {
            Event::Line(Command::parse(line), arrival)
        }))
    }

    /// No more lines will come; a search that ends by itself is finished. False when the session has ended.
    pub fn end_of_input(&mut self) -> bool {
        self.driver.poll(Some(Event::EndOfInput))
    }

    /// Handles events of searches and jobs. False when the session has ended.
    pub fn poll(&mut self) -> bool {
        self.driver.poll(None)
    }
}
