//! Positions from binpacks, whose scores are in the network's units.

use std::path::Path;

use engine::value::Value;
use engine::wdl::material_of;

use super::sample::{Outcome, Sample};
use crate::binpack::{BinpackError, Reader};

/// Adds all positions of a file.
pub(super) fn read(path: &Path, sample: &mut Sample) -> Result<(), BinpackError> {
    Reader::open(path)?.for_each(|entry, begins| {
        sample.games += usize::from(begins);
        let outcome = match entry.result {
            1 => Outcome::Win,
            0 => Outcome::Draw,
            _ => Outcome::Loss,
        };
        let material = material_of(|kind| entry.position.of_kind(kind).count());
        sample.add(Value::from(entry.score), material, outcome);
    })
}
