//! The random numbers of a training run: the same on every machine, in independent streams.
//!
//! A network can be reproduced from its seed, so these streams must never change.

use rng::Random;

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub(super) struct Rng(Random);

impl Rng {
    /// The stream of this seed and number; any other pair gives an unrelated stream.
    pub(super) fn new(seed: u64, stream: u64) -> Self {
        let mut random = Random::new(seed ^ stream.wrapping_mul(0x9e6c_63d0_876a_3f6b));
        random.bits();
        Self(random)
    }

    /// The next 64 bits.
    pub(super) fn next(&mut self) -> u64 {
        self.0.bits()
    }

    /// A number below `limit`, which must not be 0; the bias of the multiplication is below one in four billion.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        (((self.next() >> 32) * limit as u64) >> 32) as usize
    }

    /// A number between -`limit` and `limit`.
    pub(super) fn uniform(&mut self, limit: f32) -> f32 {
        ((self.next() >> 40) as f32 / (1 << 23) as f32 - 1.0) * limit
    }

    /// Puts the items in random order.
    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for left in (1..items.len()).rev() {
            items.swap(left, self.below(left + 1));
        }
    }
}
