//! WebAssembly: the host gives a clock and a seed, and there are no files.
#![allow(unsafe_code, reason = "functions of the host")]

use std::fs::File;
use std::ops::{Add, Sub};
use std::path::PathBuf;
use std::time::Duration;
use std::{io, iter};

#[cfg(single_threaded)]
mod single;
#[cfg(not(single_threaded))]
mod threads;

#[cfg(single_threaded)]
pub(crate) use single::{idle, yield_to_host};
#[cfg(single_threaded)]
pub use single::{run_spawned, spawn};
#[cfg(not(single_threaded))]
pub use threads::{spawn, thread_main};

#[link(wasm_import_module = "rufous")]
unsafe extern "C" {
    /// Milliseconds since some moment, the same for all threads.
    safe fn now() -> f64;
    /// A number from 0 to 1.
    safe fn random() -> f64;
}

/// A moment on a clock that never goes back.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Instant(Duration);

impl Instant {
    /// This moment.
    pub fn now() -> Self {
        Self(Duration::from_secs_f64(now().max(0.0) / 1000.0))
    }

    /// The time since then.
    pub fn elapsed(&self) -> Duration {
        Self::now().saturating_duration_since(*self)
    }

    /// The time from an earlier moment to this one, or none.
    pub fn saturating_duration_since(&self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }
}

impl Add<Duration> for Instant {
    type Output = Self;

    fn add(self, time: Duration) -> Self {
        Self(self.0 + time)
    }
}

impl Sub for Instant {
    type Output = Duration;

    fn sub(self, earlier: Self) -> Duration {
        self.saturating_duration_since(earlier)
    }
}

/// A random seed.
pub fn seed() -> u64 {
    let bits = || (random() * f64::from(u32::MAX)) as u64;
    bits() << 32 | bits()
}

/// There are no files to read.
pub(crate) fn read_at(_file: &File, _buf: &mut [u8], _offset: u64) -> io::Result<usize> {
    Err(io::ErrorKind::Unsupported.into())
}

/// There are no directories, so that there is no way to write a list of them.
pub(crate) fn split_paths(list: &str) -> impl Iterator<Item = PathBuf> {
    iter::once(PathBuf::from(list))
}

/// There is no other process.
pub(crate) fn process_number() -> u32 {
    0
}
