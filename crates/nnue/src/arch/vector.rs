//! The algorithm, once for all instruction sets with vectors.
//!
//! Each function is always inlined into one that enables the instructions, see [`kernels`].
#![allow(
    unsafe_code,
    reason = "instructions that not every processor has, and buffers without their cost of zeros"
)]
#![allow(clippy::needless_range_loop, reason = "an index over registers is also an offset in memory")]
#![allow(unsafe_op_in_unsafe_fn, reason = "the contract of the trait covers every line of these functions")]

use std::mem::MaybeUninit;

use super::Rows;
use crate::format::{MAX_WIDTH, WIDTH_STEP};
use crate::network::{GROUP, Hidden};
use crate::quantisation::{ACTIVATION_BITS, ACTIVATION_ONE, FIRST, QA, SECOND, WEIGHT_BITS};

/// A register and its instructions.
///
/// # Safety of the methods
/// The processor must have the instructions, and pointers must be good for one register of memory. No
/// alignment is needed.
pub(super) trait Vector: Copy {
    /// How many i16 a register holds; it holds half as many i32 and twice as many bytes.
    const LANES: usize;

    unsafe fn load<T>(from: *const T) -> Self;
    unsafe fn store<T>(self, to: *mut T);
    unsafe fn splat16(value: i16) -> Self;
    unsafe fn splat32(value: i32) -> Self;

    unsafe fn add16(self, other: Self) -> Self;
    unsafe fn sub16(self, other: Self) -> Self;
    unsafe fn min16(self, other: Self) -> Self;
    unsafe fn max16(self, other: Self) -> Self;
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

    /// `self + a * b` where two neighbouring products of i16 go to each i32.
    unsafe fn add_dot2(self, a: Self, b: Self) -> Self;
    /// `self + a * b` where four neighbouring products of u8 up to 127 with i8 go to each i32.
    unsafe fn add_dot4(self, a: Self, b: Self) -> Self;
}

