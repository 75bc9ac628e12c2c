//! Puzzles of games that end with known tactics, found by the engine itself.

use pgn::Games;

use super::search::{Goal, candidates, prove};
use crate::analyst::{AnalystArgs, Cancel, Limits, Request};

/// Searches a game and proves what it has.
fn solutions(text: &str) -> Vec<(String, Goal)> {
    let game = Games::new(text).next().unwrap().unwrap();
    let (quick, deep) = (Limits::nodes(4_000), Limits::nodes(20_000));
    let mut analysts = AnalystArgs::default().analysts(&deep, &Cancel::default()).unwrap();
    let analyst = &mut *analysts[0];
    let moves: Vec<_> = game.moves().collect();
    let analyses: Vec<_> = (0..=moves.len())
        .map(|plies| Request { start: game.start, moves: moves[..plies].to_vec(), limits: quick, multipv: 1 })
        .map(|request| analyst.analyse(&request).unwrap())
        .collect();
    let found = candidates(&game, &analyses);
    let puzzles = found.iter().filter_map(|candidate| prove(analyst, candidate, quick, deep).unwrap());
    puzzles.map(|puzzle| (puzzle.position().san_line(&puzzle.solution).join(" "), puzzle.goal)).collect()
}

#[test]
fn a_mate_that_was_allowed() {
    let found = solutions("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0");
    assert_eq!(found, [("Qxf7#".to_owned(), Goal::Win)]);
}

#[test]
fn a_queen_that_should_not_have_been_taken() {
    let found = solutions("1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0");
    assert_eq!(found, [("Bxf7+ Ke7 Nd5#".to_owned(), Goal::Win)]);
}

#[test]
fn a_game_without_mistakes_has_no_puzzle() {
    assert!(solutions("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *").is_empty());
}
