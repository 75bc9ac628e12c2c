//! `rufous-lab book`: an opening book in the Polyglot format, made from games.

use std::collections::HashMap;
use std::error::Error;
use std::fmt;
use std::fs;
use std::path::PathBuf;

use chess::{Color, Position};
use clap::Parser;
use engine::{Book, BookEntry, book_key, encode_move};

use crate::pgn::{Token, next_token};

/// Make an opening book in the Polyglot format from PGN games.
///
/// A move weighs two for each game that its side won and one for each draw, so that moves are played as often as
/// they scored. Games without a result are left out.
#[derive(Parser, Debug, Clone)]
pub(crate) struct Args {
    /// The games
    #[arg(required = true, value_name = "PGN")]
    games: Vec<PathBuf>,
    /// The book
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Take this many plies of every game
    #[arg(long, value_name = "PLIES", default_value_t = 30)]
    max_plies: usize,
    /// Leave out moves that fewer games have
    #[arg(long, value_name = "GAMES", default_value_t = 3)]
    min_games: u32,
}

/// Why no book was made.
#[derive(Debug)]
enum BookError {
    File(PathBuf, std::io::Error),
    Game { path: PathBuf, number: usize, reason: String },
    Empty,
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Game { path, number, reason } => write!(f, "{}, game {number}: {reason}", path.display()),
            Self::Empty => {
                f.write_str("no move is in so many games; --min-games says in how many it must be")
            }
        }
    }
}

impl Error for BookError {}

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let mut tally = Tally::default();
    for path in &args.games {
        let bytes = fs::read(path).map_err(|error| BookError::File(path.clone(), error))?;
        tally
            .add_games(&String::from_utf8_lossy(&bytes), args.max_plies)
            .map_err(|(number, reason)| BookError::Game { path: path.clone(), number, reason })?;
    }
    let book = tally.book(args.min_games);
    if book.is_empty() {
        return Err(BookError::Empty.into());
    }
    fs::write(&args.output, book.to_bytes()).map_err(|error| BookError::File(args.output.clone(), error))?;
    println!(
        "{}: {} moves from {} games ({} without a result left out)",
        args.output.display(),
        book.len(),
        tally.games,
        tally.left_out
    );
    Ok(())
}

/// How a move has done.
#[derive(Clone, Copy, Default)]
struct Record {
    games: u32,
    /// Half points of the side that played it.
    points: u32,
}

/// What the games say about their moves.
#[derive(Default)]
struct Tally {
    games: usize,
    left_out: usize,
    /// By the key of the position and the move, both as the book writes them.
    records: HashMap<(u64, u16), Record>,
}

impl Tally {
    /// Adds the games of a text; an error has the number of its game, from 1.
    fn add_games(&mut self, mut rest: &str, max_plies: usize) -> Result<(), (usize, String)> {
        let (mut fen, mut moves, mut number) = (None, Vec::new(), 1);
        while let Some((token, behind)) = next_token(rest) {
            rest = behind;
            match token {
                Token::Tag(name, value) => {
                    if !moves.is_empty() {
                        // The game before ended without a result.
                        self.left_out += 1;
                        number += 1;
                        (fen, moves) = (None, Vec::new());
                    }
                    if name == "FEN" {
                        fen = Some(value);
                    }
                }
                Token::Move(text) => moves.push(text),
                Token::Comment(_) => {}
                Token::Result(result) => {
                    moves.truncate(max_plies);
                    self.add_game(fen, &moves, result).map_err(|reason| (number, reason))?;
                    number += 1;
                    (fen, moves) = (None, Vec::new());
                }
            }
        }
        Ok(())
    }

    fn add_game(&mut self, fen: Option<&str>, moves: &[&str], result: &str) -> Result<(), String> {
        let points_of = match result {
            "1-0" => |side| if side == Color::White { 2 } else { 0 },
            "0-1" => |side| if side == Color::Black { 2 } else { 0 },
            "1/2-1/2" => |_| 1,
            _ => {
                self.left_out += 1;
                return Ok(());
            }
        };
        self.games += 1;
        let start = fen.map_or_else(|| Ok(Position::startpos()), Position::from_fen);
        let mut pos = start.map_err(|error| error.to_string())?;
        for text in moves {
            let mv = pos.parse_san(text).map_err(|error| format!("'{text}': {error}"))?;
            let record = self.records.entry((book_key(&pos), encode_move(mv))).or_default();
            record.games += 1;
            record.points += points_of(pos.side_to_move());
            pos.play(mv);
        }
        Ok(())
    }

    /// The book of all moves that enough games have and that have scored at all.
    fn book(&self, min_games: u32) -> Book {
        let good = |record: &Record| record.games >= min_games && record.points > 0;
        let records = || self.records.iter().filter(|(_, record)| good(record));
        let mut most: HashMap<u64, u32> = HashMap::new();
        for (&(key, _), record) in records() {
            let most = most.entry(key).or_default();
            *most = record.points.max(*most);
        }
        let entries = records().map(|(&(key, mv), record)| {
            // Weights have two bytes: where there are more points, all moves of the position shrink alike.
            let most = most[&key].max(u32::from(u16::MAX));
            let weight = u64::from(record.points) * u64::from(u16::MAX) / u64::from(most);
            BookEntry { key, mv, weight: weight.max(1) as u16 }
        });
        Book::new(entries.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(text: &str, max_plies: usize) -> Tally {
        let mut tally = Tally::default();
        tally.add_games(text, max_plies).unwrap();
        tally
    }

    const GAMES: &str = "1. e4 e5 2. Nf3 1-0\n1. e4 {best} c5 1/2-1/2\n1. e4 (1. d4) 1... e5 0-1\n1. d4 1-0\n\
                         [White \"x\"]\n\n1. c4 *\n";

    fn weights(book: &Book, pos: &Position) -> Vec<(String, u16)> {
        book.moves(pos).into_iter().map(|(mv, weight)| (pos.san(mv), weight)).collect()
    }

    #[test]
    fn moves_weigh_what_they_scored() {
        let tally = tally(GAMES, 30);
        assert_eq!((tally.games, tally.left_out), (4, 1));
        let start = Position::startpos();
        let book = tally.book(1);
        assert_eq!(weights(&book, &start), [("e4".to_owned(), 3), ("d4".to_owned(), 2)]);
        let after = start.after(start.parse_san("e4").unwrap());
        assert_eq!(weights(&book, &after), [("e5".to_owned(), 2), ("c5".to_owned(), 1)]);
        assert_eq!(weights(&tally.book(2), &start), [("e4".to_owned(), 3)]);
        assert!(tally.book(4).is_empty());
    }

    #[test]
    fn plies_are_limited_and_faults_named() {
        assert_eq!(tally(GAMES, 1).book(1).len(), 2);
        let (number, reason) = Tally::default().add_games("1. e4 1-0\n1. e5 1-0\n", 9).unwrap_err();
        assert_eq!((number, reason.as_str()), (2, "'e5': not a legal move"));
    }

    #[test]
    fn many_points_fit_into_two_bytes() {
        let mut tally = Tally::default();
        tally.records.insert((7, 1), Record { games: 100_000, points: 131_070 });
        tally.records.insert((7, 2), Record { games: 100_000, points: 65_535 });
        let bytes = tally.book(1).to_bytes();
        assert_eq!((&bytes[10..12], &bytes[26..28]), (&[0xff, 0xff][..], &[0x7f, 0xff][..]));
    }
}
