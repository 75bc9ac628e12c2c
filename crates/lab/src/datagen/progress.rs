//! The progress line of a run.

use std::fmt;
use std::io::{IsTerminal, Write, stdout};
use std::time::{Duration, Instant};

use super::output::Output;
use super::workers::Target;

/// How often the line changes on a terminal, and how often there is a new one elsewhere.
const TERMINAL_PAUSE: Duration = Duration::from_millis(500);
const FILE_PAUSE: Duration = Duration::from_secs(30);

/// The display, which knows where the file stood when the run began.
pub(super) struct Progress {
    target: Target,
    began: Instant,
    games: u64,
    positions: u64,
    terminal: bool,
    shown: Instant,
}

/// What a run did.
#[derive(Clone, Copy, Debug)]
pub(super) struct Summary {
    /// In the file, with those of earlier runs.
    games: u64,
    positions: u64,
    /// In this run.
    new_games: u64,
    new_positions: u64,
    time: Duration,
    left: Option<Duration>,
}

impl Progress {
    pub(super) fn new(target: Target, output: &Output) -> Self {
        let (games, positions) = (output.games(), output.positions());
        let now = Instant::now();
        Self { target, began: now, games, positions, terminal: stdout().is_terminal(), shown: now }
    }

    /// Shows the state if it is time to.
    pub(super) fn update(&mut self, output: &Output) {
        if self.shown.elapsed() < if self.terminal { TERMINAL_PAUSE } else { FILE_PAUSE } {
            return;
        }
        self.shown = Instant::now();
        let summary = self.summary(output);
        let mut out = stdout();
        let written =
            if self.terminal { write!(out, "\r{summary}\x1b[K") } else { writeln!(out, "{summary}") };
        // A failing display must not end a run.
        let _ = written.and_then(|()| out.flush());
    }

    /// Clears the line and returns the summary of the run.
    pub(super) fn finish(self, output: &Output) -> Summary {
        if self.terminal {
            let _ = write!(stdout(), "\r\x1b[K");
        }
        self.summary(output)
    }

    fn summary(&self, output: &Output) -> Summary {
        let (games, positions) = (output.games(), output.positions());
        let (new_games, new_positions) = (games - self.games, positions - self.positions);
        let (done, wanted) = match self.target {
            Target::Games(wanted) => (new_games, wanted.saturating_sub(self.games)),
            Target::Positions(wanted) => (new_positions, wanted.saturating_sub(self.positions)),
        };
        let time = self.began.elapsed();
        let left = (done > 0 && done < wanted).then(|| time.mul_f64((wanted - done) as f64 / done as f64));
        Summary { games, positions, new_games, new_positions, time, left }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.time.as_secs_f64().max(1e-9);
        write!(
            f,
            "{} games, {} positions; {:.1} games/s, {:.0} positions/s",
            self.games,
            self.positions,
            self.new_games as f64 / seconds,
            self.new_positions as f64 / seconds
        )?;
        if let Some(left) = self.left {
            let seconds = left.as_secs();
            write!(f, "; {}:{:02}:{:02} left", seconds / 3600, seconds / 60 % 60, seconds % 60)?;
        }
        Ok(())
    }
}
