//! Threats: which piece attacks which piece on which square, as inputs beside those of the pieces.
//!
//! Friends are attacked as well as enemies. How much of the attacker an input tells is the [`ThreatForm`]: in the small
//! one its colour and kind, and two attackers of one kind count once; in the large one the square as well, except for queens and
//! kings, of which a side rarely has two. So the number of an input fits 16 bits. A view turns and mirrors the board as
//! it does for the pieces, but its king bucket does not matter, so all buckets share the same inputs:
//!
//! ```text
//! index = first input of the attacker on its square + attacked * reached squares + place of the attacked square among them
//! ```
//!
//! where a piece is `2 * kind`, plus one if it is not the perspective's own, `kind` is 0 for the pawn to 5 for the king,
//! and the reached squares are those that the attacker attacks on an empty board, or all where its own square does
//! not matter. The inputs of one attacker and square follow those of the other. Where squares matter, pawns on the first and
//! the last rank attack nothing.
//!
//! [`Threats`] holds what all threats of a position follow from and enumerates them from scratch, and [`ThreatChanges`] are
//! those that leave and enter between any two positions.

pub(crate) mod changes;
mod words;

pub use changes::ThreatChanges;
pub(crate) use changes::{Plain, ThreatInputs};
pub use words::Threats;
pub(crate) use words::{Attacks, by_tables};

use std::sync::LazyLock;

use chess::{Bitboard, Color, Piece, PieceType, Square, attacks};

use super::View;

/// The colours and kinds that attack.
pub(crate) const ATTACKERS: usize = 12;

/// The most threats that a position can have: every kind of piece attacks every square; or each of 64 pieces attacks eight
/// squares, and the queens and kings of both sides all of them.
pub const MAX_THREATS: usize = 12 * 64;

/// How much of an attacker the inputs tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ThreatForm {
    /// Colour and kind: 9,216 inputs.
    Small,
    /// The squares of pawns, knights, bishops and rooks, too: 48,096 inputs.
    Large,
}

impl ThreatForm {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Small, Self::Large];

    /// The name that options and descriptions use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Small => "small",
            Self::Large => "large",
        }
    }

    /// Do the inputs tell where an attacker of this kind stands?
    pub const fn tells_square(self, kind: PieceType) -> bool {
        matches!(self, Self::Large) && !matches!(kind, PieceType::Queen | PieceType::King)
    }

    /// The inputs for threats that each perspective has.
    pub fn inputs(self) -> usize {
        self.table().inputs
    }

    /// The threats that White's inputs stand for with the king on the left, in the order of the inputs.
    pub fn threats(self) -> impl Iterator<Item = Threat> {
        Piece::ALL.into_iter().flat_map(move |attacker| {
            let squares = if self.tells_square(attacker.kind()) { 64 } else { 1 };
            Square::ALL.into_iter().take(squares).flat_map(move |from| {
                let reach = self.table().reach(attacker.index(), from.index());
                Piece::ALL.into_iter().flat_map(move |attacked| {
                    reach.into_iter().map(move |to| Threat::new(attacker, from, attacked, to))
                })
            })
        })
    }

    /// Which input stands for which threat.
    pub fn table(self) -> &'static ThreatTable {
        static TABLES: [LazyLock<ThreatTable>; 2] = [
            LazyLock::new(|| ThreatTable::new(ThreatForm::Small)),
            LazyLock::new(|| ThreatTable::new(ThreatForm::Large)),
        ];
        &TABLES[self as usize]
    }
}

/// A piece that attacks a piece on a square, independent of perspective.
///
/// The bits are four of the attacked piece, four of the attacker, six of its square and six of the attacked square, so that
/// a view turns all of them with one exclusive or.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Threat(u32);

const ATTACKED: u32 = 16;
/// Where the bits of the attacker begin.
pub(crate) const ATTACKER: u32 = 12;
const FROM: u32 = 6;

impl Threat {
    /// `attacker` on `from` attacks `attacked` on `to`; where the form does not tell `from`, it is A1.
    #[inline]
    pub const fn new(attacker: Piece, from: Square, attacked: Piece, to: Square) -> Self {
        let pieces = attacked.index() << ATTACKED | attacker.index() << ATTACKER;
        Self((pieces | from.index() << FROM | to.index()) as u32)
    }

    /// The attacking piece.
    pub const fn attacker(self) -> Piece {
        Piece::ALL[(self.0 >> ATTACKER & 15) as usize]
    }

