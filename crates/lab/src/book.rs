//! `rufous-lab book`: an opening book in the Polyglot format, made from games.

use std::collections::HashMap;
use std::error::Error;
use std::fmt;
use std::fs;
use std::path::PathBuf;

use clap::Parser;
use engine::{Book, BookEntry, book_key, encode_move};
use pgn::{Fault, Game, Games, Outcome};

/// Make an opening book in the Polyglot format from PGN games.
///
/// The weight of a move is two for each win of its side and one for each draw, so that moves are played in proportion
/// to their score. Games without a result are left out.
#[derive(Parser, Debug, Clone)]
pub(crate) struct Args {
    /// PGN files
    #[arg(required = true, value_name = "PGN")]
    games: Vec<PathBuf>,
    /// The book to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Plies to take from each game
    #[arg(long, value_name = "PLIES", default_value_t = 30)]
    max_plies: usize,
    /// Leave out moves that were played in fewer games
    #[arg(long, value_name = "GAMES", default_value_t = 3)]
    min_games: u32,
}

/// Why no book was made.
#[derive(Debug)]
enum BookError {
    File(PathBuf, std::io::Error),
    Game(PathBuf, Fault),
    Empty,
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Game(path, fault) => write!(f, "{}, {fault}", path.display()),
            Self::Empty => f.write_str("no move was played in that many games; lower --min-games"),
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
            .add_games(&pgn::decode(&bytes), args.max_plies)
            .map_err(|fault| BookError::Game(path.clone(), fault))?;
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

/// The results of a move.
#[derive(Clone, Copy, Default)]
struct Record {
    games: u32,
    /// Half points of the side that played it.
    points: u32,
}

/// The results of every move of the games.
#[derive(Default)]
struct Tally {
    games: usize,
    left_out: usize,
    /// By the key of the position and the move, both in the book's encoding.
    records: HashMap<(u64, u16), Record>,
}

impl Tally {
    fn add_games(&mut self, text: &str, max_plies: usize) -> Result<(), Fault> {
        Games::new(text).try_for_each(|game| game.map(|game| self.add_game(&game, max_plies)))
    }

    fn add_game(&mut self, game: &Game, max_plies: usize) {
        if game.outcome == Outcome::Unknown {
            self.left_out += 1;
            return;
        }
        self.games += 1;
        let mut pos = game.start;
        for mv in game.moves().take(max_plies) {
            let record = self.records.entry((book_key(&pos), encode_move(mv))).or_default();
            record.games += 1;
            record.points += match game.outcome.winner() {
                Some(winner) if winner == pos.side_to_move() => 2,
                Some(_) => 0,
                None => 1,
            };
            pos.play(mv);
        }
    }

    /// The book of all moves that were played in enough games and scored at least one draw.
    fn book(&self, min_games: u32) -> Book {
        let good = |record: &Record| record.games >= min_games && record.points > 0;
        let records = || self.records.iter().filter(|(_, record)| good(record));
        let mut most: HashMap<u64, u32> = HashMap::new();
        for (&(key, _), record) in records() {
            let most = most.entry(key).or_default();
            *most = record.points.max(*most);
        }
        let entries = records().map(|(&(key, mv), record)| {
            // Weights are 16 bits; where points exceed that, all weights of the position are scaled down.
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
    use chess::Position;

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
        let fault = Tally::default().add_games("1. e4 1-0\n1. e5 1-0\n", 9).unwrap_err();
        assert_eq!(fault.to_string(), "game 2, line 2: 'e5': not a legal move");
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
