//! Instruction sets: the same operations, as fast as each processor can.
//!
//! [`scalar`] is written plainly from the definitions and is the oracle. The others share one algorithm,
//! [`vector`], and differ in the instructions that they give to it. A [`Kernels`] table is chosen once, when a
//! network is made; its functions are whole operations, so that the indirect call does not count.

use crate::network::Hidden;

mod scalar;

/// An instruction set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arch {
    /// No special instructions: every processor.
    Scalar,
}

impl Arch {
    /// All of them, the fastest last.
    pub const ALL: [Self; 1] = [Self::Scalar];

    /// Those that this processor has, the fastest last.
    pub fn available() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|arch| arch.kernels().is_some())
    }

    /// The fastest that this processor has.
    pub fn best() -> Self {
        Self::available().last().unwrap_or(Self::Scalar)
    }

    /// The operations, if this processor can run them.
    pub(crate) fn kernels(self) -> Option<&'static Kernels> {
        match self {
            Self::Scalar => Some(Kernels::SCALAR),
        }
    }
}

/// Rows of the feature transformer to add and to subtract.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    /// All rows, one after the other, each as long as an accumulator.
    pub(crate) weights: &'a [i16],
    pub(crate) added: &'a [u16],
    pub(crate) removed: &'a [u16],
}

/// The operations of one instruction set.
///
/// A table is handed out only by [`Arch::kernels`], which checks that the processor has the instructions:
/// that is what makes the calls sound. Lengths are checked by the functions themselves.
pub(crate) struct Kernels {
    /// `target = source + added rows - removed rows`
    pub(crate) update: unsafe fn(source: &[i16], target: &mut [i16], rows: Rows<'_>),
    /// `source += added rows - removed rows; target = source`
    pub(crate) refresh: unsafe fn(source: &mut [i16], target: &mut [i16], rows: Rows<'_>),
    /// The sum of the direct head, without its bias.
    pub(crate) direct: unsafe fn(us: &[i16], them: &[i16], weights: &[i16]) -> i32,
    /// The sum of the pairwise head, without its last bias; the weights are packed.
    pub(crate) pairwise: unsafe fn(us: &[i16], them: &[i16], first_weights: &[i8], hidden: &Hidden) -> i32,
    /// The natural index of the input that the pairwise operation has at this place.
    pub(crate) input_order: fn(place: usize) -> usize,
}

impl Kernels {
    /// The plain operations, which every processor can run.
    pub(crate) const SCALAR: &'static Self = &scalar::KERNELS;
}
