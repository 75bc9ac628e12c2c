//! Adding and subtracting rows of the feature transformer.
#![allow(unsafe_op_in_unsafe_fn, reason = "the contract of `Vector` covers every line of these functions")]

use super::{Vector, checked_width};
use crate::arch::{Rows, RowsOf};

/// The registers that a pass over many rows keeps of an accumulator; half of what there are, so that the compiler has
/// room for the rest: AVX2 has sixteen, the others have twice as many.
const TILE: usize = 16;
const TILE_AVX2: usize = TILE / 2;

/// See [`crate::arch::Kernels::update`].
#[inline(always)]
pub(in crate::arch) unsafe fn update<V: Vector>(source: &[i16], target: &mut [i16], rows: Rows<'_>) {
    let width = checked_width::<V>(target);
    assert!(source.len() == width && rows.pieces.fits(width) && rows.threats.fits(width));
    if !(rows.threats.added.is_empty() && rows.threats.removed.is_empty()) {
        return tiled::<V, 1>(source.as_ptr(), [target.as_mut_ptr()], width, rows);
    }
    let row = |index: u16| row(&rows.pieces, index, width);
    match (rows.pieces.added, rows.pieces.removed) {
        (&[a], &[r]) => fused::<V, 1, 1>(source, target, [row(a)], [row(r)]),
        (&[a], &[r, s]) => fused::<V, 1, 2>(source, target, [row(a)], [row(r), row(s)]),
        (&[a, b], &[r, s]) => fused::<V, 2, 2>(source, target, [row(a), row(b)], [row(r), row(s)]),
        _ => tiled::<V, 1>(source.as_ptr(), [target.as_mut_ptr()], width, rows),
    }
}

/// See [`crate::arch::Kernels::refresh`].
#[inline(always)]
pub(in crate::arch) unsafe fn refresh<V: Vector>(source: &mut [i16], target: &mut [i16], rows: Rows<'_>) {
    let width = checked_width::<V>(target);
    assert!(source.len() == width && rows.pieces.fits(width) && rows.threats.fits(width));
    let source = source.as_mut_ptr();
    tiled::<V, 2>(source, [source, target.as_mut_ptr()], width, rows);
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
    let pieces = [rows.pieces.added, rows.pieces.removed]
        .map(|list| list.iter().map(|&index| row(&rows.pieces, index, width)));
    let threats = [rows.threats.added, rows.threats.removed]
        .map(|list| list.iter().map(|&index| row(&rows.threats, index, width)));
    tiles::<V, TARGETS>(source, targets, width, pieces, threats);
}

/// All tiles of an accumulator, each with the rows that begin there.
#[inline(always)]
unsafe fn tiles<V: Vector, const TARGETS: usize>(
    source: *const i16,
    targets: [*mut i16; TARGETS],
    width: usize,
    pieces: [impl Iterator<Item = *const i16> + Clone; 2],
    threats: [impl ExactSizeIterator<Item = *const i8> + Clone; 2],
) {
    let mut at = 0;
    if V::REGISTERS >= 2 * TILE {
        while at + TILE * V::LANES <= width {
            tile::<V, TARGETS, TILE>(source, targets, at, pieces.clone(), threats.clone());
            at += TILE * V::LANES;
        }
    }
    while at + TILE_AVX2 * V::LANES <= width {
        tile::<V, TARGETS, TILE_AVX2>(source, targets, at, pieces.clone(), threats.clone());
        at += TILE_AVX2 * V::LANES;
    }
    while at < width {
        tile::<V, TARGETS, 2>(source, targets, at, pieces.clone(), threats.clone());
        at += 2 * V::LANES;
    }
}

/// The weights of an input. Indices are clamped to the last row, which keeps the access sound and is cheaper than a
/// branch.
#[inline(always)]
unsafe fn row<T>(rows: &RowsOf<'_, T>, index: u16, width: usize) -> *const T {
    rows.weights.as_ptr().add(usize::from(index.min(rows.last)) * width)
}

/// Adds and subtracts the rows that begin there in the registers from `at` on.
#[inline(always)]
unsafe fn tile<V: Vector, const TARGETS: usize, const REGISTERS: usize>(
    source: *const i16,
    targets: [*mut i16; TARGETS],
    at: usize,
    [pieces_added, pieces_removed]: [impl Iterator<Item = *const i16>; 2],
    [threats_added, threats_removed]: [impl ExactSizeIterator<Item = *const i8>; 2],
) {
    let mut values = [V::splat16(0); REGISTERS];
    for (index, value) in values.iter_mut().enumerate() {
        *value = V::load(source.add(at + index * V::LANES));
    }
    let piece = |row: *const i16, index: usize| V::load(row.add(at + index * V::LANES));
    apply(&mut values, pieces_added, |value, row, index| value.add16(piece(row, index)));
    apply(&mut values, pieces_removed, |value, row, index| value.sub16(piece(row, index)));
    if threats_added.len() + threats_removed.len() != 0 {
        // See `packing`: a register of weights is added to the low values as it is, with the high ones in its
        // upper bytes. These are taken out in the end, and the offsets of the low bytes here.
        let offsets = 128i16.wrapping_mul(threats_added.len() as i16 - threats_removed.len() as i16);
        let pairs = values.as_chunks_mut::<2>().0;
        for [low, high] in &mut *pairs {
            *low = low.add16(high.shift_left16_by_8()).sub16(V::splat16(offsets));
        }
        let threat = |row: *const i8, index: usize| V::load(row.add(at + 2 * index * V::LANES));
        apply(pairs, threats_added, |[low, high], row, index| {
            let both = threat(row, index);
            [low.add16(both), high.add16(both.shift_right16_by_8())]
        });
        apply(pairs, threats_removed, |[low, high], row, index| {
            let both = threat(row, index);
            [low.sub16(both), high.sub16(both.shift_right16_by_8())]
        });
        for [low, high] in pairs {
            *low = low.sub16(high.shift_left16_by_8());
        }
    }
    for target in targets {
        for (index, value) in values.iter().enumerate() {
            value.store(target.add(at + index * V::LANES));
        }
    }
}

/// Applies each row to all values, two rows at a time: the loop itself costs as much as some registers.
#[inline(always)]
fn apply<T: Copy, R: Copy>(
    values: &mut [T],
    mut rows: impl Iterator<Item = R>,
    combine: impl Fn(T, R, usize) -> T,
) {
    while let Some(first) = rows.next() {
        let Some(second) = rows.next() else {
            for (index, value) in values.iter_mut().enumerate() {
                *value = combine(*value, first, index);
            }
            return;
        };
        for (index, value) in values.iter_mut().enumerate() {
            *value = combine(combine(*value, first, index), second, index);
        }
    }
}
