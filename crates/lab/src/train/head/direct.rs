//! The direct head: the square of each accumulator value, clipped to 0..1, times a weight.

use nnue::quantisation::{DIRECT_WEIGHT_LIMIT, QB};

use super::super::lanes::{LANES, Lanes};
use super::super::layout::Segment;
use super::{Head, OUTPUT_BUCKETS, Pair, block, block_mut};

/// The flat vector: for each bucket the weights of the side to move, then of the other side; then the biases.
pub(super) fn segments(width: usize) -> Vec<Segment> {
    let spread = (1.0 / width as f32).sqrt();
    let limit = f32::from(DIRECT_WEIGHT_LIMIT) / QB as f32;
    vec![
        Segment { len: 2 * width * OUTPUT_BUCKETS, limit, spread, centre: 0.0 },
        Segment { len: OUTPUT_BUCKETS, limit: f32::MAX, spread: 0.0, centre: 0.0 },
    ]
}

/// See the module.
pub(in super::super) struct Direct {
    width: usize,
}

impl Head for Direct {
    fn new(width: usize) -> Self {
        Self { width }
    }

    fn forward(&mut self, mut weights: &[f32], bucket: usize, accumulators: &Pair<&[f32]>) -> f32 {
        let (us, them) = block(&mut weights, 2 * self.width, bucket).split_at(self.width);
        dot(accumulators.us, us) + dot(accumulators.them, them) + weights[bucket]
    }

    fn backward(
        &mut self,
        mut weights: &[f32],
        mut gradient: &mut [f32],
        bucket: usize,
        slope: f32,
        accumulators: &Pair<&[f32]>,
        slopes: &mut Pair<&mut [f32]>,
    ) {
        let (us, them) = block(&mut weights, 2 * self.width, bucket).split_at(self.width);
        let (us_gradient, them_gradient) =
            block_mut(&mut gradient, 2 * self.width, bucket).split_at_mut(self.width);
        gradient[bucket] += slope;
        spread(accumulators.us, us, us_gradient, slopes.us, slope);
        spread(accumulators.them, them, them_gradient, slopes.them, slope);
    }
}

fn dot(accumulator: &[f32], weights: &[f32]) -> f32 {
    // Two sums hide the latency of the additions.
    let mut sums = [Lanes::splat(0.0); 2];
    let chunks = accumulator.as_chunks::<LANES>().0.iter().zip(weights.as_chunks::<LANES>().0);
    for (number, (values, weights)) in chunks.enumerate() {
        let value = Lanes::load(values).clipped();
        sums[number % 2] = sums[number % 2].plus_product(value.times(value), Lanes::load(weights));
    }
    sums[0].plus(sums[1]).sum()
}

fn spread(accumulator: &[f32], weights: &[f32], gradient: &mut [f32], slopes: &mut [f32], slope: f32) {
    let (slope, twice) = (Lanes::splat(slope), Lanes::splat(2.0 * slope));
    let inputs = accumulator.as_chunks::<LANES>().0.iter().zip(weights.as_chunks::<LANES>().0);
    let outputs = gradient.as_chunks_mut::<LANES>().0.iter_mut().zip(slopes.as_chunks_mut::<LANES>().0);
    for ((raw, weight), (gradient, by)) in inputs.zip(outputs) {
        let raw = Lanes::load(raw);
        let value = raw.clipped();
        Lanes::load(gradient).plus_product(value.times(value), slope).store(gradient);
        // Outside of 0..1 the derivative is 0; below 0 the clipped value makes it 0.
        let inside = value.where_below_one(raw);
        Lanes::load(weight).times(twice).times(inside).store(by);
    }
}
