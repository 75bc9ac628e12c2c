//! Sets of squares as 64 bits.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use crate::{Color, File, Rank, Square};

/// A set of squares; bit 0 is A1.
///
/// ```
/// use chess::{Bitboard, Square};
/// let set = Bitboard::from(Square::A1) | Square::H8;
/// assert_eq!(set.count(), 2);
/// assert_eq!(set.into_iter().collect::<Vec<_>>(), [Square::A1, Square::H8]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// Every square.
    pub const FULL: Self = Self(!0);
    /// The dark squares: A1 is one.
    pub const DARK: Self = Self(0xaa55_aa55_aa55_aa55);

    /// The set of one square.
    #[inline]
    pub const fn of(sq: Square) -> Self {
        Self(1 << sq as u64)
    }

    /// The squares of a file.
    #[inline]
    pub const fn file(file: File) -> Self {
        Self(0x0101_0101_0101_0101 << file as u64)
    }

    /// The squares of a rank.
    #[inline]
    pub const fn rank(rank: Rank) -> Self {
        Self(0xff << (8 * rank as u64))
    }

    /// Has it no square?
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Has it any square?
    #[inline]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Has it two squares or more?
    #[inline]
    pub const fn many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// How many squares it has.
    #[inline]
    pub const fn count(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Does it hold this square?
    #[inline]
    pub const fn has(self, sq: Square) -> bool {
        self.0 >> sq as u64 & 1 != 0
    }

    /// Do the two sets share a square?
    #[inline]
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Its lowest square, if it has one.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::new(self.0.trailing_zeros() as usize)) }
    }

    /// Its highest square, if it has one.
    #[inline]
    pub const fn last(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::new(63 - self.0.leading_zeros() as usize)) }
    }

    /// Every square moved one rank forward as `color` moves; what leaves the board is gone.
    #[inline]
    pub const fn ahead(self, color: Color) -> Self {
        match color {
            Color::White => Self(self.0 << 8),
            Color::Black => Self(self.0 >> 8),
        }
    }

    /// Every square moved one file towards H.
    #[inline]
    pub const fn east(self) -> Self {
        Self((self.0 & !Self::file(File::H).0) << 1)
    }

    /// Every square moved one file towards A.
    #[inline]
    pub const fn west(self) -> Self {
        Self((self.0 & !Self::file(File::A).0) >> 1)
    }
}

impl From<Square> for Bitboard {
    #[inline]
    fn from(sq: Square) -> Self {
        Self::of(sq)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, sq| set | sq)
    }
}

macro_rules! operator {
    ($trait:ident $method:ident $assign_trait:ident $assign:ident $op:tt) => {
        impl<T: Into<Bitboard>> $trait<T> for Bitboard {
            type Output = Self;
            #[inline]
            fn $method(self, other: T) -> Self {
                Self(self.0 $op other.into().0)
            }
        }
        impl<T: Into<Bitboard>> $assign_trait<T> for Bitboard {
            #[inline]
            fn $assign(&mut self, other: T) {
                self.0 = self.0 $op other.into().0;
            }
        }
    };
}

operator!(BitAnd bitand BitAndAssign bitand_assign &);
operator!(BitOr bitor BitOrAssign bitor_assign |);
operator!(BitXor bitxor BitXorAssign bitxor_assign ^);

impl Not for Bitboard {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

/// The squares of a set, from A1 to H8.
#[derive(Clone)]
pub struct Squares(u64);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let sq = Bitboard(self.0).first()?;
        self.0 &= self.0 - 1;
        Some(sq)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;
    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self.0)
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}
