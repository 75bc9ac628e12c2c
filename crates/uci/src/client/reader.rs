//! Reading an engine's output: bytes become lines, each with the time of its arrival.

use std::io::{ErrorKind, Read};
use std::time::Instant;

/// A line from the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// When its end was read from the pipe.
    pub at: Instant,
    /// The text without the line's end, invalid UTF-8 replaced.
    pub text: String,
}

/// Longer lines are cut: the longest line that makes sense is an `info` with a pv of some hundred moves.
pub(super) const LONGEST_LINE: usize = 1 << 16;

/// Reads to the end, and hands over the lines that each read completed. The time is taken once per read, directly
/// after it, so that it does not grow with the work on the lines before.
pub(super) fn read_lines(mut source: impl Read, mut deliver: impl FnMut(Vec<Line>)) {
    let mut chunk = [0; 1 << 14];
    let mut partial = Vec::new();
    loop {
        let length = match source.read(&mut chunk) {
            Ok(0) => break,
            Ok(length) => length,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        let at = Instant::now();
        let mut lines = Vec::new();
        for piece in chunk[..length].split_inclusive(|byte| *byte == b'\n') {
            let (body, ended) = match piece.split_last() {
                Some((b'\n', body)) => (body, true),
                _ => (piece, false),
            };
            partial.extend_from_slice(&body[..body.len().min(LONGEST_LINE - partial.len())]);
            if ended {
                lines.push(finish(&mut partial, at));
            }
        }
        if !lines.is_empty() {
            deliver(lines);
        }
    }
    if !partial.is_empty() {
        deliver(vec![finish(&mut partial, Instant::now())]);
    }
}

fn finish(partial: &mut Vec<u8>, at: Instant) -> Line {
    let bytes = partial.strip_suffix(b"\r").unwrap_or(partial);
    let text = String::from_utf8_lossy(bytes).into_owned();
    partial.clear();
    Line { at, text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<String> {
        let mut lines = Vec::new();
        read_lines(bytes, |new| lines.extend(new.into_iter().map(|line| line.text)));
        lines
    }

    #[test]
    fn lines_end_as_systems_end_them() {
        assert_eq!(lines(b"a\r\nb\n\n c \nlast"), ["a", "b", "", " c ", "last"]);
    }

    /// A source that is interrupted before its text and breaks after it.
    struct Troubled(Vec<Result<&'static [u8], ErrorKind>>);

    impl Read for Troubled {
        fn read(&mut self, chunk: &mut [u8]) -> std::io::Result<usize> {
            match self.0.pop() {
                Some(Ok(text)) => {
                    chunk[..text.len()].copy_from_slice(text);
                    Ok(text.len())
                }
                Some(Err(kind)) => Err(kind.into()),
                None => panic!("read again after its end"),
            }
        }
    }

    #[test]
    fn an_interruption_is_not_the_end_and_an_error_is() {
        let source = Troubled(vec![Err(ErrorKind::BrokenPipe), Ok(b"a\nb"), Err(ErrorKind::Interrupted)]);
        let mut lines = Vec::new();
        read_lines(source, |new| lines.extend(new.into_iter().map(|line| line.text)));
        assert_eq!(lines, ["a", "b"]);
    }

    #[test]
    fn an_endless_line_is_cut() {
        let mut bytes = vec![b'x'; 5 * LONGEST_LINE];
        bytes.extend_from_slice(b"\nuciok\n");
        let lines = lines(&bytes);
        assert_eq!(lines[0].len(), LONGEST_LINE);
        assert_eq!(lines[1], "uciok");
    }
}
