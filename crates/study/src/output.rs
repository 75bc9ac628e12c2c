//! Files that the commands write, and what they tell meanwhile.

use std::fmt::Display;
use std::io::Write;
use std::path::Path;
use std::{fs, io};

use crate::CommandResult;

/// Writes a temporary file and renames it, so that there is never half a file, and prints the path.
///
/// # Errors
/// Where it cannot be written.
pub(crate) fn write_whole(path: &Path, text: &str) -> CommandResult {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    let written = fs::write(&beside, text).and_then(|()| fs::rename(&beside, path));
    written.map_err(|error| format!("{}: {error}", path.display()))?;
    say(format_args!("written: {}", path.display()));
    Ok(())
}

/// Prints a line to standard output. `println!` would panic where the reader of a pipe has gone, such as `head`, and so end
/// the work before its files are written.
pub(crate) fn say(text: impl Display) {
    // A reader of a pipe should see it at once.
    let mut out = io::stdout();
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
}

/// Prints a line to standard error, in the same way.
pub(crate) fn warn(text: impl Display) {
    let _ = writeln!(io::stderr(), "{text}");
}
