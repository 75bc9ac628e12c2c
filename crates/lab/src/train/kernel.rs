//! Operations on whole rows, whose lengths are multiples of [`LANES`].

use super::lanes::{LANES, Lanes};

fn chunks(row: &[f32]) -> impl Iterator<Item = Lanes> {
    row.as_chunks::<LANES>().0.iter().map(Lanes::load)
}

fn update(to: &mut [f32], rows: impl Iterator<Item = Lanes>, by: impl Fn(Lanes, Lanes) -> Lanes) {
    for (to, row) in to.as_chunks_mut::<LANES>().0.iter_mut().zip(rows) {
        by(Lanes::load(to), row).store(to);
    }
}

/// `to += row`.
#[inline]
pub(super) fn add(to: &mut [f32], row: &[f32]) {
    update(to, chunks(row), Lanes::plus);
}

/// `to -= row`.
#[inline]
pub(super) fn sub(to: &mut [f32], row: &[f32]) {
    update(to, chunks(row), Lanes::minus);
}

/// A table of rows that are as wide as an accumulator.
#[derive(Clone, Copy)]
pub(super) struct Table<'a> {
    pub(super) rows: &'a [f32],
    pub(super) width: usize,
}

/// So many registers of an accumulator are handled at a time: they stay in the processor while rows pass by.
const REGISTERS: usize = 4;
const BLOCK: usize = REGISTERS * LANES;

impl Table<'_> {
    /// Row after row, each by its number.
    fn blocks<'a>(
        &'a self,
        numbers: &'a [u32],
        block: usize,
    ) -> impl Iterator<Item = [Lanes; REGISTERS]> + 'a {
        numbers.iter().map(move |&number| {
            let row = &self.rows[number as usize * self.width + block * BLOCK..][..BLOCK];
            std::array::from_fn(|lane| Lanes::load(&row.as_chunks::<LANES>().0[lane]))
        })
    }

    /// `to = from + the rows of plus - the rows of minus`, in one pass over the accumulator.
    pub(super) fn sum(&self, to: &mut [f32], from: &[f32], plus: &[u32], minus: &[u32]) {
        let blocks = to.as_chunks_mut::<BLOCK>().0.iter_mut().zip(from.as_chunks::<BLOCK>().0);
        for (number, (to, from)) in blocks.enumerate() {
            let mut sums: [Lanes; REGISTERS] =
                std::array::from_fn(|lane| Lanes::load(&from.as_chunks::<LANES>().0[lane]));
            for row in self.blocks(plus, number) {
                sums.iter_mut().zip(row).for_each(|(sum, row)| *sum = sum.plus(row));
            }
            for row in self.blocks(minus, number) {
                sums.iter_mut().zip(row).for_each(|(sum, row)| *sum = sum.minus(row));
            }
            for (to, sum) in to.as_chunks_mut::<LANES>().0.iter_mut().zip(sums) {
                sum.store(to);
            }
        }
    }
}

/// `to += row * scale`.
#[inline(always)]
pub(super) fn add_scaled(to: &mut [f32], row: &[f32], scale: f32) {
    let scale = Lanes::splat(scale);
    update(to, chunks(row), |to, row| to.plus_product(row, scale));
}

/// The sum of the products.
#[inline(always)]
pub(super) fn dot(a: &[f32], b: &[f32]) -> f32 {
    chunks(a).zip(chunks(b)).fold(Lanes::splat(0.0), |sum, (a, b)| sum.plus_product(a, b)).sum()
}

/// A number clipped to 0..1.
#[inline(always)]
pub(super) fn clip(value: f32) -> f32 {
    value.clamp(0.0, 1.0)
}
