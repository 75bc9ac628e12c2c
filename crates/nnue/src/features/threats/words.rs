//! The bitboards from which all threats of a position follow.

use std::hint::select_unpredictable;

use chess::{Bitboard, Piece, PieceType, Square, attacks};

use super::{ATTACKERS, Threat, ThreatForm, ThreatTable};
use crate::arch::Kernels;
use crate::board::{Board, Changes, NOBODY, Placement};

/// The bitboards from which all threats of a position follow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Threats {
    pub(super) attacks: Attacks,
    /// The squares of each piece.
    pub(super) pieces: [Bitboard; ATTACKERS],
    /// The index of the piece on each square, and [`NOBODY`] on the others.
    pub(crate) men: [u8; 64],
    pub(super) form: ThreatForm,
}

/// What pieces attack, apart from the pawns and knights whose squares matter: theirs is in the form's table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(crate) struct Attacks {
    /// The squares that the bishop or rook on each square attacks, where its square matters.
    pub(crate) sliders: [Bitboard; 64],
    /// The squares that any piece of this colour and kind attacks, where its square does not matter.
    pub(crate) kinds: [Bitboard; ATTACKERS],
}

impl Attacks {
    pub(crate) const NONE: Self =
        Self { sliders: [Bitboard::EMPTY; 64], kinds: [Bitboard::EMPTY; ATTACKERS] };
}

impl Threats {
    /// The threats of an empty board, of which there are none.
    pub const fn none(form: ThreatForm) -> Self {
        Self { attacks: Attacks::NONE, pieces: [Bitboard::EMPTY; ATTACKERS], men: [NOBODY; 64], form }
    }

    /// The threats of a position.
    pub fn of(form: ThreatForm, board: &impl Board) -> Self {
        let mut threats = Self::none(form);
        threats.set(board, Kernels::SCALAR);
        threats
    }

    /// The threats between pieces on these squares, by [`Piece::index`], found with the fastest instructions.
    pub fn of_pieces(form: ThreatForm, pieces: [Bitboard; ATTACKERS]) -> Self {
        let mut threats = Self::none(form);
        threats.set(&Placement::of_pieces(pieces), Kernels::best());
        threats
    }

    /// Replaces them by those of a position.
    #[inline]
    pub(crate) fn set(&mut self, board: &impl Board, kernels: &Kernels) {
        self.pieces = Piece::ALL.map(|piece| board.pieces(piece));
        self.men = board.men();
        kernels.attacks(self.form, &self.pieces, &mut self.attacks);
    }

    /// Replaces them by those of the position before a move that led to `next`.
    #[inline]
    pub(crate) fn set_before(&mut self, next: &Self, changes: &Changes, kernels: &Kernels) {
        (self.pieces, self.men) = (next.pieces, next.men);
        for &(piece, square) in changes.added() {
            self.pieces[piece.index()] &= !Bitboard::of(square);
            self.men[square.index()] = NOBODY;
        }
        for &(piece, square) in changes.removed() {
            self.pieces[piece.index()] |= square;
            self.men[square.index()] = piece.index() as u8;
        }
        kernels.attacks(self.form, &self.pieces, &mut self.attacks);
    }

    /// The active threats.
    pub fn iter(&self) -> impl Iterator<Item = Threat> + '_ {
        let table = self.form.table();
        Piece::ALL.into_iter().flat_map(move |attacker| {
            let (index, tells_square) = (attacker.index(), self.form.tells_square(attacker.kind()));
            let squares = if tells_square { self.pieces[index] } else { Bitboard::of(Square::A1) };
            squares.into_iter().flat_map(move |from| {
                let attacked = if tells_square {
                    self.attacked_from(from.index(), table)
                } else {
                    self.attacks.kinds[index]
                };
                Piece::ALL.into_iter().flat_map(move |victim| {
                    (attacked & self.pieces[victim.index()])
                        .into_iter()
                        .map(move |to| Threat::new(attacker, from, victim, to))
                })
            })
        })
    }

    /// The squares that the pawn, knight, bishop or rook on a square attacks, where its square matters; `table` is that of
    /// the form.
    #[inline(always)]
    pub(super) fn attacked_from(&self, square: usize, table: &ThreatTable) -> Bitboard {
        let man = usize::from(self.men[square]);
        let leaps = man <= Piece::BlackKnight.index();
        select_unpredictable(leaps, table.reach(man, square), self.attacks.sliders[square])
    }
}

/// The attacks of all pieces, a piece at a time.
pub(crate) fn by_tables(form: ThreatForm, pieces: &[Bitboard; ATTACKERS], attacks: &mut Attacks) {
    let occupied = pieces.iter().fold(Bitboard::EMPTY, |all, &squares| all | squares);
    attacks.kinds = [Bitboard::EMPTY; ATTACKERS];
    if form == ThreatForm::Large {
        attacks.sliders = [Bitboard::EMPTY; 64];
    }
    for piece in Piece::ALL {
        let (squares, kind) = (pieces[piece.index()], piece.kind());
        match kind {
            PieceType::Pawn | PieceType::Knight if form.tells_square(kind) => {}
            PieceType::Pawn => {
                attacks.kinds[piece.index()] = attacks::pawns_attack(piece.color(), squares);
            }
            _ => {
                for square in squares {
                    let attacked = attacks::piece_attacks(kind, square, occupied);
                    if form.tells_square(kind) {
                        attacks.sliders[square.index()] = attacked;
                    } else {
                        attacks.kinds[piece.index()] |= attacked;
                    }
                }
            }
        }
    }
}
