//! A network ready to evaluate: the parameters laid out for the instruction set at hand.
#![allow(unsafe_code, reason = "the kernels of an instruction set are unsafe to call without it")]

use chess::{Color, Piece};

use crate::arch::{Arch, Kernels, Rows, RowsOf, product};
use crate::board::Board;
use crate::features::{ThreatChanges, ThreatForm, ThreatTable, Threats, View, output_bucket};
use crate::format::{Architecture, DirectHead, FormatError, Head, PairwiseHead, Parameters};
use crate::memory::ZeroedMemory;
use crate::quantisation::{DIRECT_SCALE, FIRST, FIRST_ACTIVATIONS, SECOND, SUM_SCALE};

/// The products that are multiplied together with one instruction: a group of zeros is skipped. In WebAssembly only half
/// of a group is.
pub const GROUP: usize = 4;

/// The small layers of the pairwise head for one output bucket.
#[derive(Clone)]
#[repr(C, align(64))]
pub(crate) struct Hidden {
    /// `[neuron of the first layer][output]`, each for the clipped and the squared activation: the order in
    /// which one neuron is multiplied for all outputs at once.
    pub(crate) second_weights: [[[i16; 2]; SECOND]; FIRST],
    pub(crate) second_biases: [i32; SECOND],
    pub(crate) first_biases: [i32; FIRST],
    pub(crate) output_weights: [i32; SECOND],
    pub(crate) output_bias: i32,
}

/// Inputs of one perspective.
#[derive(Clone, Copy)]
pub(crate) struct Inputs<'a> {
    pub(crate) pieces: &'a [u16],
    pub(crate) threats: &'a [u16],
}

impl Inputs<'_> {
    pub(crate) const NONE: Self = Self { pieces: &[], threats: &[] };
}

/// The head, packed.
#[derive(Clone)]
enum PackedHead {
    Direct {
        biases: Vec<i32>,
        weights: ZeroedMemory<i16>,
    },
    Pairwise {
        /// `[bucket][group of inputs]`, in a group as [`Kernels::weight_order`] says, and one group more, for zeros
        first_weights: ZeroedMemory<i8>,
        hidden: Vec<Hidden>,
    },
}

/// A neural network that evaluates positions.
///
/// ```
/// use nnue::{Architecture, Head, HeadKind, KingBuckets, Network, Parameters, Placement};
/// let mut parameters = Parameters::zero(Architecture {
///     king_buckets: KingBuckets::SINGLE,
///     threats: None,
///     width: 512,
///     head: HeadKind::Direct,
///     output_buckets: 8,
/// })?;
/// if let Head::Direct(head) = &mut parameters.head {
///     head.biases[0] = 255 * 255 * 64;
/// }
/// let network = Network::new(parameters)?;
/// assert_eq!(network.evaluate(&Placement::EMPTY), 400);
/// assert_eq!(Network::from_bytes(&network.to_bytes())?.to_bytes(), network.to_bytes());
/// # Ok::<(), nnue::FormatError>(())
/// ```
#[derive(Clone)]
pub struct Network {
    architecture: Architecture,
    scale: i32,
    description: String,
    arch: Arch,
    kernels: &'static Kernels,
    biases: ZeroedMemory<i16>,
    weights: ZeroedMemory<i16>,
    /// In the order of the instruction set.
    threat_weights: ZeroedMemory<i8>,
    /// The numbers of the last row of a piece and of a threat.
    last_rows: [u16; 2],
    threat_table: &'static ThreatTable,
    /// Kept in its natural order to be written again; it is small.
    head: Head,
    packed: PackedHead,
    /// The output bucket for each number of pieces.
    bucket_of: [u8; 65],
}

impl Network {
    /// A network for the fastest instruction set of this processor.
    ///
    /// # Errors
    /// When the parameters contradict their architecture or exceed their ranges.
    pub fn new(parameters: Parameters) -> Result<Self, FormatError> {
        Self::with_arch(parameters, Arch::best())
    }

    /// A network for a certain instruction set, or for none where the processor lacks it.
    ///
    /// # Errors
    /// When the parameters contradict their architecture or exceed their ranges.
    pub fn with_arch(parameters: Parameters, arch: Arch) -> Result<Self, FormatError> {
        parameters.check()?;
        Ok(Self::of_checked(parameters, arch))
    }

    fn of_checked(parameters: Parameters, arch: Arch) -> Self {
        let Parameters {
            architecture,
            scale,
            description,
            transformer_biases,
            transformer_weights,
            mut threat_weights,
            head,
        } = parameters;
        let threats = architecture.threats.unwrap_or(ThreatForm::Small);
        let (arch, kernels) =
            arch.kernels().map_or((Arch::Scalar, Kernels::SCALAR), |kernels| (arch, kernels));
        (kernels.pack_threats)(&mut threat_weights);
        Self {
            architecture,
            scale,
            description,
            arch,
            kernels,
            biases: transformer_biases[..].into(),
            weights: transformer_weights,
            threat_weights,
            last_rows: [architecture.king_buckets.inputs(), threats.inputs()]
                .map(|inputs| (inputs - 1) as u16),
            threat_table: threats.table(),
            packed: match &head {
                Head::Direct(DirectHead { biases, weights }) => {
                    PackedHead::Direct { biases: biases.clone(), weights: weights[..].into() }
                }
                Head::Pairwise(head) => PackedHead::Pairwise {
                    first_weights: pack_first(head, architecture.width, kernels),
                    hidden: (0..architecture.output_buckets)
                        .map(|bucket| pack_hidden(head, bucket))
                        .collect(),
                },
            },
            head,
            bucket_of: std::array::from_fn(|pieces| output_bucket(architecture.output_buckets, pieces) as u8),
        }
    }

