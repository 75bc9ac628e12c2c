//! All tunables of the search, one line each: name, value, smallest, largest, and for some the value that
//! switches the heuristic off.
//!
//! Normally they are constants that the compiler folds away. With the feature `tune` each of them is
//! an option of the engine, for a tuner that plays games and for matches that show what a heuristic is
//! worth (`docs/ablation.md`).

macro_rules! parameters {
    ($($name:ident = $default:literal, $min:literal, $max:literal $(, off $off:literal)?;)*) => {
        #[cfg(not(feature = "tune"))]
        mod values {
            $(#[inline(always)] pub(crate) const fn $name() -> i32 { $default })*
        }

        #[cfg(feature = "tune")]
        mod values {
            use std::sync::atomic::{AtomicI32, Ordering};

            use crate::options::{Effect, OptionKind, OptionSpec};

            #[allow(non_upper_case_globals, reason = "a cell is called as its tunable")]
            mod cells {
                use super::AtomicI32;
                $(pub(super) static $name: AtomicI32 = AtomicI32::new($default);)*
            }

            $(#[inline] pub(crate) fn $name() -> i32 { cells::$name.load(Ordering::Relaxed) })*

            /// A value may be anything from the smallest to the largest of these.
            const fn spin(default: i64, values: &[i64]) -> OptionKind {
                let (mut min, mut max, mut at) = (values[0], values[0], 1);
                while at < values.len() {
                    if values[at] < min {
                        min = values[at];
                    }
                    if values[at] > max {
                        max = values[at];
                    }
                    at += 1;
                }
                OptionKind::Spin { default, min, max }
            }

            pub(crate) const OPTIONS: &[OptionSpec] = &[$(OptionSpec {
                name: stringify!($name),
                kind: spin($default, &[$min, $max $(, $off)?]),
                about: "A tunable of the search.",
                effect: Effect::Engine(|_, value| {
                    cells::$name.store(value.number() as i32, Ordering::Relaxed);
                    Ok(())
                }),
            }),*];
        }
    };
}

pub(crate) use values::*;

parameters! {
    // Aspiration windows
    aspiration_delta = 13, 5, 40, off 30000;
    aspiration_square = 12000, 4000, 40000;

    // Repetitions that a reversible move could bring about
    foresee_repetition = 1, 0, 1, off 0;

    // Hindsight: what the parent's reduction is worth now
    hindsight_depth_up = 3, 1, 6, off 300;
    hindsight_eval_down = 162, 60, 350, off 30000;

    // Razoring
    razor_base = 513, 200, 800, off 100000;
    razor_square = 304, 120, 500;

    // Reverse futility
    rfp_depth = 13, 6, 18, off 0;
    rfp_margin = 117, 40, 140;
    rfp_improving = 78, 20, 140;
    rfp_worsening = 25, 0, 60;

    // Null move
    nmp_base = 9, 3, 12;
    nmp_divisor = 3, 2, 5;
    nmp_eval_slope = 22, 5, 40;
    nmp_eval_base = 353, 100, 600, off 100000;
    nmp_verification_depth = 16, 10, 24, off 300;

    // Internal iterative reductions
    iir_depth = 6, 3, 10, off 300;

    // ProbCut
    probcut_depth = 3, 3, 8, off 300;
    probcut_margin = 217, 100, 350;
    probcut_improving = 55, 0, 120;
    probcut_small_margin = 410, 200, 700, off 100000;

    // Pruning of moves
    lmp_base = 3, 1, 8, off 10000;
    capture_futility_base = 238, 80, 400, off 100000;
    capture_futility_slope = 233, 100, 350;
    capture_see_margin = 172, 60, 250, off 100000;
    history_pruning = 3371, 1500, 8000, off 1000000;
    history_to_depth = 3268, 1500, 7000;
    futility_base = 8, 0, 200, off 100000;
    futility_slope = 113, 50, 200;
    futility_depth = 12, 6, 16;
    quiet_see_square = 28, 8, 50, off 100000;

    // Singular extensions
    singular_depth = 6, 4, 9, off 300;
    singular_margin = 54, 25, 110;
    singular_pv_margin = 70, 20, 140;
    double_margin = 15, 0, 60, off 100000;
    double_pv_margin = 220, 60, 400;
    triple_margin = 110, 40, 250, off 100000;
    multicut = 1, 0, 1, off 0;
    negative_beta = 3, 1, 4, off 0;
    negative_cut_node = 2, 1, 3, off 0;

    // Late move reductions, in 1024ths of a ply
    lmr_depth = 2, 2, 4, off 300;
    lmr_base = 424, 0, 1400;
    lmr_slope = 459, 250, 650;
    lmr_improving = 566, 100, 1200, off 0;
    lmr_pv_line = 1674, 500, 3500, off 0;
    lmr_pv_node = 900, 0, 2000, off 0;
    lmr_cut_node = 2966, 1000, 4000, off 0;
    lmr_no_tt_move = 900, 0, 2000, off 0;
    lmr_tt_capture = 1034, 200, 2000, off 0;
    lmr_cutoffs = 1115, 200, 2000, off 0;
    lmr_tt_move = 2000, 500, 3500, off 0;
    lmr_history = 131, 40, 250, off 0;
    lmr_deeper = 50, 10, 90, off 100000;
    full_depth_reduction = 3300, 2000, 5000, off 100000;

    // Once a move is found, the others are searched less deep
    found_reduction = 2, 0, 3, off 0;

    // Quiet moves that promise less than this, times the depth, are not sorted
    unsorted_depth = 2500, 500, 10000, off 1000000;

    // Quiescence
    qs_futility = 346, 100, 500, off 100000;
    qs_checks = 1, 0, 1, off 0;
    qs_see = 4, 0, 200, off 100000;

    // Histories
    bonus_slope = 144, 60, 300;
    bonus_offset = 90, 0, 250;
    bonus_max = 1733, 800, 3000;
    malus_slope = 226, 60, 400;
    malus_offset = 60, 0, 250;
    malus_max = 1946, 800, 3500;
    eval_history_slope = 9, 2, 25, off 0;
    quiet_weight = 2, 1, 4, off 0;
    pawn_weight = 2, 1, 4, off 0;
    continuation_weight = 2, 1, 4, off 0;
    capture_weight = 128, 40, 300, off 0;

    // Evaluation
    fifty_scale = 205, 150, 300, off 1000000;
    correction_pawn = 55, 10, 140, off 0;
    correction_minor = 39, 10, 140, off 0;
    correction_non_pawn = 68, 10, 140, off 0;
    correction_continuation = 51, 10, 140, off 0;
}
