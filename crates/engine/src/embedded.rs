//! The network inside the program.

use std::sync::Arc;

use nnue::Network;

// As the file is.
static BYTES: &[u8] = include_bytes!(env!("RUFOUS_NETWORK"));

/// The embedded network's file name and its bytes, just as the file has them.
pub fn embedded_network() -> (&'static str, &'static [u8]) {
    (env!("RUFOUS_NETWORK_NAME"), BYTES)
}

/// The embedded network, ready to evaluate.
pub fn default_network() -> Arc<Network> {
    Arc::new(Network::from_bytes(BYTES).expect("the build embeds a valid network, as a test shows"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_embedded_network_is_valid() {
        super::default_network();
    }
}
