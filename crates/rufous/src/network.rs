//! The networks that are in use, and the engine that uses them.

use std::fs;

use engine::{Engine, NetworkKind, Networks, Options};

/// The networks of the engine, or those that an engine would be built with.
pub(crate) fn in_use(engine: Option<&Engine>) -> Result<Networks, String> {
    match engine {
        Some(engine) => Ok(engine.networks().clone()),
        None => Networks::embedded().map_err(|error| error.to_string()),
    }
}

/// An engine with its options as they are at the start.
pub(crate) fn new_engine() -> Result<Engine, String> {
    Engine::new(in_use(None)?).map_err(|error| error.to_string())
}

/// A network to write: what it is called now, and the file that it goes to.
pub(crate) struct Export {
    kind: NetworkKind,
    file: String,
    embedded: bool,
}

impl Export {
    /// What `export_net` with these file names is to write: the main network, then the small one. Without any name both
    /// go where their names say, which only the embedded ones have; with one name the main network goes there.
    pub(crate) fn plan(options: &Options, files: &[String]) -> Result<Vec<Self>, String> {
        let wanted = if files.is_empty() { NetworkKind::ALL.len() } else { files.len() };
        let kinds = NetworkKind::ALL.into_iter().take(wanted).enumerate();
        kinds
            .map(|(number, kind)| {
                let loaded = options.get(kind.option()).map_or("", engine::OptionValue::text);
                let embedded = loaded == engine::embedded_network(kind).0;
                match files.get(number) {
                    Some(file) => Ok(Self { kind, file: file.clone(), embedded }),
                    None if embedded => Ok(Self { kind, file: loaded.to_owned(), embedded }),
                    None => {
                        Err(format!("'{loaded}' is not an embedded network, so its copy needs a file name"))
                    }
                }
            })
            .collect()
    }

    /// Writes the network byte for byte as it was read, and tells where.
    pub(crate) fn write(&self, engine: Option<&Engine>) -> Result<String, String> {
        let Self { kind, file, embedded } = self;
        let written = match engine {
            Some(engine) if !embedded => fs::write(file, engine.networks().get(*kind).to_bytes()),
            _ => fs::write(file, engine::embedded_network(*kind).1),
        };
        written.map_err(|error| format!("cannot write the network '{file}': {error}"))?;
        Ok(format!("network written to '{file}'"))
    }
}
