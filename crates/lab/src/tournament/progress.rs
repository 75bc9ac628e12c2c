//! The progress display of a match: one line that is rewritten on a terminal, a line now and then elsewhere.

use std::fmt;
use std::io::{IsTerminal, Write, stdout};
use std::time::{Duration, Instant};

/// How often the line on a terminal may change.
const TERMINAL_PAUSE: Duration = Duration::from_millis(200);

/// The display.
pub(super) struct Progress {
    terminal: bool,
    pause: Duration,
    shown: Option<Instant>,
    width: usize,
}

impl Progress {
    /// A display that on anything but a terminal prints a line every `pause`.
    pub(super) fn new(pause: Duration) -> Self {
        let terminal = stdout().is_terminal();
        Self { terminal, pause: if terminal { TERMINAL_PAUSE } else { pause }, shown: None, width: 0 }
    }

    /// Is it time for a new line?
    pub(super) fn is_due(&self) -> bool {
        self.shown.is_none_or(|shown| shown.elapsed() >= self.pause)
    }

    /// Shows the state of the match.
    pub(super) fn show(&mut self, line: &str) {
        self.shown = Some(Instant::now());
        if self.terminal {
            print(format_args!("\r{line:width$}", width = self.width));
            self.width = line.chars().count();
        } else {
            print(format_args!("{line}\n"));
        }
    }

    /// Prints a line that stays.
    pub(super) fn say(&mut self, text: &str) {
        self.clear();
        print(format_args!("{text}\n"));
    }

    /// Clears the line.
    pub(super) fn clear(&mut self) {
        if self.terminal && self.width > 0 {
            print(format_args!("\r{:width$}\r", "", width = self.width));
            self.width = 0;
        }
    }
}

/// A display that fails, such as a pipe whose reader is gone, must not end a match.
fn print(text: fmt::Arguments<'_>) {
    let mut out = stdout();
    let _ = out.write_fmt(text).and_then(|()| out.flush());
}
