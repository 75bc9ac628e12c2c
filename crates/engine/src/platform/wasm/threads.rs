//! Threads: the host's Workers, which share the memory of the module and take what is spawned from one queue.
//!
//! A Worker that has done its work waits for more. The host is asked for another one only where more waits than there
//! are Workers without work, so that the Workers are as many as the threads were at most.

use std::alloc::{Layout, alloc};
use std::collections::VecDeque;
use std::io;
use std::sync::{Condvar, Mutex, PoisonError};

type Work = Box<dyn FnOnce() + Send>;

/// Searches recurse, up to the largest ply.
const STACK: Layout = match Layout::from_size_align(8 << 20, 64) {
    Ok(layout) => layout,
    Err(_) => panic!(),
};

#[link(wasm_import_module = "rufous")]
unsafe extern "C" {
    /// Starts a Worker that calls `thread_main` with this stack, which ends at the pointer.
    safe fn start_thread(stack_end: *mut u8);
}

struct Queue {
    waiting: VecDeque<Work>,
    /// Workers that were asked for or have nothing to do.
    free: usize,
}

static QUEUE: Mutex<Queue> = Mutex::new(Queue { waiting: VecDeque::new(), free: 0 });
static NEWS: Condvar = Condvar::new();

/// Starts a thread.
///
/// # Errors
/// When there is no memory for its stack.
pub fn spawn(_name: &str, _stack: usize, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let mut queue = QUEUE.lock().unwrap_or_else(PoisonError::into_inner);
    if queue.free <= queue.waiting.len() {
        // SAFETY: the layout has a size above zero.
        let stack = unsafe { alloc(STACK) };
        if stack.is_null() {
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        queue.free += 1;
        start_thread(stack.wrapping_add(STACK.size()));
    }
    queue.waiting.push_back(Box::new(work));
    NEWS.notify_one();
    Ok(())
}

/// What a Worker does: whatever is spawned, for ever.
pub fn thread_main() -> ! {
    loop {
        let mut queue = QUEUE.lock().unwrap_or_else(PoisonError::into_inner);
        let work = loop {
            match queue.waiting.pop_front() {
                Some(work) => break work,
                None => queue = NEWS.wait(queue).unwrap_or_else(PoisonError::into_inner),
            }
        };
        queue.free -= 1;
        drop(queue);
        work();
        QUEUE.lock().unwrap_or_else(PoisonError::into_inner).free += 1;
    }
}
