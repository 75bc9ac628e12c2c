//! Where pieces attack: tables built at compile time, so that there is nothing to initialise.
//!
//! ```
//! use chess::{Bitboard, Square, attacks};
//! let blockers = Bitboard::of(Square::C1) | Square::A2;
//! let reached = attacks::rook_attacks(Square::A1, blockers);
//! assert_eq!(reached, Bitboard::of(Square::B1) | Square::C1 | Square::A2);
//! ```

mod sliders;

pub use sliders::{bishop_attacks, rook_attacks};

use crate::{Bitboard, Color, PieceType, Square};

/// A step of so many files and ranks.
type Step = (i8, i8);

const KNIGHT_STEPS: [Step; 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const KING_STEPS: [Step; 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// The square one step away, as a set that is empty where the step leaves the board.
const fn step(sq: usize, (files, ranks): Step) -> u64 {
    let file = (sq % 8) as i8 + files;
    let rank = (sq / 8) as i8 + ranks;
    if file < 0 || file > 7 || rank < 0 || rank > 7 { 0 } else { 1 << (rank * 8 + file) }
}

const fn leaper<const N: usize>(steps: [Step; N]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut sq = 0;
    while sq < 64 {
        let mut i = 0;
        while i < N {
            table[sq].0 |= step(sq, steps[i]);
            i += 1;
        }
        sq += 1;
    }
    table
}

/// All squares from (not including) `sq` to the edge of the board in one direction.
const fn ray(sq: usize, direction: Step) -> u64 {
    let mut squares = 0;
    let mut reached = step(sq, direction);
    while reached != 0 {
        squares |= reached;
        reached = step(reached.trailing_zeros() as usize, direction);
    }
    squares
}

/// For each pair of squares on a common line: the squares strictly between, and the whole line.
const fn lines() -> ([[Bitboard; 64]; 64], [[Bitboard; 64]; 64]) {
    let mut between = [[Bitboard::EMPTY; 64]; 64];
    let mut line = [[Bitboard::EMPTY; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut i = 0;
        while i < 8 {
            let (files, ranks) = KING_STEPS[i];
            let forward = ray(from, (files, ranks));
            let whole = forward | ray(from, (-files, -ranks)) | 1 << from;
            let mut rest = forward;
            while rest != 0 {
                let to = rest.trailing_zeros() as usize;
                between[from][to] = Bitboard(forward & !ray(to, (files, ranks)) & !(1 << to));
                line[from][to] = Bitboard(whole);
                rest &= rest - 1;
            }
            i += 1;
        }
        from += 1;
    }
    (between, line)
}

static KNIGHT: [Bitboard; 64] = leaper(KNIGHT_STEPS);
static KING: [Bitboard; 64] = leaper(KING_STEPS);
static PAWN: [[Bitboard; 64]; 2] = [leaper([(-1, 1), (1, 1)]), leaper([(-1, -1), (1, -1)])];
static BETWEEN: [[Bitboard; 64]; 64] = lines().0;
static LINE: [[Bitboard; 64]; 64] = lines().1;

/// Where a knight attacks.
#[inline]
pub fn knight_attacks(sq: Square) -> Bitboard {
    KNIGHT[sq.index()]
}

/// Where a king attacks.
#[inline]
pub fn king_attacks(sq: Square) -> Bitboard {
    KING[sq.index()]
}

/// Where a pawn of this colour attacks.
#[inline]
pub fn pawn_attacks(color: Color, sq: Square) -> Bitboard {
    PAWN[color.index()][sq.index()]
}

/// Where all of these pawns together attack.
#[inline]
pub fn pawns_attack(color: Color, pawns: Bitboard) -> Bitboard {
    let ahead = pawns.ahead(color);
    ahead.east() | ahead.west()
}

/// Where a queen attacks.
#[inline]
pub fn queen_attacks(sq: Square, occupied: Bitboard) -> Bitboard {
    bishop_attacks(sq, occupied) | rook_attacks(sq, occupied)
}

/// Where a piece of any kind but the pawn attacks; pawns have a direction, see [`pawn_attacks`].
#[inline]
pub fn piece_attacks(kind: PieceType, sq: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        PieceType::Pawn => Bitboard::EMPTY,
        PieceType::Knight => knight_attacks(sq),
        PieceType::Bishop => bishop_attacks(sq, occupied),
        PieceType::Rook => rook_attacks(sq, occupied),
        PieceType::Queen => queen_attacks(sq, occupied),
        PieceType::King => king_attacks(sq),
    }
}

/// The squares strictly between two squares of one line; empty where they share none.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole line through two squares, edge to edge; empty where they share none.
#[inline]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_symmetric_and_hold_what_is_between() {
        for a in Square::ALL {
            for b in Square::ALL {
                assert_eq!(between(a, b), between(b, a));
                assert_eq!(line(a, b), line(b, a));
                assert_eq!(between(a, b) & line(a, b), between(a, b));
                let aligned = queen_attacks(a, Bitboard::EMPTY).has(b);
                assert_eq!(line(a, b).any(), aligned);
            }
        }
    }

    #[test]
    fn leapers_know_the_edges() {
        assert_eq!(knight_attacks(Square::A1), Bitboard::of(Square::B3) | Square::C2);
        assert_eq!(king_attacks(Square::H8).count(), 3);
        assert_eq!(pawn_attacks(Color::White, Square::A2), Bitboard::of(Square::B3));
        assert_eq!(pawn_attacks(Color::Black, Square::H7), Bitboard::of(Square::G6));
    }
}
