//! WebAssembly's vectors: registers of 16 bytes, where the module is built with them.
//!
//! The compilers of browsers translate instruction by instruction: they neither reorder nor unroll much, load everything
//! of a block before they compute, and have sixteen registers on x86-64. So these loops are written for few instructions and few
//! registers, where the others are written for wide ones.
#![allow(unsafe_code, reason = "loads and stores of registers take pointers")]

mod attacks;
mod pairwise;
mod rows;

use std::arch::wasm32::*;

use super::{Kernels, packing};
use crate::features::Plain;
use crate::format::WIDTH_STEP;
use crate::quantisation::QA;

/// How many i16 a register holds.
const LANES: usize = 8;

/// The module was built with the instructions, so that nothing has to be enabled.
pub(super) const KERNELS: Kernels = Kernels {
    update: rows::update,
    refresh: rows::refresh,
    attacks: attacks::by_colors,
    threat_changes: |before, after, changes| before.changes_to::<Plain>(after, changes),
    direct,
    pairwise: pairwise::pairwise,
    pack_threats: packing::pack_threats::<LANES>,
    unpack_threats: packing::unpack_threats::<LANES>,
    input_order: |place| place,
    weight_order: pairwise::weight_order,
    first_weight_bytes: 2,
};

/// See [`Kernels::direct`].
fn direct(us: &[i16], them: &[i16], weights: &[i16]) -> i32 {
    let width = us.len();
    assert!(width.is_multiple_of(WIDTH_STEP) && them.len() == width && weights.len() == 2 * width);
    let mut sum = i32x4_splat(0);
    for (accumulator, weights) in [us, them].into_iter().zip(weights.chunks_exact(width)) {
        for (values, weights) in accumulator.as_chunks::<LANES>().0.iter().zip(weights.as_chunks::<LANES>().0)
        {
            // SAFETY: both are as long as a register.
            let [values, weights] =
                [values, weights].map(|place| unsafe { v128_load(place.as_ptr().cast()) });
            let values = clipped(values);
            sum = i32x4_add(sum, i32x4_dot_i16x8(i16x8_mul(values, weights), values));
        }
    }
    total32(sum)
}

/// Accumulated values as the heads begin with them.
#[inline(always)]
fn clipped(values: v128) -> v128 {
    i16x8_min(i16x8_max(values, i16x8_splat(0)), i16x8_splat(QA as i16))
}

/// The sum of all i32.
#[inline(always)]
fn total32(values: v128) -> i32 {
    i32x4_extract_lane::<0>(values)
        .wrapping_add(i32x4_extract_lane::<1>(values))
        .wrapping_add(i32x4_extract_lane::<2>(values))
        .wrapping_add(i32x4_extract_lane::<3>(values))
}
