//! Stockfish's binpack format: games with a score for every position, in about two and a half bytes a position.
//!
//! ```text
//! file       chunks, one after another
//! chunk      "BINP", the number of bytes that follow (u32, little-endian), chains
//! chain      a stem, the number of further positions of the game (u16, big-endian), their move text
//! stem       32 bytes, big-endian numbers:
//!   occupied   u64       squares with a man: a1 is bit 0, h8 bit 63
//!   men        16 bytes  four bits for each of them in the order of the squares, the low half of a byte first: twice the
//!                        kind, plus one for Black; 12 a pawn that can be taken en passant, 13 and 14 a white and a black
//!                        rook that can castle, 15 the black king when Black is to move
//!   move       u16       from the high bits: type (0 normal, 1 promotion, 2 castling, 3 en passant), from, to (of
//!                        castling: the rook), new piece (0 knight to 3 queen); 0 in all for no move
//!   score      u16       zigzag, from the side to move
//!   ply        u16       14 bits; the upper two are the result, zigzag, from the side to move
//!   clock      u16       plies since the last capture or pawn move
//! move text  for each position: which man of the side to move, which of its moves, and the difference of the score from
//!            the negated one before; a bit string from the high bits of a byte down, filled up to a whole byte
//! ```
//!
//! A man and its move are numbers in the order of the squares, in as many bits as the largest one needs; see
//! [`moves`]. The score's difference is zigzag, in blocks of four bits, the lowest first, each after a bit that says
//! whether another follows.
//!
//! Anything may be in a file, so that everything is checked: a position that was handed over is legal, and so is its
//! move. What is wrong is told with its place, as [`Damage`]. The crate `sfbinpack`, which the tests compare with,
//! panics on such files.

mod bits;
mod chunk;
mod encoder;
mod entry;
mod fault;
mod file;
mod moves;
mod rights;
mod select;
mod stem;
#[cfg(test)]
mod tests;
mod writer;

pub(crate) use chunk::ChunkReader;
pub(crate) use encoder::{Encoder, Unwritable};
pub(crate) use entry::Entry;
pub(crate) use fault::{Damage, ReadError};
pub(crate) use file::{BinpackError, Chunks, HEADER, Reader, chunk_places, header};
pub(crate) use writer::Writer;

/// A signed number as an unsigned one, small where its magnitude is.
fn zigzag(number: i16) -> u16 {
    (number << 1 ^ number >> 15).cast_unsigned()
}

/// The number that [`zigzag`] made this of.
fn unzigzag(code: u16) -> i16 {
    (code >> 1).cast_signed() ^ -(code & 1).cast_signed()
}

/// How many bits the largest number below `count` needs.
fn bits_below(count: usize) -> u32 {
    usize::BITS - count.saturating_sub(1).leading_zeros()
}
