//! The network as the trainer sees it: an architecture and one flat vector of numbers.

use nnue::features::{INPUTS_PER_BUCKET, KING_SQUARES, KingBuckets, THREAT_INPUTS};
use nnue::quantisation::{QA, THREAT_WEIGHT_LIMIT};

use super::aligned::Aligned;
use super::head::HeadKind;
use super::rng::Rng;

/// What a network is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Architecture {
    /// How the squares of a perspective's king select its inputs.
    pub(super) king_buckets: KingBuckets,
    /// Are there inputs for threats beside those of the pieces?
    pub(super) threats: bool,
    /// Numbers in an accumulator.
    pub(super) width: usize,
    /// What turns two accumulators into an evaluation.
    pub(super) head: HeadKind,
}

impl std::fmt::Display for Architecture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let head = match self.head {
            HeadKind::Direct => "direct",
            HeadKind::Pairwise => "pairwise",
        };
        let threats = if self.threats { " and threats" } else { "" };
        write!(f, "768 x {} king buckets{threats} -> 2 x {} {head}", self.king_buckets.count(), self.width)
    }
}

/// Bytes that tell an architecture.
pub(super) const ARCHITECTURE_BYTES: usize = KING_SQUARES + 4;

/// A part of the flat vector whose numbers share a meaning.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    /// How many numbers.
    pub(super) len: usize,
    /// The largest magnitude that the quantised form can hold.
    pub(super) limit: f32,
    /// The numbers start between -`spread` and `spread` around `centre`.
    pub(super) spread: f32,
    /// See `spread`.
    pub(super) centre: f32,
}

/// The usual bound; twice as much would still keep the sum of 32 rows and the bias within 16 bits.
const ROW_LIMIT: f32 = 1.98;

/// What the 8 bits of a threat's weight can hold.
const THREAT_LIMIT: f32 = THREAT_WEIGHT_LIMIT as f32 / QA as f32;

impl Architecture {
    /// The parts of the flat vector in order: the rows of the pieces, those of the threats, the accumulator's bias, then
    /// the head. Threats count for nothing at the beginning.
    pub(super) fn segments(&self) -> Vec<Segment> {
        let rows =
            Segment { len: self.piece_inputs() * self.width, limit: ROW_LIMIT, spread: 0.1, centre: 0.0 };
        let threats = self.inputs() - self.piece_inputs();
        let threats = Segment { len: threats * self.width, limit: THREAT_LIMIT, spread: 0.0, centre: 0.0 };
        let bias = Segment { len: self.width, limit: ROW_LIMIT, spread: 0.0, centre: 0.1 };
        let mut segments = vec![rows, threats, bias];
        segments.extend(self.head.segments(self.width));
        segments
    }

    /// How many rows there are, one for each input.
    pub(super) fn inputs(&self) -> usize {
        self.piece_inputs() + if self.threats { THREAT_INPUTS } else { 0 }
    }

    /// How many of them are for pieces; those of the threats follow.
    pub(super) fn piece_inputs(&self) -> usize {
        self.king_buckets.inputs()
    }

    /// The length of the flat vector.
    pub(super) fn len(&self) -> usize {
        self.segments().iter().map(|segment| segment.len).sum()
    }

    /// All that tells this architecture from others.
    pub(super) fn to_bytes(self) -> [u8; ARCHITECTURE_BYTES] {
        let mut bytes = [0; ARCHITECTURE_BYTES];
        bytes[..KING_SQUARES].copy_from_slice(self.king_buckets.table());
        bytes[KING_SQUARES..][..2].copy_from_slice(&(self.width as u16).to_le_bytes());
        bytes[KING_SQUARES + 2] = self.head as u8;
        bytes[KING_SQUARES + 3] = self.threats.into();
        bytes
    }

    /// The architecture that such bytes tell.
    pub(super) fn from_bytes(bytes: &[u8; ARCHITECTURE_BYTES]) -> Option<Self> {
        let (table, rest) = bytes.split_first_chunk::<KING_SQUARES>()?;
        let width = usize::from(u16::from_le_bytes([rest[0], rest[1]]));
        let head = *[HeadKind::Direct, HeadKind::Pairwise].get(usize::from(rest[2]))?;
        let threats = rest[3] != 0;
        let sound = width > 0 && width.is_multiple_of(nnue::format::WIDTH_STEP);
        sound.then_some(Self { king_buckets: KingBuckets::new(*table)?, threats, width, head })
    }

    /// Random numbers to start with.
    pub(super) fn initial(&self, seed: u64) -> Aligned {
        let mut rng = Rng::new(seed, 0);
        let spreads =
            self.segments().into_iter().flat_map(|segment| std::iter::repeat_n(segment, segment.len));
        let mut weights: Aligned =
            spreads.map(|segment| segment.centre + rng.uniform(segment.spread)).collect();
        // Every king bucket starts alike, as if there were one: only what the data tell apart shall differ.
        let board = INPUTS_PER_BUCKET * self.width;
        for bucket in 1..self.king_buckets.count() {
            weights.copy_within(0..board, bucket * board);
        }
        weights
    }
}
