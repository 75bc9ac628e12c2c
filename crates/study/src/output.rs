//! Files that the commands write.

use std::fs;
use std::path::Path;

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
    println!("written: {}", path.display());
    Ok(())
}
