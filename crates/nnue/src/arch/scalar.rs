//! Plain code, the reference for the other instruction sets.

use super::{Kernels, Rows, RowsOf};
use crate::features::{Plain, by_tables};
use crate::format::MAX_WIDTH;
use crate::network::{GROUP, Hidden};
use crate::quantisation::{ACTIVATION_BITS, ACTIVATION_ONE, FIRST, PRODUCT_SHIFT, QA, SECOND, WEIGHT_BITS};

pub(super) const KERNELS: Kernels = Kernels {
    update,
    refresh,
    attacks: by_tables,
    threat_changes: |before, after, changes| before.changes_to::<Plain>(after, changes),
    direct,
    pairwise,
    pack_threats: |_| {},
    unpack_threats: |_| {},
    weight_order: |output, input| output * GROUP + input,
    input_order: |place| place,
    first_weight_bytes: 1,
};

fn update(source: &[i16], target: &mut [i16], rows: Rows<'_>) {
    target.copy_from_slice(source);
    apply(target, rows.pieces);
    apply(target, rows.threats);
}

fn refresh(source: &mut [i16], target: &mut [i16], rows: Rows<'_>) {
    apply(source, rows.pieces);
    apply(source, rows.threats);
    target.copy_from_slice(source);
}

fn apply<T: Copy + Into<i16>>(accumulator: &mut [i16], rows: RowsOf<'_, T>) {
    let width = accumulator.len();
    let row = |index: u16| &rows.weights[usize::from(index) * width..][..width];
    for &index in rows.added {
        for (value, weight) in accumulator.iter_mut().zip(row(index)) {
            *value = value.wrapping_add((*weight).into());
        }
    }
    for &index in rows.removed {
        for (value, weight) in accumulator.iter_mut().zip(row(index)) {
            *value = value.wrapping_sub((*weight).into());
        }
    }
}

fn clip(value: i16) -> i32 {
    i32::from(value).clamp(0, QA)
}

/// The product of two halves of an accumulator.
pub(crate) fn product(a: i16, b: i16) -> u8 {
    ((clip(a) * clip(b)) >> PRODUCT_SHIFT) as u8
}

fn direct(us: &[i16], them: &[i16], weights: &[i16]) -> i32 {
    let (our_weights, their_weights) = weights.split_at(us.len());
    let mut sum = 0i32;
    for (accumulator, weights) in [(us, our_weights), (them, their_weights)] {
        for (&value, &weight) in accumulator.iter().zip(weights) {
            sum = sum.wrapping_add(clip(value) * i32::from(weight) * clip(value));
        }
    }
    sum
}

fn pairwise(us: &[i16], them: &[i16], first_weights: &[i8], hidden: &Hidden) -> i32 {
    let half = us.len() / 2;
    let mut inputs = [0u8; MAX_WIDTH];
    for (accumulator, products) in [us, them].into_iter().zip(inputs.chunks_exact_mut(half)) {
        let (left, right) = accumulator.split_at(half);
        for ((product, &a), &b) in products.iter_mut().zip(left).zip(right) {
            *product = self::product(a, b);
        }
    }

    let mut first = hidden.first_biases;
    let groups = inputs[..us.len()].chunks_exact(GROUP).zip(first_weights.chunks_exact(FIRST * GROUP));
    for (group, weights) in groups {
        if group == [0; GROUP] {
            continue;
        }
        for (sum, weights) in first.iter_mut().zip(weights.chunks_exact(GROUP)) {
            for (&input, &weight) in group.iter().zip(weights) {
                *sum += i32::from(input) * i32::from(weight);
            }
        }
    }

    let mut second = hidden.second_biases;
    for (sum, weights) in first.into_iter().zip(&hidden.second_weights) {
        let value = sum.clamp(-ACTIVATION_ONE, ACTIVATION_ONE);
        let (clipped, squared) = (value.max(0), (value * value) >> ACTIVATION_BITS);
        for (sum, weights) in second.iter_mut().zip(weights) {
            *sum += clipped * i32::from(weights[0]) + squared * i32::from(weights[1]);
        }
    }

    (0..SECOND)
        .map(|index| {
            let activation = (second[index] >> WEIGHT_BITS).clamp(0, ACTIVATION_ONE);
            activation * hidden.output_weights[index]
        })
        .sum()
}
