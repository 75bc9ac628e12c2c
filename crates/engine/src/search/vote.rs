//! Which thread's answer is given.

use chess::Move;

use super::Outcome;
use crate::value;

/// The threads' choice: deep and good results weigh more, and a proved mate decides.
pub(super) fn vote(own: Outcome, others: Vec<Outcome>) -> Outcome {
    let others = others.into_iter().filter(|outcome| outcome.depth > 0);
    let all: Vec<Outcome> = std::iter::once(own).chain(others).collect();
    let worst = all.iter().map(|outcome| outcome.best.known_value()).min().unwrap_or(0);
    let weight =
        |outcome: &Outcome| i64::from(outcome.best.known_value() - worst + 14) * i64::from(outcome.depth);
    let votes = |mv: Move| -> i64 { all.iter().filter(|outcome| outcome.best.mv == mv).map(weight).sum() };
    let better = |a: &Outcome, b: &Outcome| {
        let (a_value, b_value) = (a.best.known_value(), b.best.known_value());
        if value::is_win(a_value) || value::is_win(b_value) {
            return a_value > b_value;
        }
        (votes(a.best.mv), a.depth, weight(a)) > (votes(b.best.mv), b.depth, weight(b))
    };
    let mut chosen = &all[0];
    for outcome in &all[1..] {
        if better(outcome, chosen) {
            chosen = outcome;
        }
    }
    chosen.clone()
}

#[cfg(test)]
mod tests {
    use chess::Position;

    use super::super::root::RootMove;
    use super::*;
    use crate::value::Value;

    fn outcome(mv: usize, value: Value, depth: i32) -> Outcome {
        let mut best = RootMove::new(Position::startpos().legal_moves()[mv], None);
        best.improve(value, -value::INFINITE, value::INFINITE, (depth as usize, 0), &[]);
        Outcome { best, depth }
    }

    fn chosen(outcomes: &[Outcome]) -> Move {
        vote(outcomes[0].clone(), outcomes[1..].to_vec()).best.mv
    }

    #[test]
    fn many_threads_outvote_one() {
        let threads = [outcome(0, 20, 12), outcome(1, 15, 12), outcome(1, 18, 12)];
        assert_eq!(chosen(&threads), threads[1].best.mv);
    }

    #[test]
    fn a_mate_needs_no_majority_and_a_thread_without_a_depth_has_no_say() {
        let mate = value::mate_in(5);
        let threads = [outcome(0, 20, 12), outcome(0, 25, 13), outcome(2, mate, 9), outcome(3, mate + 2, 0)];
        assert_eq!(chosen(&threads), threads[2].best.mv);
    }
}
