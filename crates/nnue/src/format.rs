//! The network as parameters, and as a file.
//!
//! [`Parameters`] holds the quantised numbers in their natural order, as a trainer makes them; what the
//! numbers mean is said in [`quantisation`](crate::quantisation), and how they are written in [`mod@file`].

pub mod file;
mod pair_order;

use std::fmt;
use std::ops::Neg;

pub use crate::whole::checksum;

use crate::features::{KingBuckets, ThreatForm};
use crate::memory::ZeroedMemory;
use crate::quantisation::{
    BIAS_LIMIT, DIRECT_WEIGHT_LIMIT, FIRST, FIRST_ACTIVATIONS, FIRST_BIAS_LIMIT, FIRST_WEIGHT_LIMIT, SECOND,
    THREAT_WEIGHT_LIMIT, WEIGHT_LIMIT,
};

/// Widths are multiples of this: the pairwise head fills whole registers of 64 products from half a width.
pub const WIDTH_STEP: usize = 128;
/// The largest width.
pub const MAX_WIDTH: usize = 4096;
/// The largest number of output buckets.
pub const MAX_OUTPUT_BUCKETS: usize = 32;
/// The longest description in bytes.
pub const MAX_DESCRIPTION: usize = 1024;
/// The largest network scale; with it every score fits an i32.
pub const MAX_SCALE: i32 = 100_000;
/// The network scale of [`Parameters::zero`]; trained networks set their own.
pub const DEFAULT_SCALE: i32 = 400;

/// The layers behind the feature transformer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HeadKind {
    /// Squared clipped ReLU of both accumulators, then one sum.
    Direct,
    /// Products of accumulator halves, then 16 -> 32 -> 1.
    Pairwise,
}

impl HeadKind {
    /// Every kind, in the order of their numbers in files.
    pub const ALL: [Self; 2] = [Self::Direct, Self::Pairwise];

    /// The name that options and descriptions use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Pairwise => "pairwise",
        }
    }

    /// The kind with this number in a file.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }
}

/// All that decides the number and the order of the parameters; the engine and the trainer share it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Architecture {
    /// How king squares select inputs.
    pub king_buckets: KingBuckets,
    /// Which threats are inputs beside the pieces, if any.
    pub threats: Option<ThreatForm>,
    /// Neurons of the feature transformer for each perspective: a multiple of [`WIDTH_STEP`].
    pub width: usize,
    /// The layers behind it.
    pub head: HeadKind,
    /// How many sets of head parameters there are, chosen by the number of pieces.
    pub output_buckets: usize,
}

impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { king_buckets, width, head, .. } = self;
        let threats = self.threats.map_or("", |form| match form {
            ThreatForm::Small => " and threats",
            ThreatForm::Large => " and large threats",
        });
        write!(f, "768 x {} king buckets{threats} -> 2 x {width} {}", king_buckets.count(), head.name())
    }
}

/// The parameters of the direct head.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DirectHead {
    /// `[bucket]`
    pub biases: Vec<i32>,
    /// `[bucket][2 * width]`, the side to move first.
    pub weights: Vec<i16>,
}

/// The parameters of the pairwise head.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PairwiseHead {
    /// `[bucket][16]`
    pub first_biases: Vec<i32>,
    /// `[bucket][16][width]`: the inputs are the `width / 2` products of the side to move, then the other's.
    pub first_weights: Vec<i8>,
    /// `[bucket][32]`
    pub second_biases: Vec<i32>,
    /// `[bucket][32][32]`: 32 outputs, each with 16 clipped inputs, then 16 squared ones.
    pub second_weights: Vec<i16>,
    /// `[bucket]`
    pub output_biases: Vec<i32>,
    /// `[bucket][32]`
    pub output_weights: Vec<i16>,
}

/// The parameters behind the feature transformer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Head {
    /// See [`HeadKind::Direct`].
    Direct(DirectHead),
    /// See [`HeadKind::Pairwise`].
    Pairwise(PairwiseHead),
}

/// A quantised network in its natural order: what a trainer makes and a file holds.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameters {
    /// Sizes and meaning.
    pub architecture: Architecture,
    /// Internal score units for an output of 1.0.
    pub scale: i32,
    /// Where the network comes from, for people.
    pub description: String,
    /// `[width]`
    pub transformer_biases: Vec<i16>,
    /// `[input][width]`
    pub transformer_weights: ZeroedMemory<i16>,
    /// `[threat][width]`; empty where threats are no inputs.
    pub threat_weights: ZeroedMemory<i8>,
    /// The parameters behind the feature transformer.
    pub head: Head,
}

