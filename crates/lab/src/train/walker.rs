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
use super::head::{Head, Pair};
use super::kernel::{self, Table};
use super::layout::Layout;
use super::sampler::Window;
use super::tree::Tree;

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
    /// The gradients of one position's accumulators.
    slopes: [ZeroedMemory<f32>; 2],
    head: H,
}

impl<H: Head> Walker<H> {
    /// A walker for networks of this architecture.
    pub(super) fn new(architecture: &Architecture) -> Self {
        let width = architecture.width;
        Self {
            width,
            tree: Tree::new(architecture),
            accumulators: ZeroedMemory::new(0),
            slopes: [ZeroedMemory::new(width), ZeroedMemory::new(width)],
            head: H::new(width),
        }
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

    /// The outputs of the window's positions, whose game has these steps, and from them back to the gradients of their accumulators.
    fn heads(
        &mut self,
        weights: &Parts<'_>,
        mut gradient: Option<&mut GradientParts<'_>>,
        steps: &[Step],
        mut slope_of: impl FnMut(f32, &Step) -> f32,
    ) {
        let pairs = self.accumulators.chunks_exact_mut(2 * self.width);
        for (position, accumulators) in self.tree.positions().iter().zip(pairs) {
            let step = &steps[position.ply as usize];
            let (white, black) = accumulators.split_at_mut(self.width);
            let (us, them) = if step.side() == 0 { (white, black) } else { (black, white) };
            let pair = Pair { us: &*us, them: &*them };
            let output = self.head.forward(weights.head, position.bucket, &pair);
            let slope = slope_of(output, step);
            if let Some(gradient) = &mut gradient {
                let [by_us, by_them] = &mut self.slopes;
                let mut slopes = Pair { us: &mut by_us[..], them: &mut by_them[..] };
                self.head.backward(weights.head, gradient.head, position.bucket, slope, &pair, &mut slopes);
                us.copy_from_slice(by_us);
                them.copy_from_slice(by_them);
            }
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
