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
//! [`ThreatChanges`] are those that leave and enter between any two positions: where nobody came or went, a
//! threat changes only with the attacks of its attacker, so no words of attackers by attacked pieces need be compared.

use std::hint::select_unpredictable;

use chess::{Bitboard, Color, Piece, PieceType, Square, attacks};

use super::View;
use crate::arch::Kernels;
use crate::board::{Board, Changes, NOBODY, Placement};

/// The colours and kinds that attack.
pub(crate) const ATTACKERS: usize = 12;

/// The inputs for threats of each perspective: attacking piece, attacked piece, attacked square.
pub const THREAT_INPUTS: usize = 12 * 12 * 64;

/// The most threats that a position can have: every kind of piece attacks every square.
pub const MAX_THREATS: usize = 12 * 64;

/// A piece that attacks a piece on a square, independent of perspective.
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

    /// The attacking piece.
    pub const fn attacker(self) -> Piece {
        Piece::ALL[(self.0 >> 10) as usize]
    }

    /// The attacked piece.
    pub const fn attacked(self) -> Piece {
        Piece::ALL[(self.0 >> 6 & 15) as usize]
    }

    /// The square of the attacked piece.
    pub const fn square(self) -> Square {
        Square::new((self.0 & 63) as usize)
    }
}

impl View {
    /// The input, below [`THREAT_INPUTS`], that stands for this threat.
    #[inline]
    pub const fn threat(self, threat: Threat) -> usize {
        self.narrow_threat(threat) as usize
    }

    /// The same in as few bits as possible, since then a register holds many.
    #[inline]
    const fn narrow_threat(self, threat: Threat) -> u16 {
        let colors = match self.perspective {
            Color::White => 0,
            Color::Black => 1 << 10 | 1 << 6,
        };
        let turned = threat.0 ^ (colors | self.flip as u16);
        // Sixteen attacked pieces have room between two attackers, and twelve are wanted.
        turned - (turned >> 10) * (4 * 64)
    }

    /// Two views with the same answer share all inputs of threats; one perspective has two answers.
    #[inline]
    pub const fn shares_threats_with(self, other: Self) -> bool {
        self.flip == other.flip && self.perspective as u8 == other.perspective as u8
    }
}

/// The bitboards from which all threats of a position follow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Threats {
    /// The squares that any piece of this colour and kind attacks.
    attacks: [Bitboard; ATTACKERS],
    /// The squares of each piece.
    pieces: [Bitboard; ATTACKERS],
    /// The index of the piece on each square, and [`NOBODY`] on the others.
    pub(crate) men: [u8; 64],
}

impl Threats {
    /// The threats of an empty board, of which there are none.
    pub const NONE: Self = Self {
        attacks: [Bitboard::EMPTY; ATTACKERS],
        pieces: [Bitboard::EMPTY; ATTACKERS],
        men: [NOBODY; 64],
    };

    /// The threats of a position.
    pub fn of(board: &impl Board) -> Self {
        let mut threats = Self::NONE;
        threats.set(board, by_tables);
        threats
    }

    /// The threats between pieces on these squares, by [`Piece::index`], found with the fastest instructions.
    pub fn of_pieces(pieces: [Bitboard; ATTACKERS]) -> Self {
        let mut threats = Self::NONE;
        threats.set(&Placement::of_pieces(pieces), |pieces| Kernels::best().attacks(pieces));
        threats
    }

    /// Replaces them by those of a position; `attacks` is [`by_tables`] or does the same.
    #[inline]
    pub(crate) fn set(
        &mut self,
        board: &impl Board,
        attacks: impl FnOnce(&[Bitboard; ATTACKERS]) -> [Bitboard; ATTACKERS],
    ) {
        self.pieces = Piece::ALL.map(|piece| board.pieces(piece));
        self.men = board.men();
        self.attacks = attacks(&self.pieces);
    }

    /// Replaces them by those of the position before a move that led to `next`.
    #[inline]
    pub(crate) fn set_before(
        &mut self,
        next: &Self,
        changes: &Changes,
        attacks: impl FnOnce(&[Bitboard; ATTACKERS]) -> [Bitboard; ATTACKERS],
    ) {
        (self.pieces, self.men) = (next.pieces, next.men);
        for &(piece, square) in changes.added() {
            self.pieces[piece.index()] &= !Bitboard::of(square);
            self.men[square.index()] = NOBODY;
        }
        for &(piece, square) in changes.removed() {
            self.pieces[piece.index()] |= square;
            self.men[square.index()] = piece.index() as u8;
        }
        self.attacks = attacks(&self.pieces);
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

    /// The threats that are here and not in `next`, and those that are there and not here.
    ///
    /// Always inlined, so that every instruction set has its own.
    #[inline(always)]
    pub(crate) fn changes_to<D: Differences>(&self, next: &Self, changes: &mut ThreatChanges) {
        let [changed, before, after] = D::squares(self, next);
        // A piece that stayed may gain or lose attackers; one that left or arrived changes all threats against it.
        let (stayed, gone, came) = (after & !changed, before & changed, after & changed);
        let (mut left, mut entered) = ([0; ATTACKERS], [0; ATTACKERS]);
        for attacker in 0..ATTACKERS {
            let (old, new) = (self.attacks[attacker].0, next.attacks[attacker].0);
            left[attacker] = old & gone | old & !new & stayed;
            entered[attacker] = new & came | new & !old & stayed;
        }
        changes.left.set(&D::pack(&left), &self.men);
        changes.entered.set(&D::pack(&entered), &next.men);
    }
}

/// What some instruction sets do in their own way to find differences.
pub(crate) trait Differences {
    /// The squares where two positions differ, those occupied in the first, and those in the second.
    #[inline(always)]
    fn squares(before: &Threats, after: &Threats) -> [u64; 3] {
        let mut squares = [0; 3];
        for (old, new) in before.pieces.iter().zip(&after.pieces) {
            squares[0] |= old.0 ^ new.0;
            squares[1] |= old.0;
            squares[2] |= new.0;
        }
        squares
    }

