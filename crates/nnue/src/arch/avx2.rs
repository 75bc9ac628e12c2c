//! AVX2: registers of 32 bytes (Intel since Haswell, AMD since Excavator).
#![allow(unsafe_code, reason = "instructions that not every processor has")]
#![allow(unsafe_op_in_unsafe_fn, reason = "each function is one instruction under the contract of the trait")]

use std::arch::x86_64::*;

use super::attacks::{self, Directions};
use super::vector::{self, Vector};
use super::{Kernels, Rows};
use crate::network::Hidden;
use crate::quantisation::PRODUCT_SHIFT;

vector::kernels!(
    Avx2,
    "avx2,bmi1,popcnt",
    attacks::by_steps::<Lines>,
    |place| {
        // Packing takes eight values in turn from each of the two registers.
        let (block, within) = (place / 32 * 32, place % 32);
        block + within / 16 * 8 + within % 8 + if within % 16 < 8 { 0 } else { 16 }
    },
    vector::by_output
);

pub(super) fn is_available() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("popcnt")
}

#[derive(Clone, Copy)]
struct Avx2(__m256i);

impl crate::features::threats::changes::Differences for Avx2 {}

impl Vector for Avx2 {
    const LANES: usize = 16;
    const REGISTERS: usize = 16;

    #[inline(always)]
    unsafe fn load<T>(from: *const T) -> Self {
        Self(_mm256_loadu_si256(from.cast()))
    }
    #[inline(always)]
    unsafe fn store<T>(self, to: *mut T) {
        _mm256_storeu_si256(to.cast(), self.0);
    }
    #[inline(always)]
    unsafe fn splat16(value: i16) -> Self {
        Self(_mm256_set1_epi16(value))
    }
    #[inline(always)]
    unsafe fn splat32(value: i32) -> Self {
        Self(_mm256_set1_epi32(value))
    }

    #[inline(always)]
    unsafe fn add16(self, other: Self) -> Self {
        Self(_mm256_add_epi16(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn sub16(self, other: Self) -> Self {
        Self(_mm256_sub_epi16(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn min16(self, other: Self) -> Self {
        Self(_mm256_min_epi16(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn max16(self, other: Self) -> Self {
        Self(_mm256_max_epi16(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn shift_left16_by_8(self) -> Self {
        Self(_mm256_slli_epi16::<8>(self.0))
    }
    #[inline(always)]
    unsafe fn shift_right16_by_8(self) -> Self {
        Self(_mm256_srai_epi16::<8>(self.0))
    }
    #[inline(always)]
    unsafe fn mul16(self, other: Self) -> Self {
        Self(_mm256_mullo_epi16(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn scaled_product(self, other: Self) -> Self {
        // The high half drops 16 bits: 7 too many, which are added first.
        Self(_mm256_mulhi_epi16(_mm256_slli_epi16::<{ 16 - PRODUCT_SHIFT as i32 }>(self.0), other.0))
    }
    #[inline(always)]
    unsafe fn pack(self, other: Self) -> Self {
        Self(_mm256_packus_epi16(self.0, other.0))
    }

    #[inline(always)]
    unsafe fn add32(self, other: Self) -> Self {
        Self(_mm256_add_epi32(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn min32(self, other: Self) -> Self {
        Self(_mm256_min_epi32(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn max32(self, other: Self) -> Self {
        Self(_mm256_max_epi32(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn mul32(self, other: Self) -> Self {
        Self(_mm256_mullo_epi32(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn shift_left32<const BY: u32>(self) -> Self {
        // The immediate forms want an i32 constant; the compiler makes the same instruction of this.
        Self(_mm256_sll_epi32(self.0, _mm_cvtsi32_si128(BY as i32)))
    }
    #[inline(always)]
    unsafe fn shift_right32<const BY: u32>(self) -> Self {
        Self(_mm256_sra_epi32(self.0, _mm_cvtsi32_si128(BY as i32)))
    }
    #[inline(always)]
    unsafe fn or(self, other: Self) -> Self {
        Self(_mm256_or_si256(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn sum32(self) -> i32 {
        let four = _mm_add_epi32(_mm256_castsi256_si128(self.0), _mm256_extracti128_si256::<1>(self.0));
        let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
        _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two)))
    }
    #[inline(always)]
    unsafe fn nonzero32(self) -> u32 {
        let zero = _mm256_cmpeq_epi32(self.0, _mm256_setzero_si256());
        !_mm256_movemask_ps(_mm256_castsi256_ps(zero)) as u32
    }

    #[inline(always)]
    unsafe fn add_dot2(self, a: Self, b: Self) -> Self {
        self.add32(Self(_mm256_madd_epi16(a.0, b.0)))
    }
    #[inline(always)]
    unsafe fn add_group(self, inputs: i32, weights: *const i8) -> Self {
        // Two products of at most 127 * 127 do not saturate.
        let pairs = _mm256_maddubs_epi16(Self::splat32(inputs).0, Self::load(weights).0);
        self.add32(Self(_mm256_madd_epi16(pairs, _mm256_set1_epi16(1))))
    }
}

#[derive(Clone, Copy)]
struct Lines([__m256i; 2]);

impl Directions for Lines {
    #[inline(always)]
    unsafe fn load(words: &[u64; 8]) -> Self {
        let words = words.as_ptr().cast::<__m256i>();
        Self([_mm256_loadu_si256(words), _mm256_loadu_si256(words.add(1))])
    }
    #[inline(always)]
    unsafe fn new(straight: u64, diagonal: u64) -> Self {
        Self([_mm256_set1_epi64x(straight as i64), _mm256_set1_epi64x(diagonal as i64)])
    }
    #[inline(always)]
    unsafe fn and(self, other: Self) -> Self {
        Self([_mm256_and_si256(self.0[0], other.0[0]), _mm256_and_si256(self.0[1], other.0[1])])
    }
    #[inline(always)]
    unsafe fn or(self, other: Self) -> Self {
        Self([_mm256_or_si256(self.0[0], other.0[0]), _mm256_or_si256(self.0[1], other.0[1])])
    }
    #[inline(always)]
    unsafe fn turned(self, by: Self) -> Self {
        Self([turned(self.0[0], by.0[0]), turned(self.0[1], by.0[1])])
    }
    #[inline(always)]
    unsafe fn gathered(self) -> [u64; 2] {
        [gathered(self.0[0]), gathered(self.0[1])]
    }
}

#[inline(always)]
unsafe fn turned(words: __m256i, by: __m256i) -> __m256i {
    let rest = _mm256_sub_epi64(_mm256_set1_epi64x(64), by);
    _mm256_or_si256(_mm256_sllv_epi64(words, by), _mm256_srlv_epi64(words, rest))
}

#[inline(always)]
unsafe fn gathered(words: __m256i) -> u64 {
    let two = _mm_or_si128(_mm256_castsi256_si128(words), _mm256_extracti128_si256::<1>(words));
    (_mm_cvtsi128_si64(two) | _mm_extract_epi64::<1>(two)) as u64
}
