//! An efficiently updatable neural network that evaluates chess positions.
//!
//! - [`features`]: which inputs a position has; used by inference and training alike.
//! - [`quantisation`]: the arithmetic in integers, and the ranges that a trainer has to respect.
//! - [`mod@format`]: parameters and the file that holds them.
//! - [`memory`]: where parameters and tables lie.
//! - [`Network`]: parameters laid out for this processor; evaluates from scratch.
//! - [`AccumulatorStack`]: evaluates along a line of play, where a move changes a few inputs only.
//!
//! Whatever the instruction set, the same network gives the same scores, bit for bit.

mod accumulator;
mod arch;
mod board;
mod bytes;
pub mod features;
pub mod format;
pub mod memory;
mod network;
pub mod quantisation;
mod random;
mod whole;

pub use accumulator::AccumulatorStack;
pub use arch::Arch;
pub use board::{Board, Changes, NOBODY, Placement};
pub use features::{
    KingBuckets, THREAT_INPUTS, Threat, Threats, View, feature_index, needs_refresh, output_bucket,
};
pub use format::{Architecture, DirectHead, FormatError, Head, HeadKind, PairwiseHead, Parameters};
pub use network::Network;
pub use random::Random;
