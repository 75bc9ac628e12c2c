//! The arithmetic of the network in integers: the contract between trainer and inference.
//!
//! Everything is an integer, so every instruction set gives the same bits. A real value `x` is stored as
//! `round(x * SCALE)`. Additions wrap; the clipping ranges below exclude any overflow for a network that the
//! loader accepts, the accumulators excepted (see there). `W` is the width of the feature transformer.
//!
//! # Feature transformer (both heads)
//!
//! ```text
//! accumulator[W]: i16 = bias + sum of the rows of the active inputs     scale QA = 255
//! ```
//!
//! Each of at most 32 rows plus the bias must fit: with every |weight| and |bias| at most
//! `32767 / 33 = 992` (3.89 in real numbers) nothing can wrap. The trainer should clip to less, as 1.98 is usual.
//!
//! The rows of threats are i8 at the same scale, so |weight| <= 127 is 0.498 in real numbers, to which the trainer
//! clips. A position has some 40 of them, and 384 at most with 32 pieces; a wrap would take weights that no training
//! leads to, and would be the same on every instruction set.
//!
//! # Direct head
//!
//! With `v = clip(accumulator, 0, 255)`, side to move first, then the other side, 2W values in all:
//!
//! ```text
//! sum    = bias[bucket] + sum of v * v * weight[bucket][i]      scale QA * QA * QB = 255 * 255 * 64
//! score  = sum * network_scale / (QA * QA * QB)                 division truncates towards zero
//! ```
//!
//! Weights are i16 at scale QB = 64 with |weight| <= 127, so that `v * weight` fits an i16; biases are i32 at
//! the scale of the sum. The sum is taken modulo 2^32: only the total has to fit, which is +-516 in real units.
//!
//! # Pairwise head
//!
//! Each accumulator has two halves `a = accumulator[..W/2]`, `b = accumulator[W/2..]`:
//!
//! ```text
//! p[i]   = clip(a[i], 0, 255) * clip(b[i], 0, 255) >> 9             u8, 0 to 127: scale 65025 / 512 = 127.002
//! x      = p of the side to move, then p of the other side          W values
//!
//! s1[o]  = b1[bucket][o] + sum of x[i] * w1[bucket][o][i]           scale 2^13, o = 0 to 15
//! t      = clip(s1, -2^13, 2^13)
//! y[o]   = max(t, 0)                                                scale 2^13: clipped ReLU, min(max(x, 0), 1)
//! y[16+o]= t * t >> 13                                              scale 2^13: square, min(x * x, 1), for
//!                                                                   negative x as well
//! s2[o]  = b2[bucket][o] + sum of y[i] * w2[bucket][o][i]           scale 2^23, o = 0 to 31
//! z[o]   = clip(s2 >> 10, 0, 2^13)                                  scale 2^13: clipped ReLU (shift rounds down)
//! s3     = b3[bucket] + sum of z[i] * w3[bucket][i]                 scale 2^23
//! score  = s3 * network_scale / 2^23                                division truncates towards zero
//! ```
//!
//! - `w1`: i8, |w1| <= 127, scale [`FIRST_WEIGHT_SCALE`] = 2^13 * 512 / 65025 = 64.503, real range +-1.968.
//!   The odd scale makes `s1` a power of two.
//! - `b1`: i32 at 2^13, |b1| <= 2^24.
//! - `w2`, `w3`: i16 at 2^10, |w| <= 4095, real range +-3.999.
//! - `b2`, `b3`: i32 at 2^23, |b| <= 2^29, real range +-64.
//!
//! The only losses of precision besides the rounding of weights are the three shifts, which all round down.

/// Scale of the feature transformer, and the upper end of its clipped activation.
pub const QA: i32 = 255;
/// The largest weight of a threat, at the scale of the feature transformer.
pub const THREAT_WEIGHT_LIMIT: i8 = 127;
/// Scale of the direct head's weights.
pub const QB: i32 = 64;
/// Scale of the direct head's sum and biases.
pub const DIRECT_SCALE: i32 = QA * QA * QB;
/// The largest weight of the direct head: `QA * 127` fits an i16.
pub const DIRECT_WEIGHT_LIMIT: i16 = 127;

/// The shift that brings the product of two clipped accumulators into 0 to 127.
pub const PRODUCT_SHIFT: u32 = 9;
/// Binary digits after the point of the activations of both hidden layers.
pub const ACTIVATION_BITS: u32 = 13;
/// The activation that stands for 1.0.
pub const ACTIVATION_ONE: i32 = 1 << ACTIVATION_BITS;
/// Scale of the first hidden layer's weights.
pub const FIRST_WEIGHT_SCALE: f64 = (ACTIVATION_ONE << PRODUCT_SHIFT) as f64 / (QA * QA) as f64;
/// The largest weight of the first hidden layer: two products of 127 * 127 fit an i16.
pub const FIRST_WEIGHT_LIMIT: i8 = 127;
/// The largest bias of the first hidden layer.
pub const FIRST_BIAS_LIMIT: i32 = 1 << 24;

/// Binary digits after the point of the weights of the second hidden layer and of the output.
pub const WEIGHT_BITS: u32 = 10;
/// Scale of the weights of the second hidden layer and of the output.
pub const WEIGHT_SCALE: i32 = 1 << WEIGHT_BITS;
/// The largest weight of the second hidden layer and of the output: 32 products stay below 2^30.
pub const WEIGHT_LIMIT: i16 = 4095;
/// Scale of the sums and biases of the second hidden layer and of the output.
pub const SUM_SCALE: i32 = ACTIVATION_ONE * WEIGHT_SCALE;
/// The largest bias of the second hidden layer and of the output.
pub const BIAS_LIMIT: i32 = 1 << 29;

/// Neurons of the first hidden layer.
pub const FIRST: usize = 16;
/// Inputs of the second hidden layer: each neuron of the first, clipped and squared.
pub const FIRST_ACTIVATIONS: usize = 2 * FIRST;
/// Neurons of the second hidden layer.
pub const SECOND: usize = 32;

// Compile-time checks of the ranges above.
const _: () = {
    assert!(QA * DIRECT_WEIGHT_LIMIT as i32 <= i16::MAX as i32);
    assert!((QA * QA) >> PRODUCT_SHIFT == 127);
    assert!(2 * 127 * FIRST_WEIGHT_LIMIT as i32 <= i16::MAX as i32);
    assert!(crate::format::MAX_WIDTH as i64 * 127 * 127 + FIRST_BIAS_LIMIT as i64 <= i32::MAX as i64);
    let largest_sum = FIRST_ACTIVATIONS as i64 * ACTIVATION_ONE as i64 * WEIGHT_LIMIT as i64;
    assert!(largest_sum + BIAS_LIMIT as i64 <= i32::MAX as i64);
    assert!(FIRST_ACTIVATIONS == SECOND);
};
