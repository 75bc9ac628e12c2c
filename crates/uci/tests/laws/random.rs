//! Random values for the tests of the parsers.

pub(crate) use rng::Random;

pub(crate) trait RandomValues: Sized {
    fn chance(&mut self, one_in: usize) -> bool;

    fn pick<T: Copy>(&mut self, items: &[T]) -> T;

    /// A value half of the time.
    fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T>;

    /// A list of up to `longest` values.
    fn list<T>(&mut self, longest: usize, make: impl FnMut(&mut Self) -> T) -> Vec<T>;

    /// A number of any size, with the ends of the range more often than chance has them.
    fn number(&mut self) -> u64;

    /// A signed number of any size.
    fn signed(&mut self) -> i64;
}

impl RandomValues for Random {
    fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.chance(2).then(|| make(self))
    }

    fn list<T>(&mut self, longest: usize, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.below(longest + 1)).map(|_| make(self)).collect()
    }

    fn number(&mut self) -> u64 {
        match self.below(8) {
            0 => 0,
            1 => u64::MAX,
            _ => self.bits() >> self.below(64),
        }
    }

    fn signed(&mut self) -> i64 {
        if self.chance(8) { i64::MIN } else { self.number() as i64 }
    }
}
