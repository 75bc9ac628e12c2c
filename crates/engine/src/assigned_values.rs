//! Values that the user assigns to positions (`UCI_SetPositionValue`): the search returns the assigned value of such a
//! position and does not search it.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use chess::{Color, FenError, Position};

use crate::value::{EVAL_LIMIT, Value};
use crate::wdl;

/// A change of the assigned values.
#[derive(Clone, Debug, PartialEq)]
pub enum Assignment {
    /// The position is worth so many centipawns to White.
    Set(i32, Box<Position>),
    /// The position has no assigned value any more.
    Clear(Box<Position>),
    /// All positions are.
    ClearAll,
}

/// Why the text of a change cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AssignmentError {
    /// It has none of the three forms.
    Form,
    /// The position cannot be read.
    Position(FenError),
}

impl fmt::Display for AssignmentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form => f.write_str("centipawns and a FEN, clear and a FEN, or clearall is wanted"),
            Self::Position(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for AssignmentError {}

impl FromStr for Assignment {
    type Err = AssignmentError;

    fn from_str(text: &str) -> Result<Self, AssignmentError> {
        let (first, rest) = text.trim().split_once(char::is_whitespace).unwrap_or((text.trim(), ""));
        if first.eq_ignore_ascii_case("clearall") && rest.is_empty() {
            return Ok(Self::ClearAll);
        }
        let position = || Position::from_fen(rest.trim()).map(Box::new).map_err(AssignmentError::Position);
        if first.eq_ignore_ascii_case("clear") {
            return Ok(Self::Clear(position()?));
        }
        Ok(Self::Set(first.parse().map_err(|_| AssignmentError::Form)?, position()?))
    }
}

/// The values assigned so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct AssignedValues {
    /// By the key of the position, from the view of its side to move.
    values: HashMap<u64, Value>,
}

impl AssignedValues {
    /// Makes a change.
    pub(crate) fn apply(&mut self, assignment: &Assignment) {
        match assignment {
            Assignment::Set(centipawns, pos) => {
                let value = wdl::value(*centipawns, pos).clamp(-EVAL_LIMIT, EVAL_LIMIT);
                let own = if pos.side_to_move() == Color::White { value } else { -value };
                self.values.insert(pos.key(), own);
            }
            Assignment::Clear(pos) => _ = self.values.remove(&pos.key()),
            Assignment::ClearAll => self.values.clear(),
        }
    }

    /// Was none assigned?
    pub(crate) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The value of a position to its side to move, if one was assigned.
    #[cold]
    pub(crate) fn get(&self, pos: &Position) -> Option<Value> {
        self.values.get(&pos.key()).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

    #[test]
    fn changes_are_read_in_their_three_forms() {
        let pos = Box::new(Position::from_fen(FEN).unwrap());
        assert_eq!(format!("-120 {FEN}").parse(), Ok(Assignment::Set(-120, pos.clone())));
        assert_eq!(format!("+5  {FEN}").parse(), Ok(Assignment::Set(5, pos.clone())));
        assert_eq!(format!("Clear {FEN}").parse(), Ok(Assignment::Clear(pos)));
        assert_eq!("clearall".parse(), Ok(Assignment::ClearAll));
        for text in ["", "clear", "12", "much", "clear 8/8/8/8/8/8/8/8 w - - 0 1", "12 nonsense"] {
            assert!(text.parse::<Assignment>().is_err(), "{text}");
        }
    }

    #[test]
    fn values_are_turned_to_the_side_to_move_and_can_be_cleared() {
        let pos = Position::from_fen(FEN).unwrap();
        let (mut values, other) = (AssignedValues::default(), Position::startpos());
        values.apply(&format!("100 {FEN}").parse().unwrap());
        let value = values.get(&pos).unwrap();
        assert_eq!(wdl::centipawns(value, &pos), -100);
        assert_eq!(values.get(&other), None);
        values.apply(&Assignment::Clear(Box::new(other)));
        assert!(values.get(&pos).is_some());
        values.apply(&Assignment::Clear(Box::new(pos)));
        assert_eq!(values.get(&pos), None);
        values.apply(&format!("{} {FEN}", i32::MIN).parse().unwrap());
        assert_eq!(values.get(&pos), Some(EVAL_LIMIT));
        values.apply(&Assignment::ClearAll);
        assert_eq!(values.get(&pos), None);
    }
}
