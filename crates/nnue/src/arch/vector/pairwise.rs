//! The pairwise head.
#![allow(clippy::needless_range_loop, reason = "an index over registers is also an offset in memory")]
#![allow(unsafe_op_in_unsafe_fn, reason = "the contract of `Vector` covers every line of these functions")]

use std::mem::MaybeUninit;

use super::{LISTED_AT_ONCE, Vector, checked_width};
use crate::format::MAX_WIDTH;
use crate::network::{GROUP, Hidden};
use crate::quantisation::{ACTIVATION_BITS, ACTIVATION_ONE, FIRST, QA, SECOND, WEIGHT_BITS};

/// The sets of registers that sum the first layer, each by itself so that none waits for the other.
const AT_ONCE: usize = 8;

/// A buffer of bytes that begins at a cache line.
#[repr(C, align(64))]
struct Bytes([MaybeUninit<u8>; MAX_WIDTH + GROUP]);

/// The numbers of the groups that are not zero, with room for a whole store at the end.
struct Groups([MaybeUninit<u16>; MAX_WIDTH / GROUP + LISTED_AT_ONCE]);

/// See [`crate::arch::Kernels::pairwise`].
#[inline(always)]
pub(in crate::arch) unsafe fn pairwise<V: Vector>(
    us: &[i16],
    them: &[i16],
    first_weights: &[i8],
    hidden: &Hidden,
) -> i32 {
    let width = checked_width::<V>(us);
    assert!(them.len() == width && first_weights.len() == FIRST * (width + GROUP) && width <= MAX_WIDTH);
    let mut inputs = Bytes([MaybeUninit::uninit(); MAX_WIDTH + GROUP]);
    let inputs = inputs.0.as_mut_ptr().cast::<u8>();
    let mut groups = Groups([MaybeUninit::uninit(); MAX_WIDTH / GROUP + LISTED_AT_ONCE]);
    let groups = groups.0.as_mut_ptr().cast::<u16>();
    let mut count = 0;
    for (side, accumulator) in [us, them].into_iter().enumerate() {
        let offset = side * width / 2;
        count += products::<V>(accumulator, inputs.add(offset), groups.add(count), offset / GROUP);
    }
    // A group of zeros fills the list up, so that the loop over it has no rest.
    inputs.add(width).cast::<u32>().write_unaligned(0);
    groups.add(count).cast::<[u16; AT_ONCE]>().write_unaligned([(width / GROUP) as u16; AT_ONCE]);
    let groups = std::slice::from_raw_parts(groups.cast::<[u16; AT_ONCE]>(), count.div_ceil(AT_ONCE));
    let activations = first_layer::<V>(inputs, groups, first_weights, hidden);
    later_layers::<V>(&activations, hidden)
}

/// Multiplies the halves of an accumulator, and lists the groups of products that are not all zero.
///
/// `products` takes `width / 2` bytes; `groups` up to `width / 8 + LISTED_AT_ONCE` numbers, counted from `first_group`.
/// Returns how many there are.
#[inline(always)]
unsafe fn products<V: Vector>(
    accumulator: &[i16],
    products: *mut u8,
    groups: *mut u16,
    first_group: usize,
) -> usize {
    let (zero, one) = (V::splat16(0), V::splat16(QA as i16));
    let half = accumulator.len() / 2;
    let (left, right) = (accumulator.as_ptr(), accumulator.as_ptr().add(half));
    let (mut at, mut count) = (0, 0);
    while at < half {
        let mut parts = [zero; 2];
        for (index, part) in parts.iter_mut().enumerate() {
            let a = V::load(left.add(at + index * V::LANES)).max16(zero).min16(one);
            // Where the right half is negative, so is the product, and packing makes it zero.
            let b = V::load(right.add(at + index * V::LANES)).min16(one);
            *part = a.scaled_product(b);
        }
        let packed = parts[0].pack(parts[1]);
        packed.store(products.add(at));
        count += packed.list_nonzero32(first_group + at / GROUP, groups.add(count));
        at += 2 * V::LANES;
    }
    count
}

/// For each byte, the places of its bits that are set.
static PLACES: [[u16; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut place, mut count) = (0, 0);
        while place < 8 {
            if byte >> place & 1 != 0 {
                table[byte][count] = place;
                count += 1;
            }
            place += 1;
        }
        byte += 1;
    }
    table
};

