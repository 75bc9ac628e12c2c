//! Tablebases, books and hash tables: files that may be missing or damaged.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::{env, fs, process};

use chess::Position;
use engine::{Book, BookEntry, book_key, encode_move};
use uci::{Info, ScoreValue};

use crate::session::{Session, after, only_note};

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

/// The tables beside the project, where they are.
fn tables() -> Option<PathBuf> {
    let tables = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/syzygy");
    if tables.is_dir() {
        return Some(tables);
    }
    println!("skipped: ../shared/syzygy is not here");
    None
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

/// xboard takes the phrases of the operating system for an engine that could not be started.
#[test]
fn what_is_wrong_with_a_file_is_told_in_our_own_words() {
    let folder = Folder::new("our own words");
    let path = folder.0.display();
    let mut session = Session::start();
    for line in [
        "setoption name SyzygyPath value /no/such/directory".to_owned(),
        format!("setoption name SyzygyPath value {path}/a:{path}/b"),
        "setoption name EvalFile value /no/such/network.nnue".to_owned(),
        format!("setoption name EvalFile value {path}"),
        "setoption name Book File value /no/such/book.bin".to_owned(),
        format!("setoption name Book File value {path}"),
        "setoption name Debug Log File value /no/such/log.txt".to_owned(),
        format!("setoption name Debug Log File value {path}"),
        "bench 16 1 5 /no/such/positions.epd".to_owned(),
        "export_net /no/such/network.nnue".to_owned(),
    ] {
        let told = session.say(&line).join("\n");
        assert!(told.starts_with("info string "), "{line}: {told}");
        for phrase in ["No such file", "not found", "denied", "unknown host", "os error", "directory)"] {
            assert!(!told.contains(phrase), "{line}: {told}");
        }
    }
    session.quit();
}

#[test]
fn the_board_shows_what_the_tables_say() {
    let Some(tables) = tables() else { return };
    let mut session = Session::start();
    let mut shown = |fen: &str| -> Vec<String> {
        let lines = session.say(&format!("position fen {fen}\nd"));
        lines.into_iter().filter(|line| line.starts_with("Tablebases")).collect()
    };
    assert_eq!(shown(ENDGAME), [""; 0], "none were asked for");
    session.say(&format!("setoption name SyzygyPath value {}", tables.display()));
    let mut shown = |fen: &str| -> Vec<String> {
        let lines = session.say(&format!("position fen {fen}\nd"));
        lines.into_iter().filter(|line| line.starts_with("Tablebases")).collect()
    };
    assert_eq!(shown(ENDGAME), ["Tablebases WDL:    2 (1)", "Tablebases DTZ:   25 (1)"]);
    let lost = ENDGAME.replace(" w ", " b ");
    assert_eq!(shown(&lost), ["Tablebases WDL:   -2 (1)", "Tablebases DTZ:  -28 (1)"]);
    assert_eq!(shown("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"), [""; 0]);
    assert_eq!(shown(Position::START_FEN), [""; 0]);
    session.quit();
}

#[test]
fn usable_tables_are_used_and_the_others_told() {
    let Some(tables) = tables() else { return };
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
fn the_probing_of_tables_is_limited_as_the_options_say() {
    let Some(tables) = tables() else { return };
    let mut session = Session::start();
    session.say(&format!("setoption name SyzygyPath value {}", tables.display()));
    let search = |session: &mut Session, fen: &str, options: &[&str]| {
        for option in options {
            assert_eq!(session.say(&format!("setoption name {option}")), [""; 0]);
        }
        session.send(&format!("ucinewgame\nposition fen {fen}"));
        let found = session.search("go depth 9");
        found.check(&Position::from_fen(fen).unwrap()).last().clone()
    };

    let hits = |info: Info| info.tbhits.unwrap();
    assert_eq!(hits(search(&mut session, ENDGAME, &["SyzygyProbeLimit value 0"])), 0);
    assert_eq!(hits(search(&mut session, ENDGAME, &["SyzygyProbeLimit value 2"])), 0);
    assert!(hits(search(&mut session, ENDGAME, &["SyzygyProbeLimit value 3"])) > 0);

    // The next capture leads to four men, of which the tables are now probed at great depth only.
    let pawns = "8/1k6/8/2p5/3P4/1P6/1K6/8 w - - 0 1";
    let always = hits(search(&mut session, pawns, &["SyzygyProbeLimit value 4"]));
    let seldom = hits(search(&mut session, pawns, &["SyzygyProbeDepth value 100"]));
    assert!(seldom < always, "{seldom} and {always} probes");

    // Bishop and knight need more moves than the fifty-move rule leaves.
    let late = "8/8/8/4k3/8/8/8/KBN5 w - - 70 90";
    let decided = |info: Info| match info.score.unwrap().value {
        ScoreValue::Mate(_) => true,
        ScoreValue::Cp(cp) => cp > 19_000,
    };
    assert!(!decided(search(&mut session, late, &[])));
    assert!(decided(search(&mut session, late, &["Syzygy50MoveRule value false"])));
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

#[test]
fn the_book_is_used_as_deep_and_as_freely_as_the_options_say() {
    let folder = Folder::new("weighted book");
    let file = folder.0.join("weighted.bin");
    let (start, later) = (Position::startpos(), after("e2e4 e7e5"));
    let entry = |pos: &Position, mv: &str, weight| BookEntry {
        key: book_key(pos),
        mv: encode_move(pos.parse_uci_move(mv).unwrap()),
        weight,
    };
    let entries = vec![entry(&start, "a2a4", 3), entry(&start, "h2h4", 1), entry(&later, "a2a3", 1)];
    fs::write(&file, Book::new(entries).to_bytes()).unwrap();

    let mut session = Session::start();
    session.say(&format!("setoption name Book File value {}", file.display()));
    session.say("setoption name OwnBook value true");
    let played = |session: &mut Session| -> HashSet<String> {
        (0..60).map(|_| session.search("go depth 1").best).collect()
    };
    assert_eq!(played(&mut session).len(), 2, "by their weights");
    session.say("setoption name Book Variety value 0");
    assert_eq!(played(&mut session), HashSet::from(["a2a4".to_owned()]));

    session.send("position startpos moves e2e4 e7e5");
    assert_eq!(session.search("go depth 5").best, "a2a3");
    session.say("setoption name Book Depth value 1");
    assert_ne!(session.search("go depth 5").best, "a2a3", "that is the second move");
    session.quit();
}

#[test]
fn a_saved_hash_table_brings_another_process_back_to_its_depth() {
    const FEN: &str = "r1bqkb1r/pp3ppp/2n1pn2/2pp4/3P1B2/2P1PN2/PP3PPP/RN1QKB1R b KQkq - 1 6";
    let folder = Folder::new("hash file");
    let file = folder.0.join("long analysis.hash");
    let start = |hash: u64| {
        let mut session = Session::start();
        session.say(&format!("setoption name Hash value {hash}"));
        session.say(&format!("setoption name Hash File value {}", file.display()));
        session
    };
    let mut session = start(16);
    session.send(&format!("position fen {FEN}"));
    let first = session.search("go depth 15").last().clone();
    let (depth, nodes) = (first.depth.unwrap(), first.nodes.unwrap());
    let told = session.say("setoption name Save Hash");
    assert_eq!(only_note(&told), format!("hash table saved to '{}'", file.display()));
    session.quit();
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1, "nothing else is left there");

    for hash in [16, 8, 40] {
        let mut session = start(hash);
        let told = session.say("setoption name Load Hash");
        assert_eq!(only_note(&told), format!("hash table loaded from '{}'", file.display()));
        // Clients announce a new game before they let an engine analyse.
        session.send(&format!("ucinewgame\nposition fen {FEN}"));
        let found = session.search(&format!("go depth {depth}"));
        let back = &found.check(&Position::from_fen(FEN).unwrap()).infos[0];
        // Each root move that raised alpha lowered the depth that is stored in the end.
        assert!(back.depth.unwrap() + 6 >= depth, "{hash} MiB: {back} after {first}");
        assert!(back.nodes.unwrap() < nodes / 3, "{hash} MiB: {back} after {first}");
        assert_eq!(found.last().depth, Some(depth));
        // The next game begins without it.
        session.send(&format!("ucinewgame\nposition fen {FEN}"));
        let anew = session.search(&format!("go depth {depth}"));
        assert_eq!(anew.infos[0].depth, Some(1));
        assert!(anew.last().nodes.unwrap() > nodes / 2, "{hash} MiB after {first}");
        session.quit();
    }
}

#[test]
fn a_hash_file_that_cannot_be_used_is_told_in_our_own_words() {
    let folder = Folder::new("bad hash files");
    let mut session = Session::start();
    for button in ["Save", "Load"] {
        let told = session.say(&format!("setoption name {button} Hash"));
        let verb = button.to_lowercase();
        assert_eq!(only_note(&told), format!("ERROR cannot {verb} the hash table: set `Hash File` first"));
    }
    fs::write(folder.0.join("text"), "some text").unwrap();
    let folder_itself = folder.0.display().to_string();
    for (file, save, load) in [
        ("no/such/folder/file", "it does not exist", "it does not exist"),
        (folder_itself.as_str(), "it is a folder", "it is a folder"),
    ] {
        session.say(&format!("setoption name Hash File value {file}"));
        for (button, reason) in [("Save", save), ("Load", load)] {
            let told = session.say(&format!("setoption name {button} Hash"));
            assert!(only_note(&told).ends_with(&format!("'{file}': {reason}")), "{told:?}");
        }
    }
    session.say(&format!("setoption name Hash File value {}", folder.0.join("text").display()));
    let told = session.say("setoption name Load Hash");
    assert!(only_note(&told).ends_with("it is no hash table of Rufous"), "{told:?}");
    assert!(!session.search("go depth 3").best.is_empty());
    session.quit();
}
