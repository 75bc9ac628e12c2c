//! `--start`: initial weights from a network file or from another run's checkpoint.
//!
//! Dequantising is exact. A wider network keeps the pairs of the narrower one and starts with small weights for the new
//! ones, so that it evaluates almost alike; inputs that the other network does not have start with rows of zeros.

use std::error::Error;
use std::fs;
use std::path::Path;

use chess::{Color, Square};
use nnue::features::{INPUTS_PER_BUCKET, KingBuckets};
use nnue::memory::ZeroedMemory;
use nnue::quantisation::{
    ACTIVATION_ONE, DIRECT_SCALE, FIRST, FIRST_ACTIVATIONS, FIRST_WEIGHT_SCALE, QA, QB, SECOND, SUM_SCALE,
    WEIGHT_SCALE,
};
use nnue::{Architecture, DirectHead, Head, HeadKind, PairwiseHead, Parameters, ThreatForm};

use super::checkpoint;
use super::export::transposed;
use super::head::OUTPUT_BUCKETS;
use super::layout::Layout;

/// Initial weights of new pairs in the head, as a fraction of those of a new network.
const NEW_WEIGHTS: f32 = 0.05;

/// The numbers of the network in a file, as a network of this architecture holds them.
pub(super) fn read(
    path: &Path,
    architecture: &Architecture,
    seed: u64,
) -> Result<ZeroedMemory<f32>, Box<dyn Error>> {
    let name = path.display();
    let bytes = fs::read(path).map_err(|error| format!("{name}: {error}"))?;
    let (of, numbers) = if checkpoint::is_checkpoint(&bytes) {
        checkpoint::network(&bytes).map_err(|error| format!("{name}: {error}"))?
    } else {
        let parameters = Parameters::from_bytes(&bytes).map_err(|error| format!("{name}: {error}"))?;
        dequantise(&parameters).map_err(|error| format!("{name}: {error}"))?
    };
    Ok(grow(&of, &numbers, architecture, seed).map_err(|error| format!("{name}: {error}"))?)
}

/// A quantised network in the trainer's numbers and order.
pub(super) fn dequantise(parameters: &Parameters) -> Result<(Architecture, ZeroedMemory<f32>), String> {
    let Architecture { width, output_buckets, .. } = parameters.architecture;
    if output_buckets != OUTPUT_BUCKETS {
        return Err(format!("{output_buckets} output buckets; the trainer supports only {OUTPUT_BUCKETS}"));
    }
    let mut numbers = Vec::new();
    push(&mut numbers, &parameters.transformer_weights, QA.into());
    push(&mut numbers, &parameters.threat_weights, QA.into());
    push(&mut numbers, &parameters.transformer_biases, QA.into());
    match &parameters.head {
        Head::Direct(DirectHead { biases, weights }) => {
            push(&mut numbers, weights, QB.into());
            push(&mut numbers, biases, DIRECT_SCALE.into());
        }
        Head::Pairwise(PairwiseHead {
            first_biases,
            first_weights,
            second_biases,
            second_weights,
            output_biases,
            output_weights,
        }) => {
            push(&mut numbers, &transposed(first_weights, FIRST, width), FIRST_WEIGHT_SCALE);
            push(&mut numbers, first_biases, ACTIVATION_ONE.into());
            push(&mut numbers, &transposed(second_weights, SECOND, FIRST_ACTIVATIONS), WEIGHT_SCALE.into());
            push(&mut numbers, second_biases, SUM_SCALE.into());
            push(&mut numbers, output_weights, WEIGHT_SCALE.into());
            push(&mut numbers, output_biases, SUM_SCALE.into());
        }
    }
    Ok((parameters.architecture, numbers[..].into()))
}

fn push<T: Copy + Into<f64>>(numbers: &mut Vec<f32>, quantised: &[T], scale: f64) {
    numbers.extend(quantised.iter().map(|&value| (value.into() / scale) as f32));
}

