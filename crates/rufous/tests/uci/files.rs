//! Tablebases and books: files that may be missing or damaged.

use std::path::{Path, PathBuf};
use std::{env, fs, process};

use chess::Position;
use engine::{Book, BookEntry, book_key, encode_move};

use crate::session::{Session, only_note};

/// A folder of this test alone, removed with everything in it at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = env::temp_dir().join(format!("rufous-test-{}-{name}", process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const ENDGAME: &str = "8/8/8/8/4k3/8/8/R3K3 w - - 0 1";

#[test]
fn a_bad_tablebase_path_is_told_and_play_goes_on() {
    let folder = Folder::new("no tables here");
    let mut session = Session::start();
    let root = Position::from_fen(ENDGAME).unwrap();
    session.send(&format!("position fen {ENDGAME}"));
    for path in ["/no/such/directory".to_owned(), format!("\"{}\"", folder.0.display())] {
        let lines = session.say(&format!("setoption name SyzygyPath value {path}"));
        assert!(lines[0].starts_with("info string no Syzygy tables found"), "{lines:?}");
        assert_eq!(session.search("go depth 6").check(&root).last().tbhits, Some(0));
    }
    assert_eq!(session.say("setoption name SyzygyPath value <empty>"), [""; 0]);
    session.quit();
}

#[test]
fn usable_tables_are_used_and_the_others_told() {
    let tables = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/syzygy");
    if !tables.is_dir() {
        println!("skipped: ../shared/syzygy is not here");
        return;
    }
    let folder = Folder::new("damaged tables");
    let mut damaged = fs::read(tables.join("KQvK.rtbw")).unwrap();
    damaged.truncate(damaged.len() / 2);
    fs::write(folder.0.join("KQvK.rtbw"), damaged).unwrap();
    for name in ["KRvK.rtbw", "KRvK.rtbz"] {
        fs::copy(tables.join(name), folder.0.join(name)).unwrap();
    }
    let paths = env::join_paths([Path::new("/no/such/directory"), &folder.0]).unwrap();
    let mut session = Session::start();
    let mut told = session.say(&format!("setoption name SyzygyPath value {}", paths.display()));
    session.send(&format!("position fen {ENDGAME}"));
    let found = session.search("go depth 6");
    found.check(&Position::from_fen(ENDGAME).unwrap());
    assert!(found.last().tbhits > Some(0), "{:?}", found.lines);
    session.send("position fen 8/8/8/8/4k3/8/8/Q3K3 w - - 0 1");
    told.extend(session.search("go depth 6").lines);
    for part in ["/no/such/directory", "KQvK.rtbw"] {
        assert!(told.iter().any(|line| line.contains(part)), "{part}: {told:?}");
    }
    session.quit();
}

#[test]
fn the_book_is_opened_only_when_wanted() {
    let folder = Folder::new("book");
    let file = folder.0.join("small.bin");
    let start = Position::startpos();
    let mv = encode_move(start.parse_uci_move("a2a4").unwrap());
    let entry = BookEntry { key: book_key(&start), mv, weight: 1 };
    fs::write(&file, Book::new(vec![entry]).to_bytes()).unwrap();

    let mut session = Session::start();
    let told = session.say(&format!("setoption name Book File value {}", file.display()));
    assert_eq!(only_note(&told), "book with 1 moves");
    assert_ne!(session.search("go depth 9").best, "a2a4", "nobody asked for the book");
    session.send("setoption name OwnBook value true");
    let found = session.search("go wtime 600000 btime 600000");
    assert_eq!(found.check(&start).best, "a2a4");
    assert_ne!(session.search("go infinite\nisready\nstop").best, "a2a4", "that is analysis");
    session.send("setoption name OwnBook value false");
    assert_ne!(session.search("go depth 9").best, "a2a4");

    let torn = folder.0.join("torn.bin");
    fs::write(&torn, [1; 17]).unwrap();
    for name in [torn.display().to_string(), "no-such-book.bin".to_owned()] {
        let told = session.say(&format!("setoption name Book File value {name}"));
        assert!(only_note(&told).starts_with("ERROR cannot use the book"), "{told:?}");
    }
    session.quit();
}
