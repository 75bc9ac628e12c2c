//! The queue between the thread that reads an engine and the one that waits for its answers.
//!
//! It never makes the engine wait, since that would distort its times, and yet it is bounded: answers and `info` lines
//! are kept apart, and when there are too many `info` lines the oldest are dropped. So the last reports of a search,
//! which matter most, are always there.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::reader::Line;

/// The bytes that each lane may hold; about 30,000 ordinary reports.
const CAPACITY: usize = 4 << 20;

/// What a line costs besides its text, so that a flood of empty lines is bounded too.
const OVERHEAD: usize = 64;

/// The words that begin an answer, which is never forgotten.
const ANSWERS: [&str; 7] = ["bestmove", "readyok", "uciok", "id", "option", "copyprotection", "registration"];

/// Why there is no line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Silence {
    /// The deadline has passed.
    Timeout,
    /// The engine's output has ended, and all of it has been read.
    Ended,
    /// The engine sent more answers than anybody could have asked for.
    Flooded,
}

#[derive(Default)]
struct Lane {
    lines: VecDeque<(u64, Line)>,
    bytes: usize,
}

impl Lane {
    fn push(&mut self, number: u64, line: Line) {
        self.bytes += line.text.len() + OVERHEAD;
        self.lines.push_back((number, line));
    }

    fn remove(&mut self, index: usize) -> Option<Line> {
        let (_, line) = self.lines.remove(index)?;
        self.bytes -= line.text.len() + OVERHEAD;
        Some(line)
    }
}

#[derive(Default)]
struct State {
    answers: Lane,
    chatter: Lane,
    /// The number of the next line, by which the two lanes are merged again.
    next: u64,
    forgotten: u64,
    ended: bool,
    flooded: bool,
}

impl State {
    fn push(&mut self, line: Line) {
        self.next += 1;
        let first_word = line.text.split_ascii_whitespace().next();
        if first_word.is_some_and(|word| ANSWERS.contains(&word)) {
            self.flooded |= self.answers.bytes > CAPACITY;
            if !self.flooded {
                self.answers.push(self.next, line);
            }
        } else {
            self.chatter.push(self.next, line);
            while self.chatter.bytes > CAPACITY {
                self.chatter.remove(0);
                self.forgotten += 1;
            }
        }
    }

    /// The lane with the oldest line.
    fn oldest(&mut self) -> &mut Lane {
        let number = |lane: &Lane| lane.lines.front().map_or(u64::MAX, |(number, _)| *number);
        if number(&self.answers) < number(&self.chatter) { &mut self.answers } else { &mut self.chatter }
    }
}

/// The queue itself.
#[derive(Default)]
pub(super) struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn push(&self, lines: Vec<Line>) {
        let mut state = self.lock();
        lines.into_iter().for_each(|line| state.push(line));
        drop(state);
        self.changed.notify_all();
    }

    pub(super) fn end(&self) {
        self.lock().ended = true;
        self.changed.notify_all();
    }

    pub(super) fn has_ended(&self) -> bool {
        self.lock().ended
    }

    /// How many lines have been forgotten so far.
    pub(super) fn forgotten(&self) -> u64 {
        self.lock().forgotten
    }

    /// The next line that arrived by the deadline.
    pub(super) fn pop(&self, deadline: Instant) -> Result<Line, Silence> {
        self.wait(deadline, |state| {
            let lane = state.oldest();
            let in_time = lane.lines.front().is_some_and(|(_, line)| line.at <= deadline);
            in_time.then(|| lane.remove(0)).flatten()
        })
    }

    /// The next wanted answer that arrived by the deadline; all other lines stay where they are.
    pub(super) fn take(&self, deadline: Instant, wanted: impl Fn(&str) -> bool) -> Result<Line, Silence> {
        self.wait(deadline, |state| {
            let is_it = |(_, line): &(u64, Line)| line.at <= deadline && wanted(&line.text);
            let index = state.answers.lines.iter().position(is_it)?;
            state.answers.remove(index)
        })
    }

    /// Takes everything that is there.
    pub(super) fn drain(&self) -> Vec<Line> {
        let mut state = self.lock();
        std::iter::from_fn(|| state.oldest().remove(0)).collect()
    }

    fn wait(
        &self,
        deadline: Instant,
        mut pick: impl FnMut(&mut State) -> Option<Line>,
    ) -> Result<Line, Silence> {
        let mut state = self.lock();
        loop {
            if state.flooded {
                return Err(Silence::Flooded);
            }
            if let Some(line) = pick(&mut state) {
                return Ok(line);
            }
            if state.ended {
                return Err(Silence::Ended);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Silence::Timeout);
            }
            let waited = self.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn line(text: &str) -> Line {
        Line { at: Instant::now(), text: text.to_owned() }
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(60)
    }

    #[test]
    fn lines_keep_their_order() {
        let queue = Queue::default();
        queue.push(["info a", "bestmove e2e4", "info b", "readyok"].map(line).into());
        assert_eq!(queue.take(soon(), |text| text == "readyok").unwrap().text, "readyok");
        let rest: Vec<_> = queue.drain().into_iter().map(|line| line.text).collect();
        assert_eq!(rest, ["info a", "bestmove e2e4", "info b"]);
        queue.end();
        assert_eq!(queue.pop(soon()), Err(Silence::Ended));
    }

    #[test]
    fn chatter_is_forgotten_and_answers_are_not() {
        let queue = Queue::default();
        queue.push(vec![line("readyok")]);
        for number in 0..100_000 {
            queue.push(vec![line(&format!("info string {number}"))]);
        }
        assert!(queue.lock().chatter.bytes <= CAPACITY);
        let lines = queue.drain();
        assert_eq!(lines[0].text, "readyok");
        assert_eq!(lines.last().unwrap().text, "info string 99999");
        assert_eq!(queue.forgotten() as usize + lines.len(), 100_001);
    }

    #[test]
    fn a_flood_of_answers_is_an_error() {
        let queue = Queue::default();
        for _ in 0..100_000 {
            queue.push(vec![line("readyok")]);
        }
        queue.drain();
        assert_eq!(queue.pop(soon()), Err(Silence::Flooded));
    }

    #[test]
    fn a_line_that_came_too_late_stays() {
        let queue = Queue::default();
        let deadline = Instant::now();
        queue.push(vec![line("bestmove e2e4")]);
        let arrival = queue.lock().answers.lines[0].1.at;
        if arrival > deadline {
            assert_eq!(queue.pop(deadline), Err(Silence::Timeout));
        }
        assert_eq!(queue.pop(soon()).unwrap().text, "bestmove e2e4");
    }
}
