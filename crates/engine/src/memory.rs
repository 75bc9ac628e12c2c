//! Zeroed memory that can fail to be had; much of it lies on large pages where the system has them.
#![allow(unsafe_code, reason = "the allocator's interface; the rest of the crate sees a slice")]

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

/// The size of a large page on the systems that matter.
const LARGE_PAGE: usize = 2 << 20;

/// A type that is valid as all zeros.
///
/// # Safety
/// All bytes zero must be a valid value, and the type must need no drop.
pub(crate) unsafe trait Zeroable: Sync + Send {}

// SAFETY: every pattern of bits is a number.
unsafe impl Zeroable for i16 {}

/// A slice of zeroed memory.
pub(crate) struct ZeroedMemory<T: Zeroable> {
    start: NonNull<T>,
    len: usize,
    layout: Layout,
}

// SAFETY: the memory is owned, and handed out as a slice of `T` is: shared, or to one owner alone.
unsafe impl<T: Zeroable> Send for ZeroedMemory<T> {}
// SAFETY: as above.
unsafe impl<T: Zeroable> Sync for ZeroedMemory<T> {}

impl<T: Zeroable> ZeroedMemory<T> {
    /// Memory for `len` values, or `None` where the system has not so much.
    pub(crate) fn new(len: usize) -> Option<Self> {
        let needed = len.checked_mul(size_of::<T>())?;
        // What fills half a large page gets a whole one.
        let large = needed >= LARGE_PAGE / 2;
        let align = if large { LARGE_PAGE } else { 64 };
        let bytes = needed.max(1).checked_next_multiple_of(align)?;
        let layout = Layout::from_size_align(bytes, align.max(align_of::<T>())).ok()?;
        // SAFETY: the layout has a size above zero.
        let start = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        #[cfg(target_os = "linux")]
        if large {
            // A hint only: where it fails, pages are small and everything works all the same.
            // SAFETY: the range is the memory just allocated.
            unsafe { libc::madvise(start.as_ptr().cast(), bytes, libc::MADV_HUGEPAGE) };
        }
        Some(Self { start: start.cast(), len, layout })
    }

    /// The same for a few megabytes, without which nothing works: to lack them ends the program, as it
    /// does where a `Vec` grows.
    pub(crate) fn indispensable(len: usize) -> Self {
        Self::new(len).unwrap_or_else(|| handle_alloc_error(Layout::new::<T>()))
    }
}

impl<T: Zeroable> Deref for ZeroedMemory<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: `start` points to `len` values, valid since zeroed, owned for as long as `self`.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl<T: Zeroable> DerefMut for ZeroedMemory<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and the borrow of `self` keeps everybody else out.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

impl<T: Zeroable> Drop for ZeroedMemory<T> {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout, and never again used.
        unsafe { dealloc(self.start.as_ptr().cast(), self.layout) };
    }
}