/// Writes `first` plus the places of the bits that are set among the lowest `bits`, and returns how many.
///
/// Eight numbers are written for each byte, wanted or not, since a store has no branch to mispredict.
#[inline(always)]
pub(super) unsafe fn list_bits(mask: u32, bits: usize, first: usize, list: *mut u16) -> usize {
    let (mut shift, mut count) = (0, 0);
    while shift < bits {
        let byte = mask >> shift & 0xff;
        let places = PLACES[byte as usize].map(|place| place + (first + shift) as u16);
        list.add(count).cast::<[u16; 8]>().write_unaligned(places);
        count += byte.count_ones() as usize;
        shift += 8;
    }
    count
}

/// The registers that hold the sums of the first layer, at most: those of NEON.
const MOST_FIRST: usize = FIRST / 4;
/// The registers that hold the sums of the second layer, at most.
const MOST_SECOND: usize = SECOND / 4;
/// The sets of them, at most.
const MOST_SETS: usize = 4;

/// Multiplies the listed groups of inputs and activates: a clipped (low) and a squared (high) i16 for each neuron.
#[inline(always)]
unsafe fn first_layer<V: Vector>(
    inputs: *const u8,
    groups: &[[u16; AT_ONCE]],
    weights: &[i8],
    hidden: &Hidden,
) -> [i32; FIRST] {
    let lanes = V::LANES / 2;
    let registers = FIRST / lanes;
    let mut sums = [[V::splat32(0); MOST_FIRST]; AT_ONCE];
    for index in 0..registers {
        sums[0][index] = V::load(hidden.first_biases.as_ptr().add(index * lanes));
    }
    for groups in groups {
        for index in 0..AT_ONCE {
            add_group(&mut sums[index], inputs, weights, usize::from(groups[index]));
        }
    }

    let (zero, one, minus_one) = (V::splat32(0), V::splat32(ACTIVATION_ONE), V::splat32(-ACTIVATION_ONE));
    let mut activations = [0; FIRST];
    for index in 0..registers {
        let mut sum = sums[0][index];
        for others in &sums[1..] {
            sum = sum.add32(others[index]);
        }
        let value = sum.min32(one).max32(minus_one);
        let square = value.mul32(value).shift_right32::<ACTIVATION_BITS>();
        let both = value.max32(zero).or(square.shift_left32::<16>());
        both.store(activations.as_mut_ptr().add(index * lanes));
    }
    activations
}

/// Adds one group of inputs times its weights to the sums of the first layer.
#[inline(always)]
unsafe fn add_group<V: Vector>(sums: &mut [V; MOST_FIRST], inputs: *const u8, weights: &[i8], group: usize) {
    let lanes = V::LANES / 2;
    let input = inputs.cast::<i32>().add(group).read_unaligned();
    let row = weights.as_ptr().add(group * FIRST * GROUP);
    for index in 0..FIRST / lanes {
        sums[index] = sums[index].add_group(input, row.add(index * lanes * GROUP));
    }
}

/// The second hidden layer and the output.
#[inline(always)]
unsafe fn later_layers<V: Vector>(activations: &[i32; FIRST], hidden: &Hidden) -> i32 {
    let lanes = V::LANES / 2;
    let registers = SECOND / lanes;
    // The fewer registers hold the outputs, the more sets of sums there are, so that none waits for the other.
    let sets = (MOST_SECOND / registers).min(MOST_SETS);
    let mut sums = [[V::splat32(0); MOST_SECOND]; MOST_SETS];
    for index in 0..registers {
        sums[0][index] = V::load(hidden.second_biases.as_ptr().add(index * lanes));
    }
    for (neuron, (&pair, weights)) in activations.iter().zip(&hidden.second_weights).enumerate() {
        let pair = V::splat32(pair);
        let sums = &mut sums[neuron % sets];
        for index in 0..registers {
            let weights = V::load(weights.as_ptr().add(index * lanes));
            sums[index] = sums[index].add_dot2(pair, weights);
        }
    }
    let [mut sums, others @ ..] = sums;
    for set in &others[..sets - 1] {
        for index in 0..registers {
            sums[index] = sums[index].add32(set[index]);
        }
    }
    let (zero, one) = (V::splat32(0), V::splat32(ACTIVATION_ONE));
    let mut total = zero;
    for index in 0..registers {
        let value = sums[index].shift_right32::<WEIGHT_BITS>().max32(zero).min32(one);
        let weights = V::load(hidden.output_weights.as_ptr().add(index * lanes));
        total = total.add32(value.mul32(weights));
    }
    total.sum32()
}
