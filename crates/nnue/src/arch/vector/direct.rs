//! The direct head.
#![allow(unsafe_op_in_unsafe_fn, reason = "the contract of `Vector` covers every line of these functions")]

use super::{Vector, checked_width};
use crate::quantisation::QA;

/// Registers of each side that the direct head sums at once, each by itself, so that no addition waits for the
/// one before: a tenth faster than one with AVX-512.
const UNROLL: usize = 4;

/// See [`crate::arch::Kernels::direct`].
#[inline(always)]
pub(in crate::arch) unsafe fn direct<V: Vector>(us: &[i16], them: &[i16], weights: &[i16]) -> i32 {
    let width = checked_width::<V>(us);
    assert!(them.len() == width && weights.len() == 2 * width);
    let (zero, one) = (V::splat16(0), V::splat16(QA as i16));
    let mut sums = [[V::splat32(0); UNROLL]; 2];
    let mut at = 0;
    while at < width {
        for (side, accumulator) in [us, them].into_iter().enumerate() {
            for (index, sum) in sums[side].iter_mut().enumerate() {
                let place = at + index * V::LANES;
                let value = V::load(accumulator.as_ptr().add(place)).max16(zero).min16(one);
                let weight = V::load(weights.as_ptr().add(side * width + place));
                *sum = sum.add_dot2(value.mul16(weight), value);
            }
        }
        at += UNROLL * V::LANES;
    }
    let mut total = V::splat32(0);
    for sum in sums.as_flattened() {
        total = total.add32(*sum);
    }
    total.sum32()
}
