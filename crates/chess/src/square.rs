//! Squares, files and ranks, and the two colours that look at them.

use std::fmt;
use std::ops::Not;
use std::str::FromStr;

/// White or Black.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Color {
    /// The side that moves first.
    White,
    /// The other side.
    Black,
}

impl Color {
    /// Both colours, White first.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// 0 for White, 1 for Black.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The first rank as this colour counts: rank 1 for White, rank 8 for Black.
    #[inline]
    pub const fn rank(self, relative: Rank) -> Rank {
        match self {
            Self::White => relative,
            Self::Black => relative.mirror(),
        }
    }
}

impl Not for Color {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::White => "White",
            Self::Black => "Black",
        })
    }
}

macro_rules! line {
    ($(#[$doc:meta])* $name:ident { $($variant:ident),* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        #[repr(u8)]
        #[allow(missing_docs, reason = "the variants are their own names")]
        pub enum $name { $($variant),* }

        impl $name {
            /// All eight, in ascending order.
            pub const ALL: [Self; 8] = [$(Self::$variant),*];

            /// 0 to 7.
            #[inline]
            pub const fn index(self) -> usize {
                self as usize
            }

            /// The one with this index; the index must be below 8.
            #[inline]
            pub const fn new(index: usize) -> Self {
                Self::ALL[index]
            }

            /// The one at the other end: the first becomes the last.
            #[inline]
            pub const fn mirror(self) -> Self {
                Self::ALL[7 - self as usize]
            }
        }
    };
}

line! {
    /// A column of the board.
    File { A, B, C, D, E, F, G, H }
}

line! {
    /// A row of the board, as White counts.
    Rank { First, Second, Third, Fourth, Fifth, Sixth, Seventh, Eighth }
}

impl File {
    /// The lower-case letter of the file.
    pub const fn letter(self) -> char {
        (b'a' + self as u8) as char
    }
}

impl Rank {
    /// The digit of the rank.
    pub const fn digit(self) -> char {
        (b'1' + self as u8) as char
    }
}

macro_rules! squares {
    ($($name:ident)*) => {
        /// One of the 64 squares, A1 = 0, B1 = 1, ... H8 = 63.
        ///
        /// ```
        /// use chess::{Color, File, Rank, Square};
        /// let e4: Square = "e4".parse().unwrap();
        /// assert_eq!(e4, Square::from_parts(File::E, Rank::Fourth));
        /// assert_eq!(e4.relative_to(Color::Black), Square::E5);
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        #[repr(u8)]
        #[allow(missing_docs, reason = "the variants are their own names")]
        pub enum Square { $($name),* }

        impl Square {
            /// All squares from A1 to H8.
            pub const ALL: [Self; 64] = [$(Self::$name),*];

            /// The square with this index; only the low six bits count, so that no index is out of range.
            #[inline]
            pub const fn new(index: usize) -> Self {
                // The compiler sees that this is the number itself; a look-up in `ALL` it would do.
                $(const $name: usize = Square::$name as usize;)*
                match index & 63 {
                    $($name => Self::$name,)*
                    _ => unreachable!(),
                }
            }
        }
    };
}

squares! {
    A1 B1 C1 D1 E1 F1 G1 H1
    A2 B2 C2 D2 E2 F2 G2 H2
    A3 B3 C3 D3 E3 F3 G3 H3
    A4 B4 C4 D4 E4 F4 G4 H4
    A5 B5 C5 D5 E5 F5 G5 H5
    A6 B6 C6 D6 E6 F6 G6 H6
    A7 B7 C7 D7 E7 F7 G7 H7
    A8 B8 C8 D8 E8 F8 G8 H8
}

const _: () = assert!(size_of::<Option<Square>>() == 1);

impl Square {
    /// The crossing of a file and a rank.
    #[inline]
    pub const fn from_parts(file: File, rank: Rank) -> Self {
        Self::new(rank.index() * 8 + file.index())
    }

    /// 0 to 63.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The column this square is in.
    #[inline]
    pub const fn file(self) -> File {
        File::new(self as usize & 7)
    }

    /// The row this square is in.
    #[inline]
    pub const fn rank(self) -> Rank {
        Rank::new(self as usize >> 3)
    }

    /// The square as `color` sees it: unchanged for White, upside down for Black.
    #[inline]
    pub const fn relative_to(self, color: Color) -> Self {
        match color {
            Color::White => self,
            Color::Black => self.flip(),
        }
    }

    /// Upside down: A1 becomes A8.
    #[inline]
    pub const fn flip(self) -> Self {
        Self::new(self as usize ^ 56)
    }

    /// Left to right: A1 becomes H1.
    #[inline]
    pub const fn mirror(self) -> Self {
        Self::new(self as usize ^ 7)
    }

    /// One step forward as `color` moves, wrapping at the edge; for squares that have a square ahead.
    #[inline]
    pub const fn ahead(self, color: Color) -> Self {
        match color {
            Color::White => Self::new(self as usize + 8),
            Color::Black => Self::new(self as usize + 56),
        }
    }

    /// One step back as `color` moves; see [`Square::ahead`].
    #[inline]
    pub const fn behind(self, color: Color) -> Self {
        match color {
            Color::White => self.ahead(Color::Black),
            Color::Black => self.ahead(Color::White),
        }
    }

    /// True for the light squares: H1 is one.
    pub const fn is_light(self) -> bool {
        (self.file().index() + self.rank().index()) % 2 == 1
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file().letter(), self.rank().digit())
    }
}

/// The text is not a square such as `e4`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseSquareError;

impl fmt::Display for ParseSquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a square")
    }
}

impl std::error::Error for ParseSquareError {}

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Self, ParseSquareError> {
        match *text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
                Ok(Self::new(usize::from(rank - b'1') * 8 + usize::from(file - b'a')))
            }
            _ => Err(ParseSquareError),
        }
    }
}
