//! Checkpoints: everything a run needs to go on exactly as if it had never stopped.
//!
//! The file is little-endian: magic, the settings as text, the counters and the history, the vectors, and a SHA-256
//! of all that. It is written beside its place and then renamed, so that a crash leaves the old one or the new one.

use std::fmt;
use std::fs;
use std::io;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::optimiser::Moments;
use super::trainer::{Epoch, State};
use crate::file;

const MAGIC: &[u8; 8] = b"RufousCP";
const DIGEST: usize = 32;

/// Why a checkpoint could not be used.
#[derive(Debug)]
pub(super) enum CheckpointError {
    /// The file could not be read or written.
    Io(io::Error),
    /// It is not a checkpoint, or not an undamaged one.
    Damaged,
    /// It belongs to a run with other settings, which it tells.
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
pub(super) fn save(path: &Path, settings: &str, state: &State) -> Result<(), CheckpointError> {
    let State { weights, moments, average, steps, history } = state;
    let Moments { first, second, shared_first, shared_second } = moments;
    let vectors = [weights, first, second, shared_first, shared_second, average];
    let mut bytes = Vec::with_capacity(vectors.iter().map(|vector| 4 * vector.len()).sum::<usize>() + 4096);
    bytes.extend(MAGIC);
    bytes.extend((settings.len() as u64).to_le_bytes());
    bytes.extend(settings.as_bytes());
    bytes.extend((*steps as u64).to_le_bytes());
    bytes.extend((history.len() as u64).to_le_bytes());
    for epoch in history {
        for number in to_numbers(epoch) {
            bytes.extend(number.to_le_bytes());
        }
    }
    for vector in vectors {
        vector.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
    }
    bytes.extend(Sha256::digest(&bytes));
    Ok(file::replace(path, &bytes)?)
}

/// Reads the checkpoint of a run with these settings into its state, which tells how long the vectors are.
pub(super) fn load(path: &Path, settings: &str, mut state: State) -> Result<State, CheckpointError> {
    let bytes = fs::read(path)?;
    let (content, digest) = bytes.split_last_chunk::<DIGEST>().ok_or(CheckpointError::Damaged)?;
    if !content.starts_with(MAGIC) || Sha256::digest(content)[..] != digest[..] {
        return Err(CheckpointError::Damaged);
    }
    let mut reader = Reader(&content[MAGIC.len()..]);
    let len = reader.number()?;
    let made_with = String::from_utf8_lossy(reader.bytes(len)?);
    if made_with != settings {
        return Err(CheckpointError::OtherRun(made_with.into_owned()));
    }
    state.steps = reader.number()?;
    let epochs = reader.number()?;
    state.history.clear();
    for _ in 0..epochs {
        let mut numbers = [0.0; NUMBERS];
        for number in &mut numbers {
            *number = f64::from_le_bytes(reader.array()?);
        }
        state.history.push(from_numbers(numbers));
    }
    let State { weights, moments, average, .. } = &mut state;
    let Moments { first, second, shared_first, shared_second } = moments;
    for vector in [weights, first, second, shared_first, shared_second, average] {
        for number in vector.iter_mut() {
            *number = f32::from_le_bytes(reader.array()?);
        }
    }
    if reader.0.is_empty() { Ok(state) } else { Err(CheckpointError::Damaged) }
}

/// Numbers in a line of the history.
const NUMBERS: usize = 7;

fn to_numbers(epoch: &Epoch) -> [f64; NUMBERS] {
    let Epoch { train, held_out, held_out_result, held_out_last, rate, seconds, speed } = *epoch;
    [train, held_out, held_out_result, held_out_last, rate.into(), seconds, speed]
}

fn from_numbers(
    [train, held_out, held_out_result, held_out_last, rate, seconds, speed]: [f64; NUMBERS],
) -> Epoch {
    Epoch { train, held_out, held_out_result, held_out_last, rate: rate as f32, seconds, speed }
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
}