    /// Reads a network file.
    ///
    /// # Errors
    /// When the bytes are not exactly one undamaged network.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FormatError> {
        Ok(Self::of_checked(Parameters::from_bytes(bytes)?, Arch::best()))
    }

    /// Reads a network file that is known to be good; see [`Parameters::from_known_bytes`].
    ///
    /// # Errors
    /// When the sizes do not fit.
    pub fn from_known_bytes(bytes: &[u8]) -> Result<Self, FormatError> {
        Ok(Self::of_checked(Parameters::from_known_bytes(bytes)?, Arch::best()))
    }

    /// The network file: byte for byte the one that was read.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.parameters().to_bytes().expect("the parameters were checked when the network was made")
    }

    /// The parameters in their natural order.
    pub fn parameters(&self) -> Parameters {
        let mut threat_weights = self.threat_weights.clone();
        (self.kernels.unpack_threats)(&mut threat_weights);
        Parameters {
            architecture: self.architecture,
            scale: self.scale,
            description: self.description.clone(),
            transformer_biases: self.biases.to_vec(),
            transformer_weights: self.weights.clone(),
            threat_weights,
            head: self.head.clone(),
        }
    }

    /// Sizes and meaning of the parameters.
    pub fn architecture(&self) -> &Architecture {
        &self.architecture
    }

    /// Internal score units for an output of 1.0.
    pub fn scale(&self) -> i32 {
        self.scale
    }

    /// Where the network comes from.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The instruction set in use.
    pub fn arch(&self) -> Arch {
        self.arch
    }

    /// The score of a position in internal units for the side to move, from scratch.
    ///
    /// A search uses an [`AccumulatorStack`](crate::AccumulatorStack) instead.
    pub fn evaluate(&self, board: &impl Board) -> i32 {
        let bucket = self.bucket(board);
        self.evaluate_in_bucket(board, bucket)
    }

    /// As [`Network::evaluate`], but with the head of any output bucket; numbers too large mean the last one.
    pub fn evaluate_in_bucket(&self, board: &impl Board, bucket: usize) -> i32 {
        let width = self.architecture.width;
        let mut accumulators = ZeroedMemory::new(2 * width);
        let (ours, theirs) = accumulators.split_at_mut(width);
        let us = board.side_to_move();
        self.accumulate(board, us, ours);
        self.accumulate(board, !us, theirs);
        self.score(ours, theirs, bucket.min(self.architecture.output_buckets - 1))
    }

    /// The products of the halves of a perspective's accumulator, which the pairwise head begins with.
    pub fn products(&self, board: &impl Board, perspective: Color) -> Vec<u8> {
        let mut accumulator = ZeroedMemory::new(self.architecture.width);
        self.accumulate(board, perspective, &mut accumulator);
        let (left, right) = accumulator.split_at(accumulator.len() / 2);
        left.iter().zip(right).map(|(&a, &b)| product(a, b)).collect()
    }

    /// The output bucket of a position.
    #[inline]
    pub fn bucket(&self, board: &impl Board) -> usize {
        usize::from(self.bucket_of[board.occupied().count()])
    }

    /// One accumulator from scratch.
    fn accumulate(&self, board: &impl Board, perspective: Color, accumulator: &mut [i16]) {
        let view = self.view(perspective, board);
        let pieces: Vec<u16> = Piece::ALL
            .into_iter()
            .flat_map(|piece| {
                board.pieces(piece).into_iter().map(move |square| view.feature(piece, square) as u16)
            })
            .collect();
        let mut threats = Vec::new();
        if let Some(form) = self.architecture.threats {
            let active = Threats::of(form, board);
            threats.extend(active.iter().map(|threat| self.threat_table.input(view, threat) as u16));
        }
        let input = Inputs { pieces: &pieces, threats: &threats };
        self.update(&self.biases, accumulator, &input, &Inputs::NONE);
    }

    #[inline]
    pub(crate) fn view(&self, perspective: Color, board: &impl Board) -> View {
        self.architecture.king_buckets.view(perspective, board.king(perspective))
    }

    /// The accumulator of an empty board.
    pub(crate) fn biases(&self) -> &[i16] {
        &self.biases
    }

    /// `target = source + added - removed`
    #[inline]
    pub(crate) fn update(
        &self,
        source: &[i16],
        target: &mut [i16],
        added: &Inputs<'_>,
        removed: &Inputs<'_>,
    ) {
        let rows = self.rows(added, removed);
        // SAFETY: `Arch::kernels` found the instructions on this processor.
        unsafe { (self.kernels.update)(source, target, rows) }
    }

    /// `source += added - removed; target = source`
    #[inline]
    pub(crate) fn refresh(
        &self,
        source: &mut [i16],
        target: &mut [i16],
        added: &Inputs<'_>,
        removed: &Inputs<'_>,
    ) {
        let rows = self.rows(added, removed);
        // SAFETY: `Arch::kernels` found the instructions on this processor.
        unsafe { (self.kernels.refresh)(source, target, rows) }
    }

    /// The operations of the instruction set in use.
    #[inline]
    pub(crate) fn kernels(&self) -> &'static Kernels {
        self.kernels
    }

    /// Which input stands for which threat; of the small form where there are none.
    #[inline]
    pub(crate) fn threat_table(&self) -> &'static ThreatTable {
        self.threat_table
    }

    /// Finds the threats that change from one position to another.
    #[inline]
    pub(crate) fn threat_changes(&self, before: &Threats, after: &Threats, changes: &mut ThreatChanges) {
        self.kernels.threat_changes(before, after, changes);
    }

    #[inline]
    fn rows<'a>(&'a self, added: &Inputs<'a>, removed: &Inputs<'a>) -> Rows<'a> {
        let [pieces, threats] = self.last_rows;
        Rows {
            pieces: RowsOf {
                weights: &self.weights,
                last: pieces,
                added: added.pieces,
                removed: removed.pieces,
            },
            threats: RowsOf {
                weights: &self.threat_weights,
                last: threats,
                added: added.threats,
                removed: removed.threats,
            },
        }
    }

    /// The score from both accumulators, the side to move first.
    #[inline]
    pub(crate) fn score(&self, us: &[i16], them: &[i16], bucket: usize) -> i32 {
        match &self.packed {
            PackedHead::Direct { biases, weights } => {
                let weights = &weights[bucket * 2 * us.len()..][..2 * us.len()];
                // SAFETY: `Arch::kernels` found the instructions on this processor.
                let sum = unsafe { (self.kernels.direct)(us, them, weights) };
                self.scaled::<DIRECT_SCALE>(sum, biases[bucket])
            }
            PackedHead::Pairwise { first_weights, hidden } => {
                let row = FIRST * self.kernels.first_weight_bytes;
                let first_weights = &first_weights[bucket * row * us.len()..][..row * (us.len() + GROUP)];
                let hidden = &hidden[bucket];
                // SAFETY: `Arch::kernels` found the instructions on this processor.
                let sum = unsafe { (self.kernels.pairwise)(us, them, first_weights, hidden) };
                self.scaled::<SUM_SCALE>(sum, hidden.output_bias)
            }
        }
    }

    /// The score for an output where `ONE` stands for 1.0; a constant, as division by a variable is slow.
    #[inline]
    fn scaled<const ONE: i32>(&self, sum: i32, bias: i32) -> i32 {
        // The largest product is below 2^32 * 2^17, the largest quotient below 2^10 * 2^17.
        ((i64::from(sum) + i64::from(bias)) * i64::from(self.scale) / i64::from(ONE)) as i32
    }
}

