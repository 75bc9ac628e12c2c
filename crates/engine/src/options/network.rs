//! The option `EvalFile`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs, io};

use nnue::Network;

use super::OptionError;
use crate::embedded_network::embedded_network;
use crate::engine::Engine;
use crate::io_error_text::io_error_text;

/// Evaluates with the network of this name: the one inside the program, or else a file.
pub(super) fn load(engine: &mut Engine, name: &str) -> Result<(), OptionError> {
    let network = if name == crate::EMBEDDED_NAME {
        embedded_network().map_err(OptionError::refused)?
    } else {
        let bytes = read_first(&candidates(name)).map_err(|error| {
            OptionError::Refused(format!("cannot read the network '{name}': {}", io_error_text(&error)))
        })?;
        let network = Network::from_bytes(&bytes)
            .map_err(|error| OptionError::Refused(format!("'{name}' is not a usable network: {error}")))?;
        Arc::new(network)
    };
    engine.set_network(network).map_err(OptionError::refused)
}

/// Where a network may lie: where the name says, as seen from the working directory, and beside the
/// program, since a client may start an engine from any directory.
fn candidates(name: &str) -> Vec<PathBuf> {
    let beside = env::current_exe().ok().and_then(|exe| Some(exe.parent()?.join(name)));
    [Some(Path::new(name).to_owned()), beside].into_iter().flatten().collect()
}

fn read_first(paths: &[PathBuf]) -> io::Result<Vec<u8>> {
    let mut result = Err(io::ErrorKind::NotFound.into());
    for path in paths {
        result = fs::read(path);
        if result.is_ok() {
            break;
        }
    }
    result
}