/// Why bytes or parameters are not a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormatError {
    /// The file does not begin like a network.
    BadMagic,
    /// A version that this program does not know.
    UnsupportedVersion(u32),
    /// The file ends too early.
    Truncated {
        /// Bytes that the header asks for, as far as it could be read.
        expected: usize,
        /// Bytes that there are.
        found: usize,
    },
    /// There are bytes after the end.
    TrailingBytes(usize),
    /// The content was changed.
    Checksum,
    /// A field of the header, or the length of a parameter array, cannot be.
    Impossible(&'static str),
    /// A parameter exceeds the range in which the arithmetic is exact.
    OutOfRange(&'static str),
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadMagic => f.write_str("not a Rufous network"),
            Self::UnsupportedVersion(version) => write!(f, "unsupported network version {version}"),
            Self::Truncated { expected, found } => {
                write!(f, "truncated network: {expected} bytes expected, {found} found")
            }
            Self::TrailingBytes(count) => write!(f, "{count} bytes after the end of the network"),
            Self::Checksum => f.write_str("damaged network: wrong checksum"),
            Self::Impossible(field) => write!(f, "impossible network: {field}"),
            Self::OutOfRange(field) => write!(f, "network parameter out of range: {field}"),
        }
    }
}

impl std::error::Error for FormatError {}

impl Architecture {
    /// The numbers of parameters of each array, in the order of the file.
    fn lengths(&self) -> Lengths {
        let (buckets, width) = (self.output_buckets, self.width);
        Lengths {
            transformer_weights: self.king_buckets.inputs() * width,
            threat_weights: self.threats.map_or(0, ThreatForm::inputs) * width,
            direct_weights: buckets * 2 * width,
            first_weights: buckets * FIRST * width,
            second_weights: buckets * SECOND * FIRST_ACTIVATIONS,
            output_weights: buckets * SECOND,
        }
    }

    /// The bytes that the parameters take in a file.
    fn parameter_bytes(&self) -> usize {
        let lengths = self.lengths();
        let head = match self.head {
            HeadKind::Direct => 4 * self.output_buckets + 2 * lengths.direct_weights,
            HeadKind::Pairwise => {
                4 * self.output_buckets * (FIRST + SECOND + 1)
                    + lengths.first_weights
                    + 2 * lengths.second_weights
                    + 2 * lengths.output_weights
            }
        };
        2 * self.width + 2 * lengths.transformer_weights + lengths.threat_weights + head
    }

    fn check(&self) -> Result<(), FormatError> {
        if self.width == 0 || !self.width.is_multiple_of(WIDTH_STEP) || self.width > MAX_WIDTH {
            return Err(FormatError::Impossible("width"));
        }
        if !(1..=MAX_OUTPUT_BUCKETS).contains(&self.output_buckets) {
            return Err(FormatError::Impossible("number of output buckets"));
        }
        Ok(())
    }

    fn hidden(&self) -> (usize, usize) {
        match self.head {
            HeadKind::Direct => (0, 0),
            HeadKind::Pairwise => (FIRST, SECOND),
        }
    }
}

struct Lengths {
    transformer_weights: usize,
    threat_weights: usize,
    direct_weights: usize,
    first_weights: usize,
    second_weights: usize,
    output_weights: usize,
}

impl Parameters {
    /// Parameters of the right sizes, all zero.
    ///
    /// # Errors
    /// When the architecture is impossible.
    pub fn zero(architecture: Architecture) -> Result<Self, FormatError> {
        architecture.check()?;
        let buckets = architecture.output_buckets;
        let lengths = architecture.lengths();
        let head = match architecture.head {
            HeadKind::Direct => Head::Direct(DirectHead {
                biases: vec![0; buckets],
                weights: vec![0; lengths.direct_weights],
            }),
            HeadKind::Pairwise => Head::Pairwise(PairwiseHead {
                first_biases: vec![0; buckets * FIRST],
                first_weights: vec![0; lengths.first_weights],
                second_biases: vec![0; buckets * SECOND],
                second_weights: vec![0; lengths.second_weights],
                output_biases: vec![0; buckets],
                output_weights: vec![0; lengths.output_weights],
            }),
        };
        Ok(Self {
            architecture,
            scale: DEFAULT_SCALE,
            description: String::new(),
            transformer_biases: vec![0; architecture.width],
            transformer_weights: ZeroedMemory::new(lengths.transformer_weights),
            threat_weights: ZeroedMemory::new(lengths.threat_weights),
            head,
        })
    }

