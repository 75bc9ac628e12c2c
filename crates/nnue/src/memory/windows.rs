//! Memory from Windows, in large pages if the account has the privilege to lock pages. The few functions are declared
//! here to avoid a dependency on a crate with all of Windows.

use std::ffi::c_void;
use std::ptr::{self, NonNull};
use std::sync::OnceLock;

const MEM_COMMIT: u32 = 0x1000;
const MEM_RESERVE: u32 = 0x2000;
const MEM_RELEASE: u32 = 0x8000;
const MEM_LARGE_PAGES: u32 = 0x2000_0000;
const PAGE_READWRITE: u32 = 4;
const TOKEN_ADJUST_PRIVILEGES: u32 = 0x20;
const TOKEN_QUERY: u32 = 8;
const SE_PRIVILEGE_ENABLED: u32 = 2;

type Handle = *mut c_void;

/// The privilege and its new state.
#[repr(C)]
struct TokenPrivileges {
    count: u32,
    /// A locally unique identifier: two halves.
    luid: [u32; 2],
    attributes: u32,
}

#[link(name = "kernel32")]
unsafe extern "system" {
    fn VirtualAlloc(address: *mut c_void, size: usize, kind: u32, protection: u32) -> *mut c_void;
    fn VirtualFree(address: *mut c_void, size: usize, kind: u32) -> i32;
    fn GetLargePageMinimum() -> usize;
    fn GetCurrentProcess() -> Handle;
    fn CloseHandle(handle: Handle) -> i32;
    fn GetLastError() -> u32;
}

#[link(name = "advapi32")]
unsafe extern "system" {
    fn OpenProcessToken(process: Handle, access: u32, token: *mut Handle) -> i32;
    fn LookupPrivilegeValueW(system: *const u16, name: *const u16, luid: *mut [u32; 2]) -> i32;
    fn AdjustTokenPrivileges(
        token: Handle,
        disable_all: i32,
        state: *const TokenPrivileges,
        length: u32,
        previous: *mut c_void,
        previous_length: *mut u32,
    ) -> i32;
}

/// The size of a large page; `None` where there are none or the account lacks the right.
pub(super) fn large_page() -> Option<usize> {
    static SIZE: OnceLock<Option<usize>> = OnceLock::new();
    *SIZE.get_or_init(|| {
        // SAFETY: a question without arguments.
        let size = unsafe { GetLargePageMinimum() };
        (size > 0 && enable_lock_memory()).then_some(size)
    })
}

/// Enables the privilege to lock pages, if the account has it.
fn enable_lock_memory() -> bool {
    let name: Vec<u16> = "SeLockMemoryPrivilege\0".encode_utf16().collect();
    let mut token = ptr::null_mut();
    let mut privileges = TokenPrivileges { count: 1, luid: [0; 2], attributes: SE_PRIVILEGE_ENABLED };
    // SAFETY: all pointers are to the values above, which outlive the calls; the handle is closed once.
    unsafe {
        if OpenProcessToken(GetCurrentProcess(), TOKEN_ADJUST_PRIVILEGES | TOKEN_QUERY, &raw mut token) == 0 {
            return false;
        }
        let enabled = LookupPrivilegeValueW(ptr::null(), name.as_ptr(), &raw mut privileges.luid) != 0
            && AdjustTokenPrivileges(token, 0, &raw const privileges, 0, ptr::null_mut(), ptr::null_mut()) != 0
            // The call succeeds even without the privilege; only the last error shows it.
            && GetLastError() == 0;
        CloseHandle(token);
        enabled
    }
}

/// Zeroed memory of this size, a multiple of `align`.
pub(super) fn map(bytes: usize, _align: usize) -> Option<NonNull<u8>> {
    let allocate = |size, kind| {
        // SAFETY: new memory, wherever the system likes.
        NonNull::new(unsafe { VirtualAlloc(ptr::null_mut(), size, kind, PAGE_READWRITE) }.cast())
    };
    let large = large_page().and_then(|page| {
        allocate(bytes.checked_next_multiple_of(page)?, MEM_RESERVE | MEM_COMMIT | MEM_LARGE_PAGES)
    });
    // Large pages are not available when memory is fragmented.
    large.or_else(|| allocate(bytes, MEM_RESERVE | MEM_COMMIT))
}

/// Gives memory back.
///
/// # Safety
/// It must come from [`map`], and must not be used any more.
pub(super) unsafe fn unmap(start: NonNull<u8>, _bytes: usize) {
    // SAFETY: the caller's promise.
    unsafe { VirtualFree(start.as_ptr().cast(), 0, MEM_RELEASE) };
}
