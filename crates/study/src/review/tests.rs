//! Reviews of games whose analyses are made up.

use std::sync::Arc;
use std::time::Duration;

use chess::Position;
use pgn::{Game, Games};

use super::annotate::annotated;
use super::game::{requests, review};
use super::judgement::{Judgement, Missed};
use super::model::Review;
use super::phase::Phase;
use super::report;
use crate::analyst::{Analysis, Identity, Limits, Line, Score, read_line};
use Score::{Centipawns, Mate};

fn game(text: &str) -> Game {
    Games::new(text).next().unwrap().unwrap()
}

fn line(position: &Position, score: Score, moves: &[&str]) -> Line {
    let pv = read_line(position, moves.iter().copied());
    assert_eq!(pv.len(), moves.len());
    Line { score, bound: None, wdl: None, depth: 9, seldepth: 9, pv }
}

/// Analyses of the positions of a game: score for the side to move and the best moves, with the score of the second
/// best move if there is one.
fn reviewed(game: &Game, analyses: &[(Score, &[&str], Option<Score>)]) -> Review {
    let by = Arc::new(Identity { engine: "Test 1".to_owned(), ..Identity::default() });
    let analyses: Vec<Analysis> = game
        .positions()
        .iter()
        .zip(analyses)
        .map(|(position, (score, moves, second))| {
            let mut lines = vec![line(position, *score, moves)];
            lines.extend(second.map(|second| line(position, second, &[])));
            Analysis { by: Arc::clone(&by), lines, nodes: 1, time: Duration::ZERO, from_store: false }
        })
        .collect();
    review(game, &analyses)
}

/// 1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#, of which 3... Nf6 is the blunder and the end is the only move.
fn scholars_mate() -> (Game, Review) {
    let game = game(
        "[White \"A <b>\"]\n[Black \"B\"]\n\n{Start} 1. e4 {[%clk 0:03:00] Best (by test)} e5 2. Qh5 $1 {[%eval 0.1] [%clk 0:02:58]} \
         Nc6 3. Bc4 Nf6 (3... g6 4. Qf3) 4. Qxf7# 1-0",
    );
    let review = reviewed(
        &game,
        &[
            (Centipawns(30), &["e2e4"], Some(Centipawns(25))),
            (Centipawns(-30), &["e7e5"], None),
            (Centipawns(30), &["g1f3"], None),
            (Centipawns(20), &["b8c6"], Some(Centipawns(10))),
            (Centipawns(-20), &["g1f3"], None),
            (Centipawns(20), &["d8e7", "g1f3", "g8f6"], Some(Centipawns(10))),
            (Mate(1), &["h5f7"], Some(Centipawns(-200))),
            (Mate(0), &[], None),
        ],
    );
    (game, review)
}

#[test]
fn a_blunder_is_found_and_what_was_better() {
    let (game, review) = scholars_mate();
    assert_eq!(requests(&game, Limits::nodes(1)).len(), 8);
    let judged: Vec<_> = review.moves.iter().filter(|mv| mv.judgement.is_some()).collect();
    assert_eq!(judged.len(), 1);
    let blunder = judged[0];
    assert_eq!((blunder.ply, blunder.number.as_str(), blunder.san.as_str()), (6, "3...", "Nf6"));
    assert_eq!((blunder.judgement, blunder.missed, blunder.only), (Some(Judgement::Blunder), None, false));
    assert_eq!((blunder.score, blunder.chances), (Mate(1), 97.54));
    assert!((blunder.loss - 49.385).abs() < 0.01, "{}", blunder.loss);
    let better = blunder.better.as_ref().unwrap();
    assert_eq!((better.san.join(" ").as_str(), better.score), ("Qe7 Nf3 Nf6", Centipawns(-20)));
    assert_eq!(review.turning_points, [6]);
    let mate = &review.moves[6];
    assert!(mate.only && mate.better.is_none() && mate.chances > 97.0);
    assert_eq!((review.white.all.blunders, review.black.all.blunders), (0, 1));
    assert_eq!((review.white.all.only_moves, review.black.opening.blunders), (1, 1));
    assert_eq!((review.white.all.moves, review.black.all.moves), (4, 3));
    assert_eq!(review.moves[0].clock.as_deref(), Some("0:03:00"));
    assert_eq!(review.moves[0].comments, ["Best (by test)"]);
    assert!(review.moves[2].comments.is_empty());
    assert_eq!(review.moves[0].phase, Phase::Opening);
    // 2. Qh5 lost 50 centipawns of four moves, 3... Nf6 1020 of three.
    assert_eq!((review.white.all.acpl, review.black.all.acpl), (Some(12.5), Some(340.0)));
}

