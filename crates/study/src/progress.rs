//! A progress bar with the remaining time on standard error, if that is a terminal.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// The line is not drawn more often than this.
const INTERVAL: Duration = Duration::from_millis(100);

/// Characters of the bar.
const WIDTH: usize = 30;

/// How far the work is.
pub(crate) struct Progress {
    unit: &'static str,
    total: usize,
    done: usize,
    started: Instant,
    drawn: Option<Instant>,
    on_terminal: bool,
}

impl Progress {
    /// A bar at 0 of `total`.
    pub(crate) fn new(unit: &'static str, total: usize) -> Self {
        let on_terminal = std::io::stderr().is_terminal();
        Self { unit, total, done: 0, started: Instant::now(), drawn: None, on_terminal }
    }

    /// One more is done.
    pub(crate) fn advance(&mut self) {
        self.done += 1;
        if self.on_terminal && self.drawn.is_none_or(|drawn| drawn.elapsed() >= INTERVAL) {
            self.drawn = Some(Instant::now());
            // A failing display must not end the work.
            let _ = write!(std::io::stderr(), "\r{}\x1b[K", self.line(self.started.elapsed()));
        }
    }

    /// Clears the line, so that something else can be printed.
    pub(crate) fn clear(&mut self) {
        if self.drawn.take().is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }

    fn line(&self, elapsed: Duration) -> String {
        let (done, total) = (self.done.min(self.total), self.total.max(1));
        let filled = WIDTH * done / total;
        let left = elapsed.mul_f64((total - done) as f64 / done.max(1) as f64).as_secs();
        let time = if left >= 3600 {
            format!("{}:{:02}:{:02}", left / 3600, left / 60 % 60, left % 60)
        } else {
            format!("{}:{:02}", left / 60, left % 60)
        };
        format!(
            "[{}{}] {:3} %  {done} of {} {}  {time} left",
            "#".repeat(filled),
            ".".repeat(WIDTH - filled),
            100 * done / total,
            self.total,
            self.unit
        )
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_how_long_it_takes() {
        let mut progress = Progress::new("positions", 400);
        progress.done = 100;
        assert_eq!(
            progress.line(Duration::from_secs(30)),
            "[#######.......................]  25 %  100 of 400 positions  1:30 left"
        );
        progress.done = 1;
        assert!(progress.line(Duration::from_secs(60)).ends_with("6:39:00 left"));
        assert!(Progress::new("games", 0).line(Duration::ZERO).contains("0 of 0"));
    }
}
