//! The vote of the threads on the best move.

use chess::Move;

use super::ThreadResult;
use crate::params;
use crate::value;

/// The threads' choice: deep and good results weigh more, and a proved mate decides.
pub(super) fn vote(own: ThreadResult, others: Vec<ThreadResult>) -> ThreadResult {
    let others = others.into_iter().filter(|result| result.depth > 0);
    let all: Vec<ThreadResult> = std::iter::once(own).chain(others).collect();
    let worst = all.iter().map(|result| result.best.known_value()).min().unwrap_or(0);
    let weight = |result: &ThreadResult| {
        i64::from(result.best.known_value() - worst + params::vote_offset()) * i64::from(result.depth)
    };
    let votes = |mv: Move| -> i64 { all.iter().filter(|result| result.best.mv == mv).map(weight).sum() };
    let better = |a: &ThreadResult, b: &ThreadResult| {
        let (a_value, b_value) = (a.best.known_value(), b.best.known_value());
        if value::is_win(a_value) || value::is_win(b_value) {
            return a_value > b_value;
        }
        (votes(a.best.mv), a.depth, weight(a)) > (votes(b.best.mv), b.depth, weight(b))
    };
    let mut chosen = &all[0];
    for result in &all[1..] {
        if better(result, chosen) {
            chosen = result;
        }
    }
    chosen.clone()
}

#[cfg(test)]
mod tests {
    use chess::Position;

    use super::super::root_moves::RootMove;
    use super::*;
    use crate::value::Value;

    fn result(mv: usize, value: Value, depth: i32) -> ThreadResult {
        let mut best = RootMove::new(Position::startpos().legal_moves()[mv], None);
        best.improve(value, -value::INFINITE, value::INFINITE, (depth as usize, 0), &[]);
        ThreadResult { best, depth }
    }

    fn chosen(results: &[ThreadResult]) -> Move {
        vote(results[0].clone(), results[1..].to_vec()).best.mv
    }

    #[test]
    fn many_threads_outvote_one() {
        let threads = [result(0, 20, 12), result(1, 15, 12), result(1, 18, 12)];
        assert_eq!(chosen(&threads), threads[1].best.mv);
    }

    #[test]
    fn a_mate_needs_no_majority_and_a_thread_without_a_depth_has_no_say() {
        let mate = value::mate_in(5);
        let threads = [result(0, 20, 12), result(0, 25, 13), result(2, mate, 9), result(3, mate + 2, 0)];
        assert_eq!(chosen(&threads), threads[2].best.mv);
    }
}
