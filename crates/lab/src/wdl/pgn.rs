//! Positions from games in PGN, whose comments tell centipawns: `{+0.35/18 0.123s}`, seen by the side that moved.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use chess::{Color, Position};
use engine::value::Value;
use engine::wdl::{Model, material};

use super::sample::{Outcome, Sample};
use crate::pgn::{Token, next_token};

/// How values became comments, and whose comments count.
pub(super) struct Shown<'a> {
    pub(super) model: Model,
    /// A part of the name of the player, or all players.
    pub(super) player: Option<&'a str>,
}

/// Why games could not be read.
#[derive(Debug)]
pub(super) enum PgnError {
    File(PathBuf, io::Error),
    Game { path: PathBuf, number: usize, reason: String },
}

impl fmt::Display for PgnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Game { path, number, reason } => write!(f, "{}, game {number}: {reason}", path.display()),
        }
    }
}

impl std::error::Error for PgnError {}

/// Adds the positions of all games that ended by the rules.
pub(super) fn read(path: &Path, shown: &Shown<'_>, sample: &mut Sample) -> Result<(), PgnError> {
    let bytes = fs::read(path).map_err(|error| PgnError::File(path.to_owned(), error))?;
    read_text(&String::from_utf8_lossy(&bytes), shown, sample).map_err(|(number, reason)| PgnError::Game {
        path: path.to_owned(),
        number,
        reason,
    })
}

/// The same with a text; an error has the number of its game.
fn read_text(mut rest: &str, shown: &Shown<'_>, sample: &mut Sample) -> Result<(), (usize, String)> {
    let mut number = 0;
    let mut game = Game::default();
    let mut in_moves = false;
    while let Some((token, behind)) = next_token(rest) {
        rest = behind;
        if matches!(token, Token::Tag(..)) && in_moves {
            // The game before had no result at its end.
            (game, in_moves) = (Game::default(), false);
        }
        match token {
            Token::Tag(name, value) => game.tag(name, value),
            Token::Move(text) => {
                in_moves = true;
                game.moves.push((text, None));
            }
            Token::Comment(text) => {
                if let Some((_, comment)) = game.moves.last_mut() {
                    comment.get_or_insert(text);
                }
            }
            Token::Result(result) => {
                number += 1;
                game.add_to(result, shown, sample).map_err(|reason| (number, reason))?;
                (game, in_moves) = (Game::default(), false);
            }
        }
    }
    Ok(())
}

/// A game as far as it has been read.
#[derive(Default)]
struct Game<'a> {
    fen: Option<&'a str>,
    termination: Option<&'a str>,
    players: [&'a str; 2],
    /// Moves, each with the first comment behind it.
    moves: Vec<(&'a str, Option<&'a str>)>,
}

impl<'a> Game<'a> {
    fn tag(&mut self, name: &str, value: &'a str) {
        match name {
            "FEN" => self.fen = Some(value),
            "Termination" => self.termination = Some(value),
            "White" => self.players[Color::White.index()] = value,
            "Black" => self.players[Color::Black.index()] = value,
            _ => {}
        }
    }

    fn add_to(&self, result: &str, shown: &Shown<'_>, sample: &mut Sample) -> Result<(), String> {
        let winner = match result {
            "1-0" => Some(Color::White),
            "0-1" => Some(Color::Black),
            _ => None,
        };
        if result == "*" || self.termination.is_some_and(|text| !text.eq_ignore_ascii_case("normal")) {
            sample.games_left_out += 1;
            return Ok(());
        }
        sample.games += 1;
        let start = self.fen.map_or_else(|| Ok(Position::startpos()), Position::from_fen);
        let mut position = start.map_err(|error| error.to_string())?;
        for (text, comment) in &self.moves {
            let side = position.side_to_move();
            let counts = shown.player.is_none_or(|part| self.players[side.index()].contains(part));
            if let Some(centipawns) = comment.and_then(centipawns).filter(|_| counts) {
                let material = material(&position);
                let value = centipawns * shown.model.curve(material).0 / 100.0;
                let outcome = match winner {
                    None => Outcome::Draw,
                    Some(winner) if winner == side => Outcome::Win,
                    Some(_) => Outcome::Loss,
                };
                sample.add(value.round() as Value, material, outcome);
            }
            let mv = position.parse_san(text).map_err(|error| format!("'{text}': {error}"))?;
            position.play(mv);
        }
        Ok(())
    }
}

/// The centipawns of a comment; `None` for mates and for anything else.
fn centipawns(comment: &str) -> Option<f64> {
    let score = comment.split(|c: char| c == '/' || c.is_whitespace()).next()?;
    let signed = score.starts_with(['+', '-']);
    score.parse::<f64>().ok().filter(|pawns| signed && pawns.is_finite()).map(|pawns| pawns * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wdl::sample::Cell;

    fn read(text: &str, player: Option<&str>) -> Result<Sample, (usize, String)> {
        let model = Model { middle: [0.0, 0.0, 0.0, 200.0], width: [0.0, 0.0, 0.0, 50.0] };
        let mut sample = Sample::new(1000);
        read_text(text, &Shown { model, player }, &mut sample).map(|()| sample)
    }

    #[test]
    fn comments_become_values_again() {
        let text = "[White \"Rufous\"]\n[Black \"other\"]\n[Termination \"normal\"]\n\n1. e4 {+0.35/18 0.123s} e5 \
                    {-0.10/9\n0.1s} 2. Nf3 (2. f4 {+9.00/1 0s}) 2... Nc6 {book} 3. Bb5 $1 {+M3/5 0.1s} {White wins} 1-0\n";
        let cells: Vec<Cell> = read(text, None).unwrap().cells().collect();
        assert_eq!(
            cells,
            [
                Cell { value: -20.0, material: 78, counts: [0.0, 0.0, 1.0] },
                Cell { value: 70.0, material: 78, counts: [1.0, 0.0, 0.0] }
            ]
        );
        assert_eq!(read(text, Some("Ruf")).unwrap().positions, 1);
    }

    #[test]
    fn only_games_that_ended_by_the_rules_count() {
        let game = |termination: &str, result: &str| {
            format!("[Termination \"{termination}\"]\n\n1. e4 {{+0.10/2 0.0s}} {{why}} {result}\n\n")
        };
        let text = [("adjudication", "1-0"), ("normal", "1/2-1/2"), ("time forfeit", "0-1"), ("normal", "*")]
            .map(|(termination, result)| game(termination, result))
            .concat();
        let sample = read(&text, None).unwrap();
        assert_eq!((sample.games, sample.games_left_out, sample.positions), (1, 3, 1));
    }

    #[test]
    fn a_bad_move_is_named_with_its_game() {
        let (number, reason) = read("1. e4 1-0\n1. e5 1-0\n", None).unwrap_err();
        assert_eq!((number, reason.as_str()), (2, "'e5': not a legal move"));
    }
}
