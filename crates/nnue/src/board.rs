//! The board as the network sees it, and the changes of a move.

use chess::{Bitboard, Color, Observer, Piece, PieceType, Position, Square};

use crate::features::View;

/// The piece index of an empty square.
pub const NOBODY: u8 = 12;

/// A position as the network sees it. No square holds two pieces.
pub trait Board {
    /// The squares of this piece.
    fn pieces(&self, piece: Piece) -> Bitboard;

    /// Who is to move.
    fn side_to_move(&self) -> Color;

    /// The piece on a square.
    #[inline]
    fn piece_on(&self, square: Square) -> Option<Piece> {
        Piece::ALL.into_iter().find(|&piece| self.pieces(piece).has(square))
    }

    /// The index of the piece on each square, and [`NOBODY`] on the others.
    #[inline]
    fn men(&self) -> [u8; 64] {
        let mut men = [NOBODY; 64];
        for piece in Piece::ALL {
            for square in self.pieces(piece) {
                men[square.index()] = piece.index() as u8;
            }
        }
        men
    }

    /// Where the king of this colour stands; A1 where there is none.
    #[inline]
    fn king(&self, color: Color) -> Square {
        self.pieces(Piece::new(color, PieceType::King)).first().unwrap_or(Square::A1)
    }

    /// All the squares with a piece.
    #[inline]
    fn occupied(&self) -> Bitboard {
        Piece::ALL.into_iter().fold(Bitboard::EMPTY, |all, piece| all | self.pieces(piece))
    }
}

impl Board for Position {
    #[inline]
    fn pieces(&self, piece: Piece) -> Bitboard {
        self.pieces(piece.color(), piece.kind())
    }

    #[inline]
    fn side_to_move(&self) -> Color {
        self.side_to_move()
    }

    #[inline]
    fn piece_on(&self, square: Square) -> Option<Piece> {
        self.piece_on(square)
    }

    #[inline]
    fn men(&self) -> [u8; 64] {
        self.board().map(|man| man.map_or(NOBODY, |piece| piece.index() as u8))
    }

    #[inline]
    fn king(&self, color: Color) -> Square {
        self.king(color)
    }

    #[inline]
    fn occupied(&self) -> Bitboard {
        self.occupied()
    }
}

/// Pieces on squares and nothing more: any arrangement, whether chess allows it or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placement {
    pieces: [Bitboard; 12],
    /// Who is to move.
    pub side_to_move: Color,
}

impl Placement {
    /// An empty board with White to move.
    pub const EMPTY: Self = Self { pieces: [Bitboard::EMPTY; 12], side_to_move: Color::White };

    /// The pieces of a board.
    pub fn of(board: &impl Board) -> Self {
        Self { pieces: Piece::ALL.map(|piece| board.pieces(piece)), side_to_move: board.side_to_move() }
    }

    /// These pieces, by [`Piece::index`], with White to move.
    pub(crate) const fn of_pieces(pieces: [Bitboard; 12]) -> Self {
        Self { pieces, side_to_move: Color::White }
    }

    /// Adds a piece.
    #[inline]
    pub fn put(&mut self, piece: Piece, square: Square) {
        self.pieces[piece.index()] |= square;
    }

    /// Removes a piece.
    #[inline]
    pub fn take(&mut self, piece: Piece, square: Square) {
        self.pieces[piece.index()] &= !Bitboard::of(square);
    }
}

impl Board for Placement {
    #[inline]
    fn pieces(&self, piece: Piece) -> Bitboard {
        self.pieces[piece.index()]
    }

    #[inline]
    fn side_to_move(&self) -> Color {
        self.side_to_move
    }
}

/// A short list: pieces on squares, inputs of one side, threats; no more than there is room for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct List<T, const N: usize> {
    pub(crate) items: [T; N],
    pub(crate) length: u16,
}

impl<T: Copy, const N: usize> List<T, N> {
    pub(crate) const fn new(filler: T) -> Self {
        Self { items: [filler; N], length: 0 }
    }

    #[inline]
    pub(crate) fn push(&mut self, item: T) {
        self.items[usize::from(self.length)] = item;
        self.length += 1;
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[T] {
        &self.items[..usize::from(self.length)]
    }
}

/// The pieces that one move takes from squares and puts on squares.
#[derive(Clone, Copy, Debug)]
pub struct Changes {
    added: Pieces,
    removed: Pieces,
}

type Pieces = List<(Piece, Square), { Changes::CAPACITY }>;

impl Changes {
    /// How many pieces may arrive, and how many leave. Castling moves two pieces and a capture takes two, so
    /// no move needs more than three even if a promotion is seen as a pawn that arrives and leaves.
    pub(crate) const CAPACITY: usize = 4;

    /// No change, as in a null move.
    pub const NONE: Self = Self {
        added: List::new((Piece::WhitePawn, Square::A1)),
        removed: List::new((Piece::WhitePawn, Square::A1)),
    };

    /// A piece arrived on a square.
    ///
    /// # Panics
    /// At the fifth piece of one move; castling, which puts the most, puts two.
    #[inline]
    pub fn put(&mut self, piece: Piece, square: Square) {
        self.added.push((piece, square));
    }

    /// A piece left a square.
    ///
    /// # Panics
    /// At the fifth piece of one move; no move takes more than two.
    #[inline]
    pub fn take(&mut self, piece: Piece, square: Square) {
        self.removed.push((piece, square));
    }

    /// The pieces that arrived.
    #[inline]
    pub fn added(&self) -> &[(Piece, Square)] {
        self.added.as_slice()
    }

    /// The pieces that left.
    #[inline]
    pub fn removed(&self) -> &[(Piece, Square)] {
        self.removed.as_slice()
    }

    /// The inputs of a view that arrived, and those that left, written where there is room for them.
    #[inline]
    pub(crate) fn features<'a>(
        &self,
        view: View,
        room: &'a mut [[u16; Self::CAPACITY]; 2],
    ) -> (&'a [u16], &'a [u16]) {
        let [added, removed] = room;
        for (feature, &(piece, square)) in added.iter_mut().zip(self.added()) {
            *feature = view.feature(piece, square) as u16;
        }
        for (feature, &(piece, square)) in removed.iter_mut().zip(self.removed()) {
            *feature = view.feature(piece, square) as u16;
        }
        (&added[..self.added().len()], &removed[..self.removed().len()])
    }

    /// Forgets all changes.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.added.length = 0;
        self.removed.length = 0;
    }

    /// Did nothing change?
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.added.length == 0 && self.removed.length == 0
    }
}

impl Observer for Changes {
    #[inline]
    fn take(&mut self, piece: Piece, sq: Square) {
        self.take(piece, sq);
    }

    #[inline]
    fn put(&mut self, piece: Piece, sq: Square) {
        self.put(piece, sq);
    }
}

impl Default for Changes {
    fn default() -> Self {
        Self::NONE
    }
}
