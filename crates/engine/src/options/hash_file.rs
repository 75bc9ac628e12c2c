//! The hash table in a file.

use std::io::{self, ErrorKind};

use super::OptionError;
use crate::engine::Engine;

/// Writes the table to its file.
pub(super) fn save(engine: &mut Engine) -> Result<Vec<String>, OptionError> {
    with_file(engine, "save", "saved to", |engine| engine.save_hash())
}

/// Reads the table from its file.
pub(super) fn load(engine: &mut Engine) -> Result<Vec<String>, OptionError> {
    with_file(engine, "load", "loaded from", Engine::load_hash)
}

fn with_file(
    engine: &mut Engine,
    verb: &str,
    done: &str,
    action: impl FnOnce(&mut Engine) -> io::Result<()>,
) -> Result<Vec<String>, OptionError> {
    let file = engine.hash_file().to_owned();
    if file.is_empty() {
        return Err(OptionError::Refused(format!("cannot {verb} the hash table: set `Hash File` first")));
    }
    match action(engine) {
        Ok(()) => Ok(vec![format!("hash table {done} '{file}'")]),
        Err(error) => {
            let reason = reason(&error);
            Err(OptionError::Refused(format!("cannot {verb} the hash table '{file}': {reason}")))
        }
    }
}

/// Why a file cannot be used. The system's own words are not for clients: some take them for an engine that failed.
fn reason(error: &io::Error) -> String {
    let words = match error.kind() {
        ErrorKind::NotFound => "it does not exist",
        ErrorKind::PermissionDenied => "this user has no access to it",
        ErrorKind::IsADirectory => "it is a folder",
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "there is no room left for it",
        ErrorKind::InvalidData => return error.to_string(),
        _ => "it cannot be read or written",
    };
    words.to_owned()
}
