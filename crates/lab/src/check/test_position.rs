//! Positions for the checks: the command that sets them up, and the board that answers are checked against.

use chess::{KeyHistory, Position};
use uci::UciMove;

use super::rule::{Finding, fail};

/// The start position.
pub(super) const STARTPOS: &str = "startpos";
/// A middle game with much to calculate.
pub(super) const MIDDLE_GAME: &str = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 9";
/// White mates with `a1a8` at once.
pub(super) const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
/// White mates in two moves and no faster (both rooks are needed).
pub(super) const MATE_IN_TWO: &str = "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1";
/// White mates in three moves and no faster, beginning with a quiet move.
pub(super) const MATE_IN_THREE: &str = "3K4/k7/8/8/2R5/8/8/8 w - - 0 1";
/// Black has one legal move and is mated after it.
pub(super) const MATED_IN_ONE: &str = "7k/R7/8/8/8/8/8/1R4K1 b - - 0 1";
/// White is to move and has only one legal move.
pub(super) const ONE_REPLY: &str = "8/8/8/8/8/1r6/8/K1k4r w - - 0 1";
/// Black is checkmated.
pub(super) const CHECKMATED: &str = "R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 1 1";
/// Black is stalemated.
pub(super) const STALEMATED: &str = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";

/// A position with the command that sets it up.
pub(super) struct TestPosition {
    command: String,
    pub(super) position: Position,
    history: KeyHistory,
}

impl TestPosition {
    /// A position of this list: a FEN or `startpos`.
    pub(super) fn new(start: &str) -> Self {
        Self::after(start, "")
    }

    /// A position and moves from it, separated by spaces; all are constants of the checks and legal, as a test asserts.
    pub(super) fn after(start: &str, moves: &str) -> Self {
        let mut position = if start == STARTPOS {
            Position::startpos()
        } else {
            Position::from_fen(start).unwrap_or(Position::startpos())
        };
        let mut history = KeyHistory::new();
        let mut command =
            if start == STARTPOS { "position startpos".to_owned() } else { format!("position fen {start}") };
        if !moves.is_empty() {
            command.push_str(" moves ");
            command.push_str(moves);
        }
        for text in moves.split_whitespace() {
            if let Ok(mv) = position.parse_uci_move(text) {
                history.push(&position);
                position.play(mv);
            }
        }
        Self { command, position, history }
    }

    /// The `position` command.
    pub(super) fn command(&self) -> &str {
        &self.command
    }

    /// Fails unless the text is a legal move here.
    pub(super) fn expect_legal(&self, mv: &str) -> Result<chess::Move, Finding> {
        self.position
            .parse_uci_move(mv)
            .or_else(|error| fail(format!("'{mv}' after '{}': {error}", self.command)))
    }

    /// Fails unless the moves can be played one after the other.
    pub(super) fn expect_line(&self, line: &[UciMove]) -> Result<(), Finding> {
        let mut position = self.position;
        for (index, mv) in line.iter().enumerate() {
            match position.parse_uci_move(mv.as_str()) {
                Ok(mv) => position.play(mv),
                Err(error) => return fail(format!("move {} of the pv, '{mv}': {error}", index + 1)),
            }
        }
        Ok(())
    }

    /// How many moves of the line are played before the game is over by mate, stalemate, threefold repetition, the
    /// fifty-move rule or lack of material; `None` if it is not over within the line.
    pub(super) fn end_within(&self, line: &[UciMove]) -> Option<usize> {
        let mut position = self.position;
        let mut history = self.history.clone();
        for (index, mv) in line.iter().enumerate() {
            history.push(&position);
            position.play(position.parse_uci_move(mv.as_str()).ok()?);
            if position.game_end(&history).is_some() {
                return Some(index + 1);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_positions_are_what_they_say() {
        let legal = |fen: &str| TestPosition::new(fen).position.legal_moves().len();
        assert_eq!(TestPosition::new(MATE_IN_ONE).position.to_string(), MATE_IN_ONE);
        assert_eq!(
            (legal(CHECKMATED), legal(STALEMATED), legal(ONE_REPLY), legal(MATED_IN_ONE)),
            (0, 0, 1, 1)
        );
        assert!(
            TestPosition::new(CHECKMATED).position.in_check()
                && !TestPosition::new(STALEMATED).position.in_check()
        );
        let mates = |position: &Position| {
            let moves = position.legal_moves();
            let mate = |mv: &chess::Move| {
                let after = position.after(*mv);
                after.in_check() && !after.has_legal_move()
            };
            moves.iter().filter(|mv| mate(mv)).count()
        };
        assert_eq!(mates(&TestPosition::new(MATE_IN_ONE).position), 1);
        let two = TestPosition::new(MATE_IN_TWO).position;
        assert_eq!(mates(&two), 0);
        let forces = |mv: &chess::Move| {
            let after = two.after(*mv);
            let replies = after.legal_moves();
            !replies.is_empty() && replies.iter().all(|reply| mates(&after.after(*reply)) > 0)
        };
        assert!(two.legal_moves().iter().any(forces));
        let mated = TestPosition::new(MATED_IN_ONE).position;
        assert!(mated.legal_moves().iter().all(|mv| mates(&mated.after(*mv)) > 0));
    }
}
