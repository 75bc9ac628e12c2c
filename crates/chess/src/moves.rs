//! Moves in two bytes, and lists of them.

use std::fmt;
use std::mem::MaybeUninit;
use std::num::NonZeroU16;
use std::ops::Deref;

use crate::{PieceType, Square};

/// What a move does besides going from one square to another.
///
/// Bit 2 marks captures and bit 3 promotions, whose low two bits are the piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
#[allow(missing_docs, reason = "the variants are their own names")]
pub enum MoveKind {
    Quiet = 0,
    DoublePush = 1,
    Castling = 2,
    Capture = 4,
    EnPassant = 5,
    PromoteKnight = 8,
    PromoteBishop = 9,
    PromoteRook = 10,
    PromoteQueen = 11,
    CapturePromoteKnight = 12,
    CapturePromoteBishop = 13,
    CapturePromoteRook = 14,
    CapturePromoteQueen = 15,
}

impl MoveKind {
    const CAPTURE_BIT: u8 = 4;
    const PROMOTION_BIT: u8 = 8;

    /// A bit for each number that stands for a kind.
    const VALID: u16 = {
        let (mut valid, mut bits) = (0, 0);
        while bits < 16 {
            if Self::from_bits(bits).is_some() {
                valid |= 1 << bits;
            }
            bits += 1;
        }
        valid
    };

    const fn from_bits(bits: u8) -> Option<Self> {
        Some(match bits {
            0 => Self::Quiet,
            1 => Self::DoublePush,
            2 => Self::Castling,
            4 => Self::Capture,
            5 => Self::EnPassant,
            8 => Self::PromoteKnight,
            9 => Self::PromoteBishop,
            10 => Self::PromoteRook,
            11 => Self::PromoteQueen,
            12 => Self::CapturePromoteKnight,
            13 => Self::CapturePromoteBishop,
            14 => Self::CapturePromoteRook,
            15 => Self::CapturePromoteQueen,
            _ => return None,
        })
    }

    /// The promotion to this piece; `None` for a pawn or a king.
    pub const fn promotion(to: PieceType, captures: bool) -> Option<Self> {
        match to {
            PieceType::Pawn | PieceType::King => None,
            _ => {
                let piece = to as u8 - PieceType::Knight as u8;
                Self::from_bits(Self::PROMOTION_BIT | if captures { Self::CAPTURE_BIT } else { 0 } | piece)
            }
        }
    }
}

/// A move: from, to and kind in two bytes, `None` being the zero.
///
/// Castling goes from the king's square to its own rook's, in standard chess too: that names the
/// move in Chess960 without doubt, and [`CastlingNotation`](crate::CastlingNotation) says how it is written.
///
/// ```
/// use chess::{Move, MoveKind, Square};
/// let mv = Move::new(Square::E2, Square::E4, MoveKind::DoublePush);
/// assert_eq!((mv.from(), mv.to(), mv.is_capture()), (Square::E2, Square::E4, false));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(NonZeroU16);

const _: () = assert!(size_of::<Option<Move>>() == 2);

impl Move {
    /// The move from one square to another, different one.
    #[inline]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Self {
        let bits = from as u16 | (to as u16) << 6 | (kind as u16) << 12;
        match NonZeroU16::new(bits) {
            Some(bits) => Self(bits),
            // Only a1a1 would be zero; h1a1 stands in for it, so that no input panics.
            None => Self(NonZeroU16::new(Square::H1 as u16).unwrap()),
        }
    }

    /// The move behind these sixteen bits, as a hash table keeps them. Nothing is promised about it
    /// but that [`crate::Position::is_legal`] may be asked.
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        match NonZeroU16::new(bits) {
            Some(nonzero) if MoveKind::VALID >> (bits >> 12) & 1 != 0 => Some(Self(nonzero)),
            _ => None,
        }
    }

    /// The sixteen bits.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// Where the piece comes from.
    #[inline]
    pub const fn from(self) -> Square {
        Square::new(self.bits() as usize & 63)
    }

    /// Where it goes; for castling, where the own rook stands.
    #[inline]
    pub const fn to(self) -> Square {
        Square::new(self.bits() as usize >> 6 & 63)
    }

    const fn kind_bits(self) -> u8 {
        (self.bits() >> 12) as u8
    }

    /// What it does.
    #[inline]
    pub const fn kind(self) -> MoveKind {
        match MoveKind::from_bits(self.kind_bits()) {
            Some(kind) => kind,
            None => MoveKind::Quiet,
        }
    }

    /// Does it take something? En passant counts.
    #[inline]
    pub const fn is_capture(self) -> bool {
        self.kind_bits() & MoveKind::CAPTURE_BIT != 0
    }

    /// Does a pawn become a piece?
    #[inline]
    pub const fn is_promotion(self) -> bool {
        self.kind_bits() & MoveKind::PROMOTION_BIT != 0
    }

    /// Neither a capture nor a promotion.
    #[inline]
    pub const fn is_quiet(self) -> bool {
        self.kind_bits() & (MoveKind::CAPTURE_BIT | MoveKind::PROMOTION_BIT) == 0
    }

    /// Is it a pawn's push by two squares?
    #[inline]
    pub const fn is_double_push(self) -> bool {
        self.kind_bits() == MoveKind::DoublePush as u8
    }

    /// Is it castling?
    #[inline]
    pub const fn is_castling(self) -> bool {
        self.kind_bits() == MoveKind::Castling as u8
    }

    /// Is it a capture en passant?
    #[inline]
    pub const fn is_en_passant(self) -> bool {
        self.kind_bits() == MoveKind::EnPassant as u8
    }

    /// What the pawn becomes, if it does.
    #[inline]
    pub const fn promotion(self) -> Option<PieceType> {
        if self.is_promotion() {
            Some(PieceType::ALL[PieceType::Knight as usize + (self.kind_bits() & 3) as usize])
        } else {
            None
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}:{:?}", self.from(), self.to(), self.kind())
    }
}

/// Room for the moves of any position that [`crate::Position`] accepts.
///
/// The most that legal play allows is 218, and the most found in a composed position of 32 men is 266.
/// No position can have more than 442, as `tests/many_moves.rs` reckons.
pub const MAX_MOVES: usize = 512;

/// A list of moves on the stack; it reads as a slice.
#[derive(Clone)]
pub struct MoveList {
    /// The first `len` are there; to fill the others would take as long as to make the moves.
    moves: [MaybeUninit<Move>; MAX_MOVES],
    len: usize,
}

impl MoveList {
    /// An empty list.
    #[inline]
    pub const fn new() -> Self {
        // As a constant, or the compiler fills it all the same.
        Self { moves: [const { MaybeUninit::uninit() }; MAX_MOVES], len: 0 }
    }

    #[inline]
    pub(crate) fn push(&mut self, mv: Move) {
        self.moves[self.len].write(mv);
        self.len += 1;
    }
}

impl Default for MoveList {
    fn default() -> Self {
        Self::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    #[allow(unsafe_code, reason = "a list that is not filled before it is used")]
    fn deref(&self) -> &[Move] {
        // SAFETY: `push` has written the first `len` moves, and none beyond the array.
        unsafe { std::slice::from_raw_parts(self.moves.as_ptr().cast(), self.len) }
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
