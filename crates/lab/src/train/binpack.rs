//! Decoding the chunks of Stockfish binpacks into [`Games`].

use std::io::{Read, Seek, SeekFrom};

use chess::{Color, Piece, Position};

use super::games::{Games, Label, PieceSets};
use super::source::Positions;
use crate::binpack::{ChunkReader, Chunks, Damage, Entry, ReadError};

/// Scores from here on are mates or tablebase wins, which are not evaluations.
const DECIDED: u16 = 20_000;

/// The most piece changes of one move: castling removes two pieces and adds two.
const MAX_CHANGES: usize = 4;

/// Reads and decodes the chunk at this place.
pub(super) fn decode(
    mut file: impl Read + Seek,
    first: u64,
    positions: Positions,
    rule: u8,
) -> Result<Games, ReadError> {
    file.seek(SeekFrom::Start(first))?;
    match Chunks::new(file, first).next()? {
        Some((first, bytes)) => Ok(games(ChunkReader::new(bytes, first), positions, rule)?),
        None => Ok(Games::default()),
    }
}

/// A game is a run of positions in which each follows from the one before by what a move can change; since chains
/// are exact whatever the changes are, a wrong guess could only join two games, never falsify a position.
fn games(mut reader: ChunkReader<'_>, positions: Positions, rule: u8) -> Result<Games, Damage> {
    let mut games = Games::default();
    let mut last: Option<(PieceSets, u16, Color)> = None;
    while let Some((entry, _)) = reader.next()? {
        let side = entry.position.side_to_move();
        let board = board(&entry.position);
        let label = Label {
            score: entry.score,
            result: Some(entry.result),
            black_to_move: side == Color::Black,
            counts: counts(entry, positions),
        };
        match last {
            Some((before, ply, mover))
                if ply.checked_add(1) == Some(entry.ply)
                    && mover != side
                    && before.distance(&board) <= MAX_CHANGES =>
            {
                games.advance(&before, &board, label);
            }
            _ => games.begin(&board, label, rule),
        }
        last = Some((board, entry.ply, side));
    }
    Ok(games)
}

/// Does the position have a target that a static evaluation can learn? Not in check, no mate or tablebase score and, if
/// the score is that of a search, no capture or promotion as the next move.
fn counts(entry: &Entry, positions: Positions) -> bool {
    // The last position of a game may have no move.
    let quiet = || entry.mv.is_none_or(chess::Move::is_quiet);
    entry.score.unsigned_abs() < DECIDED
        && (positions == Positions::All || quiet())
        && !entry.position.in_check()
}

/// The pieces of a position, indexed as [`Piece`] is.
fn board(position: &Position) -> PieceSets {
    PieceSets(Piece::ALL.map(|piece| position.pieces(piece.color(), piece.kind()).0))
}
