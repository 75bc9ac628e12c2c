//! The game of a `position` command: start position and moves.

use std::fmt;

use chess::{FenError, KeyHistory, Mend, Move, ParseMoveError, Piece, Position, Setup, Square};
use uci::Start;

/// An error message repeats at most this many characters of a move.
const SHOWN: usize = 20;

/// A game: its start position, the moves played and the current position.
#[derive(Clone, Debug)]
pub struct Game {
    start: Position,
    moves: Vec<Move>,
    current: Position,
    /// The positions before the current one.
    history: KeyHistory,
    /// The command that described it, if there was one: the next command mostly has a move or two more.
    described: Option<Description>,
}

/// The arguments of a `position` command.
#[derive(Clone, Debug)]
struct Description {
    start: Start,
    /// What was corrected in the FEN.
    mends: Vec<Mend>,
    moves: Vec<String>,
}

/// Why a position could not be set up; the previous one stays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GameError {
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

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fen(error) => write!(f, "bad FEN, {error}; the position stays as it was"),
            Self::Move { number, text, error } => {
                write!(f, "move {number} '{text}' is {error}; the position stays as it was")
            }
        }
    }
}

impl std::error::Error for GameError {}

impl From<Position> for Game {
    fn from(start: Position) -> Self {
        Self { start, moves: Vec::new(), current: start, history: KeyHistory::new(), described: None }
    }
}

impl Default for Game {
    fn default() -> Self {
        Position::startpos().into()
    }
}

impl Game {
    /// Sets up the game of a `position` command and returns what was corrected in its FEN. Moves that are the same as
    /// those of the previous command are not parsed again, and if the new moves only extend the old ones, not replayed
    /// either. On an error the game stays as it was.
    pub fn set_up(&mut self, start: Start, moves: Vec<String>) -> Result<&[Mend], GameError> {
        let (mut game, mends, kept) = match &self.described {
            Some(old) if old.start == start => {
                let kept = old.moves.iter().zip(&moves).take_while(|(old, new)| old == new).count();
                (self.after(kept), old.mends.clone(), kept)
            }
            _ => {
                let (position, mends) = match &start {
                    Start::Startpos => (Position::startpos(), Vec::new()),
                    Start::Fen(fen) => Position::from_fen_noting(fen).map_err(GameError::Fen)?,
                };
                (Self::from(position), mends, 0)
            }
        };
        for (index, text) in moves.iter().enumerate().skip(kept) {
            let mv = game.current.parse_uci_move(text).map_err(|error| GameError::Move {
                number: index + 1,
                text: text.chars().take(SHOWN).collect(),
                error,
            })?;
            game.play(mv);
        }
        *self = game;
        Ok(&self.described.insert(Description { start, mends, moves }).mends)
    }

    fn play(&mut self, mv: Move) {
        self.moves.push(mv);
        self.history.push(&self.current);
        self.current.play(mv);
    }

    /// The game after its first `moves` moves.
    fn after(&self, moves: usize) -> Self {
        if moves == self.moves.len() {
            return Self { described: None, ..self.clone() };
        }
        let mut game = Self::from(self.start);
        self.moves[..moves].iter().for_each(|&mv| game.play(mv));
        game
    }

    /// The start position.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The moves played.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The last move.
    pub fn last_move(&self) -> Option<Move> {
        self.moves.last().copied()
    }

    /// The positions before the current one.
    pub fn history(&self) -> &KeyHistory {
        &self.history
    }

    /// The current position.
    pub fn current(&self) -> &Position {
        &self.current
    }

    /// Swaps the colours and mirrors the board vertically.
    pub fn flip(&mut self) {
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
        let mut game = Game::default();
        assert_eq!(game.set_up(Start::Fen(fen.to_owned()), vec![]), Ok(&[][..]));
        game.flip();
        assert_eq!(game.current().to_string(), "r3k2r/ppp2ppp/2n5/8/3Pp3/8/PP3PPP/R3K2R b KQkq d3 0 1");
        game.flip();
        assert_eq!(game.current().to_string(), fen);
    }

    #[test]
    fn a_bad_move_is_named() {
        let moves = ["e2e4", "e7e4"].map(str::to_owned);
        let error = Game::default().set_up(Start::Startpos, moves.to_vec()).unwrap_err();
        assert_eq!(error.to_string(), "move 2 'e7e4' is not a legal move; the position stays as it was");
    }

    /// The same command gives the same game, whatever the previous game was.
    #[test]
    fn the_game_before_does_not_matter() {
        let games = [
            "",
            "e2e4 e7e5",
            "e2e4 e7e5 g1f3",
            "e2e4 c7c5",
            "e2e4 c7c5 g1f3 b8c6 f3g1 c6b8 g1f3 b8c6",
            "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8",
            "g1f3 g8f6 f3g1 f6g8",
        ];
        let starts = [Start::Startpos, Start::Fen(format!("{} bm e4;", Position::START_FEN))];
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let mut used = Game::default();
        for start in starts.iter().cycle().take(6) {
            for (first, second) in games.iter().flat_map(|a| games.iter().map(move |b| (a, b))) {
                for text in [first, second] {
                    let mut fresh = Game::default();
                    fresh.set_up(start.clone(), words(text)).unwrap();
                    used.set_up(start.clone(), words(text)).unwrap();
                    assert_eq!(used.current.to_string(), fresh.current.to_string());
                    assert_eq!(used.history.keys(), fresh.history.keys());
                    assert_eq!(used.moves, fresh.moves);
                }
                assert!(used.set_up(start.clone(), words("e2e4 e7e5 e1e3")).is_err());
            }
        }
    }

    #[test]
    fn what_was_mended_is_told_each_time() {
        let start = Start::Fen("4k3/8/8/8/8/8/8/4K2R w KQ - 0 1".to_owned());
        let mut game = Game::default();
        for moves in [vec![], vec!["e1g1".to_owned()]] {
            assert_eq!(game.set_up(start.clone(), moves).unwrap().len(), 1);
        }
        game.flip();
        assert_eq!(game.set_up(start.clone(), vec![]).unwrap().len(), 1);
        assert_eq!(game.current().to_string(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    }
}
