//! Anonymous mappings. The allocator does not serve: for large alignments it clears the memory itself, and a page that
//! was touched before `madvise` stays small.

use std::ptr::{NonNull, null_mut};

/// Zeroed memory of this size and alignment, both whole pages.
pub(super) fn map(bytes: usize, align: usize) -> Option<NonNull<u8>> {
    let reserved = bytes.checked_add(align)?;
    let (protection, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANON);
    // SAFETY: a new mapping, wherever the system likes.
    let start = unsafe { libc::mmap(null_mut(), reserved, protection, flags, -1, 0) };
    if start == libc::MAP_FAILED {
        return None;
    }
    let start = start.cast::<u8>();
    let before = start.align_offset(align);
    // SAFETY: both ends lie within the mapping; what is between them is kept. Failure would only waste addresses.
    unsafe {
        if before > 0 {
            libc::munmap(start.cast(), before);
        }
        if align > before {
            libc::munmap(start.add(before + bytes).cast(), align - before);
        }
    }
    // SAFETY: within the mapping.
    let start = unsafe { start.add(before) };
    #[cfg(target_os = "linux")]
    // Only a hint: if it fails, pages are small and everything still works.
    // SAFETY: the range is the memory just mapped.
    unsafe {
        libc::madvise(start.cast(), bytes, libc::MADV_HUGEPAGE);
    }
    NonNull::new(start)
}

/// Gives memory back.
///
/// # Safety
/// It must come from [`map`] with this size, and must not be used any more.
pub(super) unsafe fn unmap(start: NonNull<u8>, bytes: usize) {
    // SAFETY: the caller's promise.
    unsafe { libc::munmap(start.as_ptr().cast(), bytes) };
}
