//! The position that the client has set up, with the game that led to it.

use std::fmt;

use chess::{FenError, Mend, Move, ParseMoveError, Piece, Position, Setup, Square};
use uci::Start;

/// A report repeats at most this many characters of a move.
const SHOWN: usize = 20;

/// A game: where it started, what was played, and where that led.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    start: Position,
    moves: Vec<Move>,
    current: Position,
}

/// Why a position could not be set up; the one before stays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum BoardError {
    /// The FEN describes no position.
    Fen(FenError),
    /// A word of the move list is no legal move.
    Move {
        /// Its place in the list, from 1.
        number: usize,
        /// The word.
        text: String,
        /// What is wrong with it.
        error: ParseMoveError,
    },
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fen(error) => write!(f, "bad FEN, {error}; the position stays as it was"),
            Self::Move { number, text, error } => {
                write!(f, "move {number} '{text}' is {error}; the position stays as it was")
            }
        }
    }
}

impl std::error::Error for BoardError {}

impl From<Position> for Board {
    fn from(start: Position) -> Self {
        Self { start, moves: Vec::new(), current: start }
    }
}

impl Default for Board {
    fn default() -> Self {
        Position::startpos().into()
    }
}

impl Board {
    /// Sets up what the client describes, and tells what had to be mended.
    pub(crate) fn set_up(start: &Start, moves: &[String]) -> Result<(Self, Vec<Mend>), BoardError> {
        let (start, mends) = match start {
            Start::Startpos => (Position::startpos(), Vec::new()),
            Start::Fen(fen) => Position::from_fen_noting(fen).map_err(BoardError::Fen)?,
        };
        let mut board = Self::from(start);
        for (index, text) in moves.iter().enumerate() {
            let mv = board.current.parse_uci_move(text).map_err(|error| BoardError::Move {
                number: index + 1,
                text: text.chars().take(SHOWN).collect(),
                error,
            })?;
            board.moves.push(mv);
            board.current.play(mv);
        }
        Ok((board, mends))
    }

    /// Where the game started.
    pub(crate) fn start(&self) -> &Position {
        &self.start
    }

    /// What was played since.
    pub(crate) fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The position now.
    pub(crate) fn current(&self) -> &Position {
        &self.current
    }

    /// Exchanges the colours: the same chess, seen from the other side of the board.
    pub(crate) fn flip(&mut self) {
        let setup = Setup::from(&self.current);
        let swapped = |piece: Piece| Piece::new(!piece.color(), piece.kind());
        let flipped = Setup {
            board: Square::ALL.map(|sq| setup.board[sq.flip().index()].map(swapped)),
            side_to_move: !setup.side_to_move,
            castling: setup.castling.into_iter().map(|(color, rook)| (!color, rook)).collect(),
            en_passant: setup.en_passant.map(Square::flip),
            ..setup
        };
        if let Ok((position, _)) = flipped.position() {
            *self = position.into();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flipping_twice_changes_nothing() {
        let fen = "r3k2r/pp3ppp/8/3pP3/8/2N5/PPP2PPP/R3K2R w KQkq d6 0 1";
        let (mut board, mends) = Board::set_up(&Start::Fen(fen.to_owned()), &[]).unwrap();
        assert_eq!(mends, []);
        board.flip();
        assert_eq!(board.current().to_string(), "r3k2r/ppp2ppp/2n5/8/3Pp3/8/PP3PPP/R3K2R b KQkq d3 0 1");
        board.flip();
        assert_eq!(board.current().to_string(), fen);
    }

    #[test]
    fn a_bad_move_is_named() {
        let moves = ["e2e4", "e7e4"].map(str::to_owned);
        let error = Board::set_up(&Start::Startpos, &moves).unwrap_err();
        assert_eq!(error.to_string(), "move 2 'e7e4' is not a legal move; the position stays as it was");
    }
}
