//! What differs between systems, besides memory: clock, threads, seed, and reading files at an offset.
//!
//! Each kind of system has one file here, and nothing else in the project asks which one it is: systems with threads
//! of the standard library, and WebAssembly, where the host page or program gives what the standard library cannot.
//! WebAssembly comes with threads (shared memory, each thread a Worker) or with a single one (`cfg(single_threaded)`,
//! which `build.rs` sets); there, what is spawned waits until whoever started it waits in turn.

#[cfg(not(target_family = "wasm"))]
mod native;
#[cfg(target_family = "wasm")]
mod wasm;

#[cfg(not(target_family = "wasm"))]
pub use native::{Instant, seed, spawn};
#[cfg(not(target_family = "wasm"))]
pub(crate) use native::{process_number, read_at, split_paths};
#[cfg(all(target_family = "wasm", single_threaded))]
pub use wasm::run_spawned;
#[cfg(all(target_family = "wasm", not(single_threaded)))]
pub use wasm::thread_main;
#[cfg(target_family = "wasm")]
pub use wasm::{Instant, seed, spawn};
#[cfg(target_family = "wasm")]
pub(crate) use wasm::{process_number, read_at, split_paths};

/// Threads that an engine can have, where that is known beforehand.
pub(crate) const MAX_THREADS: Option<usize> = if cfg!(single_threaded) {
    Some(1)
} else if cfg!(target_family = "wasm") {
    // A host with more processors is not known, and Workers are never refused.
    Some(128)
} else {
    None
};

/// In WebAssembly with a single thread, lets the host handle messages during a long computation. Elsewhere it does nothing.
#[inline]
pub fn yield_to_host() {
    #[cfg(single_threaded)]
    wasm::yield_to_host();
}

/// On the only thread: does what was spawned, or lets the host wait for news, for so long at the most.
#[cfg(single_threaded)]
pub(crate) use wasm::idle;
