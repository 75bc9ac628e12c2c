//! The session log: both directions, with times.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::time::SystemTime;

use engine::platform::Instant;

/// Which way a line went.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Direction {
    /// From the client.
    In,
    /// To the client.
    Out,
}

/// An open log. Each line is written at once, so that a crash loses none.
pub(crate) struct Log {
    file: File,
    opened: Instant,
}

impl Log {
    /// Begins a log, in a new file or behind what the file holds.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let mut file = File::options().create(true).append(true).open(path)?;
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        writeln!(
            file,
            "# {}, log opened {} s after 1970-01-01 UTC",
            crate::about::NAME_AND_VERSION,
            now.as_secs()
        )?;
        Ok(Self { file, opened: Instant::now() })
    }

    /// Records a line with the seconds since the log was opened.
    pub(crate) fn record(&mut self, direction: Direction, line: &[u8]) {
        let arrow = match direction {
            Direction::In => ">>",
            Direction::Out => "<<",
        };
        let mut text = format!("{:12.6} {arrow} ", self.opened.elapsed().as_secs_f64()).into_bytes();
        text.extend_from_slice(line);
        text.push(b'\n');
        // A full disk must not end a game.
        let _ = self.file.write_all(&text);
    }
}
