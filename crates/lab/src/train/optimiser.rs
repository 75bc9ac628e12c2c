//! Adam with decoupled weight decay, weights clipped to what the quantised network can hold, and the factoriser.
//!
//! The factoriser lets all king buckets learn from all positions: each row is the sum of a row of its own and one
//! that the buckets share. The two need not be stored apart. A step of Adam moves each by its own moments, and the
//! sum moves by both; so only the shared row's moments exist, and what is trained is already what is written out.

use nnue::Architecture;
use nnue::features::INPUTS_PER_BUCKET;
use nnue::memory::ZeroedMemory;
use rayon::{Scope, ThreadPool};

use super::gradient::Gradient;
use super::layout::Layout;

/// Parameters of the method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Adam {
    /// How much of the gradient's mean is kept from step to step.
    pub(super) beta1: f32,
    /// How much of its mean square is kept.
    pub(super) beta2: f32,
    /// Decay of the weights, in units of the learning rate.
    pub(super) decay: f32,
    /// The rate of a king bucket's own rows, as a share of the rate of the shared ones.
    pub(super) own_rate: f32,
}

/// Keeps the quotient finite where a gradient has always been 0.
const EPSILON: f32 = 1e-8;

/// The means of the gradients and of their squares.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Moments {
    /// One for each number of the network.
    pub(super) first: ZeroedMemory<f32>,
    /// Likewise.
    pub(super) second: ZeroedMemory<f32>,
    /// Those of the shared rows; empty where there is one king bucket.
    pub(super) shared_first: ZeroedMemory<f32>,
    /// Likewise.
    pub(super) shared_second: ZeroedMemory<f32>,
}

impl Moments {
    /// All 0.
    pub(super) fn new(architecture: &Architecture) -> Self {
        let len = architecture.len();
        let shared =
            if architecture.king_buckets.count() > 1 { INPUTS_PER_BUCKET * architecture.width } else { 0 };
        Self {
            first: ZeroedMemory::new(len),
            second: ZeroedMemory::new(len),
            shared_first: ZeroedMemory::new(shared),
            shared_second: ZeroedMemory::new(shared),
        }
    }
}

/// One step's numbers, the same for all weights.
#[derive(Clone, Copy)]
struct Step {
    adam: Adam,
    rate: f32,
    /// Turns sums of gradients into means.
    scale: f32,
    /// What corrects the moments for having started at 0.
    first_correction: f32,
    second_correction: f32,
}

impl Step {
    /// Updates a pair of moments and returns the update for a rate of 1.
    #[inline(always)]
    fn update(&self, gradient: f32, first: &mut f32, second: &mut f32) -> f32 {
        *first += (1.0 - self.adam.beta1) * (gradient - *first);
        *second += (1.0 - self.adam.beta2) * (gradient * gradient - *second);
        *first * self.first_correction / ((*second * self.second_correction).sqrt() + EPSILON)
    }
}

impl Adam {
    /// Updates the weights and sets the gradients to zero. Every thread's gradient is a flat vector; they are added in the
    /// order of the threads, so the result does not depend on timing.
    #[allow(clippy::too_many_arguments, reason = "one caller, and the names of the arguments are clear")]
    pub(super) fn step(
        self,
        architecture: &Architecture,
        number: usize,
        rate: f32,
        scale: f32,
        weights: &mut [f32],
        moments: &mut Moments,
        gradients: &mut [Gradient],
        pool: &ThreadPool,
    ) {
        let correct = |beta: f32| (1.0 / (1.0 - f64::from(beta).powi(number as i32 + 1))) as f32;
        let step = Step {
            adam: self,
            rate,
            scale,
            first_correction: correct(self.beta1),
            second_correction: correct(self.beta2),
        };
        let threads = gradients.len();
        let (gradients, mut touched): (Vec<_>, Vec<_>) = gradients
            .iter_mut()
            .map(|Gradient { numbers, touched }| (&mut numbers[..], &mut touched[..]))
            .unzip();
        let mut slices =
            Slices { weights, first: &mut moments.first, second: &mut moments.second, gradients };
        let segments = architecture.segments();
        let [pieces, threats, others @ ..] = &segments[..] else { return };
        pool.scope(|scope| {
            if moments.shared_first.is_empty() {
                slices.take(pieces.len).update(scope, step, pieces.limit, threads);
            } else {
                let table = moments.shared_first.len();
                let mut buckets: Vec<_> =
                    (0..architecture.king_buckets.count()).map(|_| slices.take(table)).collect();
                let part = table.div_ceil(threads);
                let shared =
                    moments.shared_first.chunks_mut(part).zip(moments.shared_second.chunks_mut(part));
                for (first, second) in shared {
                    let own: Vec<_> = buckets.iter_mut().map(|bucket| bucket.take(first.len())).collect();
                    scope.spawn(move |_| factored(step, pieces.limit, own, first, second));
                }
            }
            let part = touched[0].len().div_ceil(threads);
            while !touched[0].is_empty() {
                let part = part.min(touched[0].len());
                let rows = touched.iter_mut().map(|rows| rows.split_off_mut(..part).unwrap_or_default());
                let (rows, numbers) = (rows.collect(), slices.take(part * architecture.width));
                scope.spawn(move |_| sparse(step, threats.limit, architecture.width, numbers, rows));
            }
            for segment in others {
                slices.take(segment.len).update(scope, step, segment.limit, threads);
            }
        });
    }
}

