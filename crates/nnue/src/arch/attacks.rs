//! The attacks of all pieces without branches: sliders are filled in all directions at once by one, two and four steps
//! (a parallel-prefix Kogge-Stone fill).
//!
//! Table look-ups handle one piece at a time: the loops over the pieces of each colour and kind end in mispredicted
//! branches, and the tables compete for the cache with the weights of the network.

#![allow(unsafe_code, reason = "instructions that not every processor has")]
#![allow(
    unsafe_op_in_unsafe_fn,
    reason = "the contract of `Directions` covers every line of these functions"
)]

use chess::{Bitboard, Color, Piece, PieceType};

use super::shifts::{REACHED, TURNS, kings, knights};
use crate::features::{ATTACKERS, Attacks, ThreatForm};

/// The turns of so many steps.
pub(super) const fn turns(steps: u32) -> [u64; 8] {
    let mut turns = [0; 8];
    let mut direction = 0;
    while direction < 8 {
        turns[direction] = (TURNS[direction] * steps % 64) as u64;
        direction += 1;
    }
    turns
}

/// A word for each direction, in one register or two.
///
/// # Safety of the methods
/// The processor must have the instructions.
pub(super) trait Directions: Copy {
    unsafe fn load(words: &[u64; 8]) -> Self;
    /// One word for the straight directions, one for the diagonal ones.
    unsafe fn new(straight: u64, diagonal: u64) -> Self;
    unsafe fn and(self, other: Self) -> Self;
    unsafe fn or(self, other: Self) -> Self;
    /// Each word turned to the left by the one in its place.
    unsafe fn turned(self, by: Self) -> Self;
    /// The straight directions together, and the diagonal ones.
    unsafe fn gathered(self) -> [u64; 2];
}

/// Where sliders go on from after one step, after two and after four, and the turns of each.
#[derive(Clone, Copy)]
struct Free<D> {
    reached: D,
    turns: [D; 3],
    squares: [D; 3],
}

impl<D: Directions> Free<D> {
    #[inline(always)]
    unsafe fn new(occupied: u64) -> Self {
        let turns =
            [D::load(&const { turns(1) }), D::load(&const { turns(2) }), D::load(&const { turns(4) })];
        let reached = D::load(&REACHED);
        let one = D::new(!occupied, !occupied).and(reached);
        let two = one.and(one.turned(turns[0]));
        let four = two.and(two.turned(turns[1]));
        Self { reached, turns, squares: [one, two, four] }
    }

    /// What sliders on these squares attack.
    #[inline(always)]
    unsafe fn attacked(&self, mut from: D) -> [u64; 2] {
        for (turns, free) in self.turns.into_iter().zip(self.squares) {
            from = from.or(from.turned(turns).and(free));
        }
        from.turned(self.turns[0]).and(self.reached).gathered()
    }

    /// What each bishop and rook attacks, on its square; nothing on all others. A rook and a bishop are handled together.
    #[inline(always)]
    unsafe fn each_slider(&self, pieces: &[Bitboard; ATTACKERS], sliders: &mut [Bitboard; 64]) {
        let of = |kind| {
            let [white, black] = Color::ALL.map(|color| pieces[Piece::new(color, kind).index()].0);
            white | black
        };
        *sliders = [Bitboard::EMPTY; 64];
        let (mut rooks, mut bishops) = (of(PieceType::Rook), of(PieceType::Bishop));
        while rooks | bishops != 0 {
            let (rook, bishop) = (rooks & rooks.wrapping_neg(), bishops & bishops.wrapping_neg());
            let [straight, diagonal] = self.attacked(D::new(rook, bishop));
            // Where there is none left, nothing is attacked, and nothing added to whatever square.
            sliders[rook.trailing_zeros() as usize & 63].0 |= straight;
            sliders[bishop.trailing_zeros() as usize & 63].0 |= diagonal;
            (rooks, bishops) = (rooks ^ rook, bishops ^ bishop);
        }
    }
}

/// What pieces attack, as the form of threats wants to know it.
///
/// # Safety
/// The processor must have the instructions.
#[inline(always)]
pub(super) unsafe fn by_steps<D: Directions>(
    form: ThreatForm,
    pieces: &[Bitboard; ATTACKERS],
    attacks: &mut Attacks,
) {
    let occupied = pieces.iter().fold(0, |all, squares| all | squares.0);
    let free = Free::<D>::new(occupied);
    let large = form == ThreatForm::Large;
    if large {
        free.each_slider(pieces, &mut attacks.sliders);
    }
    for color in Color::ALL {
        let [pawn, knight, bishop, rook, queen, king] =
            PieceType::ALL.map(|kind| Piece::new(color, kind).index());
        let [straight, diagonal] = free.attacked(D::new(pieces[queen].0, pieces[queen].0));
        attacks.kinds[queen] = Bitboard(straight | diagonal);
        attacks.kinds[king] = Bitboard(kings(pieces[king].0));
        if !large {
            let [by_rooks, by_bishops] = free.attacked(D::new(pieces[rook].0, pieces[bishop].0));
            attacks.kinds[pawn] = chess::attacks::pawns_attack(color, pieces[pawn]);
            attacks.kinds[knight] = Bitboard(knights(pieces[knight].0));
            attacks.kinds[bishop] = Bitboard(by_bishops);
            attacks.kinds[rook] = Bitboard(by_rooks);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::arch::Arch;
    use crate::board::{Board, Placement};
    use crate::features::{Attacks, ThreatForm, by_tables};
    use chess::Piece;
    use rng::Random;

    #[test]
    fn steps_lead_where_the_tables_say() {
        let mut random = Random::new(6);
        // What an earlier position left there must not matter.
        let mut attacks = [Attacks::NONE; 2];
        for _ in 0..5000 {
            let board = Placement::random(&mut random);
            let pieces = Piece::ALL.map(|piece| board.pieces(piece));
            for form in ThreatForm::ALL {
                let mut expected = Attacks::NONE;
                by_tables(form, &pieces, &mut expected);
                for kernels in Arch::available().filter_map(Arch::kernels) {
                    kernels.attacks(form, &pieces, &mut attacks[form as usize]);
                    assert_eq!(attacks[form as usize], expected);
                }
            }
        }
    }
}
