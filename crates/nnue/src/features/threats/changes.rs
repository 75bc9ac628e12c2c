//! The threats that change from one position to another.
//!
//! Where nobody came or went, a threat changes only with the attacks of its attacker, so no words of attackers by attacked
//! pieces need be compared. Where the squares of attackers matter, a pawn or knight that stayed is looked at only if it
//! attacks a square where somebody came or went.

use std::hint::select_unpredictable;

use chess::{Bitboard, Color, Piece, attacks};

use super::{ATTACKED, ATTACKER, ATTACKERS, FROM, MAX_THREATS, Threat, ThreatForm, ThreatTable, Threats};
use crate::arch::Kernels;
use crate::features::View;

/// The threats that entered and left between two positions.
#[derive(Clone, Debug)]
pub struct ThreatChanges {
    entered: ThreatList,
    left: ThreatList,
    /// Room to find them, which need not be cleared each time.
    packed: Packed,
}

impl ThreatChanges {
    /// No change.
    pub const NONE: Self =
        Self { entered: ThreatList::EMPTY, left: ThreatList::EMPTY, packed: Packed::EMPTY };

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
    pub(crate) fn inputs<'a>(
        &self,
        table: &ThreatTable,
        view: View,
        room: &'a mut [ThreatInputs; 2],
    ) -> (&'a [u16], &'a [u16]) {
        let [entered, left] = room;
        (self.entered.inputs(table, view, entered), self.left.inputs(table, view, left))
    }
}

/// Room for the inputs of one view that threats stand for.
pub(crate) type ThreatInputs = [u16; MAX_THREATS];

impl Threats {
    /// The threats that are here and not in `next`, which has the same form, and those that are there and not here.
    ///
    /// Always inlined, so that every instruction set has its own.
    #[inline(always)]
    pub(crate) fn changes_to<D: Differences>(&self, next: &Self, changes: &mut ThreatChanges) {
        let [changed, before, after] = D::squares(self, next);
        // A piece that stayed may gain or lose attackers; one that left or arrived changes all threats against it.
        let (stayed, gone, came) = (after & !changed, before & changed, after & changed);
        let (mut left, mut entered) = ([0; ATTACKERS], [0; ATTACKERS]);
        for attacker in 0..ATTACKERS {
            let (old, new) = (self.attacks.kinds[attacker].0, next.attacks.kinds[attacker].0);
            left[attacker] = old & gone | old & !new & stayed;
            entered[attacker] = new & came | new & !old & stayed;
        }
        if self.form == ThreatForm::Small {
            let ThreatChanges { entered: entered_list, left: left_list, packed } = changes;
            D::pack(&left, packed);
            left_list.set(packed, &self.men);
            D::pack(&entered, packed);
            entered_list.set(packed, &next.men);
            return;
        }
        let table = self.form.table();
        let [old, new] = attackers_to_compare([self, next], Bitboard(changed));
        let lists = [
            (self, next, gone, left, old, &mut changes.left),
            (next, self, came, entered, new, &mut changes.entered),
        ];
        for (here, there, alone, kinds, attackers, list) in lists {
            let packed = &mut changes.packed;
            packed.clear();
            for piece in QUEENS_AND_KINGS {
                packed.push((piece.index() << ATTACKER) as u64, kinds[piece.index()]);
            }
            for from in attackers {
                let from = from.index();
                let stays = u64::from(changed >> from & 1 == 0).wrapping_neg();
                let missing = !(there.attacked_from(from, table).0 & stays);
                let origin = u64::from(here.men[from]) << ATTACKER | (from as u64) << FROM;
                packed.push(origin, here.attacked_from(from, table).0 & (alone | stayed & missing));
            }
            list.set(packed, &here.men);
        }
    }
}

/// The attackers whose squares do not matter in the large form.
const QUEENS_AND_KINGS: [Piece; 4] =
    [Piece::WhiteQueen, Piece::BlackQueen, Piece::WhiteKing, Piece::BlackKing];