    /// Checks that the arrays fit the architecture and the numbers their ranges.
    ///
    /// # Errors
    /// When they do not.
    pub fn check(&self) -> Result<(), FormatError> {
        self.architecture.check()?;
        check_scale(self.scale)?;
        if self.description.len() > MAX_DESCRIPTION {
            return Err(FormatError::Impossible("description is too long"));
        }
        let lengths = self.architecture.lengths();
        let buckets = self.architecture.output_buckets;
        let length = |is: usize, should: usize, name| {
            if is == should { Ok(()) } else { Err(FormatError::Impossible(name)) }
        };
        length(self.transformer_biases.len(), self.architecture.width, "number of transformer biases")?;
        length(self.transformer_weights.len(), lengths.transformer_weights, "number of transformer weights")?;
        length(self.threat_weights.len(), lengths.threat_weights, "number of threat weights")?;
        match &self.head {
            Head::Direct(head) => {
                length(head.biases.len(), buckets, "number of output biases")?;
                length(head.weights.len(), lengths.direct_weights, "number of output weights")?;
            }
            Head::Pairwise(head) => {
                length(head.first_biases.len(), buckets * FIRST, "number of first biases")?;
                length(head.first_weights.len(), lengths.first_weights, "number of first weights")?;
                length(head.second_biases.len(), buckets * SECOND, "number of second biases")?;
                length(head.second_weights.len(), lengths.second_weights, "number of second weights")?;
                length(head.output_biases.len(), buckets, "number of output biases")?;
                length(head.output_weights.len(), lengths.output_weights, "number of output weights")?;
            }
        }
        if self.head.kind() != self.architecture.head {
            return Err(FormatError::Impossible("kind of head"));
        }
        self.check_ranges()
    }

    fn check_ranges(&self) -> Result<(), FormatError> {
        within(&self.threat_weights, THREAT_WEIGHT_LIMIT, "threat weight")?;
        self.head.check_ranges()
    }

    /// The same network with threats as inputs that count for nothing yet: it evaluates as before. A network that has
    /// some stays as it is.
    #[must_use]
    pub fn with_threats(mut self, form: ThreatForm) -> Self {
        if self.architecture.threats.is_none() {
            self.architecture.threats = Some(form);
            self.threat_weights = ZeroedMemory::new(self.architecture.lengths().threat_weights);
        }
        self
    }
}

fn check_scale(scale: i32) -> Result<(), FormatError> {
    if (1..=MAX_SCALE).contains(&scale) { Ok(()) } else { Err(FormatError::Impossible("network scale")) }
}

fn within<T: Copy + PartialOrd + Neg<Output = T>>(
    values: &[T],
    limit: T,
    name: &'static str,
) -> Result<(), FormatError> {
    // A loop without an early exit can be vectorised by the compiler.
    let ok = values.iter().fold(true, |ok, &value| ok & (-limit <= value) & (value <= limit));
    if ok { Ok(()) } else { Err(FormatError::OutOfRange(name)) }
}

impl Head {
    /// Which head it is.
    pub const fn kind(&self) -> HeadKind {
        match self {
            Self::Direct(_) => HeadKind::Direct,
            Self::Pairwise(_) => HeadKind::Pairwise,
        }
    }

    fn check_ranges(&self) -> Result<(), FormatError> {
        match self {
            Self::Direct(head) => within(&head.weights, DIRECT_WEIGHT_LIMIT, "output weight"),
            Self::Pairwise(head) => {
                within(&head.first_biases, FIRST_BIAS_LIMIT, "first bias")?;
                within(&head.first_weights, FIRST_WEIGHT_LIMIT, "first weight")?;
                within(&head.second_biases, BIAS_LIMIT, "second bias")?;
                within(&head.second_weights, WEIGHT_LIMIT, "second weight")?;
                within(&head.output_biases, BIAS_LIMIT, "output bias")?;
                within(&head.output_weights, WEIGHT_LIMIT, "output weight")
            }
        }
    }
}
