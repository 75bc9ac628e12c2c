//! The options that tell the engine whom it serves: an analyst, a user with an opinion, an opponent.

use std::{env, fs, process};

use chess::Position;
use engine::{Book, BookEntry, book_key, encode_move};
use uci::ScoreValue;

use crate::session::{Found, Session, after, only_note};

fn centipawns(found: &Found) -> i64 {
    match found.last().score.as_ref().unwrap().value {
        ScoreValue::Cp(cp) => cp,
        ScoreValue::Mate(moves) => panic!("mate in {moves}"),
    }
}

#[test]
fn analysis_does_not_play_from_the_book() {
    let start = Position::startpos();
    let mv = encode_move(start.parse_uci_move("h2h4").unwrap());
    let book = Book::new(vec![BookEntry { key: book_key(&start), mv, weight: 1 }]);
    let file = env::temp_dir().join(format!("rufous-test-{}-analysis.bin", process::id()));
    fs::write(&file, book.to_bytes()).unwrap();
    let mut session = Session::start();
    session.say(&format!("setoption name Book File value {}", file.display()));
    session.say("setoption name OwnBook value true");
    assert_eq!(session.search("go depth 5").best, "h2h4");
    session.say("setoption name UCI_AnalyseMode value true");
    let found = session.search("go depth 5");
    assert_ne!(found.best, "h2h4");
    assert_eq!(found.last().depth, Some(5));
    session.say("setoption name UCI_AnalyseMode value false");
    assert_eq!(session.search("go depth 5").best, "h2h4");
    session.quit();
    fs::remove_file(file).unwrap();
}

#[test]
fn an_assigned_value_is_taken_for_the_truth() {
    let mut session = Session::start();
    let grob = after("g2g4").to_string();
    let reply = after("g2g4 e7e5").to_string();
    let natural = session.search("go depth 6");
    assert_ne!(natural.best, "g2g4");

    // From White's view, whoever is to move; and nobody looks beyond it.
    assert_eq!(session.say(&format!("setoption name UCI_SetPositionValue value 450 {grob}")), [""; 0]);
    let found = session.search("go depth 6");
    assert_eq!((found.best.as_str(), centipawns(&found)), ("g2g4", 450));
    assert_eq!(found.last().pv.len(), 1, "{:?}", found.last());

    // The side that moves there has the choice, so a value behind it counts only if it is good for Black.
    session.say(&format!("setoption name UCI_SetPositionValue value clear {grob}"));
    session.say(&format!("setoption name UCI_SetPositionValue value -700 {reply}"));
    session.send("position startpos moves g2g4");
    let found = session.search("go depth 6");
    assert_eq!((found.best.as_str(), centipawns(&found)), ("e7e5", 700));

    session.say("setoption name UCI_SetPositionValue value clearall");
    session.send("ucinewgame\nposition startpos");
    let again = session.search("go depth 6");
    assert_eq!((&again.best, again.last().nodes), (&natural.best, natural.last().nodes), "all is as before");
    session.quit();
}

#[test]
fn an_assignment_that_cannot_be_read_is_refused() {
    let mut session = Session::start();
    for value in ["much", "100", "100 8/8/8/8/8/8/8/8 w - - 0 1", "clear nothing"] {
        let lines = session.say(&format!("setoption name UCI_SetPositionValue value {value}"));
        assert!(only_note(&lines).starts_with("ERROR UCI_SetPositionValue ignored: "), "{lines:?}");
    }
    session.search("go depth 4").check(&Position::startpos());
    session.quit();
}

#[test]
fn the_opponent_is_known() {
    let mut session = Session::start();
    for (value, greeting) in [
        ("GM 2800 human Gary Kasparov", "playing against GM Gary Kasparov (human, rated 2800)"),
        ("none none computer Shredder", "playing against Shredder (computer)"),
    ] {
        let lines = session.say(&format!("setoption name UCI_Opponent value {value}"));
        assert_eq!(only_note(&lines), greeting);
    }
    let lines = session.say("setoption name UCI_Opponent value somebody");
    assert!(only_note(&lines).starts_with("ERROR UCI_Opponent ignored: an opponent is"), "{lines:?}");
    session.quit();
}

#[test]
fn the_engine_says_who_it_is_and_cannot_be_talked_out_of_it() {
    let mut session = Session::start();
    let about = |session: &mut Session| {
        session.send("uci");
        let lines = session.until("uciok");
        lines.into_iter().find(|line| line.starts_with("option name UCI_EngineAbout type string default "))
    };
    let first = about(&mut session).expect("it is listed");
    assert!(first.contains("Rufous") && first.contains("GNU General Public License"), "{first}");
    assert_eq!(session.say("setoption name UCI_EngineAbout value another engine"), [""; 0]);
    assert_eq!(about(&mut session), Some(first));
    session.quit();
}

#[test]
fn closed_formats_are_not_listed() {
    let mut session = Session::start();
    session.send("uci");
    let lines = session.until("uciok");
    for name in ["NalimovPath", "NalimovCache", "UCI_ShredderbasesPath"] {
        assert!(!lines.iter().any(|line| line.contains(name)));
        let answer = session.say(&format!("setoption name {name} value 1"));
        assert!(only_note(&answer).starts_with(&format!("{name} ignored: that format is closed")));
    }
    session.quit();
}
