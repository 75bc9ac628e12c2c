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

/// `to += plus - minus`: what a quiet move does to an accumulator, in one pass.
#[inline]
pub(super) fn add_sub(to: &mut [f32], plus: &[f32], minus: &[f32]) {
    let rows = chunks(plus).zip(chunks(minus)).map(|(plus, minus)| plus.minus(minus));
    update(to, rows, Lanes::plus);
}

/// `to += plus - minus - gone`: what a capture does.
#[inline]
pub(super) fn add_sub_sub(to: &mut [f32], plus: &[f32], minus: &[f32], gone: &[f32]) {
    let rows = chunks(plus).zip(chunks(minus)).zip(chunks(gone));
    update(to, rows.map(|((plus, minus), gone)| plus.minus(minus).minus(gone)), Lanes::plus);
}

/// `to = bias + the sum of the rows`, a block of the width at a time so that the sums stay in registers.
pub(super) fn sum_rows(to: &mut [f32], bias: &[f32], rows: &[&[f32]]) {
    const REGISTERS: usize = 4;
    const BLOCK: usize = REGISTERS * LANES;
    fn block(row: &[f32; BLOCK]) -> [Lanes; REGISTERS] {
        std::array::from_fn(|number| Lanes::load(&row.as_chunks::<LANES>().0[number]))
    }
    let blocks = to.as_chunks_mut::<BLOCK>().0.iter_mut().zip(bias.as_chunks::<BLOCK>().0);
    for (number, (to, bias)) in blocks.enumerate() {
        let mut sums = block(bias);
        for row in rows {
            let row = block(&row.as_chunks::<BLOCK>().0[number]);
            for (sum, row) in sums.iter_mut().zip(row) {
                *sum = sum.plus(row);
            }
        }
        for (to, sum) in to.as_chunks_mut::<LANES>().0.iter_mut().zip(sums) {
            sum.store(to);
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
