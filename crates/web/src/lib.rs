//! Rufous as a WebAssembly module: UCI lines in, UCI lines out.
//!
//! The host calls `hear` for every line and `attend` after every `wake`; lines come back by `say`. With shared memory
//! everything long runs on Workers. With one thread it runs in `work`, which the host calls while `hear` or `attend`
//! says that there is something to do; during it, the module calls the host's `pause`, and the host may call `hear`
//! from there. See docs/wasm.md for the imports and exports.
#![cfg(target_family = "wasm")]
#![allow(unsafe_code, reason = "the border to the host")]

use std::cell::RefCell;
use std::io::{self, Write};
#[cfg(target_feature = "atomics")]
use std::sync::{Mutex, PoisonError};

use rufous::UciSession;

#[link(wasm_import_module = "rufous")]
unsafe extern "C" {
    /// Takes whole lines of UTF-8.
    safe fn say(text: *const u8, len: usize);
    /// Asks for a call of `attend`, from the thread of the session.
    safe fn wake();
    /// Takes the message of a panic, after which the module must not be used.
    safe fn die(text: *const u8, len: usize);
}

/// Gives lines to the host.
struct Host;

/// Lines of all threads in the order in which they were written, to be passed to the host by the session's thread.
#[cfg(target_feature = "atomics")]
static UNTOLD: Mutex<Vec<u8>> = Mutex::new(Vec::new());

impl Write for Host {
    #[cfg(target_feature = "atomics")]
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        let mut untold = UNTOLD.lock().unwrap_or_else(PoisonError::into_inner);
        // The first line asks the host to collect all.
        if untold.is_empty() {
            wake();
        }
        untold.extend_from_slice(text);
        Ok(text.len())
    }

    #[cfg(not(target_feature = "atomics"))]
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        say(text.as_ptr(), text.len());
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

thread_local! {
    static SESSION: RefCell<Option<UciSession>> = const { RefCell::new(None) };
}

/// Runs something on the session, which only one thread has. False when it has ended.
fn with_session(act: impl FnOnce(&mut UciSession) -> bool) -> bool {
    let goes_on = SESSION.with_borrow_mut(|session| {
        let goes_on = session.as_mut().is_some_and(act);
        if !goes_on {
            *session = None;
        }
        goes_on
    });
    #[cfg(target_feature = "atomics")]
    {
        let untold = std::mem::take(&mut *UNTOLD.lock().unwrap_or_else(PoisonError::into_inner));
        if !untold.is_empty() {
            say(untold.as_ptr(), untold.len());
        }
    }
    goes_on
}

/// Memory for something that the host hands over.
#[unsafe(no_mangle)]
extern "C" fn allocate(len: usize) -> *mut u8 {
    Box::into_raw(vec![0_u8; len].into_boxed_slice()).cast()
}

/// Takes back what `allocate` gave.
///
/// # Safety
/// Memory of `allocate` with the same length, which the host does not use again.
unsafe fn receive(text: *mut u8, len: usize) -> Box<[u8]> {
    // SAFETY: it is what `allocate` made.
    unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(text, len)) }
}

/// Begins with this network. It must be called once, before anything else.
///
/// # Safety
/// The network is in memory of `allocate` with the same length, which the host does not use again.
#[unsafe(no_mangle)]
unsafe extern "C" fn begin(network: *mut u8, len: usize) {
    std::panic::set_hook(Box::new(|panic| {
        let words = panic.to_string();
        die(words.as_ptr(), words.len());
    }));
    // SAFETY: by the contract of this function.
    engine::provide_network(unsafe { receive(network, len) });
    SESSION.set(Some(UciSession::new(Box::new(Host), || wake())));
}

/// Handles a line of UCI. False when the session has ended.
///
/// # Safety
/// The line is in memory of `allocate` with the same length, which the host does not use again.
#[unsafe(no_mangle)]
unsafe extern "C" fn hear(line: *mut u8, len: usize) -> bool {
    // SAFETY: by the contract of this function.
    let line = unsafe { receive(line, len) };
    with_session(|session| session.handle_line(&String::from_utf8_lossy(&line)))
}

/// No more lines will come. False when the session has ended.
#[unsafe(no_mangle)]
extern "C" fn end() -> bool {
    with_session(UciSession::end_of_input)
}

/// Continues after a `wake`. False when the session has ended.
#[unsafe(no_mangle)]
extern "C" fn attend() -> bool {
    with_session(UciSession::poll)
}

/// Runs one queued job on the only thread. False if there was none.
#[cfg(not(target_feature = "atomics"))]
#[unsafe(no_mangle)]
extern "C" fn work() -> bool {
    engine::platform::run_spawned()
}

/// What a Worker does after it has set its stack.
#[cfg(target_feature = "atomics")]
#[unsafe(no_mangle)]
extern "C" fn thread_main() {
    engine::platform::thread_main()
}
