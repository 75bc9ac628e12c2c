//! Reads standard input on a separate thread, so that commands are read whatever the engine does.

use std::cell::Cell;
use std::io::{self, Read};
use std::thread;
use std::time::Duration;

use engine::platform::Instant;
use uci::{Command, Parsed};

use crate::driver::{Arrival, Event, Events};
use crate::watch;
use crate::writer::Writer;

/// A line may be this long. Ten thousand moves take 60 kilobytes.
pub(crate) const LONGEST_LINE: usize = 4 << 20;

/// Lines belong to one batch unless the input was silent for this long between them. Piped input and scripts come
/// together; a user or client that waits for an answer takes longer.
pub(crate) const SILENCE: Duration = Duration::from_millis(50);

/// Starts to read.
pub(crate) fn start(events: Events, writer: Writer) {
    let read = move || {
        let batch = Cell::new(0);
        let mut quit_heard = None;
        read_lines(Batches { input: io::stdin().lock(), number: &batch }, |line| {
            let arrival = Arrival { batch: batch.get(), time: Instant::now() };
            let event = match line {
                Line::Text(text) => {
                    writer.record_input(text);
                    Event::Line(Command::parse(text), arrival)
                }
                Line::TooLong => Event::LineTooLong(arrival),
            };
            if matches!(&event, Event::Line(Parsed { command: Some(Command::Quit), .. }, _))
                && quit_heard.replace(arrival.batch) != Some(arrival.batch)
            {
                watch::for_an_unread_answer(&writer, arrival.batch);
            }
            events.send(event)
        });
        watch::for_a_closed_output();
        events.send(Event::EndOfInput);
    };
    thread::Builder::new().name("reader".to_owned()).spawn(read).expect("the system can start a thread");
}

/// Numbers the batches of an input.
struct Batches<'a, R> {
    input: R,
    number: &'a Cell<u64>,
}

impl<R: Read> Read for Batches<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let asked = Instant::now();
        let result = self.input.read(buffer);
        if asked.elapsed() >= SILENCE {
            self.number.set(self.number.get() + 1);
        }
        result
    }
}

/// A line without its end.
#[derive(PartialEq, Eq, Debug)]
enum Line<'a> {
    Text(&'a [u8]),
    /// Longer than any command; discarded.
    TooLong,
}

/// Splits the input into lines, until it ends or `hear` returns false. A line ends with CR, LF or
/// both; what follows the last line end is a line too.
fn read_lines(mut input: impl Read, mut hear: impl FnMut(Line<'_>) -> bool) {
    let mut buffer = [0; 16 << 10];
    let mut line = Vec::new();
    let mut too_long = false;
    let mut finish = |line: &mut Vec<u8>, too_long: &mut bool| {
        let go_on = match (*too_long, line.is_empty()) {
            (true, _) => hear(Line::TooLong),
            (false, true) => true,
            (false, false) => hear(Line::Text(line)),
        };
        // A long line's memory is given back.
        *line = Vec::new();
        *too_long = false;
        go_on
    };
    loop {
        let bytes = match input.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => &buffer[..count],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        let mut parts = bytes.split(|byte| matches!(byte, b'\n' | b'\r')).peekable();
        while let Some(part) = parts.next() {
            too_long |= line.len() + part.len() > LONGEST_LINE;
            if too_long {
                line = Vec::new();
            } else {
                line.extend_from_slice(part);
            }
            if parts.peek().is_some() && !finish(&mut line, &mut too_long) {
                return;
            }
        }
    }
    finish(&mut line, &mut too_long);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives its bytes a few at a time.
    struct Drip<'a>(&'a [u8], usize);

    impl Read for Drip<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(self.0.len()).min(buffer.len());
            let (now, later) = self.0.split_at(count);
            buffer[..count].copy_from_slice(now);
            self.0 = later;
            Ok(count)
        }
    }

    fn lines(input: &[u8], at_a_time: usize) -> Vec<String> {
        let mut lines = Vec::new();
        read_lines(Drip(input, at_a_time), |line| {
            lines.push(match line {
                Line::Text(text) => String::from_utf8_lossy(text).into_owned(),
                Line::TooLong => "too long".to_owned(),
            });
            true
        });
        lines
    }

    #[test]
    fn any_line_end_ends_a_line() {
        for at_a_time in 1..20 {
            assert_eq!(
                lines(b"uci\nisready\r\ngo\r\r\n\nstop\rquit", at_a_time),
                ["uci", "isready", "go", "stop", "quit"]
            );
        }
    }

    #[test]
    fn a_line_without_end_is_thrown_away() {
        let mut input = vec![b'x'; 3 * LONGEST_LINE];
        input.extend(b"\nuci\n");
        assert_eq!(lines(&input, 10_000), ["too long", "uci"]);
    }

    #[test]
    fn a_long_line_is_kept() {
        let long = "y".repeat(1 << 20);
        assert_eq!(lines(format!("{long}\nuci").as_bytes(), 5_000), [long.as_str(), "uci"]);
    }
}
