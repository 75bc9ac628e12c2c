//! The pairwise head. The inputs and weights of its first layer are i16, since there is no product of bytes and widening them
//! takes as long as the product; so zeros are skipped in pairs, as many inputs as one instruction multiplies, not in groups of
//! four: 91 pairs instead of 63 groups in the mean of the positions of `bench`.

use std::arch::wasm32::*;
use std::mem::MaybeUninit;

use super::{LANES, clipped, total32};
use crate::format::{MAX_WIDTH, WIDTH_STEP};
use crate::network::{GROUP, Hidden};
use crate::quantisation::{ACTIVATION_BITS, ACTIVATION_ONE, FIRST, PRODUCT_SHIFT, SECOND, WEIGHT_BITS};

/// The products that one step makes: sixteen pairs of them, whose list is two registers.
const STEP: usize = 32;
/// The products that one instruction multiplies; pairs of zeros are skipped.
const PAIR: usize = 2;

/// The registers that hold the sums of the first layer.
const SUMS: usize = FIRST / 4;

/// The products of both accumulators and a pair of zeros.
#[repr(C, align(16))]
struct Inputs([MaybeUninit<i16>; MAX_WIDTH + PAIR]);

/// The numbers of the pairs that are not zero, with room for a whole store at the end.
struct Listed([MaybeUninit<u16>; MAX_WIDTH / PAIR + LANES]);

/// See [`crate::arch::Kernels::weight_order`]: first the weights of the first two inputs of a group for all outputs, then
/// those of the others.
pub(super) fn weight_order(output: usize, input: usize) -> usize {
    input / PAIR * (PAIR * FIRST) + output * PAIR + input % PAIR
}

/// See [`crate::arch::Kernels::pairwise`].
pub(super) fn pairwise(us: &[i16], them: &[i16], first_weights: &[i8], hidden: &Hidden) -> i32 {
    let width = us.len();
    assert!(width.is_multiple_of(WIDTH_STEP) && width <= MAX_WIDTH && WIDTH_STEP.is_multiple_of(2 * STEP));
    assert!(them.len() == width && first_weights.len() == 2 * FIRST * (width + GROUP));
    let mut inputs = Inputs([MaybeUninit::uninit(); MAX_WIDTH + PAIR]);
    let inputs = inputs.0.as_mut_ptr().cast::<i16>();
    let mut listed = Listed([MaybeUninit::uninit(); MAX_WIDTH / PAIR + LANES]);
    let listed = listed.0.as_mut_ptr().cast::<u16>();
    // SAFETY: the lengths were checked; each side has half of the width of products, and as many pairs at most.
    unsafe {
        let half = width / 2;
        let count = products(us, inputs, listed, 0);
        let count = count + products(them, inputs.add(half), listed.add(count), half / PAIR);
        // A pair of zeros makes the number of pairs even.
        inputs.add(width).cast::<u32>().write_unaligned(0);
        listed.add(count).write((width / PAIR) as u16);
        let listed = std::slice::from_raw_parts(listed.cast::<[u16; 2]>(), count.div_ceil(2));
        let activations = first_layer(inputs, listed, first_weights.as_ptr(), hidden);
        later_layers(&activations, hidden)
    }
}

/// For each byte, the places of its bits that are set; none lies across two cache lines.
static PLACES: Places = {
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
    Places(table)
};

#[repr(align(64))]
struct Places([[u8; 8]; 256]);

/// Multiplies the halves of an accumulator, and lists the pairs of products that are not both zero, counted from
/// `first_pair`. Returns how many there are.
#[inline(always)]
unsafe fn products(accumulator: &[i16], products: *mut i16, listed: *mut u16, first_pair: usize) -> usize {
    let half = accumulator.len() / 2;
    let (left, right) = (accumulator.as_ptr(), accumulator.as_ptr().wrapping_add(half));
    let (mut at, mut count) = (0, 0);
    let mut numbers = i16x8_splat(first_pair as i16);
    while at < half {
        let mut zeros = [i16x8_splat(0); 4];
        // SAFETY: the caller's promise.
        unsafe {
            let (left, right, products) = (left.add(at), right.add(at), products.add(at));
            for (index, zeros) in zeros.iter_mut().enumerate() {
                let a = clipped(v128_load(left.add(index * LANES).cast()));
                let b = clipped(v128_load(right.add(index * LANES).cast()));
                // 255 * 255 fits 16 bits.
                let product = u16x8_shr(i16x8_mul(a, b), PRODUCT_SHIFT);
                v128_store(products.add(index * LANES).cast(), product);
                *zeros = i32x4_eq(product, i32x4_splat(0));
            }
        }
        for &[a, b] in zeros.as_chunks::<2>().0 {
            let mask = !i16x8_bitmask(i16x8_narrow_i32x4(a, b));
            // SAFETY: there is room for a register behind the list.
            unsafe {
                let places = i16x8_load_extend_u8x8(PLACES.0[usize::from(mask)].as_ptr().cast());
                v128_store(listed.add(count).cast(), i16x8_add(numbers, places));
            }
            numbers = i16x8_add(numbers, i16x8_splat(LANES as i16));
            count += mask.count_ones() as usize;
        }
        at += STEP;
    }
    count
}

