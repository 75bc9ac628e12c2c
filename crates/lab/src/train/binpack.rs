//! Decoding Stockfish binpacks into [`Games`].

use std::fmt;
use std::fs::File;
use std::io::{BufReader, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use sfbinpack::chess::color::Color;
use sfbinpack::chess::coords::Square;
use sfbinpack::chess::r#move::MoveType;
use sfbinpack::chess::piece::Piece;
use sfbinpack::chess::piecetype::PieceType;
use sfbinpack::chess::position::Position;
use sfbinpack::{ChunkReader, TrainingDataEntry, read_chunk_into};

use super::games::{Board, Games, Step};

/// Scores from here on tell a mate or a tablebase win, which no evaluation should learn as a number.
const DECIDED: i16 = 20_000;

/// Why a binpack could not be read.
#[derive(Debug)]
pub(super) enum BinpackError {
    /// The file could not be opened.
    Open(PathBuf, std::io::Error),
    /// A chunk of the file is damaged.
    Chunk(PathBuf, sfbinpack::CompressedReaderError),
    /// The decoder, which trusts its input, gave up.
    Decoder(PathBuf),
    /// A position has not one king a side; the number counts positions of its chunk.
    Position(PathBuf, usize),
}

impl fmt::Display for BinpackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open(path, error) => write!(f, "cannot open {}: {error}", path.display()),
            Self::Chunk(path, error) => write!(f, "{} is damaged: {error}", path.display()),
            Self::Decoder(path) => write!(f, "{} is damaged: its moves cannot be decoded", path.display()),
            Self::Position(path, number) => {
                write!(f, "{} is damaged: position {number} of a chunk is no chess position", path.display())
            }
        }
    }
}

impl std::error::Error for BinpackError {}

/// Reads whole files, chunk by chunk, on so many threads; the order of the games is that of the files.
pub(super) fn read_all(paths: &[PathBuf], threads: usize) -> Result<Games, BinpackError> {
    let mut games = Games::default();
    for path in paths {
        for part in read_file(path, threads)? {
            games.append(part);
        }
    }
    Ok(games)
}

fn read_file(path: &Path, threads: usize) -> Result<Vec<Games>, BinpackError> {
    let file = File::open(path).map_err(|error| BinpackError::Open(path.into(), error))?;
    read(BufReader::new(file), path, threads)
}

/// Reads a binpack from anywhere; `path` is for the errors.
pub(super) fn read(
    mut file: impl Read + Seek,
    path: &Path,
    threads: usize,
) -> Result<Vec<Games>, BinpackError> {
    let mut chunks = Vec::new();
    let mut chunk = Vec::new();
    while read_chunk_into(&mut file, &mut chunk).map_err(|error| BinpackError::Chunk(path.into(), error))? {
        chunks.push(std::mem::take(&mut chunk));
    }
    let next = AtomicUsize::new(0);
    let decode = || {
        let mut parts = Vec::new();
        while let number = next.fetch_add(1, Ordering::Relaxed)
            && let Some(chunk) = chunks.get(number)
        {
            parts.push((number, decode_chunk(chunk)));
        }
        parts
    };
    let parts: Result<Vec<_>, _> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(decode)).collect();
        workers
            .into_iter()
            .map(|worker| worker.join().map_err(|_| BinpackError::Decoder(path.into())))
            .collect()
    });
    let mut parts: Vec<_> = parts?.into_iter().flatten().collect();
    parts.sort_by_key(|&(number, _)| number);
    parts
        .into_iter()
        .map(|(_, part)| part.map_err(|number| BinpackError::Position(path.into(), number)))
        .collect()
}

/// A game is a run of positions in which each follows from the one before by what a move can change; since chains
/// are exact whatever the changes are, a wrong guess could only join two games, never falsify a position.
fn decode_chunk(chunk: &[u8]) -> Result<Games, usize> {
    let mut games = Games::default();
    let mut reader = ChunkReader::default();
    let mut last: Option<(Board, u16, Color)> = None;
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
        let changes = match last {
            Some((before, ply, mover)) if ply + 1 == entry.ply && mover != side => before.changes_to(&board),
            _ => None,
        };
        let (leaving, entering) = changes.unwrap_or_else(|| {
            games.begin(&board);
            Default::default()
        });
        games.push(Step::new(
            (&leaving, &entering),
            entry.score,
            entry.result.signum() as i8,
            side == Color::Black,
            is_quiet(&entry),
        ));
        last = Some((board, entry.ply, side));
    }
    Ok(games)
}

/// Not in check, no capture or promotion to come, no decided score: a position that a static evaluation can judge.
fn is_quiet(entry: &TrainingDataEntry) -> bool {
    let tactical = match entry.mv.mtype() {
        // The last position of a game may have no move.
        MoveType::Normal => entry.mv.to() != Square::NONE && entry.pos.piece_at(entry.mv.to()) != Piece::NONE,
        MoveType::Promotion | MoveType::EnPassant => true,
        MoveType::Castle => false,
    };
    !tactical
        && entry.score.unsigned_abs() < DECIDED as u16
        && !entry.pos.is_checked(entry.pos.side_to_move())
}

/// The pieces of a position, indexed as [`chess::Piece`] does.
fn board(position: &Position) -> Board {
    Board(std::array::from_fn(|piece| {
        let color = if piece % 2 == 0 { Color::White } else { Color::Black };
        position.pieces_bb_color(color, PieceType::from_ordinal(piece as u8 / 2)).bits()
    }))
}
