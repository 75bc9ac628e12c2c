//! The first hidden layer of the pairwise head, for some positions at a time: what is loaded of its weights and of
//! their gradient serves all of them.
//!
//! Most products are 0, since one of two clipped factors is; forward and for the gradient of its weights, the layer
//! therefore looks only at those that are not 0 in one of the positions, and loses nothing. On the way down into the
//! accumulators it is faster to compute all, in registers of inputs, than to pick the few.

use nnue::memory::ZeroedMemory;
use nnue::quantisation::FIRST;

use super::super::super::lanes::{LANES, Lanes};
use super::super::{GROUP, OUTPUT_BUCKETS, Pair};
use super::PRODUCT_STEPS;

/// A register of products of each position.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Products([[f32; LANES]; GROUP]);

/// See the module.
pub(super) struct FirstLayer {
    /// The weights of all buckets, in blocks of sixteen inputs: `[block][output][input of the block]`.
    turned: ZeroedMemory<f32>,
    /// The products of both sides.
    products: Vec<Products>,
    /// Which products are not 0 in every position; behind the first `found`, anything.
    active: Vec<u32>,
    found: usize,
}

impl FirstLayer {
    /// A layer above accumulators of this width.
    pub(super) fn new(width: usize) -> Self {
        Self {
            turned: ZeroedMemory::new(OUTPUT_BUCKETS * width * FIRST),
            products: vec![Products([[0.0; LANES]; GROUP]); width / LANES],
            active: vec![0; width + LANES],
            found: 0,
        }
    }

