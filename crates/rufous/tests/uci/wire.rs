//! What leaves the program: the lines, their order and their fields.

use std::time::{Duration, Instant};

use chess::Position;
use uci::{Message, ScoreValue};

use crate::session::{Session, after};

#[test]
fn the_introduction_is_whole_and_nothing_else() {
    let mut session = Session::start();
    session.send("uci");
    let lines = session.until("uciok");
    assert!(lines[0].starts_with("id name Rufous "), "{}", lines[0]);
    assert!(lines[1].starts_with("id author "));
    assert!(lines[2..lines.len() - 1].iter().all(|line| line.starts_with("option name ")), "{lines:?}");
    assert_eq!(lines.last().unwrap(), "uciok");
    for line in &lines {
        assert!(line.is_ascii() && line.trim() == line && !line.contains("  "), "{line:?}");
        assert_eq!(Message::parse(line).map(|message| message.to_string()).as_ref(), Some(line));
    }
    // What clients look for.
    assert!(lines.iter().any(|line| line.starts_with("option name UCI_Chess960 ")));
    for name in ["Move Overhead", "Threads", "Hash", "UCI_ShowWDL", "Ponder", "MultiPV"] {
        assert!(lines.iter().any(|line| line.starts_with(&format!("option name {name} type "))), "{name}");
    }
    assert_eq!(session.say("uci"), lines, "twice works");
    session.quit();
}

#[test]
fn every_line_of_a_search_is_canonical() {
    let mut session = Session::start();
    session.send(
        "setoption name MultiPV value 3\nsetoption name UCI_ShowWDL value true\nposition startpos moves e2e4",
    );
    let found = session.search("go depth 8");
    found.check(&after("e2e4"));
    for line in &found.lines {
        assert_eq!(Message::parse(line).map(|message| message.to_string()).as_ref(), Some(line));
    }
    for info in &found.infos {
        assert!(info.score.unwrap().wdl.is_some_and(|wdl| wdl.win + wdl.draw + wdl.loss == 1000));
        assert!(info.depth <= Some(245) && info.nps < Some(1 << 32) && info.seldepth.is_some());
        assert!(
            info.time.is_some() && info.nodes.is_some() && info.hashfull.is_some() && info.tbhits.is_some()
        );
    }
    session.quit();
}

#[test]
fn several_lines_come_together_in_order_and_differ() {
    let mut session = Session::start();
    session.send("setoption name MultiPV value 4\nposition startpos");
    let found = session.search("go depth 7");
    found.check(&Position::startpos());
    for block in found.infos.chunks(4) {
        let ranks: Vec<_> = block.iter().map(|info| info.multipv).collect();
        assert_eq!(ranks, [Some(1), Some(2), Some(3), Some(4)]);
        for (index, info) in block.iter().enumerate() {
            assert!(block[..index].iter().all(|other| other.pv[0] != info.pv[0]), "{:?}", found.lines);
        }
    }
    session.quit();
}

#[test]
fn more_lines_than_moves_are_as_many_as_there_are() {
    let mut session = Session::start();
    session.send("setoption name MultiPV value 200\nposition fen 7k/8/8/8/8/8/8/K7 w - - 0 1");
    let found = session.search("go depth 4");
    assert_eq!(found.infos.iter().filter_map(|info| info.multipv).max(), Some(3));
    session.quit();
}

#[test]
fn a_mate_has_its_whole_line() {
    let mut session = Session::start();
    for (fen, mates) in [
        ("7k/8/5K2/8/8/8/8/6R1 w - - 0 1", true),
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", true),
        ("k7/8/1K6/8/8/8/8/7R b - - 0 1", false),
    ] {
        let root = Position::from_fen(fen).unwrap();
        session.send(&format!("ucinewgame\nposition fen {fen}"));
        let found = session.search("go depth 12");
        found.check(&root);
        let info = found.last();
        let ScoreValue::Mate(moves) = info.score.unwrap().value else { panic!("{fen}: {:?}", found.lines) };
        assert_eq!(moves > 0, mates, "{fen}");
        let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
        assert_eq!(info.pv.len() as i64, plies, "{fen}: {:?}", found.lines);
        let mut end = root;
        for mv in &info.pv {
            end.play(end.parse_uci_move(mv.as_str()).unwrap());
        }
        assert!(end.in_check() && !end.has_legal_move(), "{fen}");
    }
    session.quit();
}

#[test]
fn no_line_of_play_goes_on_past_a_draw() {
    let mut session = Session::start();
    let fen = "8/8/8/8/8/2k5/2p5/2K4B w - - 96 90";
    session.send(&format!("position fen {fen}"));
    let found = session.search("go depth 10");
    found.check(&Position::from_fen(fen).unwrap());
    for info in &found.infos {
        let mut position = Position::from_fen(fen).unwrap();
        for mv in &info.pv {
            assert!(position.halfmove_clock() < 100 && !position.is_dead(), "{:?}", found.lines);
            position.play(position.parse_uci_move(mv.as_str()).unwrap());
        }
    }
    session.quit();
}

#[test]
fn details_of_the_search_come_only_after_a_second_and_only_when_wanted() {
    let mut session = Session::start();
    session.send("setoption name UCI_ShowCurrLine value true\nsetoption name UCI_ShowRefutations value true");
    session.settle();
    let begun = Instant::now();
    session.send("position startpos\ngo movetime 2500");
    let mut kinds = Vec::new();
    loop {
        let line = session.next_line().unwrap();
        for kind in [" currmove ", " currline ", " refutation "] {
            if line.contains(kind) {
                assert!(begun.elapsed() >= Duration::from_secs(1), "{line} came too early");
                kinds.push(kind);
            }
        }
        if line.starts_with("bestmove") {
            break;
        }
    }
    for kind in [" currmove ", " currline ", " refutation "] {
        assert!(kinds.contains(&kind), "{kind} never came");
    }
    session
        .send("setoption name UCI_ShowCurrLine value false\nsetoption name UCI_ShowRefutations value false");
    let found = session.search("go movetime 1500");
    assert!(!found.lines.iter().any(|line| line.contains("currline") || line.contains("refutation")));
    session.quit();
}

#[test]
fn notes_hold_no_words_of_reports() {
    let mut session = Session::start();
    let mut lines = session.say("debug on\ngo depth x nodes 50\nposition fen depth score pv\nposition startpos moves e2e4 pv\nsetoption name depth value score\nsetoption name Debug Log File value /no/depth score/pv");
    lines.extend(session.say("go depth 1 searchmoves e2e5 score pv"));
    let notes: Vec<&String> = lines.iter().filter(|line| line.starts_with("info string")).collect();
    assert!(notes.len() >= 8, "{lines:?}");
    for note in notes {
        let words: Vec<&str> = note.split(' ').skip(2).collect();
        assert!(!words.iter().any(|word| matches!(*word, "score" | "depth" | "pv")), "{note}");
        assert!(words[0].parse::<uci::UciMove>().is_err(), "{note}");
    }
    session.quit();
}