/// Updating fewer numbers than this takes less time than handing them to a thread.
const WORTH_A_THREAD: usize = 1 << 17;

/// Corresponding parts of the vectors.
struct Slices<'a> {
    weights: &'a mut [f32],
    first: &'a mut [f32],
    second: &'a mut [f32],
    gradients: Vec<&'a mut [f32]>,
}

impl<'a> Slices<'a> {
    /// Splits the first `len` numbers off.
    fn take(&mut self, len: usize) -> Self {
        fn cut<'a>(slice: &mut &'a mut [f32], len: usize) -> &'a mut [f32] {
            slice.split_off_mut(..len).unwrap_or_default()
        }
        Self {
            weights: cut(&mut self.weights, len),
            first: cut(&mut self.first, len),
            second: cut(&mut self.second, len),
            gradients: self.gradients.iter_mut().map(|gradient| cut(gradient, len)).collect(),
        }
    }

    /// Updates all numbers, in parts where they are worth several threads.
    fn update(mut self, scope: &Scope<'a>, step: Step, limit: f32, threads: usize) {
        let part = self.weights.len().div_ceil(threads);
        while self.weights.len() >= WORTH_A_THREAD && self.weights.len() > part {
            let piece = self.take(part);
            scope.spawn(move |_| plain(step, limit, piece));
        }
        plain(step, limit, self);
    }

    /// Adds the other threads' gradients to the first thread's and sets them to zero.
    fn gather(&mut self) {
        if let [total, rest @ ..] = &mut self.gradients[..] {
            for other in rest {
                for (total, other) in total.iter_mut().zip(other.iter_mut()) {
                    *total += std::mem::take(other);
                }
            }
        }
    }
}

/// So many numbers are handled at a time: all their vectors stay in the first-level cache between passes.
const BLOCK: usize = 1024;

/// Rows that no thread has added to stay as they are, moments and all.
fn sparse(step: Step, limit: f32, width: usize, mut slices: Slices<'_>, mut touched: Vec<&mut [bool]>) {
    let mut untouched = 0;
    for row in 0..touched[0].len() {
        if touched.iter_mut().fold(false, |any, rows| any | std::mem::take(&mut rows[row])) {
            slices.take(untouched * width);
            untouched = 0;
            plain(step, limit, slices.take(width));
        } else {
            untouched += 1;
        }
    }
}

fn plain(step: Step, limit: f32, mut slices: Slices<'_>) {
    let keep = 1.0 - step.rate * step.adam.decay;
    while !slices.weights.is_empty() {
        let mut block = slices.take(BLOCK.min(slices.weights.len()));
        block.gather();
        let gradient = block.gradients[0].iter_mut();
        let moments = block.first.iter_mut().zip(block.second);
        for ((weight, gradient), (first, second)) in block.weights.iter_mut().zip(gradient).zip(moments) {
            let update = step.update(std::mem::take(gradient) * step.scale, first, second);
            *weight = (*weight * keep - step.rate * update).clamp(-limit, limit);
        }
    }
}

fn factored(
    step: Step,
    limit: f32,
    mut buckets: Vec<Slices<'_>>,
    shared_first: &mut [f32],
    shared_second: &mut [f32],
) {
    let keep = 1.0 - step.rate * step.adam.decay;
    let own_rate = step.rate * step.adam.own_rate;
    let mut updates = [0.0; BLOCK];
    for (first, second) in shared_first.chunks_mut(BLOCK).zip(shared_second.chunks_mut(BLOCK)) {
        let updates = &mut updates[..first.len()];
        updates.fill(0.0);
        let mut blocks: Vec<_> = buckets.iter_mut().map(|bucket| bucket.take(updates.len())).collect();
        for block in &mut blocks {
            block.gather();
            for (sum, gradient) in updates.iter_mut().zip(block.gradients[0].iter()) {
                *sum += gradient;
            }
        }
        for (update, (first, second)) in updates.iter_mut().zip(first.iter_mut().zip(second)) {
            *update = step.rate * step.update(*update * step.scale, first, second);
        }
        for block in &mut blocks {
            let gradient = block.gradients[0].iter_mut();
            let moments = block.first.iter_mut().zip(block.second.iter_mut());
            let all = block.weights.iter_mut().zip(gradient).zip(moments).zip(updates.iter());
            for (((weight, gradient), (first, second)), shared) in all {
                let update = step.update(std::mem::take(gradient) * step.scale, first, second);
                *weight = (*weight * keep - own_rate * update - shared).clamp(-limit, limit);
            }
        }
    }
}
