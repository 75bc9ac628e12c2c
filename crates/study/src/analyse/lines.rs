//! Lines of any stream, in bounded memory.

use std::io::{self, BufRead};

/// The longest line that is read: a game of thousands of moves.
pub(super) const MAX_LINE: usize = 256 << 10;

/// A line with its number, from 1.
pub(super) struct NumberedLine {
    pub(super) number: u64,
    /// `None` where it is too long.
    pub(super) text: Option<Vec<u8>>,
}

/// Reads lines, and ends for good where the stream fails.
pub(super) struct Lines<R> {
    input: R,
    number: u64,
    failure: Option<io::Error>,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, number: 0, failure: None }
    }

    /// The next line without its end.
    pub(super) fn next(&mut self) -> Option<NumberedLine> {
        if self.failure.is_some() {
            return None;
        }
        let text = match read_line(&mut self.input) {
            Ok(text) => text?,
            Err(error) => {
                self.failure = Some(error);
                return None;
            }
        };
        self.number += 1;
        Some(NumberedLine { number: self.number, text: (text.len() <= MAX_LINE).then_some(text) })
    }

    /// Whether the end was that of the stream.
    pub(super) fn end(self) -> io::Result<()> {
        self.failure.map_or(Ok(()), Err)
    }
}

/// A line, of which no more is kept than shows that it is too long; `None` at the end.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let mut begun = false;
    loop {
        let bytes = match input.fill_buf() {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if bytes.is_empty() {
            return Ok(begun.then_some(line));
        }
        begun = true;
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let part = &bytes[..end.unwrap_or(bytes.len())];
        line.extend_from_slice(&part[..part.len().min(MAX_LINE + 1 - line.len())]);
        let used = end.map_or(bytes.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            return Ok(Some(line));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_counted_and_long_ones_are_not_kept() {
        let long = "x".repeat(MAX_LINE + 1);
        let text = format!("a\n\r\n{long}{long}\n{}\nlast", &long[1..]);
        let mut lines = Lines::new(io::BufReader::with_capacity(1000, text.as_bytes()));
        let mut seen = Vec::new();
        while let Some(line) = lines.next() {
            seen.push((line.number, line.text.map(|text| text.len())));
        }
        assert_eq!(seen, [(1, Some(1)), (2, Some(1)), (3, None), (4, Some(MAX_LINE)), (5, Some(4))]);
        lines.end().unwrap();
    }
}
