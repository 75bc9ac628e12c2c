//! The random numbers behind the position keys, made at compile time.

use crate::{Color, Piece, Square};

const SEED: u64 = 0x5275_666f_7573_2e31;

/// SplitMix64: the `n`-th number of the sequence.
const fn random(n: u64) -> u64 {
    let mut z = SEED.wrapping_add(n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

const fn table<const N: usize>(first: u64) -> [u64; N] {
    let mut keys = [0; N];
    let mut i = 0;
    while i < N {
        keys[i] = random(first + i as u64);
        i += 1;
    }
    keys
}

const PIECE_SQUARE: [u64; 12 * 64] = table(0);
static PIECES: [u64; 12 * 64] = PIECE_SQUARE;
static CASTLING: [u64; 4] = table(1000);
static EN_PASSANT: [u64; 8] = table(1100);

/// Changes the key when the other side is to move.
pub(crate) const BLACK_TO_MOVE: u64 = random(1200);

/// A piece on a square.
#[inline]
pub(crate) fn piece(piece: Piece, sq: Square) -> u64 {
    PIECES[piece.index() * 64 + sq.index()]
}

/// The same at compile time, for tables.
pub(crate) const fn const_piece(piece: Piece, sq: Square) -> u64 {
    PIECE_SQUARE[piece.index() * 64 + sq.index()]
}

/// One right to castle.
#[inline]
pub(crate) fn castling(color: Color, wing: usize) -> u64 {
    CASTLING[color.index() * 2 + wing]
}

/// A pawn can be taken en passant on this square's file.
#[inline]
pub(crate) fn en_passant(sq: Square) -> u64 {
    EN_PASSANT[sq.file().index()]
}