/// In each of two positions that differ on the squares `changed`, the pieces whose squares matter and whose threats may
/// differ: bishops and rooks, pawns and knights on these squares, and those that attack one of them.
#[inline(always)]
fn attackers_to_compare(positions: [&Threats; 2], changed: Bitboard) -> [Bitboard; 2] {
    let mut by_pawns_or_knights = [Bitboard::EMPTY; 3];
    for square in changed {
        by_pawns_or_knights[0] |= attacks::pawn_attacks(Color::Black, square);
        by_pawns_or_knights[1] |= attacks::pawn_attacks(Color::White, square);
        by_pawns_or_knights[2] |= attacks::knight_attacks(square);
    }
    let [by_white_pawns, by_black_pawns, by_knights] = by_pawns_or_knights.map(|squares| squares | changed);
    positions.map(|position| {
        let of = |piece: Piece| position.pieces[piece.index()];
        of(Piece::WhitePawn) & by_white_pawns
            | of(Piece::BlackPawn) & by_black_pawns
            | (of(Piece::WhiteKnight) | of(Piece::BlackKnight)) & by_knights
            | of(Piece::WhiteBishop)
            | of(Piece::BlackBishop)
            | of(Piece::WhiteRook)
            | of(Piece::BlackRook)
    })
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
    fn pack(words: &[u64; ATTACKERS], packed: &mut Packed) {
        packed.clear();
        for (attacker, &word) in words.iter().enumerate() {
            packed.push((attacker << ATTACKER) as u64, word);
        }
    }
}

/// Every processor can do it.
pub(crate) struct Plain;

impl Differences for Plain {}

/// Sets of squares that are not empty, the bits of the threats that their attacker has, and how many squares they have
/// together. What lies behind those that are filled means nothing.
#[derive(Clone, Debug)]
pub(crate) struct Packed {
    pub(crate) words: [u64; MAX_PACKED],
    pub(crate) origins: [u64; MAX_PACKED],
    pub(crate) filled: usize,
    pub(crate) bits: usize,
}

/// A set for each attacker; a power of two, so that an index needs no check.
const MAX_PACKED: usize = 64;

impl Packed {
    const EMPTY: Self = Self { words: [0; MAX_PACKED], origins: [0; MAX_PACKED], filled: 0, bits: 0 };

    #[inline(always)]
    fn clear(&mut self) {
        (self.filled, self.bits) = (0, 0);
    }

    /// Adds a set; an empty one is overwritten by the next.
    #[inline(always)]
    fn push(&mut self, origin: u64, word: u64) {
        self.words[self.filled % MAX_PACKED] = word;
        self.origins[self.filled % MAX_PACKED] = origin;
        self.filled += usize::from(word != 0);
        self.bits += word.count_ones() as usize;
    }
}

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
            let origin = packed.origins[at % MAX_PACKED] as u32;
            *item = Threat(origin | u32::from(men[square]) << ATTACKED | square as u32);
            word &= word.wrapping_sub(1);
            at += usize::from(word == 0);
            word = select_unpredictable(word == 0, packed.words[at % MAX_PACKED], word);
        }
        self.length = packed.bits;
    }

    #[inline]
    fn as_slice(&self) -> &[Threat] {
        &self.items[..self.length]
    }

    #[inline(always)]
    fn inputs<'a>(&self, table: &ThreatTable, view: View, room: &'a mut ThreatInputs) -> &'a [u16] {
        let turned = view.turned_bits();
        let room = &mut room[..self.length];
        let threats = self.as_slice().iter();
        match table.form {
            ThreatForm::Small => {
                for (input, &threat) in room.iter_mut().zip(threats) {
                    *input = ThreatTable::small_turned_input(turned, threat);
                }
            }
            ThreatForm::Large => {
                for (input, &threat) in room.iter_mut().zip(threats) {
                    *input = table.turned_input(turned, threat);
                }
            }
        }
        room
    }
}