#[test]
fn the_annotated_game_keeps_what_was_there() {
    let (game, review) = scholars_mate();
    let text = annotated(&game, &review).to_string();
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("{Start} 1. e4 {[%eval 0.30] [%clk 0:03:00] Best (by test)}"), "{text}");
    assert!(words.contains("2. Qh5 $1 {[%eval -0.20] [%clk 0:02:58]}"), "{text}");
    assert!(
        words.contains(
            "Nf6 $4 {[%eval #1]} {Blunder. Qe7 was best.} (3... g6 4. Qf3) (3... Qe7 {[%eval -0.20]} 4. Nf3 Nf6) \
             4. Qxf7# $7 1-0"
        ),
        "{text}"
    );
    assert!(words.contains("[Annotator \"Test 1\"]"), "{text}");
    // A second review of the outcome adds nothing.
    let again = Games::new(&text).next().unwrap().unwrap();
    assert_eq!(annotated(&again, &review).to_string(), text);
}

#[test]
fn what_a_search_overlooked_is_put_right_by_the_next_one() {
    let (game, _) = scholars_mate();
    let nothing: (Score, &[&str], Option<Score>) = (Centipawns(0), &[], None);
    let review = reviewed(
        &game,
        &[
            nothing,
            nothing,
            nothing,
            nothing,
            (Centipawns(-10), &["b1c3"], Some(Centipawns(-15))),
            // The mate is not seen, so that the blunder seems best.
            (Centipawns(10), &["g8f6"], Some(Centipawns(-40))),
            (Mate(1), &["h5f7"], None),
            (Mate(0), &[], None),
        ],
    );
    assert_eq!(review.moves[5].judgement, Some(Judgement::Blunder));
    // Nor was 3. Bc4 as bad as it seemed: Black's other moves were worth 40 centipawns to White.
    assert_eq!((review.moves[4].judgement, review.moves[4].score), (None, Centipawns(40)));
}

#[test]
fn a_review_can_be_had_while_it_is_made() {
    let (game, review) = scholars_mate();
    for plies in 1..=7 {
        let analyses = [
            (Centipawns(30), &["e2e4"][..], Some(Centipawns(25))),
            (Centipawns(-30), &["e7e5"], None),
            (Centipawns(30), &["g1f3"], None),
        ];
        let part = reviewed(&game, &analyses[..plies.min(3)]);
        assert_eq!(part.moves.len(), plies.min(3) - 1);
        assert_eq!(
            part.moves.first().map(|mv| &mv.san),
            review.moves.first().map(|mv| &mv.san).filter(|_| plies > 1)
        );
    }
}

