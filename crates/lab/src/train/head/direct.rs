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

    fn forward<const N: usize>(
        &mut self,
        mut weights: &[f32],
        bucket: usize,
        accumulators: &[Pair<&mut [f32]>; N],
    ) -> [f32; N] {
        let (us, them) = block(&mut weights, 2 * self.width, bucket).split_at(self.width);
        accumulators.each_ref().map(|pair| dot(pair.us, us) + dot(pair.them, them) + weights[bucket])
    }

    fn backward<const N: usize>(
        &mut self,
        mut weights: &[f32],
        mut gradient: &mut [f32],
        bucket: usize,
        slopes: [f32; N],
        accumulators: [Pair<&mut [f32]>; N],
    ) {
        let (us, them) = block(&mut weights, 2 * self.width, bucket).split_at(self.width);
        let (us_gradient, them_gradient) =
            block_mut(&mut gradient, 2 * self.width, bucket).split_at_mut(self.width);
        for (slope, pair) in slopes.into_iter().zip(accumulators) {
            gradient[bucket] += slope;
            spread(pair.us, us, us_gradient, slope);
            spread(pair.them, them, them_gradient, slope);
        }
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

/// Adds to the gradient of the weights, and puts that of the accumulator in its place.
fn spread(accumulator: &mut [f32], weights: &[f32], gradient: &mut [f32], slope: f32) {
    let (slope, twice) = (Lanes::splat(slope), Lanes::splat(2.0 * slope));
    let weights = weights.as_chunks::<LANES>().0.iter().zip(gradient.as_chunks_mut::<LANES>().0);
    for (place, (weight, gradient)) in accumulator.as_chunks_mut::<LANES>().0.iter_mut().zip(weights) {
        let raw = Lanes::load(place);
        let value = raw.clipped();
        Lanes::load(gradient).plus_product(value.times(value), slope).store(gradient);
        // Outside of 0..1 the derivative is 0; below 0 the clipped value makes it 0.
        let inside = value.where_below_one(raw);
        Lanes::load(weight).times(twice).times(inside).store(place);
    }
}
