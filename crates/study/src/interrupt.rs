//! Ctrl-C: the first one ends the work cleanly, the second one at once.

use crate::analyst::Cancel;

/// What a shell expects of a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// Something that the first Ctrl-C cancels.
///
/// # Errors
/// Where the system does not allow to catch it.
pub(crate) fn cancel_on_ctrl_c() -> Result<Cancel, ctrlc::Error> {
    let cancel = Cancel::default();
    let handled = cancel.clone();
    ctrlc::set_handler(move || {
        if handled.is_cancelled() {
            std::process::exit(INTERRUPTED);
        }
        handled.cancel();
    })?;
    Ok(cancel)
}
