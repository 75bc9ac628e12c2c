//! SIMD vectors of sixteen numbers: one register with AVX-512, two with AVX2 and FMA, otherwise an array for the
//! compiler to vectorise.
//!
//! The compiler turned plain loops into vectors of eight or even two numbers; this type made training a quarter faster.
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

#[cfg(all(target_feature = "avx2", target_feature = "fma", not(target_feature = "avx512f")))]
mod vector {
    use std::arch::x86_64::*;

    use super::LANES;

    /// Sixteen numbers, in two registers.
    #[derive(Clone, Copy)]
    pub(in super::super) struct Lanes(__m256, __m256);

    // SAFETY (all blocks below): the target has the instructions, which is what makes the value intrinsics unsafe to
    // call from functions that do not name it; loads and stores need no alignment and their arrays are as long as
    // both registers of 32 bytes.
    impl Lanes {
        #[inline(always)]
        pub(in super::super) fn load(from: &[f32; LANES]) -> Self {
            // SAFETY: see above.
            unsafe { Self(_mm256_loadu_ps(from.as_ptr()), _mm256_loadu_ps(from[8..].as_ptr())) }
        }

        #[inline(always)]
        pub(in super::super) fn store(self, to: &mut [f32; LANES]) {
            // SAFETY: see above.
            unsafe {
                _mm256_storeu_ps(to.as_mut_ptr(), self.0);
                _mm256_storeu_ps(to[8..].as_mut_ptr(), self.1);
            }
        }

        #[inline(always)]
        pub(in super::super) fn splat(value: f32) -> Self {
            // SAFETY: see above.
            let value = unsafe { _mm256_set1_ps(value) };
            Self(value, value)
        }

        #[inline(always)]
        pub(in super::super) fn plus(self, other: Self) -> Self {
            // SAFETY: see above.
            unsafe { Self(_mm256_add_ps(self.0, other.0), _mm256_add_ps(self.1, other.1)) }
        }

        #[inline(always)]
        pub(in super::super) fn minus(self, other: Self) -> Self {
            // SAFETY: see above.
            unsafe { Self(_mm256_sub_ps(self.0, other.0), _mm256_sub_ps(self.1, other.1)) }
        }

        #[inline(always)]
        pub(in super::super) fn times(self, other: Self) -> Self {
            // SAFETY: see above.
            unsafe { Self(_mm256_mul_ps(self.0, other.0), _mm256_mul_ps(self.1, other.1)) }
        }

        /// `self + a * b`
        #[inline(always)]
        pub(in super::super) fn plus_product(self, a: Self, b: Self) -> Self {
            // SAFETY: see above.
            unsafe { Self(_mm256_fmadd_ps(a.0, b.0, self.0), _mm256_fmadd_ps(a.1, b.1, self.1)) }
        }

        /// Rounded down to whole numbers.
        #[inline(always)]
        pub(in super::super) fn floor(self) -> Self {
            // SAFETY: see above.
            unsafe { Self(_mm256_floor_ps(self.0), _mm256_floor_ps(self.1)) }
        }

        /// Clipped to 0..1.
        #[inline(always)]
        pub(in super::super) fn clipped(self) -> Self {
            // SAFETY: see above.
            unsafe {
                let (zero, one) = (_mm256_setzero_ps(), _mm256_set1_ps(1.0));
                let clip = |values| _mm256_min_ps(_mm256_max_ps(values, zero), one);
                Self(clip(self.0), clip(self.1))
            }
        }

        /// Itself where `other` is below 1, else 0.
        #[inline(always)]
        pub(in super::super) fn where_below_one(self, other: Self) -> Self {
            // SAFETY: see above.
            unsafe {
                let one = _mm256_set1_ps(1.0);
                let cut = |values, by| _mm256_and_ps(values, _mm256_cmp_ps::<_CMP_LT_OQ>(by, one));
                Self(cut(self.0, other.0), cut(self.1, other.1))
            }
        }

        /// Itself where `other` is above 0, else 0.
        #[inline(always)]
        pub(in super::super) fn where_positive(self, other: Self) -> Self {
            // SAFETY: see above.
            unsafe {
                let zero = _mm256_setzero_ps();
                let cut = |values, by| _mm256_and_ps(values, _mm256_cmp_ps::<_CMP_GT_OQ>(by, zero));
                Self(cut(self.0, other.0), cut(self.1, other.1))
            }
        }

        /// The sum of all.
        #[inline(always)]
        pub(in super::super) fn sum(self) -> f32 {
            // SAFETY: see above.
            unsafe {
                let eight = _mm256_add_ps(self.0, self.1);
                let four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps::<1>(eight));
                let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
                _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)))
            }
        }

        /// The numbers, counted from `first`, of the lanes that are not 0, in order, and how many there are.
        #[inline(always)]
        pub(in super::super) fn nonzero(self, first: u32) -> ([u32; LANES], usize) {
            // SAFETY: see above.
            let mut mask = unsafe {
                let zero = _mm256_setzero_ps();
                let bits = |values| _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_NEQ_UQ>(values, zero)) as u32;
                bits(self.0) | bits(self.1) << 8
            };
            let (mut numbers, mut count) = ([0; LANES], 0);
            while mask != 0 {
                numbers[count] = first + mask.trailing_zeros();
                mask &= mask - 1;
                count += 1;
            }
            (numbers, count)
        }
    }
}

#[cfg(not(any(target_feature = "avx512f", all(target_feature = "avx2", target_feature = "fma"))))]
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

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(lanes: Lanes) -> [f32; LANES] {
        let mut numbers = [0.0; LANES];
        lanes.store(&mut numbers);
        numbers
    }

    #[test]
    fn every_operation_by_plain_arithmetic() {
        let a: [f32; LANES] = std::array::from_fn(|lane| lane as f32 * 0.25 - 1.5);
        let b: [f32; LANES] =
            std::array::from_fn(|lane| if lane % 3 == 0 { 0.0 } else { 2.0 - lane as f32 * 0.5 });
        let (x, y) = (Lanes::load(&a), Lanes::load(&b));
        let each = |by: &dyn Fn(f32, f32) -> f32| -> [f32; LANES] {
            std::array::from_fn(|lane| by(a[lane], b[lane]))
        };
        assert_eq!(stored(x.plus(y)), each(&|a, b| a + b));
        assert_eq!(stored(x.minus(y)), each(&|a, b| a - b));
        assert_eq!(stored(x.times(y)), each(&|a, b| a * b));
        assert_eq!(stored(Lanes::splat(3.0).plus_product(x, y)), each(&|a, b| 3.0 + a * b));
        assert_eq!(stored(x.floor()), each(&|a, _| a.floor()));
        assert_eq!(stored(x.clipped()), each(&|a, _| a.clamp(0.0, 1.0)));
        assert_eq!(stored(x.where_below_one(y)), each(&|a, b| if b < 1.0 { a } else { 0.0 }));
        assert_eq!(stored(x.where_positive(y)), each(&|a, b| if b > 0.0 { a } else { 0.0 }));
        assert_eq!(x.sum(), a.iter().sum::<f32>());
        let (numbers, count) = y.nonzero(100);
        let expected: Vec<u32> =
            (0..16).filter(|&lane| b[lane as usize] != 0.0).map(|lane| 100 + lane).collect();
        assert_eq!(numbers[..count], expected);
    }
}
