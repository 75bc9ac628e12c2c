//! Positions from games in PGN, whose comments tell centipawns: `{+0.35/18 0.123s}`, seen by the side that moved.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use engine::value::Value;
use engine::wdl::{Model, material};
use pgn::{Fault, Game, Games};

use super::sample::{Outcome, Sample};

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
    Game(PathBuf, Fault),
}

impl fmt::Display for PgnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Game(path, fault) => write!(f, "{}, {fault}", path.display()),
        }
    }
}

impl std::error::Error for PgnError {}

/// Adds the positions of all games that ended by the rules.
pub(super) fn read(path: &Path, shown: &Shown<'_>, sample: &mut Sample) -> Result<(), PgnError> {
    let bytes = fs::read(path).map_err(|error| PgnError::File(path.to_owned(), error))?;
    read_text(&pgn::decode(&bytes), shown, sample).map_err(|fault| PgnError::Game(path.to_owned(), fault))
}

fn read_text(text: &str, shown: &Shown<'_>, sample: &mut Sample) -> Result<(), Fault> {
    Games::new(text).try_for_each(|game| game.map(|game| add_game(&game, shown, sample)))
}

fn add_game(game: &Game, shown: &Shown<'_>, sample: &mut Sample) {
    let by_the_rules = game.tag("Termination").is_none_or(|text| text.eq_ignore_ascii_case("normal"));
    if game.outcome == pgn::Outcome::Unknown || !by_the_rules {
        sample.games_left_out += 1;
        return;
    }
    sample.games += 1;
    for (position, node) in game.positions().iter().zip(&game.main.moves) {
        let side = position.side_to_move();
        if !shown.player.is_none_or(|part| game.player(side).contains(part)) {
            continue;
        }
        if let Some(centipawns) = node.comments.first().and_then(|comment| centipawns(comment)) {
            let material = material(position);
            let value = centipawns * shown.model.curve(material).0 / 100.0;
            let outcome = match game.outcome.winner() {
                None => Outcome::Draw,
                Some(winner) if winner == side => Outcome::Win,
                Some(_) => Outcome::Loss,
            };
            sample.add(value.round() as Value, material, outcome);
        }
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

    fn read(text: &str, player: Option<&str>) -> Result<Sample, Fault> {
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
        let fault = read("1. e4 1-0\n1. e5 1-0\n", None).unwrap_err();
        assert_eq!(fault.to_string(), "game 2, line 2: 'e5': not a legal move");
    }
}
