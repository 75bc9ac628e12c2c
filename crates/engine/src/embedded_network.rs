//! The embedded network.

use std::fmt;
use std::sync::Arc;

use nnue::{FormatError, Network};

/// The name of the file that was embedded.
pub const EMBEDDED_NAME: &str = network::NAME;

/// The bytes of that file, just as it has them.
#[cfg(not(target_family = "wasm"))]
pub use network::bytes as embedded_bytes;

#[cfg(target_family = "wasm")]
pub use provided::{embedded_bytes, provide_network};

/// A page loads the network beside the module, once for all builds, and nothing is there twice.
#[cfg(target_family = "wasm")]
mod provided {
    use std::sync::OnceLock;

    static PROVIDED: OnceLock<Box<[u8]>> = OnceLock::new();

    /// The bytes that were provided; none before that.
    pub fn embedded_bytes() -> &'static [u8] {
        PROVIDED.get().map_or(&[], |bytes| bytes)
    }

    /// These bytes stand for the embedded network. Only the first ones count.
    pub fn provide_network(bytes: Box<[u8]>) {
        let _ = PROVIDED.set(bytes);
    }
}

/// The file that was embedded is no network: a build may be given any file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EmbeddedNetworkError {
    error: FormatError,
}

impl fmt::Display for EmbeddedNetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the embedded network '{}' is bad: {}", EMBEDDED_NAME, self.error)
    }
}

impl std::error::Error for EmbeddedNetworkError {}

/// The embedded network, ready to evaluate.
///
/// # Errors
/// When the build was given a file that is no network.
pub fn embedded_network() -> Result<Arc<Network>, EmbeddedNetworkError> {
    // The build has checked what it embedded; a page may hand over anything.
    let read = if cfg!(target_family = "wasm") { Network::from_bytes } else { Network::from_known_bytes };
    read(embedded_bytes()).map(Arc::new).map_err(|error| EmbeddedNetworkError { error })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_network_is_valid_and_not_too_large() {
        embedded_network().unwrap();
        assert!(embedded_bytes().len() <= 32 << 20, "{}", embedded_bytes().len());
    }
}
