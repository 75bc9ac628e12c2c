//! What is read from texts as they come, and that writing gives it back.

use chess::FenStyle;
use pgn::{Game, Games, Outcome};

fn games(text: &str) -> Vec<Game> {
    Games::new(text).map(|game| game.unwrap_or_else(|fault| panic!("{fault}"))).collect()
}

fn faults(text: &str) -> Vec<String> {
    Games::new(text).map(|game| game.map_or_else(|fault| fault.to_string(), |_| "read".to_owned())).collect()
}

fn sans(game: &Game) -> String {
    let moves = game.moves().zip(game.positions()).map(|(mv, position)| position.san(mv));
    moves.collect::<Vec<_>>().join(" ")
}

#[test]
fn a_game_with_everything() {
    let text = "[Event \"x\"]\n[Result \"1-0\"]\n\n{Before} 1. e4 $1 {A} {B} (1. d4 d5 (1... Nf6 {I}) 2. c4) (1. c4) {C} \
                e5 ; to the end\n2. Nf3 Nc6 3. Bb5 1-0 {Resigned}\n";
    let game = &games(text)[0];
    assert_eq!(sans(game), "e4 e5 Nf3 Nc6 Bb5");
    assert_eq!(game.main.comments, ["Before"]);
    let first = &game.main.moves[0];
    assert_eq!((first.nags.as_slice(), first.variations.len()), ([1].as_slice(), 2));
    assert_eq!(first.comments, ["A", "B", "C"]);
    assert_eq!(first.variations[0].moves[1].variations[0].moves[0].comments, ["I"]);
    assert_eq!(game.main.moves[1].comments, ["to the end"]);
    assert_eq!(game.main.moves[4].comments, ["Resigned"]);
    assert_eq!(game.outcome, Outcome::White);
}

#[test]
fn dialects_of_moves() {
    let text = "1. e2-e4 c7c5 2. e4e5 d7-d5 3. exd6e.p. ♘c6 4. dxe7 Nf6 5. exd8Q+ Nxd8 6. Sf3 *";
    assert_eq!(faults(text), ["game 1, line 1: 'Sf3': not a move"]);
    let game = &games(&text.replace("Sf3", "\u{2658}f3 Be7 7. Bd3 0-0 8. o-o"))[0];
    assert_eq!(sans(game), "e4 c5 e5 d5 exd6 Nc6 dxe7 Nf6 exd8=Q+ Nxd8 Nf3 Be7 Bd3 O-O O-O");
}

#[test]
fn broken_games_between_good_ones() {
    let good = "[Event \"good\"]\n\n1. e4 e5 1-0\n\n";
    let broken = [
        "[Event \"a\"]\n\n1. e4\ne5 2. Ke3 Nc6 0-1\n\n",
        "[Event \"b\"]\n\n1. e4 {never closed e5 0-1\n\n",
        "[Event \"c\"]\n[FEN \"nonsense\"]\n\n1. e4 *\n\n",
        "[Event \"d\"]\n[Variant \"Atomic\"]\n\n1. e4 *\n\n",
        "[Event \"e\"]\n\n1. e4 -- 2. d4 *\n\n",
    ];
    let text = broken.map(|broken| format!("{good}{broken}")).concat() + good;
    let report = faults(&text);
    assert_eq!(report.iter().filter(|line| *line == "read").count(), 6, "{report:?}");
    assert_eq!(report[1], "game 2, line 8: 'Ke3': not a legal move");
    assert_eq!(report[3], "game 4, line 16: a comment that is not closed");
    assert!(report[5].starts_with("game 6, line 23: FEN 'nonsense': "), "{}", report[5]);
    assert_eq!(report[7], "game 8, line 31: the variant 'Atomic' is not chess");
    assert_eq!(report[9], "game 10, line 42: a null move in the game itself");
}

