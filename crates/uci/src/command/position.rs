//! `position startpos|fen F [moves ...]`.

use std::fmt;

use super::Command;
use crate::problem::Problem;
use crate::tokens::{Words, write_text, write_words};

/// The position from which a game starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// The starting position of chess.
    Startpos,
    /// The text of a FEN (or EPD), its words joined by single spaces and not checked.
    Fen(String),
}

/// Reads what follows `position`. Understood besides the letter of the specification: `fen startpos`, `moves` without
/// `startpos`, which its Russian edition says can often be left out, moves without the word `moves` behind `startpos`,
/// and a FEN without the word `fen`, known by the slashes of its first field.
pub(super) fn parse(mut words: Words<'_>, problems: &mut Vec<Problem>) -> Option<Command> {
    let begins = |word: &str| matches!(word, "startpos" | "moves" | "fen") || word.contains('/');
    words.join_until(begins);
    let announced = words.next_as(|word| (word == "fen").then_some(())).is_some();
    let start = match words.peek() {
        Some("startpos") => {
            words.next();
            Start::Startpos
        }
        Some("moves") if !announced => Start::Startpos,
        _ => Start::Fen(words.join_until(|word| word == "moves")),
    };
    if start == Start::Fen(String::new()) {
        problems.push(Problem::Missing { after: "position", wanted: "'startpos' or 'fen' and a FEN" });
        return None;
    }
    if words.clone().any(|word| word == "moves") {
        words.find(|word| *word == "moves");
    }
    Some(Command::Position { start, moves: words.map(str::to_owned).collect() })
}

pub(super) fn print(f: &mut fmt::Formatter<'_>, start: &Start, moves: &[String]) -> fmt::Result {
    match start {
        Start::Startpos => f.write_str(" startpos")?,
        Start::Fen(fen) => write_text(f, "fen", fen)?,
    }
    if moves.is_empty() {
        return Ok(());
    }
    f.write_str(" moves")?;
    write_words(f, moves)
}
