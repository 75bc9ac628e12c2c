//! Training steps: the gradient of a batch on all threads, then a step of the optimiser.

use nnue::Architecture;
use nnue::memory::ZeroedMemory;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use super::games::{Games, Step};
use super::gradient::Gradient;
use super::head::Head;
use super::layout::Layout;
use super::loss::Loss;
use super::optimiser::{Adam, Moments};
use super::sampler::Window;
use super::stream::Place;
use super::walker::{Parts, Walker};

/// The settings of a run, apart from the data and the architecture. A checkpoint stores their `Debug` text and is
/// resumed only by a run with the same text, so the names of the fields must stay.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Settings {
    pub(super) loss: Loss,
    pub(super) adam: Adam,
    /// The peak learning rate, and the final one as a fraction of it.
    pub(super) rate: f32,
    pub(super) last_rate: f32,
    /// Positions of the linear warm-up.
    pub(super) warm_up: u64,
    /// Positions in a batch, about.
    pub(super) batch: usize,
    /// Plies in a window, at most; 0 for whole games.
    pub(super) window: usize,
    /// Positions whose chains are mixed.
    pub(super) pool: usize,
    /// Steps of the optimiser over which the weights that are validated and written are averaged; 0 for the last weights.
    pub(super) average: usize,
    pub(super) seed: u64,
    pub(super) threads: usize,
}

/// Weight and target of the positions of one source. Its `Debug` text is stored in checkpoints, as that of [`Settings`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rule {
    /// The weight of a position's loss.
    pub(super) weight: f32,
    /// The weight of the score in the target; the rest is the result of the game.
    pub(super) lambda: f32,
}

/// Sums over some positions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Totals {
    /// The sum of the weights of the positions whose loss counted.
    pub(super) weight: f64,
    /// The sum of the losses.
    pub(super) loss: f64,
    /// Positions with a known result, and the sum of the squared errors against it, where that was asked for.
    pub(super) results: u64,
    pub(super) result_loss: f64,
}

impl Totals {
    /// The sums of both.
    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            weight: self.weight + other.weight,
            loss: self.loss + other.loss,
            results: self.results + other.results,
            result_loss: self.result_loss + other.result_loss,
        }
    }

    /// Adds a position's validation losses.
    pub(super) fn validate(&mut self, loss: Loss, output: f32, step: &Step) {
        self.weight += 1.0;
        self.loss += f64::from(loss.score_only().of(output, step).0);
        if step.result().is_some() {
            self.results += 1;
            self.result_loss += f64::from(loss.result_only().of(output, step).0);
        }
    }

    /// The mean loss.
    pub(super) fn mean(self) -> f64 {
        self.loss / self.weight.max(f64::MIN_POSITIVE)
    }

    /// The mean losses of a held-out set.
    pub(super) fn validation(self) -> HeldOutLoss {
        HeldOutLoss { score: self.mean(), result: self.result_loss / self.results.max(1) as f64 }
    }
}

/// The losses of a held-out set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct HeldOutLoss {
    /// The squared error against the score alone.
    pub(super) score: f64,
    /// The squared error against the result alone; 0 where no result is known.
    pub(super) result: f64,
}

/// The result of a stage, which is an epoch or a part of the time: a line of the history.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stage {
    /// The mean training loss over the stage.
    pub(super) train: f64,
    /// One for each held-out set.
    pub(super) validation: Vec<HeldOutLoss>,
    /// The learning rate at the stage's end.
    pub(super) rate: f32,
    /// Seconds of training, without the validation.
    pub(super) seconds: f64,
    /// Positions walked through a second.
    pub(super) speed: f64,
}

/// Everything that changes during a run; checkpoints store it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct State {
    pub(super) weights: ZeroedMemory<f32>,
    pub(super) moments: Moments,
    /// The running average of the weights; empty where none is wanted.
    pub(super) average: ZeroedMemory<f32>,
    /// Steps of the optimiser so far.
    pub(super) steps: usize,
    /// Positions seen so far.
    pub(super) seen: u64,
    /// The first data that were not yet learned from.
    pub(super) place: Place,
    /// The stages finished.
    pub(super) history: Vec<Stage>,
}

impl State {
    /// Where a run begins.
    pub(super) fn new(architecture: &Architecture, settings: &Settings) -> Self {
        let averaged = if settings.average > 0 { architecture.len() } else { 0 };
        Self {
            weights: architecture.initial(settings.seed),
            moments: Moments::new(architecture),
            average: ZeroedMemory::new(averaged),
            steps: 0,
            seen: 0,
            place: Place::default(),
            history: Vec::new(),
        }
    }

    /// Begins with these weights instead.
    pub(super) fn begin_with(&mut self, weights: ZeroedMemory<f32>) {
        if !self.average.is_empty() {
            self.average = weights.clone();
        }
        self.weights = weights;
    }

    /// The network of the run so far: the average of the weights where there is one, else the last ones.
    pub(super) fn network(&self) -> &[f32] {
        if self.average.is_empty() { &self.weights } else { &self.average }
    }

