//! Whole runs: what is written can be read and replayed, and neither threads nor interruptions change a byte.

use std::fs;
use std::path::Path;

use chess::{CastlingNotation, Color, FenStyle, KeyHistory, Position};
use clap::Parser;
use sfbinpack::{CompressedTrainingDataEntryReader, TrainingDataEntry};

use super::game::Game;
use super::{Args, encoding, run};
use crate::folder::Folder;

impl Folder {
    /// Runs to the end and gives the bytes of the file.
    fn run(&self, file: &str, arguments: &str) -> Vec<u8> {
        let path = self.0.join(file);
        let fixed = format!("datagen --seed 7 --nodes 60 --hash 1 --out {} ", path.display());
        run(&Args::parse_from((fixed + arguments).split_whitespace())).unwrap();
        fs::read(path).unwrap()
    }
}

/// The games of a file.
fn read_games(path: &Path) -> Vec<Vec<TrainingDataEntry>> {
    let mut reader = CompressedTrainingDataEntryReader::new(fs::File::open(path).unwrap()).unwrap();
    let mut games: Vec<Vec<TrainingDataEntry>> = Vec::new();
    while reader.has_next() {
        let entry = reader.next();
        match games.last_mut() {
            Some(game) if game.last().unwrap().is_continuation(&entry) => game.push(entry),
            _ => games.push(vec![entry]),
        }
    }
    games
}

/// Replays a game by the rules of the `chess` crate and says how it ended, if it did not end by a ruling.
fn replay(game: &[TrainingDataEntry]) -> Option<Option<Color>> {
    let mut position = Position::from_fen(&game[0].pos.fen().unwrap()).unwrap();
    let mut history = KeyHistory::new();
    for entry in game {
        assert_eq!(position.fen(FenStyle::Standard), entry.pos.fen().unwrap());
        assert_eq!(usize::from(entry.ply), position.game_ply());
        let mv = position.parse_uci_move(&entry.mv.as_uci()).expect("a legal move");
        assert_eq!(position.uci_move(mv, CastlingNotation::KingMove), entry.mv.as_uci());
        history.push(&position);
        position.play(mv);
    }
    if !position.has_legal_move() {
        return Some(position.in_check().then_some(!position.side_to_move()));
    }
    (position.is_dead() || position.halfmove_clock() >= 100 || history.occurrences(&position) >= 2)
        .then_some(None)
}

/// The winner that the entries tell, each seen by its side to move.
fn told_winner(game: &[TrainingDataEntry]) -> Option<Color> {
    let side = Position::from_fen(&game[0].pos.fen().unwrap()).unwrap().side_to_move();
    for (ply, entry) in game.iter().enumerate() {
        assert_eq!(entry.result, if ply % 2 == 0 { game[0].result } else { -game[0].result });
    }
    match game[0].result {
        0 => None,
        1 => Some(side),
        _ => Some(!side),
    }
}

#[test]
fn games_are_read_back_and_replayed() {
    let folder = Folder::new("datagen-replay");
    folder.run("x", "--games 24 --threads 2 --chess960 40 --played-out 50");
    let games = read_games(&folder.0.join("x"));
    assert_eq!(games.len(), 24);
    let mut over = 0;
    for game in &games {
        let winner = told_winner(game);
        match replay(game) {
            Some(by_the_rules) => {
                assert_eq!(winner, by_the_rules);
                over += 1;
            }
            // Only far-ahead scores rule a win.
            None => {
                let last = game.last().unwrap();
                assert_eq!(winner.is_some(), last.score.unsigned_abs() >= 2500, "{last}");
                assert_eq!(last.result.signum(), if winner.is_some() { last.score.signum() } else { 0 });
            }
        }
    }
    assert!(over >= 8, "{over} games were played to the end");
}

