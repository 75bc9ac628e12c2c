//! WebAssembly's vectors: registers of 16 bytes, where the module is built with them.
#![allow(unsafe_code, reason = "the trait is written for instructions that not every processor has")]
#![allow(unsafe_op_in_unsafe_fn, reason = "each function is one instruction under the contract of the trait")]

mod attacks;

use std::arch::wasm32::*;

use super::vector::{self, Vector};
use super::{Kernels, Rows};
use crate::network::Hidden;
use crate::quantisation::PRODUCT_SHIFT;

vector::kernels!(Simd128, "simd128", 1, attacks::by_colors, |place| place, |output, input| {
    // Four outputs take 16 bytes: first the weights of the first two inputs for all of them, then those of the others.
    output / 4 * 16 + input / 2 * 8 + output % 4 * 2 + input % 2
});

#[derive(Clone, Copy)]
struct Simd128(v128);

impl crate::features::Differences for Simd128 {}

impl Vector for Simd128 {
    const LANES: usize = 8;
    const REGISTERS: usize = 16;
    const LISTS_ROWS: bool = true;

    #[inline(always)]
    unsafe fn load<T>(from: *const T) -> Self {
        Self(v128_load(from.cast()))
    }
    #[inline(always)]
    unsafe fn store<T>(self, to: *mut T) {
        v128_store(to.cast(), self.0);
    }
    #[inline(always)]
    unsafe fn splat16(value: i16) -> Self {
        Self(i16x8_splat(value))
    }
    #[inline(always)]
    unsafe fn splat32(value: i32) -> Self {
        Self(i32x4_splat(value))
    }

    #[inline(always)]
    unsafe fn add16(self, other: Self) -> Self {
        Self(i16x8_add(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn sub16(self, other: Self) -> Self {
        Self(i16x8_sub(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn min16(self, other: Self) -> Self {
        Self(i16x8_min(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn max16(self, other: Self) -> Self {
        Self(i16x8_max(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn shift_left16_by_8(self) -> Self {
        Self(i16x8_shl(self.0, 8))
    }
    #[inline(always)]
    unsafe fn shift_right16_by_8(self) -> Self {
        Self(i16x8_shr(self.0, 8))
    }
    #[inline(always)]
    unsafe fn mul16(self, other: Self) -> Self {
        Self(i16x8_mul(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn scaled_product(self, other: Self) -> Self {
        // No multiplication gives the high half. Where `other` is negative the product is packed to zero anyway, and
        // otherwise 255 * 255 fits 16 bits.
        Self(u16x8_shr(i16x8_mul(self.0, i16x8_max(other.0, i16x8_splat(0))), PRODUCT_SHIFT))
    }
    #[inline(always)]
    unsafe fn pack(self, other: Self) -> Self {
        Self(u8x16_narrow_i16x8(self.0, other.0))
    }

    #[inline(always)]
    unsafe fn add32(self, other: Self) -> Self {
        Self(i32x4_add(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn min32(self, other: Self) -> Self {
        Self(i32x4_min(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn max32(self, other: Self) -> Self {
        Self(i32x4_max(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn mul32(self, other: Self) -> Self {
        Self(i32x4_mul(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn shift_left32<const BY: u32>(self) -> Self {
        Self(i32x4_shl(self.0, BY))
    }
    #[inline(always)]
    unsafe fn shift_right32<const BY: u32>(self) -> Self {
        Self(i32x4_shr(self.0, BY))
    }
    #[inline(always)]
    unsafe fn or(self, other: Self) -> Self {
        Self(v128_or(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn sum32(self) -> i32 {
        i32x4_extract_lane::<0>(self.0)
            .wrapping_add(i32x4_extract_lane::<1>(self.0))
            .wrapping_add(i32x4_extract_lane::<2>(self.0))
            .wrapping_add(i32x4_extract_lane::<3>(self.0))
    }
    #[inline(always)]
    unsafe fn nonzero32(self) -> u32 {
        u32::from(i32x4_bitmask(i32x4_ne(self.0, i32x4_splat(0))))
    }

    #[inline(always)]
    unsafe fn add_dot2(self, a: Self, b: Self) -> Self {
        self.add32(Self(i32x4_dot_i16x8(a.0, b.0)))
    }
    #[inline(always)]
    unsafe fn add_group(self, inputs: i32, weights: *const i8) -> Self {
        // The inputs are at most 127. There is no product of bytes, but a widening load costs nothing extra.
        let inputs = i16x8_extend_low_u8x16(i32x4_splat(inputs));
        let first = i32x4_shuffle::<0, 0, 0, 0>(inputs, inputs);
        let second = i32x4_shuffle::<1, 1, 1, 1>(inputs, inputs);
        self.add_dot2(Self(first), Self(i16x8_load_extend_i8x8(weights)))
            .add_dot2(Self(second), Self(i16x8_load_extend_i8x8(weights.add(8))))
    }
}
