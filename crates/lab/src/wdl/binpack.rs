//! Positions from binpacks, whose scores are in the network's units.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use chess::PieceType;
use engine::value::Value;
use engine::wdl::material_of;
use sfbinpack::chess::piecetype::PieceType as PackedType;
use sfbinpack::{ChunkReader, CompressedReaderError, TrainingDataEntry, read_chunk_into};

use super::sample::{Outcome, Sample};

/// Why a binpack could not be read.
#[derive(Debug)]
pub(super) enum BinpackError {
    File(PathBuf, io::Error),
    Chunk(PathBuf, CompressedReaderError),
}

impl fmt::Display for BinpackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Chunk(path, error) => write!(f, "{} is damaged: {error}", path.display()),
        }
    }
}

impl std::error::Error for BinpackError {}

/// Adds all positions of a file.
pub(super) fn read(path: &Path, sample: &mut Sample) -> Result<(), BinpackError> {
    let file = File::open(path).map_err(|error| BinpackError::File(path.to_owned(), error))?;
    let mut file = BufReader::new(file);
    let mut chunk = Vec::new();
    while read_chunk_into(&mut file, &mut chunk)
        .map_err(|error| BinpackError::Chunk(path.to_owned(), error))?
    {
        let mut reader = ChunkReader::default();
        let mut last: Option<TrainingDataEntry> = None;
        while reader.has_next(&chunk) {
            let entry = reader.next(&chunk);
            sample.games += usize::from(last.is_none_or(|last| !last.is_continuation(&entry)));
            let outcome = match entry.result.signum() {
                1 => Outcome::Win,
                0 => Outcome::Draw,
                _ => Outcome::Loss,
            };
            let count =
                |kind: PieceType| entry.pos.pieces_bb_type(PackedType::from_ordinal(kind as u8)).count();
            sample.add(Value::from(entry.score), material_of(|kind| count(kind) as usize), outcome);
            last = Some(entry);
        }
    }
    Ok(())
}
