//! From positions to their outputs and back to the gradients of all weights.
//!
//! The accumulators of a window's positions follow one from another along a [`Tree`]. Backward is exact, too: the gradient
//! of an accumulator is that of its position's own loss and those of all accumulators that were computed from it, which
//! come later; so the way back adds them up. A row that entered on the way to a position gets that sum, a row that left
//! gets it with the other sign, and the rows of a root all get it.

use nnue::Architecture;
use nnue::memory::ZeroedMemory;

use super::games::{Games, Step};
use super::gradient::GradientParts;
use super::head::{GROUP, Head, Pair};
use super::kernel::{self, Table};
use super::layout::Layout;
use super::sampler::Window;
use super::tree::{Counted, Tree};

/// The numbers of a network, cut into parts to read.
pub(super) struct Parts<'a> {
    rows: &'a [f32],
    bias: &'a [f32],
    head: &'a [f32],
}

impl<'a> Parts<'a> {
    /// The parts of a flat vector of weights.
    pub(super) fn of(architecture: &Architecture, flat: &'a [f32]) -> Self {
        let (rows, rest) = flat.split_at(architecture.inputs() * architecture.width);
        let (bias, head) = rest.split_at(architecture.width);
        Self { rows, bias, head }
    }
}

/// Walks through positions, a window after another; its buffers are what one thread needs.
pub(super) struct Walker<H> {
    width: usize,
    tree: Tree,
    /// Those of the window's positions; on the way back their gradients take their places.
    accumulators: ZeroedMemory<f32>,
    head: H,
}

impl<H: Head> Walker<H> {
    /// A walker for networks of this architecture.
    pub(super) fn new(architecture: &Architecture) -> Self {
        let width = architecture.width;
        Self { width, tree: Tree::new(architecture), accumulators: ZeroedMemory::new(0), head: H::new(width) }
    }

    /// To be called whenever the weights changed.
    pub(super) fn prepare(&mut self, weights: &Parts<'_>) {
        self.head.prepare(weights.head);
    }

    /// Walks through a window. `slope_of` gets the network's output for each position that counts and returns the derivative
    /// of the loss by it; where there is a gradient to add to, it is propagated back to all parameters.
    pub(super) fn walk(
        &mut self,
        weights: &Parts<'_>,
        mut gradient: Option<&mut GradientParts<'_>>,
        games: &Games,
        window: Window,
        slope_of: impl FnMut(f32, &Step) -> f32,
    ) {
        self.tree.grow(games, window);
        self.forward(weights);
        self.heads(weights, gradient.as_deref_mut(), games.steps_of(window.game as usize), slope_of);
        if let Some(gradient) = gradient {
            self.backward(gradient);
        }
    }

    /// Computes the accumulators of the window.
    fn forward(&mut self, weights: &Parts<'_>) {
        let width = self.width;
        let needed = self.tree.edges().len() * width;
        if self.accumulators.len() < needed {
            self.accumulators = ZeroedMemory::new(needed);
        }
        let rows = Table { rows: weights.rows, width };
        for (number, edge) in self.tree.edges().enumerate() {
            let (earlier, to) = self.accumulators.split_at_mut(number * width);
            let from = edge.from.map_or(weights.bias, |from| &earlier[from * width..][..width]);
            rows.sum(&mut to[..width], from, edge.entering, edge.leaving);
        }
    }

    /// The outputs of the window's positions, whose game has these steps, and from them back to the gradients of their
    /// accumulators. Neighbours of the same bucket go through the head together.
    fn heads(
        &mut self,
        weights: &Parts<'_>,
        mut gradient: Option<&mut GradientParts<'_>>,
        steps: &[Step],
        mut slope_of: impl FnMut(f32, &Step) -> f32,
    ) {
        let mut heads = Heads {
            head: &mut self.head,
            width: self.width,
            weights: weights.head,
            gradient: gradient.as_mut().map(|gradient| &mut *gradient.head),
            steps,
            slope_of: &mut slope_of,
            accumulators: &mut self.accumulators,
        };
        for run in self.tree.positions().chunk_by(|one, other| one.bucket == other.bucket) {
            let (groups, rest) = run.as_chunks::<GROUP>();
            groups.iter().for_each(|group| heads.pass(group));
            let (pairs, rest) = rest.as_chunks::<2>();
            pairs.iter().for_each(|pair| heads.pass(pair));
            rest.as_chunks::<1>().0.iter().for_each(|single| heads.pass(single));
        }
    }

    /// From the last accumulator to the first: adds the gradients of all rows and of the bias.
    fn backward(&mut self, gradient: &mut GradientParts<'_>) {
        let width = self.width;
        for (number, edge) in self.tree.edges().enumerate().rev() {
            let (earlier, slopes) = self.accumulators.split_at_mut(number * width);
            let slopes = &slopes[..width];
            let from = edge.from.map_or(&mut *gradient.bias, |from| &mut earlier[from * width..][..width]);
            kernel::add(from, slopes);
            edge.leaving.iter().for_each(|&row| kernel::sub(gradient.row_mut(row), slopes));
            edge.entering.iter().for_each(|&row| kernel::add(gradient.row_mut(row), slopes));
        }
    }
}

/// Takes positions through the head, one group after another.
struct Heads<'a, H, S> {
    head: &'a mut H,
    width: usize,
    /// The head's numbers, and their gradient where there is one to add to.
    weights: &'a [f32],
    gradient: Option<&'a mut [f32]>,
    steps: &'a [Step],
    slope_of: S,
    /// Those of the positions to come.
    accumulators: &'a mut [f32],
}

impl<H: Head, S: FnMut(f32, &Step) -> f32> Heads<'_, H, S> {
    /// The next positions, which have the same bucket.
    fn pass<const N: usize>(&mut self, positions: &[Counted; N]) {
        let steps = positions.each_ref().map(|position| &self.steps[position.ply as usize]);
        let pairs = steps.map(|step| {
            let white = self.accumulators.split_off_mut(..self.width).unwrap_or_default();
            let black = self.accumulators.split_off_mut(..self.width).unwrap_or_default();
            let (us, them) = if step.side() == 0 { (white, black) } else { (black, white) };
            Pair { us, them }
        });
        let bucket = positions[0].bucket;
        let outputs = self.head.forward(self.weights, bucket, &pairs);
        let slopes = std::array::from_fn(|number| (self.slope_of)(outputs[number], steps[number]));
        if let Some(gradient) = &mut self.gradient {
            self.head.backward(self.weights, gradient, bucket, slopes, pairs);
        }
    }
}
