//! The lines of EPD test suites: positions with best moves, moves to avoid or a mate to find.

use std::fmt;

use chess::{Move, Position};

/// What an engine is to find in a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Task {
    /// One of these moves (`bm`).
    Play(Vec<Move>),
    /// Anything but these moves (`am`).
    Avoid(Vec<Move>),
    /// A mate in so many moves or fewer (`dm 3`, or `ce +M3` as some write it).
    Mate(u64),
}

/// A position and its task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Problem {
    pub(super) position: Position,
    pub(super) task: Task,
}

/// What is wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum EpdError {
    Position(String),
    Move(String),
    Length(String),
    NoTask,
}

impl fmt::Display for EpdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Position(why) => f.write_str(why),
            Self::Move(text) => write!(f, "no legal move is written '{text}'"),
            Self::Length(text) => write!(f, "'{text}' is not the length of a mate"),
            Self::NoTask => write!(f, "there is none of bm, am, dm and ce +M"),
        }
    }
}

/// Reads a line: four fields of a FEN, then operations that end in semicolons. Where a mate is stated, it is the
/// task; problems have by-solutions that a list of best moves does not name.
pub(super) fn parse(line: &str) -> Result<Problem, EpdError> {
    let mut rest = line.trim();
    let mut fields = Vec::new();
    for _ in 0..4 {
        let (field, behind) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        fields.push(field);
        rest = behind.trim_start();
    }
    let position = Position::from_fen(&format!("{} 0 1", fields.join(" ")))
        .map_err(|error| EpdError::Position(error.to_string()))?;
    let mut task = Err(EpdError::NoTask);
    for operation in rest.split(';') {
        let mut words = operation.split_whitespace();
        match (words.next(), words.clone().next()) {
            (Some("dm"), Some(length)) => task = Ok(mate(length)?),
            (Some("ce"), Some(value)) => {
                if let Some(length) = value.strip_prefix("+M") {
                    task = Ok(mate(length)?);
                }
            }
            // What is wrong with a list of moves does not matter where a mate is stated.
            (Some("bm"), Some(_)) if task.is_err() => task = moves(&position, words).map(Task::Play),
            (Some("am"), Some(_)) if task.is_err() => task = moves(&position, words).map(Task::Avoid),
            _ => {}
        }
    }
    task.map(|task| Problem { position, task })
}

fn mate(length: &str) -> Result<Task, EpdError> {
    let moves = length.parse().ok().filter(|&moves| moves > 0);
    moves.map(Task::Mate).ok_or_else(|| EpdError::Length(length.to_owned()))
}

fn moves<'a>(pos: &Position, words: impl Iterator<Item = &'a str>) -> Result<Vec<Move>, EpdError> {
    words.map(|word| read_move(pos, word).ok_or_else(|| EpdError::Move(word.to_owned()))).collect()
}

/// A move in the standard notation, or with both squares: `Nf3`, `Ng1-f3`, `e7xf8N+`.
fn read_move(pos: &Position, text: &str) -> Option<Move> {
    let long = || {
        let squares: String =
            text.chars().filter(|c| !"-x+#!?=".contains(*c)).collect::<String>().to_ascii_lowercase();
        let named = squares.len() > 4 && text.starts_with(|c: char| c.is_ascii_uppercase());
        pos.parse_uci_move(if named { &squares[1..] } else { &squares }).ok()
    };
    pos.parse_san(text).ok().or_else(long)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(line: &str) -> Result<Vec<String>, EpdError> {
        let Problem { position, task } = parse(line)?;
        let (word, moves) = match task {
            Task::Play(moves) => ("bm".to_owned(), moves),
            Task::Avoid(moves) => ("am".to_owned(), moves),
            Task::Mate(length) => (format!("mate {length}"), Vec::new()),
        };
        Ok(std::iter::once(word).chain(moves.into_iter().map(|mv| position.san(mv))).collect())
    }

    #[test]
    fn tasks_are_understood() {
        let fen = "1K2krb1/1P1RP2p/7P/1n2N3/B3Q3/8/8/8 w - -";
        assert_eq!(task(&format!("{fen} bm Ne5-f7; id \"a;b\";")).unwrap(), ["bm", "Nf7"]);
        assert_eq!(task(&format!("{fen} bm Nf7 e7xf8N+;")).unwrap(), ["bm", "Nf7", "exf8=N"]);
        assert_eq!(task(&format!("{fen} am Rd8+;")).unwrap(), ["am", "Rd8+"]);
        assert_eq!(task(&format!("{fen} bm Ne5-f7; ce +M2; pv Ne5-f7;")).unwrap(), ["mate 2"]);
        assert_eq!(task(&format!("{fen} dm 2;")).unwrap(), ["mate 2"]);
        assert_eq!(task(&format!("{fen} bm bm Nf9; dm 2;")).unwrap(), ["mate 2"]);
    }

    #[test]
    fn what_is_wrong_is_said() {
        let fen = "1K2krb1/1P1RP2p/7P/1n2N3/B3Q3/8/8/8 w - -";
        assert_eq!(parse(&format!("{fen} bm Nf9;")), Err(EpdError::Move("Nf9".to_owned())));
        assert_eq!(parse(&format!("{fen} dm 0;")), Err(EpdError::Length("0".to_owned())));
        assert_eq!(parse(fen), Err(EpdError::NoTask));
        assert!(matches!(parse("no position"), Err(EpdError::Position(_))));
        assert!(matches!(parse(""), Err(EpdError::Position(_))));
    }
}
