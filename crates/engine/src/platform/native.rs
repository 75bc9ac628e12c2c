//! Systems where the standard library has everything.

use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::path::PathBuf;
use std::{env, io, thread};

/// A moment on a clock that never goes back.
pub use std::time::Instant;

/// Starts a thread.
///
/// # Errors
/// When the system refuses.
pub fn spawn(name: &str, stack: usize, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name(name.to_owned()).stack_size(stack).spawn(work).map(drop)
}

/// A random seed.
pub fn seed() -> u64 {
    RandomState::new().hash_one(())
}

/// Reads at an offset, whatever was read before.
pub(crate) fn read_at(file: &File, buf: &mut [u8], offset: u64) -> io::Result<usize> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::read_at(file, buf, offset);
    #[cfg(windows)]
    return std::os::windows::fs::FileExt::seek_read(file, buf, offset);
}

/// The directories in a list as the system writes it.
pub(crate) fn split_paths(list: &str) -> impl Iterator<Item = PathBuf> {
    env::split_paths(list)
}

/// Identifies this process.
pub(crate) fn process_number() -> u32 {
    std::process::id()
}
