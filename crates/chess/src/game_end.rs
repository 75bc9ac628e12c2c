//! The end of a game by the rules.

use crate::position::Position;
use crate::repetition::KeyHistory;

/// Plies without a capture or a pawn move after which a game is drawn by the fifty-move rule.
pub const FIFTY_MOVES: u16 = 100;

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameEnd {
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// Neither side can ever give mate ([`Position::is_dead`]).
    DeadPosition,
    /// Fifty moves of both sides without a capture or a pawn move.
    FiftyMoves,
    /// The position is on the board for the third time.
    Repetition,
}

impl Position {
    /// Is the game drawn by the fifty-move rule? A mate with the last of these moves counts before the rule.
    ///
    /// ```
    /// use chess::Position;
    /// let is_drawn = |fen| Position::from_fen(fen).unwrap().is_fifty_move_draw();
    /// assert!(is_drawn("7k/8/6K1/8/8/8/8/R7 b - - 100 90"));
    /// assert!(!is_drawn("R6k/8/6K1/8/8/8/8/8 b - - 100 90"));
    /// ```
    #[inline]
    pub fn is_fifty_move_draw(&self) -> bool {
        self.halfmove_clock() >= FIFTY_MOVES && (!self.in_check() || self.has_legal_move())
    }

    /// Why the game is over in this position, with the positions before it in `history`; `None` while it goes on.
    ///
    /// ```
    /// use chess::{GameEnd, KeyHistory, Position};
    /// let pos = Position::from_fen("R6k/8/6K1/8/8/8/8/8 b - - 100 90").unwrap();
    /// assert_eq!(pos.game_end(&KeyHistory::new()), Some(GameEnd::Checkmate));
    /// assert_eq!(Position::startpos().game_end(&KeyHistory::new()), None);
    /// ```
    pub fn game_end(&self, history: &KeyHistory) -> Option<GameEnd> {
        if !self.has_legal_move() {
            Some(if self.in_check() { GameEnd::Checkmate } else { GameEnd::Stalemate })
        } else if self.is_dead() {
            Some(GameEnd::DeadPosition)
        } else if self.is_fifty_move_draw() {
            Some(GameEnd::FiftyMoves)
        } else if history.occurrences(self) >= 2 {
            Some(GameEnd::Repetition)
        } else {
            None
        }
    }
}