    /// The words that are not empty, next to each other.
    #[inline(always)]
    fn pack(words: &[u64; ATTACKERS]) -> Packed {
        let mut packed = Packed { words: [0; 16], attackers: [0; 16], bits: 0 };
        let mut filled = 0;
        for (attacker, &word) in words.iter().enumerate() {
            packed.words[filled & 15] = word;
            packed.attackers[filled & 15] = attacker as u64;
            packed.bits += word.count_ones() as usize;
            filled += usize::from(word != 0);
        }
        packed
    }
}

/// Every processor can do it.
pub(crate) struct Plain;

impl Differences for Plain {}

/// Sets of squares that are not empty, whose they are, and how many squares they have together. One set more may follow.
pub(crate) struct Packed {
    pub(crate) words: [u64; 16],
    pub(crate) attackers: [u64; 16],
    pub(crate) bits: usize,
}

/// The threats that entered and left between two positions.
#[derive(Clone, Debug)]
pub struct ThreatChanges {
    entered: ThreatList,
    left: ThreatList,
}

impl ThreatChanges {
    /// No change.
    pub const NONE: Self = Self { entered: ThreatList::EMPTY, left: ThreatList::EMPTY };

    /// Replaces them by those from one position to another, found with the fastest instructions.
    pub fn find(&mut self, before: &Threats, after: &Threats) {
        Kernels::best().threat_changes(before, after, self);
    }

    /// Those that entered.
    #[inline]
    pub fn entered(&self) -> &[Threat] {
        self.entered.as_slice()
    }

    /// Those that left.
    #[inline]
    pub fn left(&self) -> &[Threat] {
        self.left.as_slice()
    }

    /// The inputs of a view that entered, and those that left, written where there is room for them.
    #[inline]
    pub(crate) fn inputs<'a>(&self, view: View, room: &'a mut [ThreatInputs; 2]) -> (&'a [u16], &'a [u16]) {
        let [entered, left] = room;
        (self.entered.inputs(view, entered), self.left.inputs(view, left))
    }
}

/// Room for the inputs of one view that threats stand for.
pub(crate) type ThreatInputs = [u16; MAX_THREATS];

/// A list of threats.
#[derive(Clone, Debug)]
struct ThreatList {
    items: [Threat; MAX_THREATS],
    length: usize,
}

impl ThreatList {
    const EMPTY: Self = Self { items: [Threat(0); MAX_THREATS], length: 0 };

    /// Lists the threats of each attacker against the men on these squares.
    ///
    /// The words are packed so that a single loop, whose end is known, visits all bits: a loop for each word would end in
    /// a mispredicted branch.
    #[inline(always)]
    fn set(&mut self, packed: &Packed, men: &[u8; 64]) {
        let (mut at, mut word) = (0, packed.words[0]);
        for item in &mut self.items[..packed.bits] {
            let square = word.trailing_zeros() as usize & 63;
            *item = Threat(
                (packed.attackers[at & 15] << 10) as u16 | u16::from(men[square]) << 6 | square as u16,
            );
            word &= word.wrapping_sub(1);
            at += usize::from(word == 0);
            word = select_unpredictable(word == 0, packed.words[at & 15], word);
        }
        self.length = packed.bits;
    }

    #[inline]
    fn as_slice(&self) -> &[Threat] {
        &self.items[..self.length]
    }

    /// Translates a register at a time, whether all of it is wanted or not.
    #[inline(always)]
    fn inputs<'a>(&self, view: View, room: &'a mut ThreatInputs) -> &'a [u16] {
        const AT_ONCE: usize = 32;
        let (threats, inputs) = (self.items.as_chunks::<AT_ONCE>().0, room.as_chunks_mut::<AT_ONCE>().0);
        for (inputs, &threats) in inputs.iter_mut().zip(threats).take(self.length.div_ceil(AT_ONCE)) {
            // By value: else each would be written before the next is read.
            let mut translated = [0; AT_ONCE];
            for (input, threat) in translated.iter_mut().zip(threats) {
                *input = view.narrow_threat(threat);
            }
            *inputs = translated;
        }
        &room[..self.length]
    }
}

/// The squares that any piece of each colour and kind attacks, a piece at a time.
pub(crate) fn by_tables(pieces: &[Bitboard; ATTACKERS]) -> [Bitboard; ATTACKERS] {
    let occupied = pieces.iter().fold(Bitboard::EMPTY, |all, &squares| all | squares);
    Piece::ALL.map(|piece| {
        let squares = pieces[piece.index()];
        if piece.kind() == PieceType::Pawn {
            return attacks::pawns_attack(piece.color(), squares);
        }
        squares
            .into_iter()
            .fold(Bitboard::EMPTY, |all, square| all | attacks::piece_attacks(piece.kind(), square, occupied))
    })
}

#[cfg(test)]
mod tests;
