//! Games as the bytes of Stockfish's binpack format.

use chess::Color;

use super::game::Game;
use crate::binpack::{Encoder, Entry, Unwritable};

/// The highest number of a first ply: with the longest game it must fit into fourteen bits.
const LAST_FIRST_PLY: usize = 10_000;

/// A game as it stands in a chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Encoded {
    pub(super) bytes: Vec<u8>,
    pub(super) positions: u64,
}

/// Encodes the part of a game that the format can tell: from the first position without rights to castle that
/// standard chess does not know. `None` where there is no such part.
pub(super) fn encode(game: &Game) -> Result<Option<Encoded>, Unwritable> {
    let mut position = game.start;
    let mut steps = game.moves.iter().copied().zip(game.values.iter().copied());
    while position.needs_chess960() {
        let Some((mv, _)) = steps.next() else { return Ok(None) };
        position.play(mv);
    }
    let mut encoder = Encoder::default();
    let mut positions = 0;
    for (mv, value) in steps {
        let side = position.side_to_move();
        // Values seen by White become those of the side to move, and so does the result.
        let score = if side == Color::White { value } else { -value } as i16;
        if positions == 0 {
            let result = game.winner.map_or(0, |winner| if winner == side { 1 } else { -1 });
            let ply = position.game_ply().min(LAST_FIRST_PLY + side.index()) as u16;
            encoder.begin(&Entry { position, mv: Some(mv), score, ply, result })?;
        } else {
            encoder.extend(&position, mv, score)?;
        }
        positions += 1;
        position.play(mv);
    }
    Ok((positions > 0).then(|| Encoded { bytes: encoder.bytes().to_vec(), positions }))
}
