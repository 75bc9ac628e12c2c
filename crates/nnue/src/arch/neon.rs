//! NEON: registers of 16 bytes, on every 64-bit ARM.
#![allow(unsafe_code, reason = "the trait is written for instructions that not every processor has")]
#![allow(unsafe_op_in_unsafe_fn, reason = "each function is one instruction under the contract of the trait")]

use std::arch::aarch64::*;

use super::vector::{self, Vector};
use super::{Kernels, Rows};
use crate::network::Hidden;
use crate::quantisation::PRODUCT_SHIFT;

vector::kernels!(Neon, "neon", crate::features::by_tables, |place| place, vector::by_output);

#[derive(Clone, Copy)]
struct Neon(int16x8_t);

impl Neon {
    #[inline(always)]
    unsafe fn from32(value: int32x4_t) -> Self {
        Self(vreinterpretq_s16_s32(value))
    }
    #[inline(always)]
    unsafe fn as32(self) -> int32x4_t {
        vreinterpretq_s32_s16(self.0)
    }
}

impl crate::features::threats::changes::Differences for Neon {}

impl Vector for Neon {
    const LANES: usize = 8;
    const REGISTERS: usize = 32;

    #[inline(always)]
    unsafe fn load<T>(from: *const T) -> Self {
        Self(vreinterpretq_s16_u8(vld1q_u8(from.cast())))
    }
    #[inline(always)]
    unsafe fn store<T>(self, to: *mut T) {
        vst1q_u8(to.cast(), vreinterpretq_u8_s16(self.0));
    }
    #[inline(always)]
    unsafe fn splat16(value: i16) -> Self {
        Self(vdupq_n_s16(value))
    }
    #[inline(always)]
    unsafe fn splat32(value: i32) -> Self {
        Self::from32(vdupq_n_s32(value))
    }

    #[inline(always)]
    unsafe fn add16(self, other: Self) -> Self {
        Self(vaddq_s16(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn sub16(self, other: Self) -> Self {
        Self(vsubq_s16(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn min16(self, other: Self) -> Self {
        Self(vminq_s16(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn max16(self, other: Self) -> Self {
        Self(vmaxq_s16(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn shift_left16_by_8(self) -> Self {
        Self(vshlq_n_s16::<8>(self.0))
    }
    #[inline(always)]
    unsafe fn shift_right16_by_8(self) -> Self {
        Self(vshrq_n_s16::<8>(self.0))
    }
    #[inline(always)]
    unsafe fn mul16(self, other: Self) -> Self {
        Self(vmulq_s16(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn scaled_product(self, other: Self) -> Self {
        // This multiplication doubles and then drops 16 bits: 6 too many, which are added first.
        Self(vqdmulhq_s16(vshlq_n_s16::<{ 15 - PRODUCT_SHIFT as i32 }>(self.0), other.0))
    }
    #[inline(always)]
    unsafe fn pack(self, other: Self) -> Self {
        Self(vreinterpretq_s16_u8(vcombine_u8(vqmovun_s16(self.0), vqmovun_s16(other.0))))
    }

    #[inline(always)]
    unsafe fn add32(self, other: Self) -> Self {
        Self::from32(vaddq_s32(self.as32(), other.as32()))
    }
    #[inline(always)]
    unsafe fn min32(self, other: Self) -> Self {
        Self::from32(vminq_s32(self.as32(), other.as32()))
    }
    #[inline(always)]
    unsafe fn max32(self, other: Self) -> Self {
        Self::from32(vmaxq_s32(self.as32(), other.as32()))
    }
    #[inline(always)]
    unsafe fn mul32(self, other: Self) -> Self {
        Self::from32(vmulq_s32(self.as32(), other.as32()))
    }
    #[inline(always)]
    unsafe fn shift_left32<const BY: u32>(self) -> Self {
        Self::from32(vshlq_s32(self.as32(), vdupq_n_s32(BY as i32)))
    }
    #[inline(always)]
    unsafe fn shift_right32<const BY: u32>(self) -> Self {
        // A shift to the left by a negative number: there is no other with the count in a register.
        Self::from32(vshlq_s32(self.as32(), vdupq_n_s32(-(BY as i32))))
    }
    #[inline(always)]
    unsafe fn or(self, other: Self) -> Self {
        Self(vorrq_s16(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn sum32(self) -> i32 {
        vaddvq_s32(self.as32())
    }
    #[inline(always)]
    unsafe fn nonzero32(self) -> u32 {
        let bits = vld1q_u32([1, 2, 4, 8].as_ptr());
        let lanes = vreinterpretq_u32_s16(self.0);
        vaddvq_u32(vandq_u32(vtstq_u32(lanes, lanes), bits))
    }

    #[inline(always)]
    unsafe fn add_dot2(self, a: Self, b: Self) -> Self {
        let low = vmull_s16(vget_low_s16(a.0), vget_low_s16(b.0));
        let high = vmull_high_s16(a.0, b.0);
        self.add32(Self::from32(vpaddq_s32(low, high)))
    }
    #[inline(always)]
    unsafe fn add_group(self, inputs: i32, weights: *const i8) -> Self {
        // The unsigned bytes are at most 127, so they are the same as signed ones.
        let (a, b) = (vreinterpretq_s8_s16(Self::splat32(inputs).0), vld1q_s8(weights));
        let low = vmull_s8(vget_low_s8(a), vget_low_s8(b));
        let high = vmull_high_s8(a, b);
        Self::from32(vpadalq_s16(self.as32(), vpaddq_s16(low, high)))
    }
}