    /// Updates the exponential moving average with a time constant of `steps`. While there are fewer steps than that, it
    /// is the plain mean.
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

/// The average is updated every eighth step: neighbours differ too little to be worth the memory traffic.
const AVERAGED_EVERY: usize = 8;

/// Trains a network with heads of type `H`.
pub(super) struct Trainer<H> {
    architecture: Architecture,
    settings: Settings,
    rules: Vec<Rule>,
    /// The threads, which live as long as the run.
    pool: ThreadPool,
    /// One for each thread.
    walkers: Vec<Walker<H>>,
    /// Likewise.
    gradients: Vec<Gradient>,
}

impl<H: Head + Send> Trainer<H> {
    /// A trainer with its threads, their working memory, and the rules that games name by their number. Fails where the
    /// system has no threads left.
    pub(super) fn new(
        architecture: Architecture,
        settings: Settings,
        rules: Vec<Rule>,
    ) -> Result<Self, ThreadPoolBuildError> {
        let pool = ThreadPoolBuilder::new().num_threads(settings.threads).build()?;
        let walkers = (0..settings.threads).map(|_| Walker::new(&architecture)).collect();
        let gradients = (0..settings.threads).map(|_| Gradient::new(&architecture)).collect();
        Ok(Self { architecture, settings, rules, pool, walkers, gradients })
    }

    /// One step of the optimiser over the windows of a batch. The same state, games and settings (with the number of
    /// threads) give the same bits: windows are assigned to threads by number, not by speed.
    pub(super) fn step(&mut self, state: &mut State, games: &Games, batch: &[Window], rate: f32) -> Totals {
        let totals = self.gradient(&state.weights, games, batch);
        self.settings.adam.step(
            &self.architecture,
            state.steps,
            rate,
            if totals.weight > 0.0 { (1.0 / totals.weight) as f32 } else { 0.0 },
            &mut state.weights,
            &mut state.moments,
            &mut self.gradients,
            &self.pool,
        );
        state.steps += 1;
        state.seen += batch.iter().map(|window| u64::from(window.plies)).sum::<u64>();
        state.average_over(self.settings.average);
        totals
    }

    /// Adds the gradients of a batch's loss to those of the threads.
    fn gradient(&mut self, weights: &[f32], games: &Games, batch: &[Window]) -> Totals {
        let Self { architecture, rules, settings, pool, walkers, gradients } = self;
        let (architecture, rules) = (&*architecture, &*rules);
        let weights = &Parts::of(architecture, weights);
        let part = batch.len().div_ceil(settings.threads);
        let lane = |number: usize, walker: &mut Walker<H>, gradient: &mut Gradient| {
            let mut totals = Totals::default();
            let mut gradient = gradient.parts(architecture);
            walker.prepare(weights);
            for &window in batch.iter().skip(number * part).take(part) {
                let Rule { weight, lambda } = rules[games.rule(window.game as usize)];
                let loss = Loss { lambda, ..settings.loss };
                walker.walk(weights, Some(&mut gradient), games, window, |output, step| {
                    let (value, slope) = loss.of(output, step);
                    totals.weight += f64::from(weight);
                    totals.loss += f64::from(weight * value);
                    weight * slope
                });
            }
            totals
        };
        on_each(pool, walkers, gradients, lane)
    }

    /// The held-out losses of a network.
    pub(super) fn validate(&mut self, weights: &[f32], games: &Games) -> Totals {
        let (loss, threads) = (self.settings.loss, self.settings.threads);
        let weights = &Parts::of(&self.architecture, weights);
        let lane = |number: usize, walker: &mut Walker<H>, _: &mut Gradient| {
            let mut totals = Totals::default();
            for game in (number..games.len()).step_by(threads) {
                let window = Window { game: game as u32, first: 0, plies: games.plies(game) as u32 };
                walker.walk(weights, None, games, window, |output, step| {
                    totals.validate(loss, output, step);
                    0.0
                });
            }
            totals
        };
        on_each(&self.pool, &mut self.walkers, &mut self.gradients, lane)
    }
}

/// Runs a lane on each walker and gradient, each on a thread of the pool, and adds their totals in order.
fn on_each<H: Head + Send>(
    pool: &ThreadPool,
    walkers: &mut [Walker<H>],
    gradients: &mut [Gradient],
    lane: impl Fn(usize, &mut Walker<H>, &mut Gradient) -> Totals + Sync,
) -> Totals {
    let mut totals = vec![Totals::default(); walkers.len()];
    pool.scope(|scope| {
        let lane = &lane;
        let lanes = walkers.iter_mut().zip(gradients).zip(&mut totals).enumerate();
        for (number, ((walker, gradient), totals)) in lanes {
            scope.spawn(move |_| *totals = lane(number, walker, gradient));
        }
    });
    totals.into_iter().fold(Totals::default(), Totals::plus)
}
