//! The network that is in use, and the engine that uses it.

use std::fs;
use std::sync::Arc;

use engine::{EMBEDDED_NAME, Engine, Options};
use nnue::Network;

/// The network of the engine, or the one that an engine would be built with.
pub(crate) fn in_use(engine: Option<&Engine>) -> Result<Arc<Network>, String> {
    match engine {
        Some(engine) => Ok(Arc::clone(engine.network())),
        None => engine::embedded_network().map_err(|error| error.to_string()),
    }
}

/// An engine with its options as they are at the start.
pub(crate) fn new_engine() -> Result<Engine, String> {
    Engine::new(in_use(None)?).map_err(|error| error.to_string())
}

/// A network to write: the file that it goes to, and whether it is the embedded one.
pub(crate) struct Export {
    file: String,
    embedded: bool,
}

impl Export {
    /// What `export_net` with these file names is to write. Without a name the network goes where its own name says,
    /// which only the embedded one has.
    pub(crate) fn plan(options: &Options, files: &[String]) -> Result<Self, String> {
        let loaded = options.get("EvalFile").map_or("", engine::OptionValue::text);
        let embedded = loaded == EMBEDDED_NAME;
        match files {
            [file] => Ok(Self { file: file.clone(), embedded }),
            [] if embedded => Ok(Self { file: loaded.to_owned(), embedded }),
            [] => Err(format!("'{loaded}' is not the embedded network, so its copy needs a file name")),
            _ => Err("there is one network to write, so one file name will do".to_owned()),
        }
    }

    /// Writes the network byte for byte as it was read, and returns a message with the path.
    pub(crate) fn write(&self, engine: Option<&Engine>) -> Result<String, String> {
        let Self { file, embedded } = self;
        let written = match engine {
            Some(engine) if !embedded => fs::write(file, engine.network().to_bytes()),
            _ => fs::write(file, engine::embedded_bytes()),
        };
        written.map_err(|error| {
            format!("cannot write the network '{file}': {}", engine::io_error_text(&error))
        })?;
        Ok(format!("network written to '{file}'"))
    }
}
