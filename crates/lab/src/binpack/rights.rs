//! Rights to castle as the format has them.

use chess::{Bitboard, Color, File, Move, PieceType, Position, Rank, Square, Wing};

/// The rooks that may castle: those of the corners, with a king that is taken to stand on the E file.
///
/// Data of Chess960 may have such a right where the king stands elsewhere. It cannot be used, but it counts when the
/// moves of a king are numbered, so that it has to be followed beside those of the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Rights(Bitboard);

/// The home of the kings.
pub(super) fn king_home(color: Color) -> Square {
    Square::from_parts(File::E, color.rank(Rank::First))
}

/// The corner of a wing.
pub(super) fn corner(color: Color, wing: Wing) -> Square {
    let file = if wing == Wing::King { File::H } else { File::A };
    Square::from_parts(file, color.rank(Rank::First))
}

impl Rights {
    /// The rights of a position without those that only Chess960 knows.
    pub(super) fn of(position: &Position) -> Self {
        let mut rights = Self::default();
        for color in Color::ALL.into_iter().filter(|&color| position.king(color) == king_home(color)) {
            for wing in Wing::ALL {
                if position.castling().rook(color, wing) == Some(corner(color, wing)) {
                    rights.grant(corner(color, wing));
                }
            }
        }
        rights
    }

    /// Gives a right; the square must be a corner.
    pub(super) fn grant(&mut self, corner: Square) {
        self.0 |= corner;
    }

    /// Is there this right?
    pub(super) fn has(self, color: Color, wing: Wing) -> bool {
        self.0.has(corner(color, wing))
    }

    /// How many rights a colour has.
    #[inline]
    pub(super) fn count(self, color: Color) -> usize {
        (self.0 & Bitboard::rank(color.rank(Rank::First))).count()
    }

    /// What a move of the position leaves, which is to be played yet.
    #[inline]
    pub(super) fn after(self, position: &Position, mv: Move) -> Self {
        if self.0.is_empty() {
            return self;
        }
        let us = position.side_to_move();
        let kind = |sq| position.piece_on(sq).map(chess::Piece::kind);
        let mut rights = self;
        if matches!(kind(mv.from()), Some(PieceType::King | PieceType::Rook)) {
            rights = rights.without(us, mv);
        }
        if !mv.is_castling() && kind(mv.to()) == Some(PieceType::Rook) {
            rights = rights.without(!us, mv);
        }
        rights
    }

    /// Ends the rights of a colour that need a man where the move begins or ends.
    fn without(self, color: Color, mv: Move) -> Self {
        let touched = Bitboard::of(mv.from()) | mv.to();
        let home = Bitboard::rank(color.rank(Rank::First));
        Self(self.0 & !if touched.has(king_home(color)) { home } else { touched & home })
    }
}
