//! The network of the chess engine Rufous: the one `.nnue` file of this crate, or the file that the environment variable
//! `EVALFILE` named when it was built. The build reads it once, so that no damaged network gets into a program.
//!
//! The crate `rufous-nnue` evaluates positions with it, and `rufous-engine` plays with it:
//!
//! ```
//! let network = nnue::Network::from_bytes(network::bytes()).expect("the build has checked it");
//! let start = chess::Position::startpos();
//! println!("{} says {}", network::NAME, network.evaluate(&start));
//! ```

/// The name of the file: `rufous-`, then the first digits of its SHA-256.
pub const NAME: &str = env!("RUFOUS_NETWORK_NAME");

/// The bytes of the file. WebAssembly modules do without them: their host loads the network beside the module.
#[cfg(not(target_family = "wasm"))]
pub fn bytes() -> &'static [u8] {
    // A constant would be in every part of a program that asks for it.
    static BYTES: &[u8] = include_bytes!(env!("RUFOUS_NETWORK"));
    BYTES
}
