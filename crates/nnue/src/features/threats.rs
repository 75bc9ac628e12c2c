//! Threats: which piece attacks which piece on which square, as inputs beside those of the pieces.
//!
//! A [`Threat`] is active if any piece of the attacking colour and kind attacks the square on which the attacked piece
//! stands; friends count as well as enemies, and two attackers of one kind count once. A view turns and mirrors the
//! board as it does for the pieces, but its king bucket does not matter, so all buckets share the same
//! [`THREAT_INPUTS`] inputs:
//!
//! ```text
//! index = (attacker * 12 + attacked) * 64 + turned square
//! ```
//!
//! where a piece is `2 * kind`, plus one if it is not the perspective's own, and `kind` is 0 for the pawn to 5 for the
//! king.
//!
//! [`Threats`] holds what all threats of a position follow from, the squares of each piece and the squares that it
//! attacks: twice twelve words. [`Threats::iter`] enumerates the active threats from scratch, and
//! [`Threats::changes_to`] finds those that leave and enter between any two positions: where nobody came or went, a
//! threat changes only with the attacks of its attacker, so no words of attackers by attacked pieces need be compared.

use chess::{Bitboard, Color, Piece, PieceType, Square, attacks};

use super::View;
use crate::board::Board;

/// The inputs for threats of each perspective: attacking piece, attacked piece, attacked square.
pub const THREAT_INPUTS: usize = 12 * 12 * 64;

/// The most threats that a position can have: every kind of piece attacks every square.
pub const MAX_THREATS: usize = 12 * 64;

/// A piece that attacks a piece on a square, seen by nobody in particular.
///
/// The bits are four of the attacker, four of the attacked piece and six of the square, so that a view turns all three
/// with one exclusive or.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Threat(u16);

impl Threat {
    /// `attacker` attacks `attacked`, which stands on `square`.
    #[inline]
    pub const fn new(attacker: Piece, attacked: Piece, square: Square) -> Self {
        Self((attacker.index() << 10 | attacked.index() << 6 | square.index()) as u16)
    }

    /// Who attacks.
    pub const fn attacker(self) -> Piece {
        Piece::ALL[(self.0 >> 10) as usize]
    }

    /// Who is attacked.
    pub const fn attacked(self) -> Piece {
        Piece::ALL[(self.0 >> 6 & 15) as usize]
    }

    /// Where it stands.
    pub const fn square(self) -> Square {
        Square::new((self.0 & 63) as usize)
    }
}

impl View {
    /// The input, below [`THREAT_INPUTS`], that stands for this threat.
    #[inline]
    pub const fn threat(self, threat: Threat) -> usize {
        let colors = match self.perspective {
            Color::White => 0,
            Color::Black => 1 << 10 | 1 << 6,
        };
        let turned = (threat.0 ^ (colors | self.flip as u16)) as usize;
        // Sixteen attacked pieces have room between two attackers, and twelve are wanted.
        turned - (turned >> 10) * 4 * 64
    }

    /// Two views with the same answer share all inputs of threats; one perspective has two answers.
    #[inline]
    pub const fn shares_threats_with(self, other: Self) -> bool {
        self.flip == other.flip && self.perspective as u8 == other.perspective as u8
    }
}

/// What all threats of a position follow from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Threats {
    /// The squares of each piece.
    pieces: [Bitboard; 12],
    /// The squares that any piece of this colour and kind attacks.
    attacks: [Bitboard; 12],
}

impl Threats {
    /// The threats of an empty board, of which there are none.
    pub const NONE: Self = Self { pieces: [Bitboard::EMPTY; 12], attacks: [Bitboard::EMPTY; 12] };

    /// The threats of a position.
    #[inline]
    pub fn of(board: &impl Board) -> Self {
        Self::of_pieces(Piece::ALL.map(|piece| board.pieces(piece)))
    }

    /// The threats between pieces on these squares, by [`Piece::index`].
    #[inline]
    pub fn of_pieces(pieces: [Bitboard; 12]) -> Self {
        let occupied = pieces.iter().fold(Bitboard::EMPTY, |all, &squares| all | squares);
        Self { pieces, attacks: Piece::ALL.map(|piece| attacked_by(piece, pieces[piece.index()], occupied)) }
    }

    /// The squares of each piece, by [`Piece::index`].
    #[inline]
    pub fn pieces(&self) -> &[Bitboard; 12] {
        &self.pieces
    }

    /// The active threats.
    pub fn iter(&self) -> impl Iterator<Item = Threat> + '_ {
        Piece::ALL.into_iter().flat_map(move |attacker| {
            Piece::ALL.into_iter().flat_map(move |attacked| {
                self.word(attacker, attacked)
                    .into_iter()
                    .map(move |square| Threat::new(attacker, attacked, square))
            })
        })
    }

    /// The squares on which `attacker` attacks `attacked`: the words whose difference is the plain way from position to
    /// position.
    pub fn word(&self, attacker: Piece, attacked: Piece) -> Bitboard {
        self.attacks[attacker.index()] & self.pieces[attacked.index()]
    }

    /// Calls `left` with each threat that is here and not in `next`, and `entered` with each that is there and not here.
    ///
    /// `board` is the position of `next`, which may say what stands on a square more quickly than sets of squares can.
    #[inline]
    pub fn changes_to(
        &self,
        next: &Self,
        board: &impl Board,
        mut left: impl FnMut(Threat),
        mut entered: impl FnMut(Threat),
    ) {
        let (mut came, mut gone, mut there) = (Bitboard::EMPTY, Bitboard::EMPTY, Bitboard::EMPTY);
        for (now, before) in next.pieces.iter().zip(&self.pieces) {
            came |= *now & !*before;
            gone |= *before & !*now;
            there |= *now;
        }
        // Who stayed is attacked anew, or no longer.
        let stayed = there & !came;
        for attacker in Piece::ALL {
            let (before, now) = (self.attacks[attacker.index()], next.attacks[attacker.index()]);
            for square in (before ^ now) & stayed {
                let Some(attacked) = board.piece_on(square) else { continue };
                let threat = Threat::new(attacker, attacked, square);
                if now.has(square) { entered(threat) } else { left(threat) }
            }
        }
        self.each_on(gone, &mut left);
        next.each_on(came, &mut entered);
    }

    /// Calls `take` with each threat against a piece on one of these squares, which all have one.
    #[inline]
    fn each_on(&self, squares: Bitboard, take: &mut impl FnMut(Threat)) {
        for square in squares {
            let Some(attacked) = Piece::ALL.into_iter().find(|piece| self.pieces[piece.index()].has(square))
            else {
                continue;
            };
            for attacker in Piece::ALL {
                if self.attacks[attacker.index()].has(square) {
                    take(Threat::new(attacker, attacked, square));
                }
            }
        }
    }
}

/// The squares that any of these pieces attacks, all of one colour and kind.
#[inline]
fn attacked_by(piece: Piece, squares: Bitboard, occupied: Bitboard) -> Bitboard {
    if piece.kind() == PieceType::Pawn {
        return attacks::pawns_attack(piece.color(), squares);
    }
    squares
        .into_iter()
        .fold(Bitboard::EMPTY, |all, square| all | attacks::piece_attacks(piece.kind(), square, occupied))
}

#[cfg(test)]
mod tests;
