//! Positions from binpacks, whose scores are in the network's units.

use std::path::Path;

use chess::PieceType;
use engine::value::Value;
use engine::wdl::material_of;
use sfbinpack::chess::piecetype::PieceType as PackedType;

use super::sample::{Outcome, Sample};
use crate::data::binpack::{BinpackError, Reader};

/// Adds all positions of a file.
pub(super) fn read(path: &Path, sample: &mut Sample) -> Result<(), BinpackError> {
    Reader::open(path)?.for_each(|entry, begins| {
        sample.games += usize::from(begins);
        let outcome = match entry.result.signum() {
            1 => Outcome::Win,
            0 => Outcome::Draw,
            _ => Outcome::Loss,
        };
        let count = |kind: PieceType| entry.pos.pieces_bb_type(PackedType::from_ordinal(kind as u8)).count();
        sample.add(Value::from(entry.score), material_of(|kind| count(kind) as usize), outcome);
    })
}
