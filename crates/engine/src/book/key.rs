//! The key by which a Polyglot book finds a position.

use chess::{Color, Position, Wing};

use super::polyglot_random::NUMBERS;

const CASTLING: usize = 768;
const EN_PASSANT: usize = 772;
const WHITE_TO_MOVE: usize = 780;

/// The key of a position. En passant counts where the capture is legal; the format also counts captures
/// that a pin forbids, and such a position, rare as it is, is not found.
pub fn book_key(pos: &Position) -> u64 {
    let mut key = 0;
    for (piece, sq) in pos.men() {
        let kind = 2 * piece.kind().index() + usize::from(piece.color() == Color::White);
        key ^= NUMBERS[64 * kind + sq.index()];
    }
    let rights = [
        (Color::White, Wing::King),
        (Color::White, Wing::Queen),
        (Color::Black, Wing::King),
        (Color::Black, Wing::Queen),
    ];
    for (index, (color, wing)) in rights.into_iter().enumerate() {
        if pos.castling().rook(color, wing).is_some() {
            key ^= NUMBERS[CASTLING + index];
        }
    }
    if let Some(sq) = pos.en_passant() {
        key ^= NUMBERS[EN_PASSANT + sq.file().index()];
    }
    if pos.side_to_move() == Color::White {
        key ^= NUMBERS[WHITE_TO_MOVE];
    }
    key
}
