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

use rufous::Conversation;

#[link(wasm_import_module = "rufous")]
unsafe extern "C" {
    /// Takes whole lines of UTF-8.
    safe fn say(text: *const u8, len: usize);
    /// Asks for a call of `attend`, from the thread of the conversation.
    safe fn wake();
    /// Takes the words of a panic, after which the module is dead.
    safe fn die(text: *const u8, len: usize);
}

/// Gives lines to the host.
struct Host;

/// Lines of all threads, in the order in which they were written, for the thread of the conversation to tell.
#[cfg(target_feature = "atomics")]
static UNTOLD: Mutex<Vec<u8>> = Mutex::new(Vec::new());

impl Write for Host {
    #[cfg(target_feature = "atomics")]
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        let mut untold = UNTOLD.lock().unwrap_or_else(PoisonError::into_inner);
        // Whoever wrote the first of them has asked for somebody to take them.
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
    static CONVERSATION: RefCell<Option<Conversation>> = const { RefCell::new(None) };
}

/// Does something with the conversation, which only one thread ever has. False when it has ended.
fn converse(act: impl FnOnce(&mut Conversation) -> bool) -> bool {
    let goes_on = CONVERSATION.with_borrow_mut(|conversation| {
        let goes_on = conversation.as_mut().is_some_and(act);
        if !goes_on {
            *conversation = None;
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
    CONVERSATION.set(Some(Conversation::new(Box::new(Host), || wake())));
}

/// Hears a line. False when it was the end of the conversation.
///
/// # Safety
/// The line is in memory of `allocate` with the same length, which the host does not use again.
#[unsafe(no_mangle)]
unsafe extern "C" fn hear(line: *mut u8, len: usize) -> bool {
    // SAFETY: by the contract of this function.
    let line = unsafe { receive(line, len) };
    converse(|conversation| conversation.hear(&String::from_utf8_lossy(&line)))
}

/// No more lines will come. False when that was the end of the conversation.
#[unsafe(no_mangle)]
extern "C" fn end() -> bool {
    converse(Conversation::end)
}

/// Goes on after a `wake`. False when that was the end of the conversation.
#[unsafe(no_mangle)]
extern "C" fn attend() -> bool {
    converse(Conversation::attend)
}

/// Does one thing that takes its time, on the only thread. False where there was none.
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
