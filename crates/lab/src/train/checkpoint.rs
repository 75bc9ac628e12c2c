//! Checkpoints: everything a run needs to continue exactly as if it had never stopped.
//!
//! The file is little-endian: magic, the architecture, the settings as text, the counters and the history, the vectors,
//! and a checksum of all that, the one of network files. It is written beside its place and then renamed, so that a crash leaves the old one or the new one.

use std::fmt;
use std::fs;
use std::io;
use std::path::Path;

use nnue::Architecture;
use nnue::format::checksum;
use nnue::memory::ZeroedMemory;

use super::layout::Layout;
use super::optimiser::Moments;
use super::stream::Place;
use super::trainer::{HeldOutLoss, Stage, State};
use crate::file;

const MAGIC: &[u8; 8] = b"RufousC3";
/// So many numbers are written at once.
const BLOCK: usize = 1024;

/// Why a checkpoint could not be used.
#[derive(Debug)]
pub(super) enum CheckpointError {
    /// The file could not be read or written.
    Io(io::Error),
    /// It is not a checkpoint, or not an undamaged one.
    Damaged,
    /// It belongs to a run with these other settings.
    OtherRun(String),
}

impl fmt::Display for CheckpointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "checkpoint: {error}"),
            Self::Damaged => f.write_str("checkpoint: damaged or not a checkpoint"),
            Self::OtherRun(settings) => write!(f, "checkpoint: made with other settings: {settings}"),
        }
    }
}

impl std::error::Error for CheckpointError {}

impl From<io::Error> for CheckpointError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Writes a checkpoint of a run with these settings.
pub(super) fn save(
    path: &Path,
    architecture: &Architecture,
    settings: &str,
    state: &State,
) -> Result<(), CheckpointError> {
    let State { weights, moments, average, steps, seen, place, history } = state;
    let Moments { first, second, shared_first, shared_second } = moments;
    let vectors = [weights, average, first, second, shared_first, shared_second];
    let mut bytes = Vec::with_capacity(vectors.iter().map(|vector| 4 * vector.len()).sum::<usize>() + 4096);
    bytes.extend(MAGIC);
    bytes.extend(architecture.to_bytes());
    bytes.extend((average.len() as u64).to_le_bytes());
    bytes.extend((settings.len() as u64).to_le_bytes());
    bytes.extend(settings.as_bytes());
    for number in [*steps as u64, *seen, place.epoch as u64, place.block as u64, history.len() as u64] {
        bytes.extend(number.to_le_bytes());
    }
    for stage in history {
        bytes.extend((stage.validation.len() as u64).to_le_bytes());
        let validation = stage.validation.iter().flat_map(|validation| [validation.score, validation.result]);
        for number in
            [stage.train, stage.rate.into(), stage.seconds, stage.speed].into_iter().chain(validation)
        {
            bytes.extend(number.to_le_bytes());
        }
    }
    for vector in vectors {
        // A block at a time: to ask for room for every number takes seconds.
        for numbers in vector.chunks(BLOCK) {
            let mut block = [0; 4 * BLOCK];
            for (bytes, number) in block.as_chunks_mut::<4>().0.iter_mut().zip(numbers) {
                *bytes = number.to_le_bytes();
            }
            bytes.extend_from_slice(&block[..4 * numbers.len()]);
        }
    }
    bytes.extend(checksum(&bytes).to_le_bytes());
    Ok(file::replace(path, &bytes)?)
}

/// A checkpoint with a valid checksum: its header and the rest.
struct Opened<'a> {
    architecture: Architecture,
    averaged: usize,
    settings: String,
    rest: Reader<'a>,
}

fn open(bytes: &[u8]) -> Result<Opened<'_>, CheckpointError> {
    let (content, sum) = bytes.split_last_chunk().ok_or(CheckpointError::Damaged)?;
    if !content.starts_with(MAGIC) || checksum(content).to_le_bytes() != *sum {
        return Err(CheckpointError::Damaged);
    }
    let mut rest = Reader(&content[MAGIC.len()..]);
    let architecture = Architecture::from_bytes(&rest.array()?).ok_or(CheckpointError::Damaged)?;
    let averaged = rest.number()?;
    let len = rest.number()?;
    let settings = String::from_utf8_lossy(rest.bytes(len)?).into_owned();
    Ok(Opened { architecture, averaged, settings, rest })
}

/// Reads the checkpoint of a run with these settings into a state whose vectors have the right lengths.
pub(super) fn load(path: &Path, settings: &str, mut state: State) -> Result<State, CheckpointError> {
    let bytes = fs::read(path)?;
    let Opened { settings: made_with, rest: mut reader, .. } = open(&bytes)?;
    if made_with != settings {
        return Err(CheckpointError::OtherRun(made_with));
    }
    state.steps = reader.number()?;
    state.seen = reader.number()? as u64;
    state.place = Place { epoch: reader.number()?, block: reader.number()? };
    state.history = reader.history()?;
    let State { weights, moments, average, .. } = &mut state;
    let Moments { first, second, shared_first, shared_second } = moments;
    for vector in [weights, average, first, second, shared_first, shared_second] {
        reader.vector(vector)?;
    }
    if reader.0.is_empty() { Ok(state) } else { Err(CheckpointError::Damaged) }
}

/// Is this the content of a checkpoint?
pub(super) fn is_checkpoint(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// The network of any run's checkpoint: its architecture and its numbers, averaged where they were.
pub(super) fn network(bytes: &[u8]) -> Result<(Architecture, ZeroedMemory<f32>), CheckpointError> {
    let Opened { architecture, averaged, rest: mut reader, .. } = open(bytes)?;
    (0..4).try_for_each(|_| reader.number().map(drop))?;
    reader.history()?;
    let mut weights = ZeroedMemory::new(architecture.len());
    reader.vector(&mut weights)?;
    if averaged == weights.len() {
        reader.vector(&mut weights)?;
    }
    Ok((architecture, weights))
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn bytes(&mut self, len: usize) -> Result<&'a [u8], CheckpointError> {
        self.0.split_off(..len).ok_or(CheckpointError::Damaged)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], CheckpointError> {
        self.bytes(N)?.try_into().map_err(|_| CheckpointError::Damaged)
    }

    fn number(&mut self) -> Result<usize, CheckpointError> {
        usize::try_from(u64::from_le_bytes(self.array()?)).map_err(|_| CheckpointError::Damaged)
    }

    fn vector(&mut self, numbers: &mut [f32]) -> Result<(), CheckpointError> {
        for number in numbers {
            *number = f32::from_le_bytes(self.array()?);
        }
        Ok(())
    }

    fn history(&mut self) -> Result<Vec<Stage>, CheckpointError> {
        let mut history = Vec::new();
        for _ in 0..self.number()? {
            let sets = self.number()?;
            let mut real = || -> Result<f64, CheckpointError> { Ok(f64::from_le_bytes(self.array()?)) };
            let (train, rate, seconds, speed) = (real()?, real()? as f32, real()?, real()?);
            let mut validation = Vec::new();
            for _ in 0..sets {
                validation.push(HeldOutLoss { score: real()?, result: real()? });
            }
            history.push(Stage { train, validation, rate, seconds, speed });
        }
        Ok(history)
    }
}
