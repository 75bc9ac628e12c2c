//! `score cp|mate N [lowerbound|upperbound] [wdl W D L]`.

use std::fmt;

use crate::tokens::{Words, signed, unsigned};

/// The value of a position for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    /// How much.
    pub value: ScoreValue,
    /// Whether the true value may be better or worse than this.
    pub bound: Option<Bound>,
    /// The chances, where the engine shows them.
    pub wdl: Option<Wdl>,
}

/// A score in one of the two units of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreValue {
    /// Hundredths of a pawn.
    Cp(i64),
    /// Moves (not plies) to mate; negative where the engine is mated, and zero where it is mated already.
    Mate(i64),
}

/// On which side of the score the true value lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// `lowerbound`: the true value is at least this.
    Lower,
    /// `upperbound`: the true value is at most this.
    Upper,
}

/// Chances of the side to move, in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wdl {
    /// To win.
    pub win: u64,
    /// To draw.
    pub draw: u64,
    /// To lose.
    pub loss: u64,
}

impl From<ScoreValue> for Score {
    fn from(value: ScoreValue) -> Self {
        Self { value, bound: None, wdl: None }
    }
}

/// The words of a score gathered in any order: engines put the bound before the number and the chances anywhere.
#[derive(Default)]
pub(super) struct Parts {
    value: Option<ScoreValue>,
    bound: Option<Bound>,
    wdl: Option<Wdl>,
}

impl Parts {
    /// Reads a word that belongs to a score, and what it takes. False for any other word.
    pub(super) fn read(&mut self, word: &str, words: &mut Words<'_>) -> bool {
        match word {
            "score" => {}
            "cp" => self.value = words.next_as(signed).map(ScoreValue::Cp).or(self.value),
            "mate" => self.value = words.next_as(signed).map(ScoreValue::Mate).or(self.value),
            "lowerbound" => self.bound = Some(Bound::Lower),
            "upperbound" => self.bound = Some(Bound::Upper),
            "wdl" => {
                if let &[win, draw, loss] = words.all_as(unsigned).as_slice() {
                    self.wdl = Some(Wdl { win, draw, loss });
                }
            }
            _ => return false,
        }
        true
    }

    pub(super) fn finish(self) -> Option<Score> {
        self.value.map(|value| Score { value, bound: self.bound, wdl: self.wdl })
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value {
            ScoreValue::Cp(centipawns) => write!(f, "score cp {centipawns}")?,
            ScoreValue::Mate(moves) => write!(f, "score mate {moves}")?,
        }
        match self.bound {
            Some(Bound::Lower) => f.write_str(" lowerbound")?,
            Some(Bound::Upper) => f.write_str(" upperbound")?,
            None => {}
        }
        self.wdl.map_or(Ok(()), |Wdl { win, draw, loss }| write!(f, " wdl {win} {draw} {loss}"))
    }
}
