//! Zeroed, aligned memory, on large pages where the system has them.
//!
//! A search reads a few bytes here and there of many megabytes: with pages of 4 KiB nearly every access is a TLB miss,
//! which takes longer than the access itself, above all in a virtual machine.
#![allow(unsafe_code, reason = "the allocator's interface; users get a safe slice")]

#[cfg(unix)]
#[path = "memory/unix.rs"]
mod system;
#[cfg(windows)]
#[path = "memory/windows.rs"]
mod system;

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

/// The size of a large page on the systems that matter.
const LARGE_PAGE: usize = 2 << 20;
/// The size of a cache line. Vectors that start at one are loaded without crossing lines.
pub const CACHE_LINE: usize = 64;

/// A type that is valid as all zeros.
///
/// # Safety
/// All bytes zero must be a valid value, and the type must need no drop.
pub unsafe trait Zeroable: Sync + Send {}

// SAFETY: every pattern of bits is a number.
unsafe impl Zeroable for i8 {}
// SAFETY: as above.
unsafe impl Zeroable for i16 {}
// SAFETY: as above.
unsafe impl Zeroable for f32 {}

/// A slice of zeroed memory that begins at a cache line.
pub struct ZeroedMemory<T: Zeroable> {
    start: NonNull<T>,
    len: usize,
    layout: Layout,
}

// SAFETY: the memory is owned, and handed out as a slice of `T` is: shared, or to one owner alone.
unsafe impl<T: Zeroable> Send for ZeroedMemory<T> {}
// SAFETY: as above.
unsafe impl<T: Zeroable> Sync for ZeroedMemory<T> {}

impl<T: Zeroable> ZeroedMemory<T> {
    /// Memory for `len` values, or `None` where the system does not have that much. Large blocks are not touched yet, so
    /// that a NUMA system places them near the thread that first uses them.
    pub fn try_new(len: usize) -> Option<Self> {
        let needed = len.checked_mul(size_of::<T>())?;
        // What fills half a large page gets a whole one.
        let align = if needed >= LARGE_PAGE / 2 { LARGE_PAGE } else { CACHE_LINE };
        let bytes = needed.max(1).checked_next_multiple_of(align)?;
        let layout = Layout::from_size_align(bytes, align.max(align_of::<T>())).ok()?;
        Some(Self { start: allocate(layout)?.cast(), len, layout })
    }

    /// As [`try_new`](Self::try_new), but aborts the program if the memory cannot be allocated, as a `Vec` does.
    pub fn new(len: usize) -> Self {
        Self::try_new(len).unwrap_or_else(|| handle_alloc_error(Layout::new::<T>()))
    }
}

/// May this program use large pages? Windows requires a privilege of the account; `None` on other systems.
pub fn right_to_large_pages() -> Option<bool> {
    #[cfg(windows)]
    return Some(system::large_page().is_some());
    #[cfg(not(windows))]
    None
}

/// Does memory of this layout come from the system directly, in large pages?
#[cfg(any(unix, windows))]
fn is_large(layout: Layout) -> bool {
    layout.align() == LARGE_PAGE
}

/// Zeroed memory of a layout whose size is above zero.
fn allocate(layout: Layout) -> Option<NonNull<u8>> {
    #[cfg(any(unix, windows))]
    if is_large(layout) {
        return system::map(layout.size(), layout.align());
    }
    // SAFETY: the layout has a size above zero.
    NonNull::new(unsafe { alloc_zeroed(layout) })
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

impl<T: Zeroable + Copy> Clone for ZeroedMemory<T> {
    fn clone(&self) -> Self {
        Self::from(&**self)
    }
}

impl<T: Zeroable + Copy> From<&[T]> for ZeroedMemory<T> {
    fn from(values: &[T]) -> Self {
        let mut copy = Self::new(values.len());
        copy.copy_from_slice(values);
        copy
    }
}

impl<T: Zeroable + PartialEq> PartialEq for ZeroedMemory<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Zeroable> fmt::Debug for ZeroedMemory<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} values", self.len)
    }
}

impl<T: Zeroable> Drop for ZeroedMemory<T> {
    fn drop(&mut self) {
        #[cfg(any(unix, windows))]
        if is_large(self.layout) {
            // SAFETY: mapped with this size, and never again used.
            return unsafe { system::unmap(self.start.cast(), self.layout.size()) };
        }
        // SAFETY: allocated with this layout, and never again used.
        unsafe { dealloc(self.start.as_ptr().cast(), self.layout) };
    }
}

/// One large value in zeroed memory, such as a table whose size is part of its type.
pub struct ZeroedBox<T: Zeroable>(ZeroedMemory<T>);

impl<T: Zeroable> ZeroedBox<T> {
    /// The value of all zeros; see [`ZeroedMemory::new`].
    pub fn new() -> Self {
        Self(ZeroedMemory::new(1))
    }

    /// Sets it to zero again.
    pub fn clear(&mut self) {
        // SAFETY: the memory of one value, which is valid as zeros and needs no drop.
        unsafe { self.0.start.write_bytes(0, 1) };
    }
}

impl<T: Zeroable> Default for ZeroedBox<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Zeroable> Deref for ZeroedBox<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: there is exactly one value, owned for as long as `self`.
        unsafe { self.0.start.as_ref() }
    }
}

impl<T: Zeroable> DerefMut for ZeroedBox<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as above, and the borrow of `self` keeps everybody else out.
        unsafe { self.0.start.as_mut() }
    }
}

/// Starts to fetch the cache line of a value, so that it is there when it is asked for.
#[inline(always)]
pub fn prefetch<T>(value: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch touches no memory that the program could see, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(value.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_zero_writable_and_aligned_whatever_its_size() {
        for len in [0, 1, 1000, LARGE_PAGE / 2, 3 * LARGE_PAGE + 5] {
            let mut memory = ZeroedMemory::<i8>::try_new(len).unwrap();
            assert_eq!(memory.len(), len);
            assert!(memory.iter().all(|&byte| byte == 0));
            assert_eq!(memory.as_ptr().addr() % CACHE_LINE, 0);
            memory.fill(7);
            assert!(memory.clone().iter().all(|&byte| byte == 7));
        }
        assert!(ZeroedMemory::<i16>::try_new(usize::MAX / 2).is_none());
        assert!(ZeroedMemory::<i16>::try_new(1 << 60).is_none());
    }
}
