//! A small seeded generator of random numbers (SplitMix64), so that a failure can be repeated.

pub(crate) struct Random(rng::Random);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(rng::Random::new(seed))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0.bits()
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    pub(crate) fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    pub(crate) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// A value half of the time.
    pub(crate) fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.chance(2).then(|| make(self))
    }

    /// A list of up to `longest` values.
    pub(crate) fn list<T>(&mut self, longest: usize, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.below(longest + 1)).map(|_| make(self)).collect()
    }

    /// A number of any size, with the ends of the range more often than chance has them.
    pub(crate) fn number(&mut self) -> u64 {
        match self.below(8) {
            0 => 0,
            1 => u64::MAX,
            _ => self.next() >> self.below(64),
        }
    }

    /// A signed number of any size.
    pub(crate) fn signed(&mut self) -> i64 {
        if self.chance(8) { i64::MIN } else { self.number() as i64 }
    }
}
