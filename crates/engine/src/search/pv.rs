//! The principal variations of all plies of the present line.

use chess::{Move, MoveKind, Square};

use crate::value::MAX_PLY;

const FILLER: Move = Move::new(Square::A1, Square::B1, MoveKind::Quiet);

/// The triangular PV table: the line of each ply is its move followed by the line of the next ply.
pub(crate) struct PvTable {
    moves: Box<[[Move; MAX_PLY + 1]]>,
    lengths: [usize; MAX_PLY + 2],
}

impl PvTable {
    pub(crate) fn new() -> Self {
        Self { moves: vec![[FILLER; MAX_PLY + 1]; MAX_PLY + 2].into_boxed_slice(), lengths: [0; MAX_PLY + 2] }
    }

    /// No line is known at any ply.
    pub(crate) fn reset(&mut self) {
        self.lengths.fill(0);
    }

    /// No line is known at this ply.
    #[inline]
    pub(crate) fn clear(&mut self, ply: usize) {
        self.lengths[ply] = 0;
    }

    /// The line of this ply is now the move and the line of the next ply.
    pub(crate) fn set(&mut self, ply: usize, mv: Move) {
        let (above, below) = self.moves.split_at_mut(ply + 1);
        let tail = self.lengths[ply + 1].min(MAX_PLY);
        above[ply][0] = mv;
        above[ply][1..=tail].copy_from_slice(&below[0][..tail]);
        self.lengths[ply] = tail + 1;
    }

    pub(crate) fn line(&self, ply: usize) -> &[Move] {
        &self.moves[ply][..self.lengths[ply]]
    }
}
