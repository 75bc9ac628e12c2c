//! The network that is in use, and the engine that uses it.

use std::fs;
use std::sync::Arc;

use engine::Engine;
use nnue::Network;

/// The network of the engine, or the one that an engine would be built with.
pub(crate) fn in_use(engine: Option<&Engine>) -> Result<Arc<Network>, String> {
    match engine {
        Some(engine) => Ok(Arc::clone(engine.network())),
        None => {
            let (name, bytes) = engine::embedded_network();
            let network = Network::from_bytes(bytes);
            network.map(Arc::new).map_err(|error| format!("the embedded network '{name}' is bad: {error}"))
        }
    }
}

/// An engine with its options as they are at the start.
pub(crate) fn new_engine() -> Result<Engine, String> {
    Engine::new(in_use(None)?).map_err(|error| error.to_string())
}

/// Writes the network in use to a file, byte for byte as it was read, and tells where. Only the
/// embedded one, which is called by its content, may go without a file name.
pub(crate) fn export(engine: Option<&Engine>, loaded: &str, files: &[String]) -> Result<String, String> {
    let (embedded, bytes) = engine::embedded_network();
    let file = match files {
        [file, ..] => file.as_str(),
        [] if loaded == embedded => embedded,
        [] => return Err(format!("'{loaded}' is not the embedded network, so its copy needs a file name")),
    };
    let written = match engine {
        Some(engine) if loaded != embedded => fs::write(file, engine.network().to_bytes()),
        _ => fs::write(file, bytes),
    };
    written.map_err(|error| format!("cannot write the network '{file}': {error}"))?;
    Ok(format!("network written to '{file}'"))
}
