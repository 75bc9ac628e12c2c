//! The run: batches into gradients on all threads, gradients into steps, epochs into a history.

use std::thread;
use std::time::{Duration, Instant};

use super::aligned::Aligned;
use super::chain::{Parts, Walker};
use super::games::{Games, Step};
use super::head::Head;
use super::loss::Loss;
use super::network::Architecture;
use super::optimiser::{Adam, Moments};
use super::sampler::{self, Window};
use super::schedule::Schedule;

/// All that decides what a run computes, apart from the data and the architecture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Settings {
    pub(super) loss: Loss,
    pub(super) adam: Adam,
    /// The highest learning rate, and the last as a share of it.
    pub(super) rate: f32,
    pub(super) last_rate: f32,
    /// Positions until the rate is at its highest.
    pub(super) warm_up: u64,
    pub(super) epochs: usize,
    /// Positions in a batch, about.
    pub(super) batch: usize,
    /// Plies in a window, at most; 0 for whole games.
    pub(super) window: usize,
    /// Steps of the optimiser over which the network that is judged and written is averaged; 0 takes the last one.
    pub(super) average: usize,
    pub(super) seed: u64,
    pub(super) threads: usize,
}

/// What a walk over some positions summed up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Totals {
    /// Positions whose loss counted.
    pub(super) counted: u64,
    /// The sum of the losses.
    pub(super) loss: f64,
    /// The sum of the squared errors against the result alone, where it was asked for.
    pub(super) result_loss: f64,
}

impl Totals {
    /// The sums of both.
    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            counted: self.counted + other.counted,
            loss: self.loss + other.loss,
            result_loss: self.result_loss + other.result_loss,
        }
    }

    /// Counts a position's yardstick losses.
    pub(super) fn judge(&mut self, loss: Loss, output: f32, step: &Step) {
        self.counted += 1;
        self.loss += f64::from(loss.yardstick().of(output, step).0);
        self.result_loss += f64::from(loss.against_result().of(output, step).0);
    }

    /// The mean loss.
    pub(super) fn mean(self) -> f64 {
        self.loss / self.counted.max(1) as f64
    }

    /// The mean of the losses against the result.
    pub(super) fn result_mean(self) -> f64 {
        self.result_loss / self.counted.max(1) as f64
    }
}

/// One epoch's outcome: a line of the history.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Epoch {
    /// The mean training loss over the epoch.
    pub(super) train: f64,
    /// The held-out squared error against the score alone.
    pub(super) held_out: f64,
    /// The held-out squared error against the result alone.
    pub(super) held_out_result: f64,
    /// The held-out squared error of the last weights, before any averaging.
    pub(super) held_out_last: f64,
    /// The learning rate at the epoch's end.
    pub(super) rate: f32,
    /// Seconds of training, without the validation.
    pub(super) seconds: f64,
    /// Positions walked through a second.
    pub(super) speed: f64,
}

/// What changes during a run, and what a checkpoint therefore holds.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct State {
    pub(super) weights: Aligned,
    pub(super) moments: Moments,
    /// The running average of the weights; empty where none is wanted.
    pub(super) average: Aligned,
    /// Steps of the optimiser so far.
    pub(super) steps: usize,
    /// The epochs finished.
    pub(super) history: Vec<Epoch>,
}

impl State {
    /// Where a run begins.
    pub(super) fn new(architecture: &Architecture, settings: &Settings) -> Self {
        let averaged = if settings.average > 0 { architecture.len() } else { 0 };
        Self {
            weights: architecture.initial(settings.seed),
            moments: Moments::new(architecture),
            average: Aligned::zeros(averaged),
            steps: 0,
            history: Vec::new(),
        }
    }

    /// The network of the run so far: the average of the weights where there is one, else the last ones.
    pub(super) fn network(&self) -> &[f32] {
        if self.average.is_empty() { &self.weights } else { &self.average }
    }

    /// Draws the average towards the weights so that steps count less the longer ago they were: by a factor of e
    /// over `steps`. While there are fewer steps than that, the average is the plain mean.
    fn average_over(&mut self, steps: usize) {
        if steps == 0 || !self.steps.is_multiple_of(AVERAGED_EVERY) {
            return;
        }
        let seen = self.steps / AVERAGED_EVERY;
        let share = (AVERAGED_EVERY as f32 / steps as f32).max(1.0 / seen as f32).min(1.0);
        for (average, weight) in self.average.iter_mut().zip(self.weights.iter()) {
            *average += share * (weight - *average);
        }
    }
}

/// The average takes in one step of so many: neighbours differ too little to be worth the memory's time.
const AVERAGED_EVERY: usize = 8;

/// Trains a network with heads of type `H`.
pub(super) struct Trainer<H> {
    architecture: Architecture,
    settings: Settings,
    walkers: Vec<Walker<H>>,
    /// One for each thread; all 0 between steps.
    gradients: Vec<Aligned>,
}

/// How often the progress line is written.
const PROGRESS: Duration = Duration::from_secs(5);

impl<H: Head + Send> Trainer<H> {
    /// A trainer with its threads' working memory.
    pub(super) fn new(architecture: Architecture, settings: Settings) -> Self {
        let walkers = (0..settings.threads).map(|_| Walker::new(&architecture)).collect();
        let gradients = vec![Aligned::zeros(architecture.len()); settings.threads];
        Self { architecture, settings, walkers, gradients }
    }

