//! Search limits of a match: time control, time per move, nodes or depth; and the clock of a player.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use uci::Go;

/// How much later than `movetime` an answer may come before the margin begins to count. An engine that stops exactly
/// on time is always late by the latency of its answer, which a clock would simply have subtracted.
pub(super) const MOVETIME_TOLERANCE: Duration = Duration::from_millis(100);

/// The limits of one engine. Where there are several, the first one reached ends the search.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Limits {
    pub(super) clock: Option<TimeControl>,
    pub(super) movetime: Option<Duration>,
    pub(super) nodes: Option<u64>,
    pub(super) depth: Option<u64>,
}

impl Limits {
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The part of `go` that does not change during a game.
    pub(super) fn go(&self) -> Go {
        let movetime = self.movetime.map(whole_milliseconds);
        Go { movetime, nodes: self.nodes, depth: self.depth, ..Go::default() }
    }
}

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.clock.map(|clock| clock.to_string()),
            self.movetime.map(|time| format!("{} ms a move", time.as_millis())),
            self.nodes.map(|nodes| format!("{nodes} nodes")),
            self.depth.map(|depth| format!("depth {depth}")),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}

/// A base time with an increment for each move, given once or again after every so many moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TimeControl {
    moves: Option<u32>,
    base: Duration,
    increment: Duration,
}

/// The text is not a time control.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct InvalidTimeControl(String);

impl fmt::Display for InvalidTimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}' is not a time control such as 8+0.08, 40/60+0.6 or 1:30+1 (seconds)", self.0)
    }
}

impl std::error::Error for InvalidTimeControl {}

impl FromStr for TimeControl {
    type Err = InvalidTimeControl;

    fn from_str(text: &str) -> Result<Self, InvalidTimeControl> {
        let read = || {
            let (moves, rest) = match text.split_once('/') {
                Some((moves, rest)) => (Some(moves.parse().ok().filter(|moves| *moves > 0)?), rest),
                None => (None, text),
            };
            let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
            let base = match base.split_once(':') {
                Some((minutes, rest)) => seconds(rest)? + seconds(minutes)? * 60,
                None => seconds(base)?,
            };
            let control = Self { moves, base, increment: seconds(increment)? };
            (control.base + control.increment >= Duration::from_millis(1)).then_some(control)
        };
        read().ok_or_else(|| InvalidTimeControl(text.to_owned()))
    }
}

/// A number of seconds of at most a year.
fn seconds(text: &str) -> Option<Duration> {
    let number: f64 = text.parse().ok()?;
    (0.0..=366.0 * 86_400.0).contains(&number).then(|| Duration::from_secs_f64(number))
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.moves.map_or(Ok(()), |moves| write!(f, "{moves}/"))?;
        write!(f, "{}", self.base.as_secs_f64())?;
        if self.increment.is_zero() { Ok(()) } else { write!(f, "+{}", self.increment.as_secs_f64()) }
    }
}

/// The clock of one player.
#[derive(Clone, Debug)]
pub(super) struct Clock {
    control: TimeControl,
    left: Duration,
    moves_left: Option<u32>,
}

/// How far a player exceeded the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Overshoot(pub(super) Duration);

impl Clock {
    pub(super) fn new(control: TimeControl) -> Self {
        // The increment of the first move is given before it, as the clocks of tournaments do.
        Self { control, left: control.base + control.increment, moves_left: control.moves }
    }

    pub(super) fn left(&self) -> Duration {
        self.left
    }

    /// Subtracts the time of a move and adds the increment; the clock may be exceeded by the margin at most.
    pub(super) fn charge(&mut self, used: Duration, margin: Duration) -> Result<(), Overshoot> {
        if used > self.left + margin {
            return Err(Overshoot(used - self.left));
        }
        self.left = self.left.saturating_sub(used) + self.control.increment;
        if let Some(moves_left) = &mut self.moves_left {
            *moves_left -= 1;
            if *moves_left == 0 {
                self.left += self.control.base;
                self.moves_left = self.control.moves;
            }
        }
        Ok(())
    }

    /// Time and increment for `go`; the time is never sent as 0.
    pub(super) fn as_sent(&self) -> (i64, Option<i64>) {
        let increment = self.control.increment;
        (whole_milliseconds(self.left).max(1), (!increment.is_zero()).then(|| whole_milliseconds(increment)))
    }

    pub(super) fn moves_left(&self) -> Option<i64> {
        self.moves_left.map(i64::from)
    }
}

/// Rounded down, so that no engine is sent more time than it has.
fn whole_milliseconds(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(text: &str) -> Clock {
        Clock::new(text.parse().unwrap())
    }

    #[test]
    fn time_controls_read_and_print() {
        for text in ["2+0.02", "40/60+0.6", "10", "0.5+0.005", "40/60"] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
        assert_eq!("1:30+1".parse::<TimeControl>().unwrap().to_string(), "90+1");
        for text in ["", "x", "0", "-1+1", "0/60", "1e99", "nan", "inf", "2+", "40/", "+"] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_move_is_charged_and_rewarded() {
        let ms = Duration::from_millis;
        let mut clock = clock("2/1+0.1");
        assert_eq!(clock.as_sent(), (1100, Some(100)));
        assert_eq!(clock.charge(ms(600), Duration::ZERO), Ok(()));
        assert_eq!((clock.left(), clock.moves_left()), (ms(600), Some(1)));
        assert_eq!(clock.charge(ms(600), Duration::ZERO), Ok(()));
        assert_eq!((clock.left(), clock.moves_left()), (ms(1100), Some(2)));
        assert_eq!(clock.charge(ms(1110), Duration::ZERO), Err(Overshoot(ms(10))));
        assert_eq!(clock.charge(ms(1110), ms(10)), Ok(()));
        assert_eq!(clock.left(), ms(100));
    }
}