/// Multiplies the listed pairs of inputs and activates: a clipped (low) and a squared (high) i16 for each neuron.
#[inline(always)]
unsafe fn first_layer(
    inputs: *const i16,
    listed: &[[u16; 2]],
    weights: *const i8,
    hidden: &Hidden,
) -> [i32; FIRST] {
    // SAFETY: the caller's promise; registers of four of sixteen numbers each.
    unsafe {
        let mut sums = [i32x4_splat(0); SUMS];
        for (index, sum) in sums.iter_mut().enumerate() {
            *sum = v128_load(hidden.first_biases.as_ptr().add(4 * index).cast());
        }
        for &[first, second] in listed {
            let (first, second) = (usize::from(first), usize::from(second));
            let a = v128_load32_splat(inputs.add(first * PAIR).cast());
            let b = v128_load32_splat(inputs.add(second * PAIR).cast());
            let first = weights.add(first * (2 * FIRST * PAIR));
            let second = weights.add(second * (2 * FIRST * PAIR));
            for (index, sum) in sums.iter_mut().enumerate() {
                let first = v128_load(first.add(16 * index).cast());
                let second = v128_load(second.add(16 * index).cast());
                *sum = i32x4_add(i32x4_add(*sum, i32x4_dot_i16x8(a, first)), i32x4_dot_i16x8(b, second));
            }
        }
        let mut activations = [0; FIRST];
        for (index, sum) in sums.into_iter().enumerate() {
            let value = i32x4_max(i32x4_min(sum, i32x4_splat(ACTIVATION_ONE)), i32x4_splat(-ACTIVATION_ONE));
            let square = i32x4_shr(i32x4_mul(value, value), ACTIVATION_BITS);
            let both = v128_or(i32x4_max(value, i32x4_splat(0)), i32x4_shl(square, 16));
            v128_store(activations.as_mut_ptr().add(4 * index).cast(), both);
        }
        activations
    }
}

/// The second hidden layer and the output, a half of the outputs after the other: more sums and what they are multiplied with
/// would not fit into the registers of x86-64.
#[inline(always)]
unsafe fn later_layers(activations: &[i32; FIRST], hidden: &Hidden) -> i32 {
    const HALF: usize = SECOND / 2;
    let mut total = i32x4_splat(0);
    for half in 0..2 {
        // SAFETY: registers of four numbers in arrays of sixteen and of 32.
        unsafe {
            let at = half * HALF;
            let mut sums = [i32x4_splat(0); HALF / 4];
            for (index, sum) in sums.iter_mut().enumerate() {
                *sum = v128_load(hidden.second_biases.as_ptr().add(at + 4 * index).cast());
            }
            for (pairs, weights) in
                activations.as_chunks::<2>().0.iter().zip(hidden.second_weights.as_chunks::<2>().0)
            {
                let [first, second] = pairs.map(|pair| i32x4_splat(pair));
                let [a, b] = [0, 1].map(|neuron: usize| weights[neuron].as_ptr().add(at));
                for (index, sum) in sums.iter_mut().enumerate() {
                    let [a, b] = [a, b].map(|weights| v128_load(weights.add(4 * index).cast()));
                    *sum = i32x4_add(i32x4_add(*sum, i32x4_dot_i16x8(first, a)), i32x4_dot_i16x8(second, b));
                }
            }
            for (index, sum) in sums.into_iter().enumerate() {
                let value = i32x4_max(i32x4_shr(sum, WEIGHT_BITS), i32x4_splat(0));
                let value = i32x4_min(value, i32x4_splat(ACTIVATION_ONE));
                let weights = v128_load(hidden.output_weights.as_ptr().add(at + 4 * index).cast());
                total = i32x4_add(total, i32x4_mul(value, weights));
            }
        }
    }
    total32(total)
}