    /// Trains one epoch and judges the outcome on the held-out games. The same state, games and settings (with the
    /// number of threads) give the same bits: the windows are dealt to the threads by number, not by speed.
    pub(super) fn epoch(&mut self, state: &mut State, games: &Games, held_out: &Games) {
        let settings = self.settings;
        let number = state.history.len();
        let per_epoch = games.steps().len() as u64;
        let schedule = Schedule {
            peak: settings.rate,
            last: settings.last_rate,
            warm_up: settings.warm_up,
            total: per_epoch * settings.epochs as u64,
        };
        let windows = sampler::windows(games, settings.window, settings.seed, number);
        let (started, mut told) = (Instant::now(), Instant::now());
        let (mut totals, mut recent, mut seen) = (Totals::default(), Totals::default(), 0);
        for batch in sampler::batches(&windows, settings.batch) {
            let rate = schedule.rate(per_epoch * number as u64 + seen);
            let outcome = self.step(state, games, batch, rate);
            totals = totals.plus(outcome);
            recent = recent.plus(outcome);
            seen += batch.iter().map(|window| u64::from(window.plies)).sum::<u64>();
            if told.elapsed() >= PROGRESS {
                let share = 100.0 * seen as f64 / per_epoch as f64;
                let speed = seen as f64 / started.elapsed().as_secs_f64();
                eprintln!(
                    "epoch {:2} {share:3.0} %  {:.2} M positions/s  rate {rate:.6}  train {:.6}",
                    number + 1,
                    speed / 1e6,
                    recent.mean()
                );
                (told, recent) = (Instant::now(), Totals::default());
            }
        }
        let seconds = started.elapsed().as_secs_f64();
        let judged = self.judge(state.network(), held_out);
        let last = if state.average.is_empty() { judged } else { self.judge(&state.weights, held_out) };
        state.history.push(Epoch {
            train: totals.mean(),
            held_out: judged.mean(),
            held_out_result: judged.result_mean(),
            held_out_last: last.mean(),
            rate: schedule.rate(per_epoch * (number as u64 + 1)),
            seconds,
            speed: per_epoch as f64 / seconds,
        });
    }

    /// One step of the optimiser over the windows of a batch.
    pub(super) fn step(&mut self, state: &mut State, games: &Games, batch: &[Window], rate: f32) -> Totals {
        let totals = self.gradient(&state.weights, games, batch);
        self.settings.adam.step(
            &self.architecture,
            state.steps,
            rate,
            1.0 / totals.counted.max(1) as f32,
            &mut state.weights,
            &mut state.moments,
            &mut self.gradients,
        );
        state.steps += 1;
        state.average_over(self.settings.average);
        totals
    }

    /// Adds the gradients of a batch's loss to those of the threads.
    fn gradient(&mut self, weights: &[f32], games: &Games, batch: &[Window]) -> Totals {
        let (architecture, loss, threads) = (&self.architecture, self.settings.loss, self.settings.threads);
        let weights = &Parts::of(architecture, weights);
        let lane = |number: usize, walker: &mut Walker<H>, gradient: &mut Aligned| {
            let mut totals = Totals::default();
            let mut gradient = Parts::of_mut(architecture, gradient);
            walker.prepare(weights);
            for &window in batch.iter().skip(number).step_by(threads) {
                walker.walk(weights, Some(&mut gradient), games, window, |output, step| {
                    let (value, slope) = loss.of(output, step);
                    totals.counted += 1;
                    totals.loss += f64::from(value);
                    slope
                });
            }
            totals
        };
        on_each(&mut self.walkers, &mut self.gradients, lane)
    }

    /// The held-out losses of a network.
    pub(super) fn judge(&mut self, weights: &[f32], games: &Games) -> Totals {
        let (loss, threads) = (self.settings.loss, self.settings.threads);
        let weights = &Parts::of(&self.architecture, weights);
        let lane = |number: usize, walker: &mut Walker<H>, _: &mut Aligned| {
            let mut totals = Totals::default();
            for game in (number..games.len()).step_by(threads) {
                let window = Window { game: game as u32, first: 0, plies: games.plies(game) as u32 };
                walker.walk(weights, None, games, window, |output, step| {
                    totals.judge(loss, output, step);
                    0.0
                });
            }
            totals
        };
        on_each(&mut self.walkers, &mut self.gradients, lane)
    }
}

/// Runs a lane on each walker and gradient, the first on this thread and the others on threads of their own, and adds
/// their totals in order.
fn on_each<H: Head + Send>(
    walkers: &mut [Walker<H>],
    gradients: &mut [Aligned],
    lane: impl Fn(usize, &mut Walker<H>, &mut Aligned) -> Totals + Sync,
) -> Totals {
    let lane = &lane;
    let mut lanes = walkers.iter_mut().zip(gradients).enumerate();
    let first = lanes.next();
    thread::scope(|scope| {
        let workers: Vec<_> = lanes
            .map(|(number, (walker, gradient))| scope.spawn(move || lane(number, walker, gradient)))
            .collect();
        let first =
            first.map_or(Totals::default(), |(number, (walker, gradient))| lane(number, walker, gradient));
        let totals = workers.into_iter().map(|worker| match worker.join() {
            Ok(totals) => totals,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        totals.fold(first, Totals::plus)
    })
}