    /// Its square, or A1 where the form does not tell.
    pub const fn from(self) -> Square {
        Square::new((self.0 >> FROM & 63) as usize)
    }

    /// The attacked piece.
    pub const fn attacked(self) -> Piece {
        Piece::ALL[(self.0 >> ATTACKED) as usize]
    }

    /// The square of the attacked piece.
    pub const fn to(self) -> Square {
        Square::new((self.0 & 63) as usize)
    }

    /// The same threat as the small form has it.
    pub const fn without_square(self) -> Self {
        Self::new(self.attacker(), Square::A1, self.attacked(), self.to())
    }
}

impl View {
    /// The bits of a threat that this view turns over.
    #[inline]
    const fn turned_bits(self) -> u32 {
        let colors = match self.perspective {
            Color::White => 0,
            Color::Black => 1 << ATTACKED | 1 << ATTACKER,
        };
        colors | (self.flip as u32) << FROM | self.flip as u32
    }

    /// Two views with the same answer share all inputs of threats; one perspective has two answers.
    #[inline]
    pub const fn shares_threats_with(self, other: Self) -> bool {
        self.flip == other.flip && self.perspective as u8 == other.perspective as u8
    }
}

/// The inputs of a form.
pub struct ThreatTable {
    form: ThreatForm,
    /// By attacker and square; those of four attackers more than there are need no check of the index.
    origins: [Origin; 16 * 64],
    inputs: usize,
}

/// An attacker on a square.
#[derive(Clone, Copy)]
struct Origin {
    /// The squares that it attacks on an empty board; all where its own does not matter.
    reach: Bitboard,
    /// Its first input.
    first: u16,
}

impl ThreatTable {
    fn new(form: ThreatForm) -> Self {
        let mut origins = [Origin { reach: Bitboard::EMPTY, first: 0 }; 16 * 64];
        let mut inputs = 0;
        for piece in Piece::ALL {
            let origins = &mut origins[piece.index() * 64..][..64];
            if !form.tells_square(piece.kind()) {
                origins.fill(Origin { reach: Bitboard::FULL, first: inputs as u16 });
                inputs += ATTACKERS * 64;
                continue;
            }
            for (origin, square) in origins.iter_mut().zip(Square::ALL) {
                let reach = empty_board_attacks(piece, square);
                *origin = Origin { reach, first: inputs as u16 };
                inputs += ATTACKERS * reach.count();
            }
        }
        Self { form, origins, inputs }
    }

    /// The input, below [`ThreatForm::inputs`], that stands for this threat in a view.
    #[inline]
    pub fn input(&self, view: View, threat: Threat) -> usize {
        self.turned_input(view.turned_bits(), threat).into()
    }

    /// The same with the bits that the view turns over.
    #[inline(always)]
    fn turned_input(&self, turned_bits: u32, Threat(bits): Threat) -> u16 {
        let bits = bits ^ turned_bits;
        let Origin { reach, first } = self.origins[(bits >> FROM) as usize % (16 * 64)];
        let before = reach.0 & ((1 << (bits & 63)) - 1);
        (u32::from(first) + (bits >> ATTACKED) * reach.0.count_ones() + before.count_ones()) as u16
    }

    /// The same for the small form, where all squares are reached: without a look at the table.
    #[inline(always)]
    fn small_turned_input(turned_bits: u32, Threat(bits): Threat) -> u16 {
        let bits = bits ^ turned_bits;
        let (attacker, attacked) = (bits >> ATTACKER & 15, bits >> ATTACKED);
        ((attacker * ATTACKERS as u32 + attacked) * 64 + (bits & 63)) as u16
    }

    /// The squares that a piece attacks from this one on an empty board; all where its own does not matter.
    #[inline]
    fn reach(&self, piece: usize, square: usize) -> Bitboard {
        self.origins[piece * 64 + square].reach
    }
}

/// The squares that a piece attacks where no other stands in its way, but for pawns that cannot be where they are.
fn empty_board_attacks(piece: Piece, square: Square) -> Bitboard {
    match piece.kind() {
        PieceType::Pawn if matches!(square.index() / 8, 0 | 7) => Bitboard::EMPTY,
        PieceType::Pawn => attacks::pawn_attacks(piece.color(), square),
        kind => attacks::piece_attacks(kind, square, Bitboard::EMPTY),
    }
}

#[cfg(test)]
mod tests;
