//! The network as the trainer sees it: an architecture and one flat vector of numbers.

use nnue::features::{INPUTS_PER_BUCKET, KingBuckets};

use super::aligned::Aligned;
use super::head::HeadKind;
use super::rng::Rng;

/// What a network is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Architecture {
    /// How the squares of a perspective's king select its inputs.
    pub(super) king_buckets: KingBuckets,
    /// Numbers in an accumulator.
    pub(super) width: usize,
    /// What turns two accumulators into an evaluation.
    pub(super) head: HeadKind,
}

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

impl Architecture {
    /// The parts of the flat vector in order: the rows of the features, the accumulator's bias, then the head.
    pub(super) fn segments(&self) -> Vec<Segment> {
        let rows = Segment {
            len: self.king_buckets.inputs() * self.width,
            limit: ROW_LIMIT,
            spread: 0.1,
            centre: 0.0,
        };
        let bias = Segment { len: self.width, limit: ROW_LIMIT, spread: 0.0, centre: 0.1 };
        let mut segments = vec![rows, bias];
        segments.extend(self.head.segments(self.width));
        segments
    }

    /// The length of the flat vector.
    pub(super) fn len(&self) -> usize {
        self.segments().iter().map(|segment| segment.len).sum()
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
