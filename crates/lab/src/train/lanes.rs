//! Sixteen numbers at once: one register where the target has AVX-512, an array for the compiler to see to elsewhere.
//!
//! Plain loops became registers of eight or even two numbers; this type made training a quarter faster.
#![allow(unsafe_code, reason = "loads and stores of whole registers, each argued for")]

/// How many numbers are handled at once.
pub(super) const LANES: usize = 16;

#[cfg(target_feature = "avx512f")]
mod vector {
    use std::arch::x86_64::*;

    use super::LANES;

    /// Sixteen numbers.
    #[derive(Clone, Copy)]
    pub(in super::super) struct Lanes(__m512);

    // SAFETY (all blocks below): the target has the instructions, which is what makes the value intrinsics unsafe to
    // call from functions that do not name it; loads and stores need no alignment and their arrays are as long as
    // the register of 64 bytes.
    impl Lanes {
        #[inline(always)]
        pub(in super::super) fn load(from: &[f32; LANES]) -> Self {
            // SAFETY: see above.
            Self(unsafe { _mm512_loadu_ps(from.as_ptr()) })
        }

        #[inline(always)]
        pub(in super::super) fn store(self, to: &mut [f32; LANES]) {
            // SAFETY: see above.
            unsafe { _mm512_storeu_ps(to.as_mut_ptr(), self.0) }
        }

        #[inline(always)]
        pub(in super::super) fn splat(value: f32) -> Self {
            // SAFETY: see above.
            Self(unsafe { _mm512_set1_ps(value) })
        }

        #[inline(always)]
        pub(in super::super) fn plus(self, other: Self) -> Self {
            // SAFETY: see above.
            Self(unsafe { _mm512_add_ps(self.0, other.0) })
        }

        #[inline(always)]
        pub(in super::super) fn minus(self, other: Self) -> Self {
            // SAFETY: see above.
            Self(unsafe { _mm512_sub_ps(self.0, other.0) })
        }

        #[inline(always)]
        pub(in super::super) fn times(self, other: Self) -> Self {
            // SAFETY: see above.
            Self(unsafe { _mm512_mul_ps(self.0, other.0) })
        }

        /// `self + a * b`
        #[inline(always)]
        pub(in super::super) fn plus_product(self, a: Self, b: Self) -> Self {
            // SAFETY: see above.
            Self(unsafe { _mm512_fmadd_ps(a.0, b.0, self.0) })
        }

        /// Rounded down to whole numbers.
        #[inline(always)]
        pub(in super::super) fn floor(self) -> Self {
            // SAFETY: see above.
            Self(unsafe { _mm512_roundscale_ps::<{ _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC }>(self.0) })
        }

        /// Clipped to 0..1.
        #[inline(always)]
        pub(in super::super) fn clipped(self) -> Self {
            // SAFETY: see above.
            Self(unsafe { _mm512_min_ps(_mm512_max_ps(self.0, _mm512_setzero_ps()), _mm512_set1_ps(1.0)) })
        }

        /// Itself where `other` is below 1, else 0.
        #[inline(always)]
        pub(in super::super) fn where_below_one(self, other: Self) -> Self {
            // SAFETY: see above.
            Self(unsafe {
                let below = _mm512_cmp_ps_mask::<_CMP_LT_OQ>(other.0, _mm512_set1_ps(1.0));
                _mm512_maskz_mov_ps(below, self.0)
            })
        }

        /// Itself where `other` is above 0, else 0.
        #[inline(always)]
        pub(in super::super) fn where_positive(self, other: Self) -> Self {
            // SAFETY: see above.
            Self(unsafe {
                let above = _mm512_cmp_ps_mask::<_CMP_GT_OQ>(other.0, _mm512_setzero_ps());
                _mm512_maskz_mov_ps(above, self.0)
            })
        }

        /// The sum of all.
        #[inline(always)]
        pub(in super::super) fn sum(self) -> f32 {
            // SAFETY: see above.
            unsafe { _mm512_reduce_add_ps(self.0) }
        }

        /// The numbers, counted from `first`, of the lanes that are not 0, in order, and how many there are.
        #[inline(always)]
        pub(in super::super) fn nonzero(self, first: u32) -> ([u32; LANES], usize) {
            let mut numbers = [0; LANES];
            // SAFETY: see above.
            let mask = unsafe {
                let mask = _mm512_cmp_ps_mask::<_CMP_NEQ_UQ>(self.0, _mm512_setzero_ps());
                let counting = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
                let all = _mm512_add_epi32(counting, _mm512_set1_epi32(first as i32));
                _mm512_storeu_si512(numbers.as_mut_ptr().cast(), _mm512_maskz_compress_epi32(mask, all));
                mask
            };
            (numbers, mask.count_ones() as usize)
        }
    }
}

#[cfg(not(target_feature = "avx512f"))]
mod vector {
    use super::LANES;

    /// Sixteen numbers.
    #[derive(Clone, Copy)]
    pub(in super::super) struct Lanes([f32; LANES]);

    impl Lanes {
        pub(in super::super) fn load(from: &[f32; LANES]) -> Self {
            Self(*from)
        }

        pub(in super::super) fn store(self, to: &mut [f32; LANES]) {
            *to = self.0;
        }

        pub(in super::super) fn splat(value: f32) -> Self {
            Self([value; LANES])
        }

        fn with(self, other: Self, by: impl Fn(f32, f32) -> f32) -> Self {
            Self(std::array::from_fn(|lane| by(self.0[lane], other.0[lane])))
        }

        pub(in super::super) fn plus(self, other: Self) -> Self {
            self.with(other, |a, b| a + b)
        }

        pub(in super::super) fn minus(self, other: Self) -> Self {
            self.with(other, |a, b| a - b)
        }

        pub(in super::super) fn times(self, other: Self) -> Self {
            self.with(other, |a, b| a * b)
        }

        /// `self + a * b`
        pub(in super::super) fn plus_product(self, a: Self, b: Self) -> Self {
            self.plus(a.times(b))
        }

        /// Rounded down to whole numbers.
        pub(in super::super) fn floor(self) -> Self {
            Self(self.0.map(f32::floor))
        }

        /// Clipped to 0..1.
        pub(in super::super) fn clipped(self) -> Self {
            Self(self.0.map(|value| value.clamp(0.0, 1.0)))
        }

        /// Itself where `other` is below 1, else 0.
        pub(in super::super) fn where_below_one(self, other: Self) -> Self {
            self.with(other, |a, b| if b < 1.0 { a } else { 0.0 })
        }

        /// Itself where `other` is above 0, else 0.
        pub(in super::super) fn where_positive(self, other: Self) -> Self {
            self.with(other, |a, b| if b > 0.0 { a } else { 0.0 })
        }

        /// The sum of all.
        pub(in super::super) fn sum(self) -> f32 {
            let eight: [f32; 8] = std::array::from_fn(|lane| self.0[lane] + self.0[lane + 8]);
            let four: [f32; 4] = std::array::from_fn(|lane| eight[lane] + eight[lane + 4]);
            (four[0] + four[2]) + (four[1] + four[3])
        }

        /// The numbers, counted from `first`, of the lanes that are not 0, in order, and how many there are.
        pub(in super::super) fn nonzero(self, first: u32) -> ([u32; LANES], usize) {
            let (mut numbers, mut count) = ([0; LANES], 0);
            for (lane, value) in self.0.iter().enumerate() {
                numbers[count] = first + lane as u32;
                count += usize::from(*value != 0.0);
            }
            (numbers, count)
        }
    }
}

pub(super) use vector::Lanes;