    /// Turns the weights for the way down.
    pub(super) fn prepare(&mut self, weights: &[f32]) {
        let blocks = weights.as_chunks::<{ FIRST * LANES }>().0;
        for (turned, block) in self.turned.as_chunks_mut::<{ FIRST * LANES }>().0.iter_mut().zip(blocks) {
            for (output, row) in turned.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
                *row = std::array::from_fn(|input| block[input * FIRST + output]);
            }
        }
    }

    /// The layer's values before clipping, from a bucket's weights and biases.
    pub(super) fn forward<const N: usize>(
        &mut self,
        weights: &[f32],
        bias: &[f32],
        accumulators: &[Pair<&mut [f32]>; N],
    ) -> [[f32; FIRST]; N] {
        self.found = 0;
        let half = self.products.len() / 2;
        self.multiply(0, accumulators.each_ref().map(|pair| &*pair.us));
        self.multiply(half, accumulators.each_ref().map(|pair| &*pair.them));
        let rows = weights.as_chunks::<FIRST>().0;
        // Two sums of each position hide the latency of the additions.
        let mut sums = [[Lanes::splat(0.0); 2]; N];
        let (twos, rest) = self.active[..self.found].as_chunks::<2>();
        for two in twos {
            for (sum, &number) in two.iter().enumerate() {
                let (products, row) = (self.products_of(number), Lanes::load(&rows[number as usize]));
                for position in 0..N {
                    sums[position][sum] = sums[position][sum].plus_product(products[position], row);
                }
            }
        }
        for &number in rest {
            let (products, row) = (self.products_of(number), Lanes::load(&rows[number as usize]));
            for position in 0..N {
                sums[position][0] = sums[position][0].plus_product(products[position], row);
            }
        }
        sums.map(|[even, odd]| {
            let mut first = [0.0; FIRST];
            first.copy_from_slice(bias);
            Lanes::load(&first).plus(even.plus(odd)).store(&mut first);
            first
        })
    }

    /// The products of the clipped halves of one side's accumulators, rounded down as the engine's integers are, to be
    /// stored from a block on; and lists which are not 0, without a branch: which they are cannot be predicted.
    ///
    /// Rounding down shifts what the next layer gets, and training without it cost 0.4 % of the held-out loss when
    /// quantising; the derivatives are taken as if there were no rounding.
    fn multiply<const N: usize>(&mut self, first_block: usize, accumulators: [&[f32]; N]) {
        let (steps, step) = (Lanes::splat(PRODUCT_STEPS), Lanes::splat(1.0 / PRODUCT_STEPS));
        let count = self.products.len() / 2;
        let halves = accumulators.map(|accumulator| {
            let chunks = accumulator.as_chunks::<LANES>().0;
            (&chunks[..count], &chunks[count..][..count])
        });
        let blocks = &mut self.products[first_block..][..count];
        for (number, Products(products)) in blocks.iter_mut().enumerate() {
            let mut sum = Lanes::splat(0.0);
            for ((left, right), product) in halves.iter().zip(products) {
                let exact = Lanes::load(&left[number]).clipped().times(Lanes::load(&right[number]).clipped());
                let rounded = exact.times(steps).floor().times(step);
                rounded.store(product);
                sum = sum.plus(rounded);
            }
            let (numbers, found) = sum.nonzero(((first_block + number) * LANES) as u32);
            self.active[self.found..][..LANES].copy_from_slice(&numbers);
            self.found += found;
        }
    }

    /// The product with a number, of each position.
    #[inline(always)]
    fn products_of(&self, number: u32) -> [Lanes; GROUP] {
        let Products(block) = &self.products[number as usize / LANES];
        block.each_ref().map(|products| Lanes::splat(products[number as usize % LANES]))
    }

    /// Adds to the gradient of a bucket's weights.
    pub(super) fn weights_backward<const N: usize>(
        &self,
        by_first: &[[f32; FIRST]; N],
        gradient: &mut [f32],
    ) {
        let by_first = by_first.each_ref().map(Lanes::load);
        let rows = gradient.as_chunks_mut::<FIRST>().0;
        for &number in &self.active[..self.found] {
            let (products, row) = (self.products_of(number), &mut rows[number as usize]);
            let terms = by_first.iter().zip(products);
            terms.fold(Lanes::load(row), |sum, (by, product)| sum.plus_product(*by, product)).store(row);
        }
    }

    /// Down into the accumulators, whose gradients take their places.
    pub(super) fn accumulators_backward<const N: usize>(
        &self,
        bucket: usize,
        by_first: &[[f32; FIRST]; N],
        accumulators: [Pair<&mut [f32]>; N],
    ) {
        let half = self.products.len() / 2;
        let blocks = self.turned.as_chunks::<LANES>().0.as_chunks::<FIRST>().0;
        let (us, them) = blocks[2 * half * bucket..][..2 * half].split_at(half);
        let mut sides = accumulators.map(|pair| [pair.us, pair.them]);
        for (side, blocks) in [us, them].into_iter().enumerate() {
            side_backward(blocks, by_first, sides.each_mut().map(|pair| &mut *pair[side]));
        }
    }
}

/// From the first hidden layer down into one side's accumulators, through the turned weights of its products.
fn side_backward<const N: usize>(
    blocks: &[[[f32; LANES]; FIRST]],
    by_first: &[[f32; FIRST]; N],
    accumulators: [&mut [f32]; N],
) {
    let mut halves = accumulators.map(|accumulator| {
        let (left, right) = accumulator.as_chunks_mut::<LANES>().0.split_at_mut(blocks.len());
        (left, &mut right[..blocks.len()])
    });
    for (number, block) in blocks.iter().enumerate() {
        let mut by = [Lanes::splat(0.0); N];
        for (output, weights) in block.iter().enumerate() {
            let weights = Lanes::load(weights);
            for position in 0..N {
                by[position] = by[position].plus_product(Lanes::splat(by_first[position][output]), weights);
            }
        }
        for ((left, right), by) in halves.iter_mut().zip(by) {
            let (left, right) = (&mut left[number], &mut right[number]);
            let (a, b) = (Lanes::load(left), Lanes::load(right));
            // A factor at or below 0 makes the other's derivative 0, but its own must be cut off.
            by.times(b.clipped()).where_positive(a).where_below_one(a).store(left);
            by.times(a.clipped()).where_positive(b).where_below_one(b).store(right);
        }
    }
}