#[test]
fn neither_threads_nor_interruptions_change_a_byte() {
    let folder = Folder::new("datagen-resume");
    let whole = folder.run("one", "--games 10 --threads 1");
    assert_eq!(whole, folder.run("two", "--games 10 --threads 2"));

    // An interruption with the journal behind the file, and a game torn in the middle.
    let part = folder.run("part", "--games 4 --threads 2");
    assert!(whole.len() > part.len());
    fs::write(folder.0.join("part"), &whole[..whole.len() - 9]).unwrap();
    assert_eq!(whole, folder.run("part", "--games 10 --threads 2"));
    assert_eq!(whole, folder.run("part", "--games 10"), "there is nothing left to do");

    let other = ["datagen", "--games", "11", "--seed", "8", "--out"].map(str::to_owned);
    let path = folder.0.join("part").display().to_string();
    assert!(run(&Args::parse_from(other.into_iter().chain([path]))).is_err(), "another seed is another run");
}

#[test]
fn a_run_for_positions_ends_with_the_game_that_reaches_them() {
    let folder = Folder::new("datagen-positions");
    let bytes = folder.run("x", "--positions 300 --threads 2");
    let games = read_games(&folder.0.join("x"));
    let positions: usize = games.iter().map(Vec::len).sum();
    assert!(positions >= 300 && positions - games.last().unwrap().len() < 300);
    assert_eq!(bytes, folder.run("y", &format!("--games {}", games.len())));
}

#[test]
fn openings_come_from_the_book() {
    let folder = Folder::new("datagen-book");
    let book = folder.0.join("book.epd");
    let fen = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq -";
    fs::write(&book, format!("# one line\n{fen} hmvc 3;\n")).unwrap();
    folder.run("x", &format!("--games 2 --book {}", book.display()));
    for game in read_games(&folder.0.join("x")) {
        assert!(game[0].pos.fen().unwrap().starts_with(fen));
    }
    fs::write(&book, "rubbish").unwrap();
    let arguments = ["datagen", "--games", "1", "--out", "x", "--book"].map(str::to_owned);
    let book = book.display().to_string();
    let error = run(&Args::parse_from(arguments.into_iter().chain([book]))).unwrap_err();
    assert!(error.to_string().contains("line 1"), "{error}");
}

#[test]
fn castling_of_chess960_is_left_out() {
    let start = Position::from_fen("5k2/8/8/8/8/8/4P3/1R3K2 w B - 0 1").unwrap();
    let moves = ["f1b1", "f8e7", "e2e4"];
    let mut position = start;
    let moves: Vec<_> = moves
        .iter()
        .map(|text| {
            let mv = position.parse_uci_move(text).unwrap();
            position.play(mv);
            mv
        })
        .collect();
    let mut game = Game { start, moves, values: vec![100, 200, 300], winner: Some(Color::White) };
    let encoded = encoding::encode(&game).unwrap().unwrap();
    assert_eq!(encoded.positions, 2);
    let file = [&b"BINP"[..], &(encoded.bytes.len() as u32).to_le_bytes(), &encoded.bytes].concat();
    let mut reader = CompressedTrainingDataEntryReader::from_bytes(file).unwrap();
    let entries = [reader.next(), reader.next()];
    assert!(!reader.has_next());
    assert_eq!(entries.map(|entry| (entry.score, entry.result, entry.ply)), [(-200, -1, 1), (300, 1, 2)]);
    assert_eq!(entries[0].pos.fen().unwrap(), "5k2/8/8/8/8/8/4P3/2KR4 b - - 1 1");
    game.moves.truncate(1);
    game.values.truncate(1);
    assert_eq!(encoding::encode(&game).unwrap(), None);
}

#[test]
fn what_is_missing_is_named() {
    let complaint = |words: &[&str]| {
        let words = std::iter::once("datagen").chain(words.iter().copied());
        Args::try_parse_from(words).map(|_| ()).map_err(|error| error.to_string())
    };
    let error = complaint(&[]).unwrap_err();
    assert!(["--out", "--games", "--positions"].iter().all(|name| error.contains(name)), "{error}");
    assert!(complaint(&["--out", "x", "--games", "1", "--positions", "1"]).is_err(), "one of them is enough");
    assert_eq!(complaint(&["--out", "x", "--positions", "1"]), Ok(()));
}
