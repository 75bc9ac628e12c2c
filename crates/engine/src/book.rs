//! Opening books in the Polyglot format: moves with weights, found by a key of the position.

mod key;
mod polyglot_random;

use std::fmt;
use std::fs;
use std::io;
use std::path::Path;

use chess::{Move, PieceType, Position, Wing};
use rng::Random;

use crate::io_error_text::io_error_text;

pub use self::key::book_key;

/// Bytes of an entry in the file: key, move, weight, and four that only learning programs use; the most
/// significant first.
const ENTRY_BYTES: usize = 16;

/// A move of a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookEntry {
    /// The [`book_key`] of the position.
    pub key: u64,
    /// The move as [`encode_move`] writes it.
    pub mv: u16,
    /// How good or how often played it is.
    pub weight: u16,
}

impl BookEntry {
    fn from_bytes(bytes: &[u8; ENTRY_BYTES]) -> Self {
        let number = |from: usize, to: usize| bytes[from..to].iter().fold(0, |n, &b| n << 8 | u64::from(b));
        Self { key: number(0, 8), mv: number(8, 10) as u16, weight: number(10, 12) as u16 }
    }

    fn to_bytes(self) -> [u8; ENTRY_BYTES] {
        let mut bytes = [0; ENTRY_BYTES];
        bytes[..8].copy_from_slice(&self.key.to_be_bytes());
        bytes[8..10].copy_from_slice(&self.mv.to_be_bytes());
        bytes[10..12].copy_from_slice(&self.weight.to_be_bytes());
        bytes
    }
}

/// A move in two bytes: the squares it goes to and comes from, and what a pawn becomes. Castling is the
/// king taking its rook.
pub fn encode_move(mv: Move) -> u16 {
    let promotion = mv.promotion().map_or(0, |piece| piece.index() - PieceType::Pawn.index());
    (mv.to().index() | mv.from().index() << 6 | promotion << 12) as u16
}

/// Why a file is not a valid book.
#[derive(Debug)]
pub enum BookError {
    /// It cannot be read.
    File(io::Error),
    /// It has so many bytes, which is not a number of whole entries.
    Torn(usize),
    /// The entry of this number, from 1, stands before one that has to come first.
    Unsorted(usize),
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => f.write_str(&io_error_text(error)),
            Self::Torn(0) => f.write_str("an empty file is not a Polyglot book"),
            Self::Torn(len) => write!(f, "{len} bytes are not a Polyglot book, whose entries have 16 each"),
            Self::Unsorted(number) => write!(f, "not a Polyglot book: entry {number} is out of order"),
        }
    }
}

impl std::error::Error for BookError {}

/// A book in memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Book {
    /// Sorted by key.
    entries: Vec<BookEntry>,
}

impl Book {
    /// The book of these entries, in any order.
    pub fn new(mut entries: Vec<BookEntry>) -> Self {
        entries.sort_by_key(|entry| (entry.key, std::cmp::Reverse(entry.weight), entry.mv));
        Self { entries }
    }

    /// Reads a book from a file.
    pub fn open(path: &Path) -> Result<Self, BookError> {
        Self::from_bytes(&fs::read(path).map_err(BookError::File)?)
    }

    /// The book that a file with these bytes is.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BookError> {
        let (chunks, rest) = bytes.as_chunks();
        if chunks.is_empty() || !rest.is_empty() {
            return Err(BookError::Torn(bytes.len()));
        }
        let entries: Vec<BookEntry> = chunks.iter().map(BookEntry::from_bytes).collect();
        // A file that is not a book is almost certainly unsorted.
        match entries.windows(2).position(|pair| pair[0].key > pair[1].key) {
            Some(index) => Err(BookError::Unsorted(index + 1)),
            None => Ok(Self { entries }),
        }
    }

    /// The bytes of its file.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.entries.iter().flat_map(|entry| entry.to_bytes()).collect()
    }

    /// How many entries it has.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The legal moves that it has for a position, with their weights.
    pub fn moves(&self, pos: &Position) -> Vec<(Move, u16)> {
        let key = book_key(pos);
        let start = self.entries.partition_point(|entry| entry.key < key);
        let here = self.entries[start..].iter().take_while(|entry| entry.key == key);
        here.filter_map(|entry| Some((decode_move(pos, entry.mv)?, entry.weight))).collect()
    }

    /// Chooses a move: with a variety of 100 by the weights alone, with less the heavier ones more
    /// often, with 0 always the heaviest. Moves of weight 0 are known, but not to be played.
    pub(crate) fn choose(&self, pos: &Position, variety: u64, random: &mut Random) -> Option<Move> {
        let mut moves = self.moves(pos);
        moves.retain(|&(_, weight)| weight > 0);
        let &(heaviest, top) = moves.iter().max_by_key(|(_, weight)| *weight)?;
        if variety == 0 {
            return Some(heaviest);
        }
        let exponent = 100.0 / variety as f64;
        let shares = moves.iter().map(|&(_, weight)| (f64::from(weight) / f64::from(top)).powf(exponent));
        let shares: Vec<f64> = shares.collect();
        let mut left = random.unit() * shares.iter().sum::<f64>();
        let chosen = shares.iter().position(|share| {
            left -= share;
            left < 0.0
        });
        Some(chosen.map_or(heaviest, |index| moves[index].0))
    }
}

/// The legal move that a book means; some books write castling as the king's own two squares.
fn decode_move(pos: &Position, encoded: u16) -> Option<Move> {
    let king_move = |mv: Move| {
        let to = Wing::of(mv.from(), mv.to()).king_to(pos.side_to_move());
        mv.is_castling() && encoded == (to.index() | mv.from().index() << 6) as u16
    };
    let moves = pos.legal_moves();
    let exact = moves.iter().find(|&&mv| encode_move(mv) == encoded);
    exact.or_else(|| moves.iter().find(|&&mv| king_move(mv))).copied()
}
