//! Encoding games as chains.

use std::fmt;

use chess::{Move, PieceType, Position};

use super::bits::BitWriter;
use super::entry::Entry;
use super::moves::MovesOf;
use super::rights::Rights;
use super::select::nth_square;
use super::stem::{self, STEM};
use super::{bits_below, zigzag};

/// Why the format cannot tell a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unwritable {
    /// It has rights to castle of Chess960.
    Castling,
    /// The number of plies has more than fourteen bits.
    Ply(u16),
    /// The move is none of the position's.
    Move,
}

impl fmt::Display for Unwritable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Castling => f.write_str("the format has only standard castling"),
            Self::Ply(ply) => write!(f, "the format has no place for ply {ply} at the start of a game"),
            Self::Move => f.write_str("a move does not belong to its position"),
        }
    }
}

impl std::error::Error for Unwritable {}

/// Chains one after another, as they are in a chunk.
#[derive(Debug, Default)]
pub(crate) struct Encoder {
    bytes: Vec<u8>,
    /// The last chain: where its number of further positions stands, and that number.
    count_at: usize,
    count: u16,
    bits: BitWriter,
    score: i16,
}

impl Encoder {
    /// Begins a chain.
    pub(crate) fn begin(&mut self, entry: &Entry) -> Result<(), Unwritable> {
        self.bytes.extend(stem::write(entry)?);
        self.count_at = self.bytes.len();
        self.bytes.extend([0; 2]);
        (self.count, self.bits, self.score) = (0, BitWriter::default(), entry.score);
        Ok(())
    }

    /// Is there room in the chain for another position?
    pub(super) fn has_room(&self) -> bool {
        self.bytes.len() >= STEM && self.count < u16::MAX
    }

    /// Appends the next position of the game to the chain: that after the last move.
    pub(crate) fn extend(&mut self, position: &Position, mv: Move, score: i16) -> Result<(), Unwritable> {
        let ours = position.of_color(position.side_to_move());
        let man = (0..ours.count()).find(|&number| nth_square(ours, number) == mv.from());
        let man = man.ok_or(Unwritable::Move)?;
        let kind = position.piece_on(mv.from()).map_or(PieceType::Pawn, chess::Piece::kind);
        let moves = MovesOf::new(position, mv.from(), kind, Rights::of(position));
        let number = moves.number_of(mv).ok_or(Unwritable::Move)?;
        let difference = score.wrapping_sub(self.score.wrapping_neg());
        self.bits.put(&mut self.bytes, man, bits_below(ours.count()));
        self.bits.put(&mut self.bytes, number, bits_below(moves.count));
        self.bits.put_blocks(&mut self.bytes, zigzag(difference));
        self.score = score;
        self.count += 1;
        self.bytes[self.count_at..self.count_at + 2].copy_from_slice(&self.count.to_be_bytes());
        Ok(())
    }

    /// What was encoded.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Forgets what was encoded. The next position begins a chain.
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
    }
}
