//! The gradient that one thread adds to.

use nnue::Architecture;
use nnue::memory::ZeroedMemory;

use super::layout::Layout;

/// The gradient of all numbers of a network, laid out as they are; all 0 between the optimiser's steps.
pub(super) struct Gradient {
    pub(super) numbers: ZeroedMemory<f32>,
    /// Which rows of threats have been added to: most threats occur in few positions of a batch or in none, and their rows
    /// need not even be read.
    pub(super) touched: Vec<bool>,
}

impl Gradient {
    pub(super) fn new(architecture: &Architecture) -> Self {
        let threats = architecture.inputs() - architecture.piece_inputs();
        Self { numbers: ZeroedMemory::new(architecture.len()), touched: vec![false; threats] }
    }

    /// Its parts, to add to.
    pub(super) fn parts(&mut self, architecture: &Architecture) -> GradientParts<'_> {
        let (rows, rest) = self.numbers.split_at_mut(architecture.inputs() * architecture.width);
        let (bias, head) = rest.split_at_mut(architecture.width);
        let first_threat = architecture.piece_inputs();
        GradientParts { rows, bias, head, first_threat, touched: &mut self.touched }
    }
}

/// The parts of a gradient.
pub(super) struct GradientParts<'a> {
    rows: &'a mut [f32],
    pub(super) bias: &'a mut [f32],
    pub(super) head: &'a mut [f32],
    first_threat: usize,
    touched: &'a mut [bool],
}

impl GradientParts<'_> {
    /// The row of a feature, which will be added to.
    pub(super) fn row_mut(&mut self, feature: u32) -> &mut [f32] {
        let (feature, width) = (feature as usize, self.bias.len());
        if let Some(threat) = feature.checked_sub(self.first_threat) {
            self.touched[threat] = true;
        }
        &mut self.rows[feature * width..][..width]
    }
}