/// Brings the first layer's weights from `[bucket][output][input]` into the order of use.
fn pack_first(head: &PairwiseHead, width: usize, kernels: &Kernels) -> ZeroedMemory<i8> {
    let bytes = kernels.first_weight_bytes;
    let mut packed = ZeroedMemory::new((head.first_weights.len() + FIRST * GROUP) * bytes);
    for (packed, natural) in
        packed.chunks_exact_mut(FIRST * width * bytes).zip(head.first_weights.chunks_exact(FIRST * width))
    {
        for place in 0..width {
            let (group, within) = (place / GROUP, place % GROUP);
            for output in 0..FIRST {
                let weight = natural[output * width + (kernels.input_order)(place)];
                let to = group * FIRST * GROUP + (kernels.weight_order)(output, within);
                for (byte, part) in packed[to * bytes..][..bytes].iter_mut().enumerate() {
                    // The second byte has copies of the sign.
                    *part = weight >> (7 * byte);
                }
            }
        }
    }
    packed
}

/// Collects the small layers of one bucket.
fn pack_hidden(head: &PairwiseHead, bucket: usize) -> Hidden {
    let weights = &head.second_weights[bucket * SECOND * FIRST_ACTIVATIONS..];
    Hidden {
        second_weights: std::array::from_fn(|neuron| {
            std::array::from_fn(|output| {
                [0, FIRST].map(|squared| weights[output * FIRST_ACTIVATIONS + squared + neuron])
            })
        }),
        second_biases: std::array::from_fn(|output| head.second_biases[bucket * SECOND + output]),
        first_biases: std::array::from_fn(|output| head.first_biases[bucket * FIRST + output]),
        output_weights: std::array::from_fn(|input| head.output_weights[bucket * SECOND + input].into()),
        output_bias: head.output_biases[bucket],
    }
}
