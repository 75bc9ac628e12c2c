//! The operations of the network for each instruction set.
//!
//! [`scalar`] follows the definitions and is the reference for tests. The others share one algorithm, [`vector`], and
//! differ in their instructions; only WebAssembly has its own, written for what the compilers of browsers make of it. A
//! [`Kernels`] table is chosen once, when a network is created; its functions are whole operations, so that the cost of the
//! indirect call does not matter.

#![allow(unsafe_code, reason = "the kernels of an instruction set are unsafe to call without it")]

pub(crate) use scalar::product;

use std::fmt;
use std::sync::LazyLock;

use chess::Bitboard;

use crate::features::{ATTACKERS, Attacks, ThreatChanges, ThreatForm, Threats};
use crate::network::Hidden;

#[cfg(any(target_arch = "x86_64", test))]
mod attacks;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64", target_feature = "simd128"))]
mod packing;
mod scalar;
#[cfg(any(target_arch = "x86_64", target_feature = "simd128", test))]
mod shifts;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod vector;

/// An instruction set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arch {
    /// No special instructions: every processor.
    Scalar,
    /// Registers of 16 bytes: 64-bit ARM.
    Neon,
    /// Registers of 16 bytes: WebAssembly.
    Simd128,
    /// Registers of 32 bytes: x86-64.
    Avx2,
    /// Registers of 64 bytes, with VNNI: x86-64.
    Avx512,
}

impl Arch {
    /// All of them; where a processor has several, the fastest comes last.
    pub const ALL: [Self; 5] = [Self::Scalar, Self::Neon, Self::Simd128, Self::Avx2, Self::Avx512];

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
            #[cfg(target_arch = "aarch64")]
            Self::Neon => Some(&neon::KERNELS),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd128 => Some(&simd128::KERNELS),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => avx2::is_available().then_some(&avx2::KERNELS),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => avx512::is_available().then_some(&avx512::KERNELS),
            #[allow(unreachable_patterns, reason = "which ones are left depends on the target")]
            _ => None,
        }
    }
}

impl fmt::Display for Arch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Scalar => "scalar",
            Self::Neon => "NEON",
            Self::Simd128 => "SIMD128",
            Self::Avx2 => "AVX2",
            Self::Avx512 => "AVX-512",
        })
    }
}

/// Rows of one kind to add and to subtract.
#[derive(Clone, Copy)]
pub(crate) struct RowsOf<'a, T> {
    /// All rows, one after the other, each as long as an accumulator.
    pub(crate) weights: &'a [T],
    /// The number of the last row; where there are none, nothing is added or removed.
    pub(crate) last: u16,
    pub(crate) added: &'a [u16],
    pub(crate) removed: &'a [u16],
}

impl<T> RowsOf<'_, T> {
    /// Do the weights have all rows up to `last`?
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "plain code checks every row"))]
    #[inline(always)]
    fn fits(&self, width: usize) -> bool {
        self.weights.len() >= (usize::from(self.last) + 1) * width
            || self.added.is_empty() && self.removed.is_empty()
    }
}

/// Rows of the feature transformer to add and to subtract.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    pub(crate) pieces: RowsOf<'a, i16>,
    pub(crate) threats: RowsOf<'a, i8>,
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
    /// What pieces attack, as the form of threats wants to know it.
    pub(crate) attacks: unsafe fn(form: ThreatForm, pieces: &[Bitboard; ATTACKERS], attacks: &mut Attacks),
    /// The threats that change from one position to another.
    pub(crate) threat_changes: unsafe fn(before: &Threats, after: &Threats, changes: &mut ThreatChanges),
    /// The sum of the direct head, without its bias.
    pub(crate) direct: unsafe fn(us: &[i16], them: &[i16], weights: &[i16]) -> i32,
    /// The sum of the pairwise head, without its last bias; the weights are packed, with one group
    /// more than there are inputs.
    pub(crate) pairwise: unsafe fn(us: &[i16], them: &[i16], first_weights: &[i8], hidden: &Hidden) -> i32,
    /// Brings the weights of threats from their natural order into the one that `update` and `refresh` want.
    pub(crate) pack_threats: fn(weights: &mut [i8]),
    /// Brings them back.
    pub(crate) unpack_threats: fn(weights: &mut [i8]),
    /// The natural index of the input that the pairwise operation has at this place.
    pub(crate) input_order: fn(place: usize) -> usize,
    /// The place among the weights of a group of inputs that the pairwise operation looks at for this output and
    /// input of the group.
    pub(crate) weight_order: fn(output: usize, input: usize) -> usize,
    /// How many bytes each of these weights takes, one or two, the lowest first.
    pub(crate) first_weight_bytes: usize,
}

impl Kernels {
    /// The plain operations, which every processor can run.
    pub(crate) const SCALAR: &'static Self = &scalar::KERNELS;

    /// The fastest operations that this processor can run.
    pub(crate) fn best() -> &'static Self {
        static BEST: LazyLock<&Kernels> = LazyLock::new(|| Arch::best().kernels().unwrap_or(Kernels::SCALAR));
        &BEST
    }

    /// See the field of the same name.
    #[inline]
    pub(crate) fn attacks(&self, form: ThreatForm, pieces: &[Bitboard; ATTACKERS], attacks: &mut Attacks) {
        // SAFETY: `Arch::kernels` found the instructions on this processor.
        unsafe { (self.attacks)(form, pieces, attacks) }
    }

    /// See the field of the same name.
    #[inline]
    pub(crate) fn threat_changes(&self, before: &Threats, after: &Threats, changes: &mut ThreatChanges) {
        // SAFETY: `Arch::kernels` found the instructions on this processor.
        unsafe { (self.threat_changes)(before, after, changes) }
    }
}
