//! The algorithm, once for all instruction sets of native programs that have vectors.
//!
//! Each function is always inlined into one that enables the instructions, see [`kernels`].
#![allow(unsafe_code, reason = "instructions that not every processor has")]

mod direct;
mod pairwise;
mod rows;

pub(super) use direct::direct;
pub(super) use pairwise::pairwise;
pub(super) use rows::{refresh, update};

use crate::format::WIDTH_STEP;

/// How many numbers [`Vector::list_nonzero32`] writes, wanted or not, at most.
const LISTED_AT_ONCE: usize = 16;

/// A register and its instructions.
///
/// # Safety of the methods
/// The processor must have the instructions, and pointers must be good for one register of memory. No alignment is
/// needed.
pub(super) trait Vector: Copy {
    /// How many i16 a register holds; it holds half as many i32 and twice as many bytes.
    const LANES: usize;
    /// How many registers there are.
    const REGISTERS: usize;

    unsafe fn load<T>(from: *const T) -> Self;
    unsafe fn store<T>(self, to: *mut T);
    unsafe fn splat16(value: i16) -> Self;
    unsafe fn splat32(value: i32) -> Self;

    unsafe fn add16(self, other: Self) -> Self;
    unsafe fn sub16(self, other: Self) -> Self;
    unsafe fn min16(self, other: Self) -> Self;
    unsafe fn max16(self, other: Self) -> Self;
    unsafe fn shift_left16_by_8(self) -> Self;
    /// With copies of the sign.
    unsafe fn shift_right16_by_8(self) -> Self;
    /// The low half of the product.
    unsafe fn mul16(self, other: Self) -> Self;
    /// `self * other >> PRODUCT_SHIFT`, for `self` from 0 to 255.
    unsafe fn scaled_product(self, other: Self) -> Self;
    /// The i16 of both as bytes from 0 to 255, in the order that `Kernels::input_order` tells.
    unsafe fn pack(self, other: Self) -> Self;

    unsafe fn add32(self, other: Self) -> Self;
    unsafe fn min32(self, other: Self) -> Self;
    unsafe fn max32(self, other: Self) -> Self;
    unsafe fn mul32(self, other: Self) -> Self;
    unsafe fn shift_left32<const BY: u32>(self) -> Self;
    unsafe fn shift_right32<const BY: u32>(self) -> Self;
    unsafe fn or(self, other: Self) -> Self;
    /// The sum of all i32.
    unsafe fn sum32(self) -> i32;
    /// A bit for each i32 that is not zero.
    unsafe fn nonzero32(self) -> u32;
    /// Writes `first` plus the places of the i32 that are not zero, and returns how many there are. Up to
    /// [`LISTED_AT_ONCE`] numbers are written in any case.
    #[inline(always)]
    unsafe fn list_nonzero32(self, first: usize, list: *mut u16) -> usize {
        // SAFETY: the caller's promise.
        unsafe { pairwise::list_bits(self.nonzero32(), Self::LANES / 2, first, list) }
    }

    /// `self + a * b` where two neighbouring products of i16 go to each i32.
    unsafe fn add_dot2(self, a: Self, b: Self) -> Self;
    /// `self + inputs * weights` where the products of the four bytes of `inputs`, up to 127, go to each i32, with a
    /// register of weights in the order that `Kernels::weight_order` tells.
    unsafe fn add_group(self, inputs: i32, weights: *const i8) -> Self;
}

/// The weights of an output for one group of inputs are neighbours.
pub(super) fn by_output(output: usize, input: usize) -> usize {
    output * crate::network::GROUP + input
}

/// The functions of a `Kernels` table for one type of register; `attacks` finds out what all pieces attack.
macro_rules! kernels {
    ($vector:ty, $features:literal, $attacks:expr, $input_order:expr, $weight_order:expr) => {
        pub(super) const KERNELS: Kernels = Kernels {
            update,
            refresh,
            attacks,
            threat_changes,
            direct,
            pairwise,
            pack_threats: crate::arch::packing::pack_threats::<{ <$vector as Vector>::LANES }>,
            unpack_threats: crate::arch::packing::unpack_threats::<{ <$vector as Vector>::LANES }>,
            input_order: $input_order,
            weight_order: $weight_order,
            first_weight_bytes: 1,
        };

        #[target_feature(enable = $features)]
        fn update(source: &[i16], target: &mut [i16], rows: Rows<'_>) {
            // SAFETY: the instructions are enabled here.
            unsafe { vector::update::<$vector>(source, target, rows) }
        }

        #[target_feature(enable = $features)]
        fn refresh(source: &mut [i16], target: &mut [i16], rows: Rows<'_>) {
            // SAFETY: the instructions are enabled here.
            unsafe { vector::refresh::<$vector>(source, target, rows) }
        }

        #[target_feature(enable = $features)]
        fn attacks(
            form: crate::features::ThreatForm,
            pieces: &[chess::Bitboard; crate::features::ATTACKERS],
            attacks: &mut crate::features::Attacks,
        ) {
            // SAFETY: the instructions are enabled here.
            #[allow(unused_unsafe, reason = "tables need no instructions")]
            unsafe {
                $attacks(form, pieces, attacks)
            }
        }

        #[target_feature(enable = $features)]
        fn threat_changes(
            before: &crate::features::Threats,
            after: &crate::features::Threats,
            changes: &mut crate::features::ThreatChanges,
        ) {
            before.changes_to::<$vector>(after, changes);
        }

        #[target_feature(enable = $features)]
        fn direct(us: &[i16], them: &[i16], weights: &[i16]) -> i32 {
            // SAFETY: the instructions are enabled here.
            unsafe { vector::direct::<$vector>(us, them, weights) }
        }

        #[target_feature(enable = $features)]
        fn pairwise(us: &[i16], them: &[i16], first_weights: &[i8], hidden: &Hidden) -> i32 {
            // SAFETY: the instructions are enabled here.
            unsafe { vector::pairwise::<$vector>(us, them, first_weights, hidden) }
        }
    };
}
pub(super) use kernels;

/// The length of an accumulator, which whole registers fill.
#[inline(always)]
fn checked_width<V: Vector>(accumulator: &[i16]) -> usize {
    assert!(accumulator.len().is_multiple_of(WIDTH_STEP) && WIDTH_STEP.is_multiple_of(V::LANES));
    accumulator.len()
}
