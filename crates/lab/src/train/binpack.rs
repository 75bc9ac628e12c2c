//! Decoding the chunks of Stockfish binpacks into [`Games`].

use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;

use sfbinpack::chess::color::Color;
use sfbinpack::chess::coords::Square;
use sfbinpack::chess::r#move::MoveType;
use sfbinpack::chess::piece::Piece;
use sfbinpack::chess::piecetype::PieceType;
use sfbinpack::chess::position::Position;
use sfbinpack::{ChunkReader, TrainingDataEntry, read_chunk_into};

use super::games::{Games, Label, PieceSets};
use super::source::Positions;

/// Scores from here on are mates or tablebase wins, which are not evaluations.
const DECIDED: i16 = 20_000;

/// The most piece changes of one move: castling removes two pieces and adds two.
const MAX_CHANGES: usize = 4;

/// The header of a chunk: a magic word and the number of bytes that follow.
const HEADER: usize = 8;
const MAGIC: &[u8] = b"BINP";

/// Where the chunks of a file lie; their bytes are not read.
pub(super) fn chunks(mut file: impl Read + Seek) -> Result<Vec<Range<u64>>, String> {
    let length = file.seek(SeekFrom::End(0)).map_err(|error| error.to_string())?;
    let (mut chunks, mut first) = (Vec::new(), 0);
    while first < length {
        let mut header = [0; HEADER];
        file.seek(SeekFrom::Start(first)).map_err(|error| error.to_string())?;
        file.read_exact(&mut header).map_err(|error| error.to_string())?;
        let [b0, b1, b2, b3] = *header.last_chunk().unwrap_or(&[0; 4]);
        let end = first + HEADER as u64 + u64::from(u32::from_le_bytes([b0, b1, b2, b3]));
        if !header.starts_with(MAGIC) || end > length {
            return Err(format!("no chunk begins at byte {first}, or it is cut off"));
        }
        chunks.push(first..end);
        first = end;
    }
    Ok(chunks)
}

/// Reads and decodes the chunk at this place.
pub(super) fn decode(
    mut file: impl Read + Seek,
    first: u64,
    positions: Positions,
    rule: u8,
) -> Result<Games, String> {
    let seek = |error: io::Error| error.to_string();
    file.seek(SeekFrom::Start(first)).map_err(seek)?;
    let mut chunk = Vec::new();
    read_chunk_into(&mut file, &mut chunk).map_err(|error| error.to_string())?;
    // The decoder panics on damaged input.
    std::panic::catch_unwind(|| decode_chunk(&chunk, positions, rule))
        .map_err(|_| "the moves of a chunk cannot be decoded".to_string())?
        .map_err(|number| format!("position {number} of the chunk at byte {first} is no chess position"))
}

/// A game is a run of positions in which each follows from the one before by what a move can change; since chains
/// are exact whatever the changes are, a wrong guess could only join two games, never falsify a position.
fn decode_chunk(chunk: &[u8], positions: Positions, rule: u8) -> Result<Games, usize> {
    let mut games = Games::default();
    let mut reader = ChunkReader::default();
    let mut last: Option<(PieceSets, u16, Color)> = None;
    for number in 0.. {
        if !reader.has_next(chunk) {
            break;
        }
        let entry = reader.next(chunk);
        let side = entry.pos.side_to_move();
        let board = board(&entry.pos);
        if !board.is_sound() {
            return Err(number);
        }
        let label = Label {
            score: entry.score,
            result: Some(entry.result.signum() as i8),
            black_to_move: side == Color::Black,
            counts: counts(&entry, positions),
        };
        match last {
            Some((before, ply, mover))
                if ply + 1 == entry.ply && mover != side && before.distance(&board) <= MAX_CHANGES =>
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
fn counts(entry: &TrainingDataEntry, positions: Positions) -> bool {
    let tactical = || match entry.mv.mtype() {
        // The last position of a game may have no move.
        MoveType::Normal => entry.mv.to() != Square::NONE && entry.pos.piece_at(entry.mv.to()) != Piece::NONE,
        MoveType::Promotion | MoveType::EnPassant => true,
        MoveType::Castle => false,
    };
    entry.score.unsigned_abs() < DECIDED as u16
        && (positions == Positions::All || !tactical())
        && !entry.pos.is_checked(entry.pos.side_to_move())
}

/// The pieces of a position, indexed as [`chess::Piece`] does.
fn board(position: &Position) -> PieceSets {
    PieceSets(std::array::from_fn(|piece| {
        let color = if piece % 2 == 0 { Color::White } else { Color::Black };
        position.pieces_bb_color(color, PieceType::from_ordinal(piece as u8 / 2)).bits()
    }))
}
