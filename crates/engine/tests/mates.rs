//! The mate solver is right: compared with distances to mate that are found another way. The
//! example `mates` looks at all that these tests take samples of.

#[path = "support/proofs.rs"]
mod proofs;
#[path = "support/retrograde.rs"]
mod retrograde;

use chess::Position;
use proofs::{check, problems, sample, with_castling, without_castling};
use retrograde::{Endgame, Endgames};

/// Asks about samples of all distances up to so many plies, and of positions without a mate.
fn ask_about(endgames: &[Endgame], longest: u8) {
    for endgame in endgames {
        for plies in 1..=longest {
            let count = if plies < 6 { 12 } else { 4 };
            for pos in sample(&endgame.with_distance(Some(plies)), count) {
                let moves = usize::from(plies).div_ceil(2);
                check(&pos, Some(plies), moves).unwrap();
                check(&pos, Some(plies), moves - 1).unwrap();
            }
        }
        for pos in sample(&endgame.with_distance(None), 20) {
            check(&pos, None, 2).unwrap();
        }
    }
}

/// Asks about positions where it makes a difference that somebody may castle.
fn ask_about_castling(endgames: &Endgames, with_queen: bool, every: usize) {
    let matters = |pos: &Position| endgames.distance(pos) != endgames.distance(&without_castling(pos));
    let positions: Vec<_> = with_castling(with_queen).into_iter().step_by(every).filter(matters).collect();
    assert!(positions.len() >= 4, "{}", positions.len());
    for pos in sample(&positions, 20) {
        check(&pos, endgames.distance(&pos), 3).unwrap();
    }
}

#[test]
fn the_distances_are_those_of_the_books() {
    let endgames = Endgames::new(&["KQK", "KRK", "KPK"], 60);
    let longest: Vec<_> = endgames.all.iter().map(|endgame| (endgame.name, endgame.longest())).collect();
    // Mates in 10, 16 and 28, and one ply more for the side that moves first and loses.
    assert_eq!(longest, [("KQK", 20), ("KRK", 32), ("KPK", 56)]);
}

#[test]
fn mates_of_three_men_are_proved_and_no_others() {
    let endgames = Endgames::new(&["KQK", "KRK", "KPK"], 8);
    ask_about(&endgames.all, 8);
    ask_about_castling(&endgames, false, 1);
}

#[test]
fn mates_of_four_men_are_proved_and_no_others() {
    let endgames = Endgames::new(&["KBNK", "KQKR"], 6);
    ask_about(&endgames.all[2..], 5);
    ask_about_castling(&endgames, true, 37);
}

#[test]
fn a_key_that_is_generated_first_is_found() {
    let endgames = Endgames::new(&["KQK", "KRK"], 9);
    let mut found = 0;
    for endgame in &endgames.all {
        for plies in [5, 7, 9] {
            let first_is_key = endgame
                .with_distance(Some(plies))
                .into_iter()
                .filter(|pos| endgames.keys(pos) == [pos.legal_moves()[0]])
                .take(if plies == 9 { 2 } else { 6 });
            for pos in first_is_key {
                check(&pos, Some(plies), usize::from(plies).div_ceil(2)).unwrap();
                found += 1;
            }
        }
    }
    assert!(found >= 12, "{found}");
    for moves in 3..=4 {
        let first = |problem: &&proofs::Problem| problem.key == Some(problem.pos.legal_moves()[0]);
        for problem in problems(moves).iter().filter(first).take(2) {
            check(&problem.pos, Some(2 * moves as u8 - 1), moves).unwrap();
        }
    }
}

#[test]
fn problems_have_the_length_that_they_are_known_for() {
    for (moves, every) in [(1, 1), (2, 20), (3, 150)] {
        for problem in problems(moves).iter().step_by(every) {
            check(&problem.pos, Some(2 * moves as u8 - 1), moves).unwrap();
        }
    }
}
