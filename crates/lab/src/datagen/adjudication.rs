//! Adjudication of games whose result is clear.

use chess::Color;
use engine::value::Value;

/// Plies that one side must be far ahead for.
const WIN_PLIES: usize = 5;
/// The values of a game that is equal, for how many plies, and from which ply on that may end it.
const DRAW_VALUE: Value = 15;
const DRAW_PLIES: usize = 16;
const DRAW_FROM: usize = 80;

/// The rules.
#[derive(Clone, Copy, Debug)]
pub(super) struct Adjudication {
    /// What one side must be ahead by.
    pub(super) win_value: Value,
}

/// How a game was adjudicated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ruling {
    Draw,
    Win(Color),
}

impl Adjudication {
    /// The ruling after a game with these values, each seen by White.
    pub(super) fn rule(&self, values: &[Value]) -> Option<Ruling> {
        let all_of_last = |plies: usize, fits: &dyn Fn(Value) -> bool| match values.len().checked_sub(plies) {
            Some(first) => values[first..].iter().all(|&value| fits(value)),
            None => false,
        };
        if all_of_last(WIN_PLIES, &|value| value >= self.win_value) {
            Some(Ruling::Win(Color::White))
        } else if all_of_last(WIN_PLIES, &|value| value <= -self.win_value) {
            Some(Ruling::Win(Color::Black))
        } else if values.len() >= DRAW_FROM && all_of_last(DRAW_PLIES, &|value| value.abs() <= DRAW_VALUE) {
            Some(Ruling::Draw)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_lasts_decides() {
        let rules = Adjudication { win_value: 1000 };
        assert_eq!(rules.rule(&[0, 1000, 1500, 2000, 1000, 1000]), Some(Ruling::Win(Color::White)));
        assert_eq!(rules.rule(&[-1000; 5]), Some(Ruling::Win(Color::Black)));
        assert_eq!(rules.rule(&[1000; 4]), None);
        assert_eq!(rules.rule(&[1000, 1000, 999, 1000, 1000, 1000]), None);
        assert_eq!(rules.rule(&[1000, -1000, 1000, -1000, 1000]), None);
    }

    #[test]
    fn only_late_equality_is_a_draw() {
        let rules = Adjudication { win_value: 1000 };
        let mut values = vec![0; DRAW_FROM];
        assert_eq!(rules.rule(&values), Some(Ruling::Draw));
        assert_eq!(rules.rule(&values[1..]), None);
        values[DRAW_FROM - DRAW_PLIES] = DRAW_VALUE + 1;
        assert_eq!(rules.rule(&values), None);
    }
}
