//! Adjudication: ends games that both engines score as drawn or won for a while, or that are too long.

use std::fmt;
use std::str::FromStr;

use chess::Color;

/// The adjudication rules; all are off by default.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Adjudication {
    pub(super) draw: Option<DrawRule>,
    pub(super) resign: Option<ResignRule>,
    /// A game of so many moves by each side is drawn.
    pub(super) max_moves: Option<usize>,
}

/// From move `from` of the game on, a draw when the scores of both sides were within `score` for `moves` moves each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DrawRule {
    from: usize,
    moves: usize,
    score: i64,
}

/// A loss when for `moves` moves each one side's scores were at `-score` or below and the other's at `score` or above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ResignRule {
    moves: usize,
    score: i64,
}

/// Arguments that are not a valid rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct InvalidRule {
    word: String,
    form: &'static str,
}

impl fmt::Display for InvalidRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}' is not understood; the form is {}", self.word, self.form)
    }
}

impl std::error::Error for InvalidRule {}

/// Reads `key=number` words into their places.
fn read(words: &[String], form: &'static str, places: &mut [(&str, &mut i64)]) -> Result<(), InvalidRule> {
    for word in words {
        let number = word.split_once('=').and_then(|(key, value)| Some((key, i64::from_str(value).ok()?)));
        let place = number.and_then(|(key, number)| {
            let (_, place) = places.iter_mut().find(|(name, _)| *name == key)?;
            (number > 0 || key == "score" && number == 0).then(|| **place = number)
        });
        place.ok_or_else(|| InvalidRule { word: word.clone(), form })?;
    }
    Ok(())
}

impl DrawRule {
    pub(super) fn from_words(words: &[String]) -> Result<Self, InvalidRule> {
        let (mut from, mut moves, mut score) = (40, 8, 10);
        let places = &mut [("from", &mut from), ("moves", &mut moves), ("score", &mut score)];
        read(words, "--draw from=40 moves=8 score=10", places)?;
        Ok(Self { from: from as usize, moves: moves as usize, score })
    }
}

impl ResignRule {
    pub(super) fn from_words(words: &[String]) -> Result<Self, InvalidRule> {
        let (mut moves, mut score) = (4, 600);
        read(words, "--resign moves=4 score=600", &mut [("moves", &mut moves), ("score", &mut score)])?;
        Ok(Self { moves: moves as usize, score })
    }
}

/// How a game was adjudicated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ruling {
    Draw,
    Win(Color),
    TooLong,
}

/// The scores of the last moves, seen by White; `None` where an engine gave none.
#[derive(Debug, Default)]
pub(super) struct Scores(Vec<Option<i64>>);

impl Scores {
    /// Remembers the score that the mover gave for itself.
    pub(super) fn push(&mut self, mover: Color, score: Option<i64>) {
        self.0.push(score.map(|score| if mover == Color::White { score } else { -score }));
    }

    /// Do the last `moves` moves of both sides all have scores of this kind?
    fn all_recent(&self, moves: usize, fits: impl Fn(i64) -> bool) -> bool {
        let plies = 2 * moves;
        self.0.len() >= plies && self.0.iter().rev().take(plies).all(|score| score.is_some_and(&fits))
    }
}

impl Adjudication {
    /// The ruling, if there is one, after a move that made the game `move_number` moves old.
    pub(super) fn rule(&self, scores: &Scores, move_number: usize) -> Option<Ruling> {
        if let Some(DrawRule { from, moves, score }) = self.draw
            && move_number >= from
            && scores.all_recent(moves, |value| value.abs() <= score)
        {
            return Some(Ruling::Draw);
        }
        if let Some(ResignRule { moves, score }) = self.resign {
            if scores.all_recent(moves, |value| value >= score) {
                return Some(Ruling::Win(Color::White));
            }
            if scores.all_recent(moves, |value| value <= -score) {
                return Some(Ruling::Win(Color::Black));
            }
        }
        self.max_moves.filter(|limit| scores.0.len() >= 2 * limit).map(|_| Ruling::TooLong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scores(list: &[i64]) -> Scores {
        let mut scores = Scores::default();
        for (index, score) in list.iter().enumerate() {
            let mover = if index % 2 == 0 { Color::White } else { Color::Black };
            scores.push(mover, Some(*score));
        }
        scores
    }

    #[test]
    fn draws_need_the_move_number_and_both_sides() {
        let draw = DrawRule::from_words(&["from=10".into(), "moves=2".into(), "score=5".into()]).unwrap();
        let rules = Adjudication { draw: Some(draw), ..Adjudication::default() };
        assert_eq!(rules.rule(&scores(&[99, 5, -5, 0, 1]), 10), Some(Ruling::Draw));
        assert_eq!(rules.rule(&scores(&[99, 5, -5, 0, 1]), 9), None);
        assert_eq!(rules.rule(&scores(&[99, 5, -5, 6, 1]), 10), None);
        assert_eq!(rules.rule(&scores(&[0, 0, 0]), 10), None);
        let mut unknown = scores(&[0, 0, 0]);
        unknown.push(Color::Black, None);
        assert_eq!(rules.rule(&unknown, 10), None);
    }

    #[test]
    fn resignation_needs_agreement() {
        let resign = ResignRule::from_words(&["moves=2".into(), "score=500".into()]).unwrap();
        let rules = Adjudication { resign: Some(resign), ..Adjudication::default() };
        assert_eq!(rules.rule(&scores(&[600, -500, 700, -900]), 1), Some(Ruling::Win(Color::White)));
        assert_eq!(rules.rule(&scores(&[-600, 500, -700, 900]), 1), Some(Ruling::Win(Color::Black)));
        assert_eq!(rules.rule(&scores(&[600, 0, 700, 0]), 1), None);
    }

    #[test]
    fn long_games_end() {
        let rules = Adjudication { max_moves: Some(2), ..Adjudication::default() };
        assert_eq!(rules.rule(&scores(&[600, 0, 700]), 99), None);
        assert_eq!(rules.rule(&scores(&[600, 0, 700, 0]), 1), Some(Ruling::TooLong));
    }

    #[test]
    fn mistakes_are_refused() {
        for word in ["from", "from=x", "to=3", "moves=0", "score=-1"] {
            assert!(DrawRule::from_words(&[word.to_owned()]).is_err(), "{word}");
        }
    }
}
