//! Adding and subtracting rows of the feature transformer.
//!
//! An accumulator takes many tiles here, so where its rows begin is listed once for all of them. Rows are taken one by one:
//! with two at once the registers would not do, since all loads of a round come before the sums.

use std::arch::wasm32::*;
use std::mem::MaybeUninit;

use super::LANES;
use crate::arch::{Rows, RowsOf};
use crate::features::MAX_THREATS;
use crate::format::WIDTH_STEP;

/// The most pieces that enter or leave at once: those of a full board.
const MAX_PIECES: usize = 64;

/// The registers of an accumulator that stay where they are while the rows pass.
const TILE: usize = 8;

/// See [`crate::arch::Kernels::update`].
pub(super) fn update(source: &[i16], target: &mut [i16], rows: Rows<'_>) {
    assert!(source.len() == target.len());
    // SAFETY: both are as long as the width.
    unsafe { tiles(source.as_ptr(), [target.as_mut_ptr()], target.len(), rows) }
}

/// See [`crate::arch::Kernels::refresh`].
pub(super) fn refresh(source: &mut [i16], target: &mut [i16], rows: Rows<'_>) {
    assert!(source.len() == target.len());
    let (source, width) = (source.as_mut_ptr(), target.len());
    // SAFETY: both are as long as the width.
    unsafe { tiles(source, [source, target.as_mut_ptr()], width, rows) }
}

/// Where the rows to add and those to subtract begin.
type Beginnings<'a, T> = [&'a [*const T]; 2];

/// Lists them.
#[inline(always)]
fn beginnings<'a, T>(
    rows: &RowsOf<'_, T>,
    width: usize,
    room: &'a mut [MaybeUninit<*const T>],
) -> Beginnings<'a, T> {
    assert!(rows.fits(width));
    let (added, removed) = room.split_at_mut(room.len() / 2);
    [(rows.added, added), (rows.removed, removed)].map(|(list, room)| {
        let room = &mut room[..list.len()];
        for (beginning, &index) in room.iter_mut().zip(list) {
            beginning.write(row(rows, index, width));
        }
        // SAFETY: all of them were written.
        unsafe { room.assume_init_ref() }
    })
}

/// The weights of an input. Indices are clamped to the last row, which keeps the access sound and is cheaper than a
/// branch.
#[inline(always)]
fn row<T>(rows: &RowsOf<'_, T>, index: u16, width: usize) -> *const T {
    rows.weights.as_ptr().wrapping_add(usize::from(index.min(rows.last)) * width)
}

/// All tiles of an accumulator.
#[inline(always)]
unsafe fn tiles<const TARGETS: usize>(
    source: *const i16,
    targets: [*mut i16; TARGETS],
    width: usize,
    rows: Rows<'_>,
) {
    assert!(width.is_multiple_of(WIDTH_STEP) && WIDTH_STEP.is_multiple_of(TILE * LANES));
    let mut room = [MaybeUninit::uninit(); 2 * MAX_PIECES];
    let pieces = beginnings(&rows.pieces, width, &mut room);
    let mut room = [MaybeUninit::uninit(); 2 * MAX_THREATS];
    let threats = beginnings(&rows.threats, width, &mut room);
    let mut at = 0;
    while at < width {
        // SAFETY: a tile is left of everything, since the width is a multiple of it.
        unsafe { tile(source.add(at), targets.map(|target| target.add(at)), at, pieces, threats) };
        at += TILE * LANES;
    }
}

/// Adds and subtracts the rows in the tile that begins at `at` of the accumulator.
#[inline(always)]
unsafe fn tile<const TARGETS: usize>(
    source: *const i16,
    targets: [*mut i16; TARGETS],
    at: usize,
    [pieces_added, pieces_removed]: Beginnings<'_, i16>,
    [threats_added, threats_removed]: Beginnings<'_, i8>,
) {
    // SAFETY: the caller's promise.
    unsafe {
        let mut values = [i16x8_splat(0); TILE];
        for (index, value) in values.iter_mut().enumerate() {
            *value = v128_load(source.add(index * LANES).cast());
        }
        for &added in pieces_added {
            let added = added.add(at);
            for (index, value) in values.iter_mut().enumerate() {
                *value = i16x8_add(*value, v128_load(added.add(index * LANES).cast()));
            }
        }
        for &removed in pieces_removed {
            let removed = removed.add(at);
            for (index, value) in values.iter_mut().enumerate() {
                *value = i16x8_sub(*value, v128_load(removed.add(index * LANES).cast()));
            }
        }
        // See `packing`: a register of weights is added to the low values as it is, with the high ones in its
        // upper bytes. These are taken out in the end, and the offsets of the low bytes here.
        let offsets =
            i16x8_splat(128i16.wrapping_mul(threats_added.len() as i16 - threats_removed.len() as i16));
        let pairs = values.as_chunks_mut::<2>().0;
        for [low, high] in &mut *pairs {
            *low = i16x8_sub(i16x8_add(*low, i16x8_shl(*high, 8)), offsets);
        }
        for &added in threats_added {
            let added = added.add(at);
            for (index, [low, high]) in pairs.iter_mut().enumerate() {
                let added = v128_load(added.add(index * 2 * LANES).cast());
                *low = i16x8_add(*low, added);
                *high = i16x8_add(*high, i16x8_shr(added, 8));
            }
        }
        for &removed in threats_removed {
            let removed = removed.add(at);
            for (index, [low, high]) in pairs.iter_mut().enumerate() {
                let removed = v128_load(removed.add(index * 2 * LANES).cast());
                *low = i16x8_sub(*low, removed);
                *high = i16x8_sub(*high, i16x8_shr(removed, 8));
            }
        }
        for [low, high] in pairs {
            *low = i16x8_sub(*low, i16x8_shl(*high, 8));
        }
        for target in targets {
            for (index, value) in values.iter().enumerate() {
                v128_store(target.add(index * LANES).cast(), *value);
            }
        }
    }
}
