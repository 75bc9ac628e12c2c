//! Opening books, and the engine that plays from them.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::sync::mpsc::{Sender, channel};

use chess::{CastlingNotation, Move, Position};
use engine::{Book, BookEntry, BookError, Engine, Limits, Report, Reporter, book_key, encode_move};

fn played(moves: &str) -> Position {
    let mut pos = Position::startpos();
    for text in moves.split_whitespace() {
        pos.play(pos.parse_uci_move(text).unwrap());
    }
    pos
}

/// The keys that the format's description gives as a test.
#[test]
fn keys_are_those_of_the_format() {
    for (moves, key) in [
        ("", 0x463b_9618_1691_fc9c),
        ("e2e4", 0x823c_9b50_fd11_4196),
        ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
        ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
        ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
        ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
        ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
        ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
        ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
    ] {
        assert_eq!(book_key(&played(moves)), key, "{moves}");
    }
}

fn entry(pos: &Position, mv: &str, weight: u16) -> BookEntry {
    BookEntry { key: book_key(pos), mv: encode_move(pos.parse_uci_move(mv).unwrap()), weight }
}

fn small_book() -> Book {
    let start = Position::startpos();
    let castles = played("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5");
    Book::new(vec![
        entry(&start, "d2d4", 100),
        entry(&start, "e2e4", 300),
        entry(&start, "a2a3", 0),
        entry(&castles, "e1g1", 1),
    ])
}

#[test]
fn books_are_written_and_read() {
    let book = small_book();
    let bytes = book.to_bytes();
    assert_eq!(bytes.len(), 64);
    assert_eq!(Book::from_bytes(&bytes).unwrap(), book);
    let castles = played("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5");
    assert!(book.moves(&castles)[0].0.is_castling());
    // Castling as the king's own squares, which other makers of books write.
    let king_move = BookEntry { mv: 6 | 4 << 6, ..entry(&castles, "e1g1", 1) };
    assert!(Book::new(vec![king_move]).moves(&castles)[0].0.is_castling());
    // A promotion, written out: to h8, from h7, queen.
    let promotes = Position::from_fen("8/7P/8/8/8/k7/8/K7 w - - 0 1").unwrap();
    assert_eq!(encode_move(promotes.parse_uci_move("h7h8q").unwrap()), 63 | 55 << 6 | 4 << 12);
    // A move of another position, or of none, is not played.
    let foreign = BookEntry { mv: 0xffff, ..entry(&castles, "e1g1", 9) };
    assert!(Book::new(vec![foreign]).moves(&castles).is_empty());
}

#[test]
fn what_is_not_a_book_is_refused() {
    let bytes = small_book().to_bytes();
    assert!(matches!(Book::from_bytes(&[]), Err(BookError::Torn(0))));
    assert!(matches!(Book::from_bytes(&bytes[..60]), Err(BookError::Torn(60))));
    let mut swapped = bytes.clone();
    swapped.rotate_left(48);
    assert!(matches!(Book::from_bytes(&swapped), Err(BookError::Unsorted(_))));
}

struct Ear(Sender<(Option<Move>, Vec<Move>, u64)>, Vec<Move>, u64);

impl Reporter for Ear {
    fn report(&mut self, report: &Report) {
        if let Report::Line(line) = report
            && line.multipv == 1
        {
            (self.1, self.2) = (line.pv.clone(), line.nodes);
        }
    }

    fn best_move(&mut self, best: Option<Move>, _: Option<Move>) {
        let _ = self.0.send((best, std::mem::take(&mut self.1), self.2));
    }
}

/// The move, and whether it came without a search.
fn answer(engine: &mut Engine, limits: Limits) -> (String, bool) {
    let (sender, heard) = channel();
    engine.go(limits, Box::new(Ear(sender, Vec::new(), 0)));
    let (best, pv, nodes) = heard.recv().unwrap();
    engine.wait();
    assert_eq!(pv.first(), best.as_ref(), "a line with the move comes first");
    (engine.position().uci_move(best.unwrap(), CastlingNotation::KingMove), nodes == 0)
}

fn file(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("rufous-{}-{name}", std::process::id()))
}

#[test]
fn the_engine_plays_from_its_book() {
    let path = file("book.bin");
    fs::write(&path, small_book().to_bytes()).unwrap();
    let mut engine = Engine::new(engine::embedded_network().unwrap()).unwrap();
    assert_eq!(engine.set_book(path.to_str().unwrap()).unwrap(), ["book with 4 moves"]);
    assert!(!answer(&mut engine, Limits::depth(1)).1, "nobody asked for the book yet");
    engine.settings_mut().own_book = true;

    let mut counts: HashMap<String, usize> = HashMap::new();
    for _ in 0..400 {
        let (mv, at_once) = answer(&mut engine, Limits::depth(1));
        assert!(at_once);
        *counts.entry(mv).or_default() += 1;
    }
    // Three to one by weight; the chance to be this far off is less than one in a billion.
    assert!(counts.len() == 2 && (50..150).contains(&counts["d2d4"]), "{counts:?}");
    engine.settings_mut().book_variety = 0;
    assert!((0..20).all(|_| answer(&mut engine, Limits::depth(1)).0 == "e2e4"));

    // Analysis is never answered from the book.
    let mate = Limits { mate: Some(1), ..Limits::depth(1) };
    let e4 = Position::startpos().parse_uci_move("e2e4").unwrap();
    let chosen = Limits { search_moves: vec![e4], ..Limits::depth(1) };
    assert!(!answer(&mut engine, mate).1 && !answer(&mut engine, chosen).1);
    engine.settings_mut().multipv = 2;
    assert!(!answer(&mut engine, Limits::depth(1)).1);
    engine.settings_mut().multipv = 1;

    // Nor is a position behind the depth of the book.
    let moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5"];
    let mut pos = Position::startpos();
    let line = moves.map(|text| {
        let mv = pos.parse_uci_move(text).unwrap();
        pos.play(mv);
        mv
    });
    engine.set_position(Position::startpos(), &line);
    assert_eq!(answer(&mut engine, Limits::depth(1)), ("e1g1".to_owned(), true));
    engine.settings_mut().book_depth = 3;
    assert!(!answer(&mut engine, Limits::depth(1)).1);
    engine.settings_mut().book_depth = 100;

    // A file that is no book changes nothing.
    fs::write(&path, [1; 17]).unwrap();
    assert!(matches!(engine.set_book(path.to_str().unwrap()), Err(BookError::Torn(17))));
    assert!(matches!(engine.set_book("no/such/book.bin"), Err(BookError::File(_))));
    assert!(answer(&mut engine, Limits::depth(1)).1, "the old book is still there");
    assert!(engine.set_book("").unwrap().is_empty());
    assert!(!answer(&mut engine, Limits::depth(1)).1);
    fs::remove_file(&path).unwrap();
}
