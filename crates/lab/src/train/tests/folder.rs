//! Files for tests.

use std::path::PathBuf;

use super::super::data::{Part, Preparation};
use super::super::games::Games;
use crate::folder::Folder;
use crate::packed::Record;

/// Games as they are.
pub(super) const PLAIN: Preparation = Preparation { part: Part::All, foresight: 0.0, scale: 400.0 };

impl Folder {
    /// Writes games as packed positions.
    pub(super) fn write(&self, name: &str, games: &Games) -> PathBuf {
        let mut bytes = Vec::new();
        for game in 0..games.len() {
            for (ply, step) in games.steps_of(game).iter().enumerate() {
                let record = Record {
                    pieces: games.board_at(game, ply).0,
                    score: if step.counts() { step.score } else { crate::packed::NO_SCORE },
                    result: step.result().map(|result| (2.0 * result) as i8 - 1),
                    black_to_move: step.side() == 1,
                    begins_chain: ply == 0,
                };
                bytes.extend(record.to_bytes());
            }
        }
        let path = self.0.join(name);
        std::fs::write(&path, bytes).expect("a temporary file");
        path
    }
}
