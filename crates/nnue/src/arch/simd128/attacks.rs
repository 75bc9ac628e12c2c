//! The attacks of all pieces without branches: sliders are filled by one, two and four steps, those of both colours at
//! once.
//!
//! The words of a register are shifted by the same number here, so that they cannot be directions as on x86-64.

use std::arch::wasm32::*;

use chess::{Bitboard, Color, Piece, PieceType};

use crate::arch::shifts::{REACHED, TURNS, kings, knights};
use crate::features::{ATTACKERS, Attacks, ThreatForm, by_tables};

/// What pieces attack, as the form of threats wants to know it.
#[inline]
pub(super) fn by_colors(form: ThreatForm, pieces: &[Bitboard; ATTACKERS], attacks: &mut Attacks) {
    if form == ThreatForm::Large {
        return by_tables(form, pieces, attacks);
    }
    let both = |kind| {
        let [white, black] = Color::ALL.map(|color| pieces[Piece::new(color, kind).index()].0);
        u64x2(white, black)
    };
    let (bishops, rooks, queens) = (both(PieceType::Bishop), both(PieceType::Rook), both(PieceType::Queen));
    let empty = u64x2_splat(!pieces.iter().fold(0, |all, squares| all | squares.0));
    let (straight, diagonal) = (0..4, 4..8);
    let [by_rooks, by_straight_queens] = slide(straight, [rooks, queens], empty);
    let [by_bishops, by_diagonal_queens] = slide(diagonal, [bishops, queens], empty);
    let sliders = [
        (PieceType::Bishop, by_bishops),
        (PieceType::Rook, by_rooks),
        (PieceType::Queen, v128_or(by_straight_queens, by_diagonal_queens)),
    ];
    for (kind, attacked) in sliders {
        let words = [u64x2_extract_lane::<0>(attacked), u64x2_extract_lane::<1>(attacked)];
        for (color, attacked) in Color::ALL.into_iter().zip(words) {
            attacks.kinds[Piece::new(color, kind).index()] = Bitboard(attacked);
        }
    }
    for color in Color::ALL {
        let [pawn, knight, king] =
            [PieceType::Pawn, PieceType::Knight, PieceType::King].map(|kind| Piece::new(color, kind).index());
        attacks.kinds[pawn] = chess::attacks::pawns_attack(color, pieces[pawn]);
        attacks.kinds[knight] = Bitboard(knights(pieces[knight].0));
        attacks.kinds[king] = Bitboard(kings(pieces[king].0));
    }
}

/// What the sliders on these squares attack in some directions.
#[inline(always)]
fn slide(directions: std::ops::Range<usize>, sliders: [v128; 2], empty: v128) -> [v128; 2] {
    let mut attacked = [u64x2_splat(0); 2];
    for direction in directions {
        let reached = u64x2_splat(REACHED[direction]);
        let step = |squares, steps| turned(squares, direction, steps);
        let one = v128_and(empty, reached);
        let two = v128_and(one, step(one, 1));
        let four = v128_and(two, step(two, 2));
        for (attacked, &sliders) in attacked.iter_mut().zip(&sliders) {
            let mut from = sliders;
            for (steps, free) in [(1, one), (2, two), (4, four)] {
                from = v128_or(from, v128_and(step(from, steps), free));
            }
            *attacked = v128_or(*attacked, v128_and(step(from, 1), reached));
        }
    }
    attacked
}

/// The squares so many steps further; what a turn would bring to the other side of the board is not [`REACHED`].
#[inline(always)]
fn turned(squares: v128, direction: usize, steps: u32) -> v128 {
    match TURNS[direction] {
        left @ 0..32 => u64x2_shl(squares, left * steps),
        left => u64x2_shr(squares, (64 - left) * steps),
    }
}
