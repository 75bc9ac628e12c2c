//! The pairwise head: products of the two halves of each accumulator, then hidden layers of 16 and 32. The first
//! passes on each of its values twice, clipped to 0..1 and as a square of at most 1.
//!
//! Most products are 0, since one of two clipped factors is; forward and for the gradient of its weights, the first
//! layer therefore looks at the others alone, and loses nothing. On the way down into the accumulators it is faster
//! to compute all, in registers of inputs, than to pick the few.

use nnue::memory::ZeroedMemory;
use nnue::quantisation::{
    FIRST, FIRST_WEIGHT_LIMIT, FIRST_WEIGHT_SCALE, PRODUCT_SHIFT, QA, SECOND, WEIGHT_LIMIT, WEIGHT_SCALE,
};

use super::super::kernel::{add, add_scaled, clip, dot};
use super::super::lanes::{LANES, Lanes};
use super::super::layout::Segment;
use super::{Head, OUTPUT_BUCKETS, Pair, block, block_mut};

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
    /// The first layer's weights of all buckets, in blocks of sixteen inputs: `[block][output][input of the block]`.
    turned: ZeroedMemory<f32>,
    /// The products of both sides.
    products: ZeroedMemory<f32>,
    /// Which products are not 0.
    active: Vec<u32>,
    /// The first hidden layer before clipping.
    first: [f32; FIRST],
    /// What it passes on.
    passed: [f32; 2 * FIRST],
    /// The second hidden layer before clipping.
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
        Self {
            width,
            turned: ZeroedMemory::new(OUTPUT_BUCKETS * width * FIRST),
            products: ZeroedMemory::new(width),
            active: vec![0; width],
            first: [0.0; FIRST],
            passed: [0.0; 2 * FIRST],
            second: [0.0; SECOND],
        }
    }

    fn prepare(&mut self, weights: &[f32]) {
        let blocks = weights.as_chunks::<{ FIRST * LANES }>().0;
        for (turned, block) in self.turned.as_chunks_mut::<{ FIRST * LANES }>().0.iter_mut().zip(blocks) {
            for (output, row) in turned.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
                *row = std::array::from_fn(|input| block[input * FIRST + output]);
            }
        }
    }

    fn forward(&mut self, weights: &[f32], bucket: usize, accumulators: &Pair<&[f32]>) -> f32 {
        let parts = Parts::of(weights, self.width, bucket);
        let half = self.width / 2;
        multiply(accumulators.us, &mut self.products[..half]);
        multiply(accumulators.them, &mut self.products[half..]);
        list_active(&self.products, &mut self.active);
        self.first = first_layer(&parts, &self.products, &self.active);
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

    fn backward(
        &mut self,
        weights: &[f32],
        gradient: &mut [f32],
        bucket: usize,
        slope: f32,
        accumulators: &Pair<&[f32]>,
        slopes: &mut Pair<&mut [f32]>,
    ) {
        let parts = Parts::of(weights, self.width, bucket);
        let grads = Parts::of_mut(gradient, self.width, bucket);
        grads.output_bias[0] += slope;
        add_scaled(grads.output, &self.second.map(clip), slope);
        let by_second: [f32; SECOND] = std::array::from_fn(|lane| {
            let value = self.second[lane];
            if value > 0.0 && value < 1.0 { slope * parts.output[lane] } else { 0.0 }
        });
        add(grads.second_bias, &by_second);
        let mut by_passed = [0.0; 2 * FIRST];
        let rows = parts.second.as_chunks::<SECOND>().0.iter().zip(grads.second.as_chunks_mut::<SECOND>().0);
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
        add(grads.first_bias, &by_first);
        self.first_weights_backward(&by_first, grads.first);
        let (us, them) =
            self.turned[bucket * self.width * FIRST..][..self.width * FIRST].split_at(self.width / 2 * FIRST);
        Self::accumulator_backward(&by_first, us, accumulators.us, slopes.us);
        Self::accumulator_backward(&by_first, them, accumulators.them, slopes.them);
    }
}

impl Pairwise {
    /// The gradient of the first layer's weights, through the active products only.
    fn first_weights_backward(&self, by_first: &[f32; FIRST], gradient: &mut [f32]) {
        let rows = gradient.as_chunks_mut::<FIRST>().0;
        for &number in &self.active {
            add_scaled(&mut rows[number as usize], by_first, self.products[number as usize]);
        }
    }

