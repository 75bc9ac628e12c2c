//! A small seeded random number generator (SplitMix64): the same on every machine, and its state is one number.

/// SplitMix64.
#[derive(Clone, Debug)]
pub(super) struct Rng(u64);

impl Rng {
    /// A generator for one purpose: seeds that differ in any part give unrelated streams.
    pub(super) fn new(seed: u64, stream: u64) -> Self {
        let mut rng = Self(seed ^ stream.wrapping_mul(0x9e6c_63d0_876a_3f6b));
        rng.next();
        rng
    }

    /// The next 64 bits.
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
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
