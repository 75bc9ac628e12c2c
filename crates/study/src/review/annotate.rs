//! Annotated games: judgements as glyphs, `[%eval]`, and better lines as variations.

use chess::Position;
use pgn::{Game, Line, Node};

use super::judgement::Missed;
use super::model::{Better, Review, ReviewedMove};
use crate::analyst::Score;

/// `□`, the only move.
const ONLY_MOVE: u8 = 7;

/// Glyphs that say how good a move is: `!` to `?!`.
const ASSESSMENTS: std::ops::RangeInclusive<u8> = 1..=6;

/// The game with what the review says added to what was there. An earlier `[%eval]` is replaced, and what the game has
/// already from an earlier review is not added again.
pub(crate) fn annotated(game: &Game, review: &Review) -> Game {
    let mut game = game.clone();
    if game.tag("Annotator").is_none() {
        game.tags.push(("Annotator".to_owned(), review.engine.clone()));
    }
    let positions = game.positions();
    for ((node, reviewed), position) in game.main.moves.iter_mut().zip(&review.moves).zip(&positions) {
        annotate(node, reviewed, position);
    }
    game
}

fn annotate(node: &mut Node, reviewed: &ReviewedMove, position: &Position) {
    let nag = reviewed.judgement.map(super::judgement::Judgement::nag);
    let assessed = node.nags.iter().any(|nag| ASSESSMENTS.contains(nag));
    node.nags.extend(nag.filter(|_| !assessed));
    if reviewed.only && !node.nags.contains(&ONLY_MOVE) {
        node.nags.push(ONLY_MOVE);
    }
    for comment in &mut node.comments {
        *comment = pgn::without_command(comment, "eval");
    }
    node.comments.retain(|comment| !comment.is_empty());
    // Clocks and values share a comment, as readers of Lichess's files expect.
    if let Some(value) = eval(reviewed.score) {
        match node.comments.iter_mut().find(|comment| comment.starts_with("[%")) {
            Some(comment) => comment.insert_str(0, &format!("[%eval {value}] ")),
            None => node.comments.insert(0, format!("[%eval {value}]")),
        }
    }
    if reviewed.judgement.is_none() {
        return;
    }
    let words = in_words(reviewed);
    if !node.comments.contains(&words) {
        node.comments.push(words);
    }
    if let Some(better) = &reviewed.better {
        let line = variation(better, position);
        let moves = |line: &Line| line.moves.iter().map(|node| node.mv).collect::<Vec<_>>();
        if !node.variations.iter().any(|there| moves(there).starts_with(&moves(&line))) {
            node.variations.push(line);
        }
    }
}

/// The value as `[%eval]` has it, White's; mates have a `#`. The end of the game has none.
fn eval(score: Score) -> Option<String> {
    match score {
        Score::Centipawns(centipawns) => Some(format!("{:.2}", f64::from(centipawns) / 100.0)),
        Score::Mate(0) => None,
        Score::Mate(moves) => Some(format!("#{moves}")),
    }
}

/// The judgement as a sentence.
pub(crate) fn in_words(reviewed: &ReviewedMove) -> String {
    let mut text = reviewed.judgement.map_or_else(String::new, |judgement| format!("{}.", judgement.name()));
    match reviewed.missed {
        Some(Missed::Mate(moves)) => text.push_str(&format!(" Missed mate in {moves}.")),
        Some(Missed::Win) => text.push_str(" Missed win."),
        None => {}
    }
    if let Some(best) = reviewed.better.as_ref().and_then(|better| better.san.first()) {
        text.push_str(&format!(" {best} was best."));
    }
    text.trim_start().to_owned()
}

fn variation(better: &Better, start: &Position) -> Line {
    let mut position = *start;
    let mut line = Line::default();
    for text in &better.uci {
        let Ok(mv) = position.parse_uci_move(text) else { break };
        position.play(mv);
        line.moves.push(Node::new(mv));
    }
    if let (Some(node), Some(value)) = (line.moves.first_mut(), eval(better.score)) {
        node.comments.push(format!("[%eval {value}]"));
    }
    line
}