/// The numbers of one network in a network of another architecture, which must have room for them.
fn grow(
    of: &Architecture,
    numbers: &[f32],
    architecture: &Architecture,
    seed: u64,
) -> Result<ZeroedMemory<f32>, String> {
    let room_for_threats = match (of.threats, architecture.threats) {
        (Some(ThreatForm::Large), threats) => threats == Some(ThreatForm::Large),
        (Some(ThreatForm::Small), threats) => threats.is_some(),
        (None, _) => true,
    };
    if of.head != architecture.head || of.width > architecture.width || !room_for_threats {
        return Err(format!("{of} cannot become {architecture}"));
    }
    let mut grown = architecture.initial(seed);
    let lanes = lanes(of, architecture);
    for (row, from) in rows(of, architecture).into_iter().enumerate() {
        let to = row * architecture.width;
        let Some(from) = from.map(|row| row * of.width) else {
            grown[to..to + architecture.width].fill(0.0);
            continue;
        };
        lanes.iter().enumerate().for_each(|(lane, &place)| grown[to + place] = numbers[from + lane]);
    }
    let (mut from, mut to) = (of.inputs() * of.width, architecture.inputs() * architecture.width);
    lanes.iter().enumerate().for_each(|(lane, &place)| grown[to + place] = numbers[from + lane]);
    (from, to) = (from + of.width, to + architecture.width);
    // The first layer of the head: for each bucket one row of numbers for each of its inputs.
    let (inputs, new_inputs, outputs) = match of.head {
        HeadKind::Direct => (2 * of.width, 2 * architecture.width, 1),
        HeadKind::Pairwise => (of.width, architecture.width, FIRST),
    };
    for bucket in 0..OUTPUT_BUCKETS {
        let block = &mut grown[to + bucket * new_inputs * outputs..][..new_inputs * outputs];
        block.iter_mut().for_each(|weight| *weight *= NEW_WEIGHTS);
        for input in 0..inputs {
            // The inputs of both sides one after the other, each as wide as its half.
            let place = input / (inputs / 2) * (new_inputs / 2) + input % (inputs / 2);
            let from = from + (bucket * inputs + input) * outputs;
            block[place * outputs..][..outputs].copy_from_slice(&numbers[from..from + outputs]);
        }
    }
    let rest = &numbers[from + OUTPUT_BUCKETS * inputs * outputs..];
    grown[to + OUTPUT_BUCKETS * new_inputs * outputs..].copy_from_slice(rest);
    Ok(grown)
}

/// Where each number of an accumulator goes: the pairwise head multiplies the two halves, so each grows by itself.
fn lanes(of: &Architecture, architecture: &Architecture) -> Vec<usize> {
    let half = of.width / 2;
    let place = |lane: usize| match of.head {
        HeadKind::Direct => lane,
        HeadKind::Pairwise => lane / half * (architecture.width / 2) + lane % half,
    };
    (0..of.width).map(place).collect()
}

/// The row of the other network that each input begins with: a king bucket begins with the one that has its first square, a
/// threat of the large form with the one of the small form that tells less of it.
fn rows(of: &Architecture, architecture: &Architecture) -> Vec<Option<usize>> {
    let mut rows = Vec::with_capacity(architecture.inputs());
    for bucket in 0..architecture.king_buckets.count() {
        let square = architecture.king_buckets.table().iter().position(|&it| usize::from(it) == bucket);
        let first = square.map(|square| usize::from(of.king_buckets.table()[square]) * INPUTS_PER_BUCKET);
        rows.extend((0..INPUTS_PER_BUCKET).map(|input| Some(first? + input)));
    }
    let Some(form) = architecture.threats else { return rows };
    // How a view turns the board does not matter, as long as it is the same.
    let view = KingBuckets::SINGLE.view(Color::White, Square::A1);
    rows.extend(form.threats().map(|threat| {
        let input = match of.threats? {
            known if known == form => form.table().input(view, threat),
            known => known.table().input(view, threat.without_square()),
        };
        Some(of.piece_inputs() + input)
    }));
    rows
}
