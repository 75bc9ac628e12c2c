//! Quantises the trained weights and measures the loss of the quantised network.

use std::thread;

use chess::{Bitboard, Color, Piece};
use nnue::quantisation::{
    DIRECT_SCALE, FIRST, FIRST_ACTIVATIONS, FIRST_WEIGHT_SCALE, QA, QB, SECOND, SUM_SCALE, WEIGHT_SCALE,
};
use nnue::{Architecture, DirectHead, FormatError, Head, Network, PairwiseHead, Parameters};
use sha2::{Digest, Sha256};

use super::games::{Games, PieceSets};
use super::head::OUTPUT_BUCKETS;
use super::layout::Layout;
use super::loss::Loss;
use super::trainer::Totals;

/// The quantised network. Numbers are rounded to the nearest step and, should they exceed it, cut to the range of
/// their type; the trainer's clipping keeps them within the range that the format allows.
///
/// # Errors
/// When the format refuses the architecture or a bias grew beyond its range.
pub(super) fn quantise(
    architecture: &Architecture,
    weights: &[f32],
    loss: Loss,
    description: String,
) -> Result<Parameters, FormatError> {
    let mut rest = weights;
    let mut take = |len: usize| rest.split_off(..len).unwrap_or_default();
    let width = architecture.width;
    let mut parameters = Parameters::zero(*architecture)?;
    parameters.scale = loss.scale.round() as i32;
    parameters.description = description;
    fill(&mut parameters.transformer_weights, take(architecture.piece_inputs() * width), QA.into());
    let threats = architecture.inputs() - architecture.piece_inputs();
    fill(&mut parameters.threat_weights, take(threats * width), QA.into());
    fill(&mut parameters.transformer_biases, take(width), QA.into());
    match &mut parameters.head {
        Head::Direct(DirectHead { biases, weights }) => {
            fill(weights, take(OUTPUT_BUCKETS * 2 * width), QB.into());
            fill(biases, take(OUTPUT_BUCKETS), DIRECT_SCALE.into());
        }
        Head::Pairwise(PairwiseHead {
            first_biases,
            first_weights,
            second_biases,
            second_weights,
            output_biases,
            output_weights,
        }) => {
            let buckets = OUTPUT_BUCKETS;
            fill(first_weights, &transposed(take(buckets * width * FIRST), width, FIRST), FIRST_WEIGHT_SCALE);
            fill(first_biases, take(buckets * FIRST), (1 << nnue::quantisation::ACTIVATION_BITS).into());
            let second = take(buckets * FIRST_ACTIVATIONS * SECOND);
            fill(second_weights, &transposed(second, FIRST_ACTIVATIONS, SECOND), WEIGHT_SCALE.into());
            fill(second_biases, take(buckets * SECOND), SUM_SCALE.into());
            fill(output_weights, take(buckets * SECOND), WEIGHT_SCALE.into());
            fill(output_biases, take(buckets), SUM_SCALE.into());
        }
    }
    parameters.check()?;
    Ok(parameters)
}

/// An integer type that a number can be rounded to.
trait Quantised: Copy {
    fn nearest(value: f64) -> Self;
}

macro_rules! quantised {
    ($($integer:ty),*) => {
        $(impl Quantised for $integer {
            fn nearest(value: f64) -> Self {
                value.round() as Self
            }
        })*
    };
}

quantised!(i8, i16, i32);

fn fill<T: Quantised>(to: &mut [T], from: &[f32], scale: f64) {
    for (to, &from) in to.iter_mut().zip(from) {
        *to = T::nearest(f64::from(from) * scale);
    }
}

/// Turns each bucket's `[input][output]` into `[output][input]`.
pub(super) fn transposed<T: Copy>(weights: &[T], inputs: usize, outputs: usize) -> Vec<T> {
    let blocks = weights.chunks_exact(inputs * outputs);
    blocks
        .flat_map(|block| {
            (0..outputs).flat_map(move |output| (0..inputs).map(move |input| block[input * outputs + output]))
        })
        .collect()
}

/// The name that a network's file gets from its content.
pub(super) fn file_name(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    let hex: String = digest.iter().take(6).map(|byte| format!("{byte:02x}")).collect();
    format!("rufous-{hex}.nnue")
}

/// A board with a side to move, as the engine's inference reads it.
pub(super) struct ToMove<'a>(pub(super) &'a PieceSets, pub(super) usize);

impl nnue::Board for ToMove<'_> {
    fn pieces(&self, piece: Piece) -> Bitboard {
        Bitboard(self.0.0[piece.index()])
    }

    fn side_to_move(&self) -> Color {
        Color::ALL[self.1]
    }
}

/// The held-out losses of a quantised network, by the integer arithmetic that the engine plays with.
pub(super) fn validate(network: &Network, games: &Games, loss: Loss, threads: usize) -> Totals {
    let scale = network.scale() as f32;
    let lane = |number: usize| {
        let mut totals = Totals::default();
        for game in (number..games.len()).step_by(threads) {
            let mut board = games.board_at(game, 0);
            for step in games.steps_of(game) {
                board.apply(games.changes(step));
                if step.counts() {
                    let output = network.evaluate(&ToMove(&board, step.side())) as f32 / scale;
                    totals.validate(loss, output, step);
                }
            }
        }
        totals
    };
    let lane = &lane;
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|number| scope.spawn(move || lane(number))).collect();
        let totals = workers.into_iter().map(|worker| match worker.join() {
            Ok(totals) => totals,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        totals.fold(Totals::default(), Totals::plus)
    })
}
