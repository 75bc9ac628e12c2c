//! Arrays that begin at a cache line.
//!
//! A 64-byte load that crosses two cache lines costs two loads, and every second one would in an array that
//! the allocator put anywhere. Nothing but speed depends on the alignment.
#![allow(unsafe_code, reason = "a view of whole cache lines as the integers that they hold")]

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; 64]);

mod integer {
    /// Integers of any bits, without padding, for which zero bytes are zero.
    pub(crate) trait Integer: Copy {}
    impl Integer for i8 {}
    impl Integer for i16 {}
}
pub(crate) use integer::Integer;

/// A fixed number of integers, zero at first, the first one at the start of a cache line.
#[derive(Clone)]
pub(crate) struct Aligned<T: Integer> {
    lines: Vec<Line>,
    length: usize,
    content: PhantomData<T>,
}

impl<T: Integer> Aligned<T> {
    pub(crate) fn zero(length: usize) -> Self {
        let lines = (length * size_of::<T>()).div_ceil(size_of::<Line>());
        Self { lines: vec![Line([0; 64]); lines], length, content: PhantomData }
    }

    pub(crate) fn copy_of(values: &[T]) -> Self {
        let mut copy = Self::zero(values.len());
        copy.copy_from_slice(values);
        copy
    }
}

impl<T: Integer> Deref for Aligned<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: the lines hold at least `length` values of `T`, all initialised; a line is aligned more
        // strictly than any `Integer`, and every pattern of bits is one.
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), self.length) }
    }
}

impl<T: Integer> DerefMut for Aligned<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above; the borrow of `self` is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), self.length) }
    }
}
