//! A run: stage after stage, each validated, until the epochs or the time are over.

use std::time::{Duration, Instant};

use super::games::Games;
use super::head::Head;
use super::sampler::{Feed, FeedError};
use super::schedule::Schedule;
use super::trainer::{Stage, State, Totals, Trainer};

/// When a run ends. A stage is an epoch, or an equal part of the time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Length {
    Epochs(usize),
    /// The rate falls along the clock; what such a run computes depends on the machine.
    Time(Duration),
}

/// The number of stages of a run by time.
const STAGES_OF_TIME: usize = 20;

impl Length {
    /// How many stages there are.
    pub(super) fn stages(self) -> usize {
        match self {
            Self::Epochs(epochs) => epochs,
            Self::Time(_) => STAGES_OF_TIME,
        }
    }

    /// When a run with this many finished stages would have started if it had never been interrupted.
    pub(super) fn started(self, stages: usize) -> Instant {
        let behind = match self {
            Self::Epochs(_) => Duration::ZERO,
            Self::Time(time) => time * stages as u32 / STAGES_OF_TIME as u32,
        };
        let now = Instant::now();
        now.checked_sub(behind).unwrap_or(now)
    }
}

/// Games for validation, never trained on.
#[derive(Debug)]
pub(super) struct HeldOut {
    pub(super) name: String,
    pub(super) games: Games,
}

/// A run in progress.
pub(super) struct Run {
    pub(super) length: Length,
    pub(super) schedule: Schedule,
    pub(super) feed: Feed,
    pub(super) held_out: Vec<HeldOut>,
    /// See [`Length::started`].
    pub(super) started: Instant,
}

/// How often the progress line is written.
const PROGRESS: Duration = Duration::from_secs(10);

impl Run {
    /// Takes the run to its next stage.
    pub(super) fn stage<H: Head + Send>(
        &mut self,
        trainer: &mut Trainer<H>,
        state: &mut State,
    ) -> Result<(), FeedError> {
        let number = state.history.len();
        let seen_before = state.seen;
        let (started, mut told) = (Instant::now(), Instant::now());
        let (mut totals, mut recent) = (Totals::default(), Totals::default());
        let mut rate;
        loop {
            self.feed.advance()?;
            rate = self.schedule.rate(state.seen, self.stages_done() / self.length.stages() as f64);
            let Some((games, batch)) = self.feed.batch() else { break };
            let outcome = trainer.step(state, games, batch, rate);
            state.place = self.feed.place();
            (totals, recent) = (totals.plus(outcome), recent.plus(outcome));
            let done = self.stages_done();
            if done >= (number + 1) as f64 {
                break;
            }
            if told.elapsed() >= PROGRESS {
                let speed = (state.seen - seen_before) as f64 / started.elapsed().as_secs_f64();
                eprintln!(
                    "{:5.1} %  epoch {:.2}  {:.3} M positions/s  rate {rate:.6}  train {:.6}",
                    100.0 * done / self.length.stages() as f64,
                    self.feed.epochs(),
                    speed / 1e6,
                    recent.mean()
                );
                (told, recent) = (Instant::now(), Totals::default());
            }
        }
        let seconds = started.elapsed().as_secs_f64();
        let validation = self
            .held_out
            .iter()
            .map(|set| trainer.validate(state.network(), &set.games).validation())
            .collect();
        let speed = (state.seen - seen_before) as f64 / seconds.max(1e-9);
        state.history.push(Stage { train: totals.mean(), validation, rate, seconds, speed });
        Ok(())
    }

    /// How many stages are done, the batch at hand included.
    fn stages_done(&self) -> f64 {
        match self.length {
            Length::Epochs(_) => self.feed.epochs(),
            Length::Time(time) => {
                STAGES_OF_TIME as f64 * (self.started.elapsed().as_secs_f64() / time.as_secs_f64())
            }
        }
    }
}
