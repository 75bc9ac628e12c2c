//! What a file tells of a position.

use std::fmt;

use chess::{CastlingNotation, Move, Position};

/// A position with its labels.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) position: Position,
    /// The legal move that was played; the last position of a game may have none.
    pub(crate) mv: Option<Move>,
    /// From the side to move.
    pub(crate) score: i16,
    /// Plies since the start of the game. It need not agree with the position's own count, which it sets at the start
    /// of a chain: there it is rounded down to a whole move.
    pub(crate) ply: u16,
    /// 1, 0 or -1: what the side to move made of the game.
    pub(crate) result: i8,
}

impl Entry {
    /// Is the other entry the next one of the same game?
    pub(super) fn is_followed_by(&self, next: &Self) -> bool {
        self.result == -next.result
            && self.ply.checked_add(1) == Some(next.ply)
            && self.mv.is_some_and(|mv| same_fen(&self.position.after(mv), &next.position))
    }
}

/// Would the two have the same FEN? Positions differ by more than that: by how far back a repetition can lie.
fn same_fen(a: &Position, b: &Position) -> bool {
    a.board() == b.board()
        && a.side_to_move() == b.side_to_move()
        && a.castling() == b.castling()
        && a.en_passant() == b.en_passant()
        && a.halfmove_clock() == b.halfmove_clock()
        && a.fullmove_number() == b.fullmove_number()
}

/// FEN, move, score, ply and result.
impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { position, mv, score, ply, result } = self;
        // The null move of UCI.
        let mv = mv.map_or_else(|| "0000".to_owned(), |mv| position.uci_move(mv, CastlingNotation::KingMove));
        write!(f, "{position} {mv} {score} {ply} {result}")
    }
}
