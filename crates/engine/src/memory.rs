//! Large zeroed memory that can fail to be had, on large pages where the system has them.
#![allow(unsafe_code, reason = "the allocator's interface; the rest of the crate sees a slice")]

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ops::Deref;
use std::ptr::NonNull;

/// The size of a large page on the systems that matter.
const LARGE_PAGE: usize = 2 << 20;

/// A type that is valid as all zeros and may be changed through shared references, as atomics are.
///
/// # Safety
/// All bytes zero must be a valid value, and the type must need no drop.
pub(crate) unsafe trait Zeroable: Sync {}

/// A slice of zeroed memory.
pub(crate) struct ZeroedMemory<T: Zeroable> {
    start: NonNull<T>,
    len: usize,
    layout: Layout,
}

// SAFETY: the memory is owned, and `T` is `Sync`; it is only ever handed out as a shared slice.
unsafe impl<T: Zeroable> Send for ZeroedMemory<T> {}
// SAFETY: as above.
unsafe impl<T: Zeroable> Sync for ZeroedMemory<T> {}

impl<T: Zeroable> ZeroedMemory<T> {
    /// Memory for `len` values, or `None` where the system has not so much.
    pub(crate) fn new(len: usize) -> Option<Self> {
        let bytes = len.checked_mul(size_of::<T>())?;
        let align = if bytes >= LARGE_PAGE { LARGE_PAGE } else { 64 };
        let layout = Layout::from_size_align(bytes.max(1), align.max(align_of::<T>())).ok()?;
        // SAFETY: the layout has a size above zero.
        let start = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        #[cfg(target_os = "linux")]
        if bytes >= LARGE_PAGE {
            // A hint only: where it fails, pages are small and everything works all the same.
            // SAFETY: the range is the memory just allocated.
            unsafe { libc::madvise(start.as_ptr().cast(), bytes, libc::MADV_HUGEPAGE) };
        }
        Some(Self { start: start.cast(), len, layout })
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

impl<T: Zeroable> Drop for ZeroedMemory<T> {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout, and never again used.
        unsafe { dealloc(self.start.as_ptr().cast(), self.layout) };
    }
}
