//! The pairwise head: products of the two halves of each accumulator, then hidden layers of 16 and 32. The first
//! passes on each of its values twice, clipped to 0..1 and as a square of at most 1.

mod first;

use nnue::quantisation::{
    FIRST, FIRST_WEIGHT_LIMIT, FIRST_WEIGHT_SCALE, PRODUCT_SHIFT, QA, SECOND, WEIGHT_LIMIT, WEIGHT_SCALE,
};

use super::super::kernel::{add, add_scaled, clip, dot};
use super::super::lanes::LANES;
use super::super::layout::Segment;
use super::{GROUP, Head, OUTPUT_BUCKETS, Pair, block, block_mut};
use first::FirstLayer;

const _: () = assert!(FIRST == LANES && SECOND == 2 * FIRST);

/// Steps of a product between 0 and 1 in the engine's integers.
pub(in super::super) const PRODUCT_STEPS: f32 = (QA * QA) as f32 / (1 << PRODUCT_SHIFT) as f32;

/// The flat vector: for each part all buckets in turn; weights with the inputs as rows.
pub(super) fn segments(width: usize) -> Vec<Segment> {
    let part = |len: usize, limit: f32, inputs: f32| Segment {
        len: len * OUTPUT_BUCKETS,
        limit,
        spread: if inputs > 0.0 { (1.0 / inputs).sqrt() } else { 0.0 },
        centre: 0.0,
    };
    let first_limit = (f64::from(FIRST_WEIGHT_LIMIT) / FIRST_WEIGHT_SCALE) as f32;
    let limit = f32::from(WEIGHT_LIMIT) / WEIGHT_SCALE as f32;
    vec![
        part(width * FIRST, first_limit, width as f32 / 8.0),
        part(FIRST, f32::MAX, 0.0),
        part(2 * FIRST * SECOND, limit, 2.0 * FIRST as f32),
        part(SECOND, f32::MAX, 0.0),
        part(SECOND, limit, SECOND as f32),
        part(1, f32::MAX, 0.0),
    ]
}

/// See the module.
pub(in super::super) struct Pairwise {
    width: usize,
    first_layer: FirstLayer,
    /// The hidden layers of each position.
    hidden: [Hidden; GROUP],
}

/// The values of the hidden layers.
#[derive(Clone, Copy)]
struct Hidden {
    /// The first layer before clipping.
    first: [f32; FIRST],
    /// What it passes on.
    passed: [f32; 2 * FIRST],
    /// The second layer before clipping.
    second: [f32; SECOND],
}

/// The parts of one bucket.
struct Parts<T> {
    first: T,
    first_bias: T,
    second: T,
    second_bias: T,
    output: T,
    output_bias: T,
}

impl<T> Parts<T> {
    /// The parts in the order of the flat vector; `take` gives the next one by its length for a bucket.
    fn new(width: usize, mut take: impl FnMut(usize) -> T) -> Self {
        Self {
            first: take(width * FIRST),
            first_bias: take(FIRST),
            second: take(2 * FIRST * SECOND),
            second_bias: take(SECOND),
            output: take(SECOND),
            output_bias: take(1),
        }
    }
}

impl<'a> Parts<&'a [f32]> {
    fn of(mut flat: &'a [f32], width: usize, bucket: usize) -> Self {
        Self::new(width, |len| block(&mut flat, len, bucket))
    }
}

impl<'a> Parts<&'a mut [f32]> {
    fn of_mut(mut flat: &'a mut [f32], width: usize, bucket: usize) -> Self {
        Self::new(width, |len| block_mut(&mut flat, len, bucket))
    }
}

impl Head for Pairwise {
    fn new(width: usize) -> Self {
        let hidden = Hidden { first: [0.0; FIRST], passed: [0.0; 2 * FIRST], second: [0.0; SECOND] };
        Self { width, first_layer: FirstLayer::new(width), hidden: [hidden; GROUP] }
    }

    fn prepare(&mut self, weights: &[f32]) {
        self.first_layer.prepare(weights);
    }

    fn forward<const N: usize>(
        &mut self,
        weights: &[f32],
        bucket: usize,
        accumulators: &[Pair<&mut [f32]>; N],
    ) -> [f32; N] {
        let parts = Parts::of(weights, self.width, bucket);
        let firsts = self.first_layer.forward(parts.first, parts.first_bias, accumulators);
        let mut outputs = [0.0; N];
        for ((hidden, first), output) in self.hidden.iter_mut().zip(firsts).zip(&mut outputs) {
            *output = hidden.forward(&parts, first);
        }
        outputs
    }

    fn backward<const N: usize>(
        &mut self,
        weights: &[f32],
        gradient: &mut [f32],
        bucket: usize,
        slopes: [f32; N],
        accumulators: [Pair<&mut [f32]>; N],
    ) {
        let parts = Parts::of(weights, self.width, bucket);
        let mut gradient = Parts::of_mut(gradient, self.width, bucket);
        let by_first = std::array::from_fn(|position| {
            self.hidden[position].backward(&parts, &mut gradient, slopes[position])
        });
        self.first_layer.weights_backward(&by_first, gradient.first);
        self.first_layer.accumulators_backward(bucket, &by_first, accumulators);
    }
}

impl Hidden {
    /// The output, from the first layer's values.
    fn forward(&mut self, parts: &Parts<&[f32]>, first: [f32; FIRST]) -> f32 {
        self.first = first;
        for lane in 0..FIRST {
            let clipped = self.first[lane].clamp(-1.0, 1.0);
            self.passed[lane] = clipped.max(0.0);
            self.passed[FIRST + lane] = clipped * clipped;
        }
        self.second.copy_from_slice(parts.second_bias);
        for (&value, row) in self.passed.iter().zip(parts.second.as_chunks::<SECOND>().0) {
            add_scaled(&mut self.second, row, value);
        }
        dot(&self.second.map(clip), parts.output) + parts.output_bias[0]
    }

    /// Adds the gradients of all numbers above the first layer's values and returns that of these values.
    fn backward(&self, parts: &Parts<&[f32]>, gradient: &mut Parts<&mut [f32]>, slope: f32) -> [f32; FIRST] {
        gradient.output_bias[0] += slope;
        add_scaled(gradient.output, &self.second.map(clip), slope);
        let by_second: [f32; SECOND] = std::array::from_fn(|lane| {
            let value = self.second[lane];
            if value > 0.0 && value < 1.0 { slope * parts.output[lane] } else { 0.0 }
        });
        add(gradient.second_bias, &by_second);
        let mut by_passed = [0.0; 2 * FIRST];
        let rows =
            parts.second.as_chunks::<SECOND>().0.iter().zip(gradient.second.as_chunks_mut::<SECOND>().0);
        for ((row, row_gradient), (&value, by)) in rows.zip(self.passed.iter().zip(&mut by_passed)) {
            add_scaled(row_gradient, &by_second, value);
            *by = dot(row, &by_second);
        }
        let by_first: [f32; FIRST] = std::array::from_fn(|lane| {
            let value = self.first[lane];
            let by_clipped = if value > 0.0 { by_passed[lane] } else { 0.0 };
            let through = 2.0 * value * by_passed[FIRST + lane] + by_clipped;
            if value.abs() < 1.0 { through } else { 0.0 }
        });
        add(gradient.first_bias, &by_first);
        by_first
    }
}
