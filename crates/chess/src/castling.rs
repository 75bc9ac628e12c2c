//! Rights to castle, in standard chess, Chess960 and double Chess960 alike.

use crate::{Bitboard, Color, File, Rank, Square};

/// Towards the H file or towards the A file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Wing {
    /// The king ends on the G file.
    King,
    /// The king ends on the C file.
    Queen,
}

impl Wing {
    /// Both wings, the king's first.
    pub const ALL: [Self; 2] = [Self::King, Self::Queen];

    /// The wing that a rook on `rook` serves for a king on `king`.
    #[inline]
    pub fn of(king: Square, rook: Square) -> Self {
        if rook > king { Self::King } else { Self::Queen }
    }

    /// Where the king of this colour ends.
    #[inline]
    pub fn king_to(self, color: Color) -> Square {
        let file = if self == Self::King { File::G } else { File::C };
        Square::from_parts(file, color.rank(Rank::First))
    }

    /// Where the rook of this colour ends.
    #[inline]
    pub fn rook_to(self, color: Color) -> Square {
        let file = if self == Self::King { File::F } else { File::D };
        Square::from_parts(file, color.rank(Rank::First))
    }
}

/// Who may still castle with which rook. The king of a right stands on its first rank, and the
/// rook on the same rank, on the right's own side of it.
///
/// ```
/// use chess::{Color, Position, Square, Wing};
/// let pos = Position::from_fen("4k3/8/8/8/8/8/8/4K1R1 w G - 0 1").unwrap();
/// assert_eq!(pos.castling().rook(Color::White, Wing::King), Some(Square::G1));
/// assert!(!pos.castling().any_of(Color::Black));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CastlingRights {
    rooks: [[Option<Square>; 2]; 2],
    /// The squares that end a right when a move leaves or enters them: one test a move instead of four.
    pub(crate) watched: Bitboard,
}

impl CastlingRights {
    /// The rook that the right is about, if the right is there.
    #[inline]
    pub fn rook(&self, color: Color, wing: Wing) -> Option<Square> {
        self.rooks[color.index()][wing as usize]
    }

    /// Is there any right at all?
    #[inline]
    pub fn any(&self) -> bool {
        self.watched.any()
    }

    /// Has this colour a right?
    #[inline]
    pub fn any_of(&self, color: Color) -> bool {
        self.rooks[color.index()] != [None; 2]
    }

    pub(crate) fn grant(&mut self, king: Square, color: Color, rook: Square) {
        self.rooks[color.index()][Wing::of(king, rook) as usize] = Some(rook);
        self.watched |= Bitboard::of(king) | rook;
    }

    /// Ends all rights that need a piece on one of these squares; `kings` are the two kings' squares.
    pub(crate) fn revoke(&mut self, touched: Bitboard, kings: [Square; 2]) {
        self.watched = Bitboard::EMPTY;
        for color in Color::ALL {
            let king = kings[color.index()];
            for right in &mut self.rooks[color.index()] {
                if let Some(rook) = *right {
                    if touched.has(rook) || touched.has(king) {
                        *right = None;
                    } else {
                        self.watched |= Bitboard::of(king) | rook;
                    }
                }
            }
        }
    }
}