#[test]
fn missed_mates_draws_by_the_rules_and_recaptures() {
    let game = game(
        "[FEN \"7k/8/5KQ1/8/8/8/8/8 w - - 0 1\"]\n\n1. Qe8+ Kh7 2. Qg6+ Kh8 3. Qe8+ Kh7 4. Qg6+ Kh8 1/2-1/2",
    );
    let mate: (Score, &[&str], Option<Score>) = (Mate(1), &["g6g7"], None);
    let king: (Score, &[&str], Option<Score>) = (Mate(-2), &["h8h7"], None);
    let review = reviewed(
        &game,
        &[
            mate,
            king,
            (Mate(2), &["e8g6"], None),
            (Mate(-1), &["h7h8"], None),
            mate,
            king,
            (Mate(2), &["e8g6"], None),
            (Mate(-1), &["h7h8"], None),
            mate,
        ],
    );
    assert_eq!(review.moves[0].missed, None, "another mate is as good");
    assert_eq!(review.moves[4].missed, Some(Missed::Mate(1)), "it led to the draw");
    assert_eq!(review.moves[7].score, Centipawns(0), "the same position for the third time");
    assert_eq!(review.moves[7].chances, 50.0);
    assert_eq!(review.white.name, "?");

    let lost = reviewed(
        &super::tests::game("[FEN \"6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1\"]\n\n1. Ra7 *"),
        &[(Mate(1), &["a1a8"], None), (Centipawns(0), &["g8f8"], None)],
    );
    assert_eq!(lost.moves[0].missed, Some(Missed::Mate(1)));
    assert_eq!(lost.moves[0].judgement, Some(Judgement::Blunder));
    assert_eq!((lost.white.endgame.missed_mates, lost.white.opening.moves), (1, 0));
    assert_eq!((lost.black.all.accuracy, lost.black.all.acpl), (None, None));

    let capture = super::tests::game("[FEN \"4k3/8/8/3p4/4P3/8/8/3RK3 w - - 0 1\"]\n\n1. exd5 Kd7 *");
    let best: (Score, &[&str], Option<Score>) = (Centipawns(600), &["e4d5"], Some(Centipawns(200)));
    let review =
        reviewed(&capture, &[best, (Centipawns(-600), &["e8d7"], None), (Centipawns(600), &["e1d2"], None)]);
    assert!(review.moves[0].only, "not a recapture");
    let recapture = super::tests::game("[FEN \"4k3/8/8/3p4/4N3/8/8/3RK3 b - - 0 1\"]\n\n1... dxe4 2. Rd4 *");
    let review = reviewed(
        &recapture,
        &[
            (Centipawns(-100), &["d5e4"], Some(Centipawns(-600))),
            (Centipawns(100), &["d1d4"], None),
            (Centipawns(-100), &["e8e7"], None),
        ],
    );
    assert_eq!(review.moves[0].number, "1...");
    assert!(review.moves[0].only);
}

#[test]
fn the_page_is_one_safe_file() {
    let (_, review) = scholars_mate();
    let page = report::page(&[review]).unwrap();
    assert!(
        page.contains("<title>A &lt;b> - B · Rufous review</title>") || page.contains("A &lt;b&gt; - B"),
        "title"
    );
    assert!(!page.contains("{{"), "a place was not filled");
    assert!(!page.contains("A <b>"), "text of the game is no markup");
    for outside in ["http://", "https://", "src=", "@import", "url("] {
        let found = page.matches(outside).count()
            - page.matches("http://www.w3.org/2000/svg").count() * usize::from(outside == "http://");
        assert_eq!(found, 0, "{outside}");
    }
}

#[test]
fn the_documents_have_the_thresholds() {
    use super::judgement::threshold as review;
    use crate::puzzles::threshold as puzzles;
    let text = include_str!("../../../../docs/study.md");
    let table =
        text.split("<!-- thresholds -->").nth(1).and_then(|rest| rest.split("<!-- end -->").next()).unwrap();
    let told: Vec<(&str, f64)> = table
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            (cells[1].trim_matches('`'), cells[2].parse().unwrap())
        })
        .collect();
    let used = [
        ("INACCURACY", review::INACCURACY),
        ("MISTAKE", review::MISTAKE),
        ("BLUNDER", review::BLUNDER),
        ("MATE_MOVES", f64::from(review::MATE_MOVES)),
        ("WON", review::WON),
        ("NO_LONGER_WON", review::NO_LONGER_WON),
        ("ONLY_MOVE", review::ONLY_MOVE),
        ("ADVANTAGE", review::ADVANTAGE),
        ("WINS", puzzles::WINS),
        ("FAILS_TO_WIN", puzzles::FAILS_TO_WIN),
        ("GAP", puzzles::GAP),
        ("SAVES", puzzles::SAVES),
        ("LOSES", puzzles::LOSES),
        ("MOVES", puzzles::MOVES as f64),
    ];
    assert_eq!(told, used);
}