    /// From the first hidden layer down into one side's accumulator; `turned` are the weights of its products.
    fn accumulator_backward(
        by_first: &[f32; FIRST],
        turned: &[f32],
        accumulator: &[f32],
        slopes: &mut [f32],
    ) {
        let by_first = by_first.map(Lanes::splat);
        let (left, right) = accumulator.split_at(accumulator.len() / 2);
        let (by_left, by_right) = slopes.split_at_mut(left.len());
        let factors = left.as_chunks::<LANES>().0.iter().zip(right.as_chunks::<LANES>().0);
        let slopes = by_left.as_chunks_mut::<LANES>().0.iter_mut().zip(by_right.as_chunks_mut::<LANES>().0);
        let blocks = turned.as_chunks::<{ FIRST * LANES }>().0;
        for (((a, b), (by_a, by_b)), block) in factors.zip(slopes).zip(blocks) {
            let (a, b) = (Lanes::load(a), Lanes::load(b));
            // Two sums hide the latency of the additions.
            let mut by = [Lanes::splat(0.0); 2];
            for (output, (by_first, weights)) in by_first.iter().zip(block.as_chunks::<LANES>().0).enumerate()
            {
                by[output % 2] = by[output % 2].plus_product(*by_first, Lanes::load(weights));
            }
            let by = by[0].plus(by[1]);
            // A factor at or below 0 makes the other's derivative 0, but its own must be cut off.
            let (a_clipped, b_clipped) = (a.clipped(), b.clipped());
            by.times(b_clipped).where_positive(a).where_below_one(a).store(by_a);
            by.times(a_clipped).where_positive(b).where_below_one(b).store(by_b);
        }
    }
}

/// The products of the clipped halves of an accumulator, rounded down as the engine's integers are. Rounding down
/// shifts what the next layer gets, and training without it cost 0.4 % of the held-out loss when quantising; the
/// derivatives are taken as if there were no rounding.
fn multiply(accumulator: &[f32], products: &mut [f32]) {
    let (steps, step) = (Lanes::splat(PRODUCT_STEPS), Lanes::splat(1.0 / PRODUCT_STEPS));
    let (left, right) = accumulator.split_at(products.len());
    let halves = left.as_chunks::<LANES>().0.iter().zip(right.as_chunks::<LANES>().0);
    for ((a, b), product) in halves.zip(products.as_chunks_mut::<LANES>().0) {
        let exact = Lanes::load(a).clipped().times(Lanes::load(b).clipped());
        exact.times(steps).floor().times(step).store(product);
    }
}

/// Lists the products that are not 0, without a branch: which they are cannot be predicted.
fn list_active(products: &[f32], active: &mut Vec<u32>) {
    active.resize(products.len() + LANES, 0);
    let mut count = 0;
    for (number, values) in products.as_chunks::<LANES>().0.iter().enumerate() {
        let (numbers, found) = Lanes::load(values).nonzero((number * LANES) as u32);
        active[count..count + LANES].copy_from_slice(&numbers);
        count += found;
    }
    active.truncate(count);
}

/// The first hidden layer before clipping; four partial sums hide the latency of the additions.
fn first_layer(parts: &Parts<&[f32]>, products: &[f32], active: &[u32]) -> [f32; FIRST] {
    let rows = parts.first.as_chunks::<FIRST>().0;
    let mut sums = [Lanes::splat(0.0); 4];
    let add = |sum: &mut Lanes, number: u32| {
        let (product, row) = (products[number as usize], &rows[number as usize]);
        *sum = sum.plus_product(Lanes::splat(product), Lanes::load(row));
    };
    let (fours, rest) = active.as_chunks::<4>();
    for four in fours {
        sums.iter_mut().zip(four).for_each(|(sum, &number)| add(sum, number));
    }
    sums.iter_mut().zip(rest).for_each(|(sum, &number)| add(sum, number));
    let [a, b, c, d] = sums;
    let mut first = [0.0; FIRST];
    first.copy_from_slice(parts.first_bias);
    Lanes::load(&first).plus(a.plus(b).plus(c.plus(d))).store(&mut first);
    first
}
