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
//!
//! ```
//! use chess::Position;
//! use nnue::{AccumulatorStack, Architecture, HeadKind, KingBuckets, Network, Parameters, ThreatForm};
//! use std::sync::Arc;
//!
//! // A network is a file's content, read by `Network::from_bytes`; the crate `rufous-network` has that of Rufous.
//! let king_buckets = KingBuckets::new([0; 32]).expect("one bucket for all squares");
//! let threats = Some(ThreatForm::Large);
//! let architecture = Architecture { king_buckets, threats, width: 128, head: HeadKind::Pairwise, output_buckets: 8 };
//! let file = Parameters::random(architecture, 1)?.to_bytes()?;
//! let network = Arc::new(Network::from_bytes(&file)?);
//!
//! // From scratch, and along a line of play: the same score, for the side to move.
//! let position = Position::startpos();
//! let mut line = AccumulatorStack::new(Arc::clone(&network), &position);
//! assert_eq!(line.evaluate(&position), network.evaluate(&position));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
    KingBuckets, Threat, ThreatForm, Threats, View, feature_index, needs_refresh, output_bucket,
};
pub use format::{Architecture, DirectHead, FormatError, Head, HeadKind, PairwiseHead, Parameters};
pub use network::{GROUP, Network};
