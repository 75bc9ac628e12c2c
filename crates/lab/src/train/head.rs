//! Heads: the layers that turn the two accumulators of a position into its evaluation.

mod direct;
mod pairwise;

pub(super) use direct::Direct;
#[cfg(test)]
pub(super) use pairwise::PRODUCT_STEPS;
pub(super) use pairwise::Pairwise;

use nnue::HeadKind;

use super::layout::Segment;

/// Every head has its own numbers for each of these classes of positions, by piece count.
pub(super) const OUTPUT_BUCKETS: usize = 8;

/// The two accumulators of a position: the side to move first.
pub(super) struct Pair<T> {
    pub(super) us: T,
    pub(super) them: T,
}

/// So many positions at most go through a head together, so that what it loads of its weights serves all of them.
pub(super) const GROUP: usize = 4;

/// A head with its working memory, for `N` positions of one bucket at a time. `forward` leaves behind what `backward` for
/// the same positions needs.
pub(super) trait Head {
    /// A head for accumulators of this width.
    fn new(width: usize) -> Self;

    /// Prepares a layout of the weights for `backward`; to be called whenever they changed.
    fn prepare(&mut self, _weights: &[f32]) {}

    /// The evaluations, in units of the loss's scale.
    fn forward<const N: usize>(
        &mut self,
        weights: &[f32],
        bucket: usize,
        accumulators: &[Pair<&mut [f32]>; N],
    ) -> [f32; N];

    /// Propagates the derivatives `slopes` of the loss by the outputs back: adds the gradients of the head's own numbers to
    /// `gradient` and puts those of the accumulators in their places.
    fn backward<const N: usize>(
        &mut self,
        weights: &[f32],
        gradient: &mut [f32],
        bucket: usize,
        slopes: [f32; N],
        accumulators: [Pair<&mut [f32]>; N],
    );
}

/// The parts of the flat vector that belong to a head of this kind.
pub(super) fn segments(kind: HeadKind, width: usize) -> Vec<Segment> {
    match kind {
        HeadKind::Direct => direct::segments(width),
        HeadKind::Pairwise => pairwise::segments(width),
    }
}

/// Splits off the first `len` numbers of each of the buckets' blocks and gives the block of one bucket.
fn block<'a>(flat: &mut &'a [f32], len: usize, bucket: usize) -> &'a [f32] {
    let (all, rest) = flat.split_at(len * OUTPUT_BUCKETS);
    *flat = rest;
    &all[bucket * len..][..len]
}

/// As [`block`], to write to.
fn block_mut<'a>(flat: &mut &'a mut [f32], len: usize, bucket: usize) -> &'a mut [f32] {
    let (all, rest) = std::mem::take(flat).split_at_mut(len * OUTPUT_BUCKETS);
    *flat = rest;
    &mut all[bucket * len..][..len]
}
