//! What can be wrong with a file, and where.

use std::fmt;
use std::io;

use chess::{SetupError, Square};

/// Why a part of a file cannot be what it should be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    /// Something else than the header of a chunk.
    NoChunk,
    /// A chunk of so many bytes, which no program writes.
    ChunkTooLarge(u32),
    /// So many bytes instead of a header.
    HeaderCutOff(usize),
    /// The size that the header tells, and the bytes that are there.
    ChunkCutOff { told: u32, there: u64 },
    /// So many bytes at the end of a chunk, too few for a chain.
    StemCutOff(usize),
    /// The men are no position.
    Men(SetupError),
    /// A rook that could castle, but is not in its corner.
    CastlingRook(Square),
    /// A pawn that could be taken en passant, but made no double step in the last move.
    EnPassantPawn(Square),
    /// A clock that no game reaches.
    Clock(u16),
    /// The fourth of three results.
    Result,
    /// Sixteen bits that are no legal move.
    Move(u16),
    /// A position without a move, before others of the same game.
    NoMove,
    /// The chunk ends within the moves of a game.
    TextCutOff,
    /// The number of a man, of so many.
    ManNumber { number: usize, of: usize },
    /// The number of a move of the man on a square, of so many.
    MoveNumber { from: Square, number: usize, of: usize },
    /// A move that leaves the own king in check, or castling that is not possible.
    IllegalMove(Square, Square),
    /// A difference of scores that does not end.
    Score,
    /// The number of plies is too large.
    Ply,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoChunk => f.write_str("no chunk begins here"),
            Self::ChunkTooLarge(size) => write!(f, "a chunk of {size} bytes is too large"),
            Self::HeaderCutOff(there) => write!(f, "the file ends after {there} bytes of a chunk's header"),
            Self::ChunkCutOff { told, there } => {
                write!(f, "the file ends after {there} of the chunk's {told} bytes")
            }
            Self::StemCutOff(there) => write!(f, "the chunk ends with {there} bytes that are no game"),
            Self::Men(error) => error.fmt(f),
            Self::CastlingRook(sq) => write!(f, "a rook on {sq} cannot castle"),
            Self::EnPassantPawn(sq) => write!(f, "a man on {sq} cannot be taken en passant"),
            Self::Clock(clock) => write!(f, "the fifty-move clock is {clock}"),
            Self::Result => f.write_str("the result is none"),
            Self::Move(code) => write!(f, "the code {code:#06x} is no legal move"),
            Self::NoMove => f.write_str("the game goes on without a move"),
            Self::TextCutOff => f.write_str("the chunk ends within a game"),
            Self::ManNumber { number, of } => write!(f, "man number {number} of {of} moves"),
            Self::MoveNumber { from, number, of } => {
                write!(f, "the man on {from} makes move number {number} of {of}")
            }
            Self::IllegalMove(from, to) => write!(f, "the move {from}{to} is not legal"),
            Self::Score => f.write_str("the score has more than sixteen bits"),
            Self::Ply => f.write_str("the number of plies has more than sixteen bits"),
        }
    }
}

/// A fault with its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Damage {
    /// Where the chunk begins in the file.
    pub(crate) chunk: u64,
    /// The number of the position in the chunk, from 1, and the byte of the file where it or its move text was to be
    /// read; none where the header of the chunk is wrong.
    pub(crate) position: Option<(u64, u64)>,
    pub(crate) fault: Fault,
}

impl Damage {
    /// A chunk whose header or size is wrong.
    pub(super) fn of_chunk(chunk: u64, fault: Fault) -> Self {
        Self { chunk, position: None, fault }
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "chunk at byte {}", self.chunk)?;
        if let Some((number, byte)) = self.position {
            write!(f, ", position {number} at byte {byte}")?;
        }
        write!(f, ": {}", self.fault)
    }
}

impl std::error::Error for Damage {}

/// Why a chunk cannot be read.
#[derive(Debug)]
pub(crate) enum ReadError {
    Io(io::Error),
    Damaged(Damage),
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<Damage> for ReadError {
    fn from(damage: Damage) -> Self {
        Self::Damaged(damage)
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Damaged(damage) => write!(f, "the file is damaged: {damage}"),
        }
    }
}

impl std::error::Error for ReadError {}