/// The functions of a `Kernels` table for one type of register.
macro_rules! kernels {
    ($vector:ty, $features:literal, $input_order:expr) => {
        pub(super) const KERNELS: Kernels =
            Kernels { update, refresh, direct, pairwise, input_order: $input_order };

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

/// The registers that a pass over many rows keeps of an accumulator; half of what AVX2 has, so that the
/// compiler has room for the rest.
const TILE: usize = 8;

/// See [`super::Kernels::update`].
#[inline(always)]
pub(super) unsafe fn update<V: Vector>(source: &[i16], target: &mut [i16], rows: Rows<'_>) {
    let width = checked_width::<V>(target);
    assert_eq!(source.len(), width);
    match (rows.added, rows.removed) {
        (&[a], &[r]) => fused::<V, 1, 1>(source, target, [row(&rows, a, width)], [row(&rows, r, width)]),
        (&[a], &[r, s]) => {
            let removed = [row(&rows, r, width), row(&rows, s, width)];
            fused::<V, 1, 2>(source, target, [row(&rows, a, width)], removed);
        }
        (&[a, b], &[r, s]) => {
            let added = [row(&rows, a, width), row(&rows, b, width)];
            let removed = [row(&rows, r, width), row(&rows, s, width)];
            fused::<V, 2, 2>(source, target, added, removed);
        }
        _ => tiled::<V, 1>(source.as_ptr(), [target.as_mut_ptr()], width, rows),
    }
}

/// See [`super::Kernels::refresh`].
#[inline(always)]
pub(super) unsafe fn refresh<V: Vector>(source: &mut [i16], target: &mut [i16], rows: Rows<'_>) {
    let width = checked_width::<V>(target);
    assert_eq!(source.len(), width);
    let source = source.as_mut_ptr();
    tiled::<V, 2>(source, [source, target.as_mut_ptr()], width, rows);
}

/// The length of an accumulator, which whole registers fill.
#[inline(always)]
fn checked_width<V: Vector>(accumulator: &[i16]) -> usize {
    assert!(accumulator.len().is_multiple_of(WIDTH_STEP) && WIDTH_STEP.is_multiple_of(V::LANES));
    accumulator.len()
}

#[inline(always)]
fn row(rows: &Rows<'_>, index: u16, width: usize) -> *const i16 {
    rows.weights[usize::from(index) * width..][..width].as_ptr()
}

/// Adds and subtracts a few rows in one pass.
#[inline(always)]
unsafe fn fused<V: Vector, const ADDED: usize, const REMOVED: usize>(
    source: &[i16],
    target: &mut [i16],
    added: [*const i16; ADDED],
    removed: [*const i16; REMOVED],
) {
    let (source, width, target) = (source.as_ptr(), target.len(), target.as_mut_ptr());
    let mut at = 0;
    while at < width {
        let mut value = V::load(source.add(at));
        for row in added {
            value = value.add16(V::load(row.add(at)));
        }
        for row in removed {
            value = value.sub16(V::load(row.add(at)));
        }
        value.store(target.add(at));
        at += V::LANES;
    }
}

/// Adds and subtracts any number of rows, a part of the accumulator at a time that stays in registers.
#[inline(always)]
unsafe fn tiled<V: Vector, const TARGETS: usize>(
    source: *const i16,
    targets: [*mut i16; TARGETS],
    width: usize,
    rows: Rows<'_>,
) {
    let mut at = 0;
    while at + TILE * V::LANES <= width {
        tile::<V, TARGETS, TILE>(source, targets, width, at, &rows);
        at += TILE * V::LANES;
    }
    while at < width {
        tile::<V, TARGETS, 1>(source, targets, width, at, &rows);
        at += V::LANES;
    }
}

#[inline(always)]
unsafe fn tile<V: Vector, const TARGETS: usize, const REGISTERS: usize>(
    source: *const i16,
    targets: [*mut i16; TARGETS],
    width: usize,
    at: usize,
    rows: &Rows<'_>,
) {
    let mut values = [V::splat16(0); REGISTERS];
    for (index, value) in values.iter_mut().enumerate() {
        *value = V::load(source.add(at + index * V::LANES));
    }
    for &added in rows.added {
        let row = row(rows, added, width).add(at);
        for (index, value) in values.iter_mut().enumerate() {
            *value = value.add16(V::load(row.add(index * V::LANES)));
        }
    }
    for &removed in rows.removed {
        let row = row(rows, removed, width).add(at);
        for (index, value) in values.iter_mut().enumerate() {
            *value = value.sub16(V::load(row.add(index * V::LANES)));
        }
    }
    for target in targets {
        for (index, value) in values.iter().enumerate() {
            value.store(target.add(at + index * V::LANES));
        }
    }
}

/// Registers of each side that the direct head sums at once, each by itself, so that no addition waits for the
/// one before: a tenth faster than one with AVX-512.
const UNROLL: usize = 4;

/// See [`super::Kernels::direct`].
#[inline(always)]
pub(super) unsafe fn direct<V: Vector>(us: &[i16], them: &[i16], weights: &[i16]) -> i32 {
    let width = checked_width::<V>(us);
    assert!(them.len() == width && weights.len() == 2 * width);
    let (zero, one) = (V::splat16(0), V::splat16(QA as i16));
    let mut sums = [[V::splat32(0); UNROLL]; 2];
    let mut at = 0;
    while at < width {
        for (side, accumulator) in [us, them].into_iter().enumerate() {
            for index in 0..UNROLL {
                let place = at + index * V::LANES;
                let value = V::load(accumulator.as_ptr().add(place)).max16(zero).min16(one);
                let weight = V::load(weights.as_ptr().add(side * width + place));
                sums[side][index] = sums[side][index].add_dot2(value.mul16(weight), value);
            }
        }
        at += UNROLL * V::LANES;
    }
    let mut total = V::splat32(0);
    for sum in sums.as_flattened() {
        total = total.add32(*sum);
    }
    total.sum32()
}

/// A buffer of bytes that begins at a cache line.
#[repr(C, align(64))]
struct Bytes([MaybeUninit<u8>; MAX_WIDTH]);

/// The numbers of the groups that are not zero, with room for a whole store at the end.
struct Groups([MaybeUninit<u16>; MAX_WIDTH / GROUP + 8]);

/// See [`super::Kernels::pairwise`].
#[inline(always)]
pub(super) unsafe fn pairwise<V: Vector>(
    us: &[i16],
    them: &[i16],
    first_weights: &[i8],
    hidden: &Hidden,
) -> i32 {
    let width = checked_width::<V>(us);
    assert!(them.len() == width && first_weights.len() == FIRST * width && width <= MAX_WIDTH);
    let mut inputs = Bytes([MaybeUninit::uninit(); MAX_WIDTH]);
    let inputs = inputs.0.as_mut_ptr().cast::<u8>();
    let mut groups = Groups([MaybeUninit::uninit(); MAX_WIDTH / GROUP + 8]);
    let groups = groups.0.as_mut_ptr().cast::<u16>();
    let mut count = 0;
    for (side, accumulator) in [us, them].into_iter().enumerate() {
        let offset = side * width / 2;
        count += products::<V>(accumulator, inputs.add(offset), groups.add(count), offset / GROUP);
    }
    let groups = std::slice::from_raw_parts(groups, count);
    let activations = first_layer::<V>(inputs, groups, first_weights, hidden);
    later_layers::<V>(&activations, hidden)
}

/// Multiplies the halves of an accumulator, and lists the groups of products that are not all zero.
///
/// `products` takes `width / 2` bytes; `groups` up to `width / 8 + 8` numbers, counted from `first_group`.
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
        count += list_nonzero(packed.nonzero32(), V::LANES / 2, first_group + at / GROUP, groups.add(count));
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
unsafe fn list_nonzero(mask: u32, bits: usize, first: usize, list: *mut u16) -> usize {
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
/// Groups that are multiplied at once, each into sums of its own, so that none waits for the other: with AVX-512
/// a whole forward pass of width 1024 is 1.8 times as fast as with two, and 1.14 times as with four.
const AT_ONCE: usize = 8;

/// Multiplies the listed groups of inputs and activates: a clipped (low) and a squared (high) i16 for each neuron.
#[inline(always)]
unsafe fn first_layer<V: Vector>(
    inputs: *const u8,
    groups: &[u16],
    weights: &[i8],
    hidden: &Hidden,
) -> [i32; FIRST] {
    let lanes = V::LANES / 2;
    let registers = FIRST / lanes;
    let mut sums = [[V::splat32(0); MOST_FIRST]; AT_ONCE];
    for index in 0..registers {
        sums[0][index] = V::load(hidden.first_biases.as_ptr().add(index * lanes));
    }
    let (chunks, rest) = groups.as_chunks::<AT_ONCE>();
    for chunk in chunks {
        for index in 0..AT_ONCE {
            add_group(&mut sums[index], inputs, weights, usize::from(chunk[index]));
        }
    }
    for index in 0..AT_ONCE - 1 {
        if index < rest.len() {
            add_group(&mut sums[index], inputs, weights, usize::from(rest[index]));
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
    let input = V::splat32(inputs.cast::<i32>().add(group).read_unaligned());
    let row = weights.as_ptr().add(group * FIRST * GROUP);
    for index in 0..FIRST / lanes {
        sums[index] = sums[index].add_dot4(input, V::load(row.add(index * lanes * GROUP)));
    }
}

/// The second hidden layer and the output.
#[inline(always)]
unsafe fn later_layers<V: Vector>(activations: &[i32; FIRST], hidden: &Hidden) -> i32 {
    let lanes = V::LANES / 2;
    let registers = SECOND / lanes;
    let mut sums = [V::splat32(0); MOST_SECOND];
    for index in 0..registers {
        sums[index] = V::load(hidden.second_biases.as_ptr().add(index * lanes));
    }
    for (&pair, weights) in activations.iter().zip(&hidden.second_weights) {
        let pair = V::splat32(pair);
        for index in 0..registers {
            let weights = V::load(weights.as_ptr().add(index * lanes));
            sums[index] = sums[index].add_dot2(pair, weights);
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
