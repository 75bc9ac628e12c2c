//! The networks inside the program.

use std::fmt;

use nnue::{FormatError, Network};

use crate::networks::NetworkKind;

// As the files are.
static MAIN: &[u8] = include_bytes!(env!("RUFOUS_NETWORK"));
static SMALL: &[u8] = include_bytes!(env!("RUFOUS_SMALL_NETWORK"));

/// The file name of an embedded network and its bytes, just as the file has them.
pub fn embedded_network(kind: NetworkKind) -> (&'static str, &'static [u8]) {
    match kind {
        NetworkKind::Main => (env!("RUFOUS_NETWORK_NAME"), MAIN),
        NetworkKind::Small => (env!("RUFOUS_SMALL_NETWORK_NAME"), SMALL),
    }
}

/// The file that was embedded is no network: a build may be given any file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadEmbedded {
    name: &'static str,
    error: FormatError,
}

impl fmt::Display for BadEmbedded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the embedded network '{}' is bad: {}", self.name, self.error)
    }
}

impl std::error::Error for BadEmbedded {}

/// An embedded network, ready to evaluate.
pub(crate) fn load(kind: NetworkKind) -> Result<Network, BadEmbedded> {
    let (name, bytes) = embedded_network(kind);
    Network::from_bytes(bytes).map_err(|error| BadEmbedded { name, error })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_networks_are_valid_and_not_too_large() {
        let sizes = NetworkKind::ALL.map(|kind| {
            load(kind).unwrap();
            embedded_network(kind).1.len()
        });
        assert!(sizes.iter().sum::<usize>() <= 24 << 20, "{sizes:?}");
    }
}
