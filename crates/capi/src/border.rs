//! The wrapper of every call from C: it catches panics and stores a message for the caller.

use std::cell::{Cell, RefCell};
use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::{RufousStatus, c_text};

thread_local! {
    /// The message of the last call on this thread.
    pub(crate) static MESSAGE: RefCell<CString> = RefCell::default();
    /// Is this thread within a callback?
    static IN_CALLBACK: Cell<bool> = const { Cell::new(false) };
}

/// Why a call was not carried out.
pub(crate) struct Failure {
    status: RufousStatus,
    text: String,
}

impl Failure {
    pub(crate) fn new(status: RufousStatus, text: impl ToString) -> Self {
        Self { status, text: text.to_string() }
    }
}

/// Carries out a call that may not be made within a callback, since it would wait for its own thread.
pub(crate) fn guarded(call: impl FnOnce() -> Result<String, Failure>) -> RufousStatus {
    guarded_anywhere(|| {
        if IN_CALLBACK.get() {
            return Err(Failure::new(RufousStatus::InCallback, "not to be called within a callback"));
        }
        call()
    })
}

/// Carries out a call.
pub(crate) fn guarded_anywhere(call: impl FnOnce() -> Result<String, Failure>) -> RufousStatus {
    // State that a panic may leave half done is behind locks that ignore poisoning, or is freed by the caller.
    let outcome = catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|_| {
        Err(Failure::new(RufousStatus::Panic, "a bug in Rufous; standard error has the details"))
    });
    let (status, text) = match outcome {
        Ok(text) => (RufousStatus::Ok, text),
        Err(Failure { status, text }) => (status, text),
    };
    MESSAGE.with_borrow_mut(|message| *message = c_text(text));
    status
}

/// Calls back into C.
pub(crate) fn call_back(call: impl FnOnce()) {
    IN_CALLBACK.set(true);
    call();
    IN_CALLBACK.set(false);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_does_not_cross_the_border() {
        assert_eq!(guarded(|| panic!("on purpose")), RufousStatus::Panic);
        MESSAGE.with_borrow(|message| assert!(message.to_str().unwrap().contains("bug")));
        assert_eq!(guarded(|| Ok("fine".to_owned())), RufousStatus::Ok);
        MESSAGE.with_borrow(|message| assert_eq!(message.to_str(), Ok("fine")));
    }

    #[test]
    fn what_would_wait_for_itself_is_refused_in_a_callback() {
        call_back(|| {
            assert_eq!(guarded(|| Ok(String::new())), RufousStatus::InCallback);
            assert_eq!(guarded_anywhere(|| Ok(String::new())), RufousStatus::Ok);
        });
        assert_eq!(guarded(|| Ok(String::new())), RufousStatus::Ok);
    }
}
