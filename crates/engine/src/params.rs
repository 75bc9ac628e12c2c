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

            use super::Tunable;

            #[allow(non_upper_case_globals, reason = "a cell is called as its tunable")]
            mod cells {
                use super::AtomicI32;
                $(pub(super) static $name: AtomicI32 = AtomicI32::new($default);)*
            }

            $(#[inline] pub(crate) fn $name() -> i32 { cells::$name.load(Ordering::Relaxed) })*

            pub(crate) const TUNABLES: &[Tunable] = &[$(Tunable {
                name: stringify!($name),
                default: $default,
                values: &[$min, $max $(, $off)?],
                set: |value| cells::$name.store(value, Ordering::Relaxed),
            }),*];
        }
    };
}

/// A tunable of a build with the feature `tune`.
#[cfg(feature = "tune")]
pub(crate) struct Tunable {
    pub(crate) name: &'static str,
    pub(crate) default: i32,
    /// It can be set to anything from the smallest to the largest of these.
    pub(crate) values: &'static [i32],
    pub(crate) set: fn(i32),
}

pub(crate) use values::*;

/// A tunable in thousandths as a factor.
pub(crate) fn thousandths(tunable: i32) -> f64 {
    f64::from(tunable) / 1000.0
}

parameters! {
    // Aspiration windows: the first half-width, what a large value adds to it, and its growth in percent
    aspiration_delta = 8, 4, 40, off 30000;
    aspiration_square = 9000, 4000, 40000;
    aspiration_growth = 40, 15, 100;
    aspiration_depth = 4, 2, 8;

    // Repetitions that a reversible move could bring about
    upcoming_repetition = 1, 0, 1, off 0;

    // Hindsight: what the parent's reduction is worth now
    hindsight_depth_up = 3, 1, 6, off 300;
    hindsight_eval_down = 140, 60, 350, off 30000;

    // Razoring
    razor_base = 420, 200, 800, off 100000;
    razor_square = 240, 120, 500;

    // Reverse futility
    rfp_depth = 14, 6, 18, off 0;
    rfp_slope = 31, 0, 140;
    rfp_square = 6, 0, 16;
    rfp_no_tt_hit = 12, 0, 40;
    rfp_improving = 5, 0, 220;
    rfp_worsening = 25, 0, 60;
    rfp_correction = 4, 1, 16;

    // Null move; its reduction in 1024ths of a ply
    nmp_margin = 377, 0, 600, off 100000;
    nmp_margin_slope = 11, 0, 40;
    nmp_improving = 38, 0, 120;
    nmp_base = 5375, 3000, 9000;
    nmp_depth = 256, 150, 500;
    nmp_eval = 5, 0, 12;
    nmp_eval_max = 600, 100, 2000;
    nmp_verification_depth = 16, 10, 24, off 300;

    // Internal iterative reductions
    iir_depth = 6, 3, 10, off 300;
    iir_prior_reduction = 3, 1, 8;

    // ProbCut
    probcut_depth = 3, 3, 8, off 300;
    probcut_margin = 99, 40, 350;
    probcut_improving = 50, 0, 120;
    probcut_surplus = 250, 100, 600;
    probcut_reduction = 4, 2, 6;
    probcut_small_margin = 340, 200, 700, off 100000;
    probcut_small_depth = 4, 2, 6;

    // Pruning of moves
    lmp_base = 3, 1, 8, off 10000;
    capture_futility_base = 207, 80, 400, off 100000;
    capture_futility_slope = 180, 100, 350;
    capture_futility_history = 100, 0, 300;
    capture_futility_depth = 7, 4, 10;
    capture_see_margin = 69, 30, 130, off 100000;
    capture_see_history = 60, 20, 200;
    history_pruning = 4206, 1500, 8000, off 1000000;
    history_to_depth = 3232, 1500, 7000;
    futility_base = 99, 0, 250, off 100000;
    futility_found = 100, 0, 200;
    futility_above_alpha = 60, 0, 150;
    futility_slope = 91, 50, 200;
    futility_depth = 12, 6, 16;
    quiet_see_square = 22, 4, 25, off 100000;

    // Singular extensions
    singular_depth = 6, 4, 9, off 300;
    singular_tt_depth = 3, 2, 5;
    singular_margin = 26, 10, 110;
    singular_pv_margin = 66, 20, 140;
    double_margin = 2, -60, 60, off 100000;
    double_pv_margin = 165, 60, 400;
    double_quiet = 130, 0, 300;
    triple_margin = 72, 0, 250, off 100000;
    triple_pv_margin = 225, 60, 400;
    triple_quiet = 160, 0, 300;
    singular_deepens = 1, 0, 1, off 0;
    multicut = 1, 0, 1, off 0;
    negative_beta = 3, 1, 4, off 0;
    negative_cut_node = 2, 1, 3, off 0;

    // Late move reductions, in 1024ths of a ply
    lmr_depth = 2, 2, 4, off 300;
    lmr_base = 1561, 0, 2400;
    lmr_slope = 462, 250, 650;
    lmr_improving = 239, 50, 500, off 0;
    lmr_window = 709, 0, 1200, off 0;
    lmr_tt_pv_first = 940, 0, 2000;
    lmr_offset = 106, -500, 1500;
    lmr_move_count = 53, 0, 150, off 0;
    lmr_tt_pv = 2406, 500, 4000, off 0;
    lmr_pv_node = 1012, 0, 2000, off 0;
    lmr_tt_above = 900, 0, 2000, off 0;
    lmr_tt_deep = 1120, 0, 2000, off 0;
    lmr_tt_deep_cut = 1000, 0, 2000, off 0;
    lmr_cut_node = 1173, 0, 5000, off 0;
    lmr_no_tt_move = 739, 0, 2000, off 0;
    lmr_tt_capture = 1049, 200, 2000, off 0;
    lmr_cutoffs = 1437, 200, 2000, off 0;
    lmr_cutoffs_all = 800, 0, 2000, off 0;
    lmr_cutoff_count = 2, 1, 5;
    lmr_tt_move = 2883, 500, 6000, off 0;
    lmr_correction = 5, 0, 12, off 0;
    lmr_history = 98, 40, 250, off 0;
    lmr_victim = 6, 0, 30, off 0;
    lmr_all_node = 276, 0, 600, off 0;
    lmr_all_node_offset = 268, 64, 600;
    lmr_deeper = 36, 10, 90, off 100000;
    lmr_deeper_slope = 2, 0, 5;
    lmr_shallower = 7, 0, 30;
    lmr_bonus = 1350, 0, 2500, off 0;
    lmr_extension = 2, 0, 3, off 0;
    full_depth_no_tt_move = 1100, 0, 2500, off 0;
    full_depth_reduction = 3200, 2000, 5000, off 100000;
    full_depth_reduction_two = 4800, 3500, 7000, off 100000;

    // Once a move is found, the others are searched less deep
    alpha_raise_reduction = 2, 0, 3, off 0;
    alpha_raise_depth = 15, 6, 20;

    // The order of moves; quiet moves that promise less than this, times the depth, are not sorted
    unsorted_quiet = 3500, 500, 10000, off 1000000;
    bad_quiet = 14000, 4000, 40000, off 1000000;
    check_bonus = 15623, 0, 32000, off 0;
    check_see = 36, 0, 150;
    threat_weight = 40, 0, 100, off 0;
    good_capture = 20, 10, 40;
    captured_weight = 7, 3, 14;
    queen_promotion = 6000, 0, 20000;
    underpromotion = 10000, 0, 30000;

    // Quiescence
    qs_futility = 239, 100, 500, off 100000;
    qs_checks = 0, 0, 1, off 0;
    qs_see = 57, 0, 200, off 100000;
    qs_move_count = 2, 1, 6, off 300;

    // Histories
    bonus_slope = 97, 60, 300;
    bonus_offset = 77, 0, 250;
    bonus_max = 1604, 800, 3000;
    bonus_tt_move = 370, 0, 1000;
    malus_slope = 610, 100, 1500;
    malus_offset = 200, 0, 600;
    malus_max = 2107, 800, 3500;
    malus_decay = 956, 700, 1024;
    capture_bonus = 1450, 500, 2500;
    capture_malus = 1400, 500, 2500;
    early_malus = 614, 0, 1500, off 0;
    tt_cut_bonus_slope = 130, 0, 300, off 0;
    tt_cut_bonus_max = 1040, 0, 2000;
    tt_cut_malus = 2100, 0, 4000, off 0;
    tt_cut_early = 4, 1, 8;
    pawn_bonus = 850, 0, 1500;
    pawn_malus = 550, 0, 1500;
    continuation_bonus = 979, 0, 1500;
    continuation_malus = 842, 0, 1500;
    continuation_share_one = 1108, 0, 2000;
    continuation_share_two = 652, 0, 2000;
    continuation_share_three = 273, 0, 2000;
    continuation_share_four = 572, 0, 2000;
    continuation_share_six = 449, 0, 2000;
    eval_history_slope = 10, 2, 25, off 0;
    eval_history_offset = 600, 0, 1200;
    eval_history_max_bonus = 1500, 500, 3000;
    eval_history_max_malus = 1900, 500, 3000;
    eval_history_pawn = 1280, 0, 2500;
    prior_move_base = -215, -500, 200;
    prior_move_stat_score = 100, 40, 400;
    prior_move_depth = 56, 0, 120;
    prior_move_depth_max = 489, 0, 1000;
    prior_move_late = 184, 0, 400;
    prior_move_late_count = 8, 2, 16;
    prior_move_below = 147, 0, 400;
    prior_move_below_margin = 90, 0, 250;
    prior_move_surprise = 156, 0, 400;
    prior_move_surprise_margin = 60, 0, 250;
    prior_move_continuation = 406, 0, 1000;
    prior_move_quiet = 243, 0, 1000;
    prior_move_pawn = 1160, 0, 2500;
    prior_move_capture = 1000, 0, 2000;
    quiet_weight = 2, 1, 4, off 0;
    pawn_weight = 2, 1, 4, off 0;
    continuation_weight = 1024, 512, 2048, off 0;
    continuation_weight_one = 1077, 512, 2048;
    capture_weight = 729, 40, 1000, off 0;

    // The largest entry of each history; entries have 16 bits
    quiet_history_max = 7200, 2000, 16000;
    capture_history_max = 10700, 4000, 16000;
    continuation_history_max = 30000, 8000, 32000;
    pawn_history_max = 8192, 2000, 16000;
    correction_history_max = 1024, 256, 4096;

    // Evaluation
    fifty_scale = 205, 150, 300, off 1000000;
    correction_pawn = 55, 10, 140, off 0;
    correction_minor = 39, 10, 140, off 0;
    correction_non_pawn = 68, 10, 140, off 0;
    correction_continuation = 38, 10, 140, off 0;
    correction_found = 14, 4, 30;
    correction_not_found = 19, 4, 30;

    // The transposition table: cutoffs against the expected kind of node need this depth, and none is made from this
    // halfmove clock on; depths that an entry loses with each search since, and that it is protected by in its own
    tt_cut_depth = 5, 0, 10;
    tt_cut_clock = 90, 60, 100;
    tt_age_depth = 4, 1, 12;
    tt_keep_depth = 4, 0, 10;
    tt_keep_pv = 2, 0, 6;
    tablebase_depth_bonus = 6, 0, 12;

    // The choice among the threads' results: what the worst value weighs
    vote_offset = 14, 1, 60;

    // Time for a move, in thousandths: of the clock (less in the opening), of the increment, the hard limit in soft ones and
    // in clocks, and how many move overheads are kept in reserve
    time_share = 55, 20, 120;
    time_opening_share = 43, 0, 100;
    time_opening_decay = 40, 5, 200;
    time_increment = 720, 200, 1000;
    time_max = 6000, 1500, 10000;
    time_most = 500, 200, 900;
    time_reserve = 28, 0, 100;
    time_ponder = 1200, 1000, 1600;
    // The same with a number of moves to go, of which at most the horizon counts
    time_horizon = 50, 20, 80;
    time_control_share = 750, 300, 1500;
    time_control_increment = 700, 200, 1000;
    time_control_max = 4000, 1500, 10000;
    time_control_most = 600, 200, 900;

    // The factor on that time: the best move's share of the nodes, iterations with the same best move, iterations with a
    // steady value, and how far the value fell since the last search
    time_effort_base = 3000, 1500, 4000;
    time_effort_slope = 2500, 500, 3500;
    time_effort_min = 550, 200, 1000;
    time_stability_base = 1250, 900, 1800;
    time_stability_slope = 50, 0, 120;
    time_steady_value = 8, 2, 30;
    time_calm_base = 1150, 900, 1500;
    time_calm_slope = 40, 0, 100;
    time_trend_base = 850, 500, 1200;
    time_trend_slope = 10, 0, 30;
    time_trend_min = 750, 300, 1000;
    time_trend_max = 1450, 1000, 2500;
}
