//! The order of the weights of threats for registers.

/// The most i16 that a register holds: those of AVX-512.
const MOST_LANES: usize = 32;

/// See [`crate::arch::Kernels::pack_threats`].
///
/// Sixteen bits hold two weights: in the upper byte that of a value in the second of two registers, in the lower one,
/// with an offset of 128 so that it never borrows from the upper one, that of the value at the same place in the first.
/// So the upper ones come out by a shift, the lower ones by a subtraction for all rows together, which takes half of the
/// loads and three quarters of the instructions of widening every byte.
pub(super) fn pack_threats<const LANES: usize>(weights: &mut [i8]) {
    for block in weights.chunks_exact_mut(2 * LANES) {
        let mut natural = [0; 2 * MOST_LANES];
        let natural = &mut natural[..2 * LANES];
        natural.copy_from_slice(block);
        let (first, second) = natural.split_at(LANES);
        for ([low, high], (first, second)) in
            block.as_chunks_mut::<2>().0.iter_mut().zip(first.iter().zip(second))
        {
            (*low, *high) = (first ^ i8::MIN, *second);
        }
    }
}

/// See [`crate::arch::Kernels::unpack_threats`].
pub(super) fn unpack_threats<const LANES: usize>(weights: &mut [i8]) {
    for block in weights.chunks_exact_mut(2 * LANES) {
        let mut packed = [0; 2 * MOST_LANES];
        let packed = &mut packed[..2 * LANES];
        packed.copy_from_slice(block);
        let (first, second) = block.split_at_mut(LANES);
        for ([low, high], (first, second)) in
            packed.as_chunks::<2>().0.iter().zip(first.iter_mut().zip(second))
        {
            (*first, *second) = (low ^ i8::MIN, *high);
        }
    }
}
