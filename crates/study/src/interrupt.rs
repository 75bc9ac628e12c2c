//! Ctrl-C: the first one cancels the work, the second one exits at once.

use crate::analyst::Cancel;

/// The conventional exit code of an interrupted program.
const INTERRUPTED: i32 = 130;

/// A token that the first Ctrl-C cancels.
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
