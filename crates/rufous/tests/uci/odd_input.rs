//! Lines that no specification foresees.

use crate::session::{Session, after, only_note};

#[test]
fn commands_before_uci_work() {
    let mut session = Session::start();
    assert_eq!(session.say("setoption name UCI_Chess960 value true"), [""; 0]);
    session.send("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves");
    session.search("go nodes 200").check(&chess::Position::startpos());
    session.quit();
}

/// Fishnet never says `uci`, and anything but reports and moves during a search is fatal to it.
#[test]
fn a_client_that_hears_reports_and_moves_only_is_never_surprised() {
    let mut session = Session::start();
    session.send("setoption name UCI_Chess960 value true\nsetoption name Threads value 1\nisready");
    assert_eq!(session.until("readyok"), ["readyok"]);
    let moves = "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 e1h1";
    for go in ["go nodes 3000", "go movetime 50 depth 6", "go nodes 3000 depth 2"] {
        session.send(&format!("position fen {} moves {moves}", chess::Position::START_FEN));
        let found = session.search(go);
        found.check(&after(moves));
        let (last, reports) = found.lines.split_last().unwrap();
        assert!(reports.iter().all(|line| line.starts_with("info depth ")), "{:?}", found.lines);
        assert!(last.starts_with("bestmove "));
    }
    session.quit();
}

#[test]
fn unknown_words_blanks_and_line_ends_are_read_around() {
    let mut session = Session::start();
    session.send_bytes(b"joho debug on\r\n  debug \t\t on  \r\ndebug joho off\rjoho isready\r\n");
    let lines = session.until("readyok");
    assert!(lines.iter().any(|line| line == "info string received: debug on"), "{lines:?}");
    assert!(lines.iter().all(|line| !line.contains("ERROR")), "{lines:?}");
    session.quit();
}

#[test]
fn rubbish_is_harmless() {
    let mut session = Session::start();
    session.send_bytes(b"\n\n   \n# a comment\n#go infinite\n\0\0\0\n\xff\xfe\xfd\n\x80isready\x80\n");
    session.send_bytes(b"\xef\xbb\xbfisready\0\n");
    session.until("readyok");
    let mut long = vec![b'x'; 1 << 20];
    long.push(b'\n');
    session.send_bytes(&long);
    session.send_bytes(&[&b"setoption name "[..], &long].concat());
    session.send_bytes(&[&b"position startpos moves "[..], &long].concat());
    session.send_bytes(&[&b"go depth "[..], &long].concat());
    session.send("stop");
    session.until("bestmove");
    assert_eq!(session.settle(), [""; 0]);
    session.quit();
}

#[test]
fn a_line_without_end_costs_no_memory() {
    let mut session = Session::start();
    let part = vec![b'y'; 1 << 20];
    for _ in 0..32 {
        session.send_bytes(&part);
    }
    let lines = session.say("");
    assert!(only_note(&lines).starts_with("ERROR a line of more than"), "{lines:?}");
    session.quit();
}

#[test]
fn an_unknown_command_is_named() {
    let mut session = Session::start();
    assert_eq!(only_note(&session.say("wonder")), "ERROR unknown command 'wonder'");
    session.quit();
}

#[test]
fn stop_and_ponderhit_while_idle_are_silent() {
    let mut session = Session::start();
    session.settle();
    assert_eq!(session.say("stop\nponderhit\nstop"), [""; 0]);
    session.search("go depth 3");
    assert_eq!(session.say("stop\nponderhit"), [""; 0]);
    session.quit();
}

#[test]
fn registration_always_succeeds() {
    let mut session = Session::start();
    let answer = ["registration checking", "registration ok"];
    assert_eq!(session.say("register later"), answer);
    assert_eq!(session.say("register name Stefan MK code 4359874324"), answer);
    session.quit();
}

#[test]
fn debug_tells_more() {
    let mut session = Session::start();
    assert_eq!(session.say("position startpos"), [""; 0]);
    assert_eq!(only_note(&session.say("debug on")), "received: isready");
    assert_eq!(session.say("debug off"), ["info string received: debug off"]);
    session.send("go infinite\ndebug on\njoho debug joho off\nisready");
    let lines = session.until("readyok");
    let notes: Vec<&String> = lines.iter().filter(|line| line.starts_with("info string ")).collect();
    assert_eq!(notes, ["info string unknown word 'joho' skipped", "info string received: debug off"]);
    session.search("stop");
    session.quit();
}
