//! A small seeded generator of pseudo-random numbers (SplitMix64), for books, levels, openings, training and tests.
//!
//! A seed gives the same numbers on every platform and in every version: networks and games can be made again from it.

/// The generator.
///
/// ```
/// use rng::Random;
/// let mut random = Random::new(1);
/// assert_eq!(random.bits(), 0x910a_2dec_8902_5cc1);
/// assert!(random.below(6) < 6 && random.unit() < 1.0);
/// ```
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Starts from a seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The numbers of one game among many: the same for the same seed and number, unrelated to those of all others.
    pub const fn of_number(seed: u64, number: u64) -> Self {
        let base = Self(seed).bits();
        Self(Self(base.wrapping_add(number)).bits())
    }

    /// The next 64 bits.
    pub const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which is not zero.
    pub const fn below(&mut self, bound: usize) -> usize {
        ((self.bits() as u128 * bound as u128) >> 64) as usize
    }

    /// A number from `-limit` to `limit`.
    pub const fn within(&mut self, limit: i32) -> i32 {
        self.below(2 * limit as usize + 1) as i32 - limit
    }

    /// A number from 0 to 1, without 1 itself.
    pub const fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }
}
