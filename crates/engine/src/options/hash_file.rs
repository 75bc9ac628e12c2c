//! The options `Hash File`, `Save Hash` and `Load Hash`.

use std::io;

use super::OptionError;
use crate::engine::Engine;
use crate::io_error_text::io_error_text;

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
            let reason = io_error_text(&error);
            Err(OptionError::Refused(format!("cannot {verb} the hash table '{file}': {reason}")))
        }
    }
}