#[test]
fn games_end_without_results_and_with_blank_lines_inside() {
    let text = "[Event \"a\"]\n[Result \"0-1\"]\n\n1. e4\n\n{A comment after a blank line}\n\ne5\n\n[Event \"b\"]\n\n1. d4 d5\n\n";
    let games = games(text);
    assert_eq!(games.iter().map(sans).collect::<Vec<_>>(), ["e4 e5", "d4 d5"]);
    assert_eq!((games[0].outcome, games[1].outcome), (Outcome::Black, Outcome::Unknown));
    assert_eq!((games[1].number, games[1].first_line), (2, 10));
    assert!(Games::new(" \n\n").next().is_none());
}

#[test]
fn what_makes_no_sense_in_a_variation_is_left_out_and_told() {
    let game =
        &games("1. e4 (1. d4 d5 2. Qh8 Nf6) (1. c4 (1. b4)) e5\n(1... -- 2. d4 (2. Qxf7) )) 2. Nf3 *")[0];
    assert_eq!(sans(game), "e4 e5 Nf3");
    assert_eq!(game.main.moves[0].variations[0].moves.len(), 2);
    let told: Vec<usize> = game.left_out.iter().map(|&(line, _)| line).collect();
    assert_eq!(told, [1, 2]);
    let null = &game.main.moves[1].variations[0];
    assert_eq!((null.moves.len(), null.moves[0].mv), (2, None));
}

#[test]
fn chess960_and_other_starts() {
    let fen = "nrbbqkrn/pppppppp/8/8/8/8/PPPPPPPP/NRBBQKRN w GBgb - 0 1";
    let text = format!("[Variant \"Chess 960\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n1. O-O O-O *\n");
    let game = &games(&text)[0];
    assert!(game.chess960);
    assert_eq!(game.start.fen(FenStyle::Shredder), fen);
    assert_eq!(sans(game), "O-O O-O");
}

#[test]
fn nesting_is_bounded() {
    let text = format!("1. e4 {}", "(1. e4 ".repeat(100_000));
    assert!(faults(&text)[0].contains("more than 100"), "{:?}", faults(&text));
}

#[test]
fn what_is_written_is_read_again() {
    let text = "[Event \"a \\\"b\\\" \\\\\"]\n\n{Intro} 1. e4 $1 {A} (1. d4 {one} (1. c4 c5 $6) 1... d5 2. -- e6) \
                e5 {[%clk 0:01:00]} 2. Nf3 {} {a [Event ] b} Nc6 (2... d6) 3. Bb5 {A comment that is longer than a line of the \
                standard, so that it must be broken somewhere} *\n\n1. a4 1/2-1/2\n";
    let first = games(text);
    let written: String = first.iter().map(Game::to_string).collect();
    assert!(written.lines().all(|line| line.chars().count() < 80), "{written}");
    let again = games(&written);
    assert_eq!(first.len(), again.len());
    for (one, other) in first.iter().zip(&again) {
        assert_eq!(
            (&one.tags, &one.main, one.outcome),
            (&other.tags, &other.main, other.outcome),
            "{written}"
        );
    }
    let words: Vec<&str> = written.split_whitespace().collect();
    let line = "1. e4 $1 {A} (1. d4 {one} (1. c4 c5 $6) 1... d5 2. -- e6) 1... e5";
    assert!(words.join(" ").contains(line), "{written}");
}

#[test]
fn rubbish_is_read_or_refused() {
    // Pieces of PGN in a random order; what counts is that every text comes to its end.
    const PIECES: [&str; 24] = [
        "[",
        "]",
        "\"",
        "{",
        "}",
        "(",
        ")",
        ";",
        "\n",
        "%",
        " ",
        "1.",
        "e4",
        "e5",
        "O-O",
        "$",
        "$5",
        "1-0",
        "*",
        "\\",
        "é",
        "[Event \"x\"]",
        "\n[Event ",
        "--",
    ];
    let mut state = 1_u64;
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..24 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text.push_str(PIECES[(state >> 33) as usize % PIECES.len()]);
        }
        for game in Games::new(&text).flatten() {
            assert_eq!(game.positions().len(), game.main.moves.len() + 1);
            let written = game.to_string();
            if let Some(Ok(again)) = Games::new(&written).next() {
                assert_eq!(again.to_string(), written, "{text}");
            }
        }
    }
}
