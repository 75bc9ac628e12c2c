//! Play at a chosen strength, seen from the client.

use std::time::{Duration, Instant};

use chess::Position;

use crate::session::{Session, only_note};

fn beginner() -> Session {
    let mut session = Session::start();
    session.say("setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 800");
    session
}

#[test]
fn the_options_are_listed_with_their_ranges() {
    let mut session = Session::start();
    session.send("uci");
    let lines = session.until("uciok");
    for line in [
        "option name UCI_LimitStrength type check default false",
        "option name UCI_Elo type spin default 3190 min 600 max 3190",
        "option name Skill Level type spin default 20 min 0 max 20",
    ] {
        assert!(lines.iter().any(|told| told == line), "{line}");
    }
    let lines = session.say("setoption name UCI_Elo value 500");
    assert_eq!(only_note(&lines), "ERROR UCI_Elo must be from 600 to 3190");
    session.quit();
}

#[test]
fn a_limited_search_is_small_and_analysis_is_not_limited() {
    let mut session = beginner();
    let nodes = |session: &mut Session| {
        session.say("ucinewgame");
        let found = session.search("go depth 9");
        found.check(&Position::startpos());
        found.last().nodes.unwrap()
    };
    let weak = nodes(&mut session);
    session.say("setoption name UCI_AnalyseMode value true");
    let whole = nodes(&mut session);
    assert!(weak < whole / 2 && weak < 1500, "{weak} of {whole} nodes");
    session.say("setoption name UCI_AnalyseMode value false");
    assert!(nodes(&mut session) < whole / 2);

    // Without the limit it is the skill that counts.
    session.say("setoption name UCI_LimitStrength value false");
    assert!(nodes(&mut session) > whole / 2);
    session.say("setoption name Skill Level value 0");
    assert!(nodes(&mut session) < whole / 2);

    // Who wants to look on gets all there is.
    session.send("go infinite");
    session.until("info depth 9 ");
    session.send("stop");
    session.found();
    session.quit();
}

#[test]
fn the_threads_do_not_change_the_strength() {
    let mut session = beginner();
    session.say("setoption name Threads value 3");
    let found = session.search("go depth 30");
    assert!(found.check(&Position::startpos()).last().nodes.unwrap() < 3000);
    session.quit();
}

#[test]
fn several_lines_are_shown_and_the_first_is_played() {
    let mut session = beginner();
    session.say("setoption name MultiPV value 3");
    let found = session.search("go depth 8");
    found.check(&Position::startpos());
    assert_eq!(found.last().multipv, Some(3));
    session.quit();
}

#[test]
fn it_takes_time_when_there_is_some_and_none_when_there_is_none() {
    let mut session = beginner();
    let time = |session: &mut Session, go: &str| {
        let begun = Instant::now();
        session.search(go).check(&Position::startpos());
        begun.elapsed()
    };
    // The plan is seven seconds, of which an undecided player takes a good part.
    assert!(time(&mut session, "go wtime 200000 btime 200000") >= Duration::from_millis(500));
    assert!(time(&mut session, "go movetime 400") >= Duration::from_millis(300));
    // No time is no reason to lose by it, and neither depth nor nodes are time.
    for go in ["go wtime 1000 btime 1000 winc 10 binc 10", "go wtime 1 btime 1", "go depth 5", "go nodes 50"]
    {
        session.search(go).check(&Position::startpos());
    }
    session.quit();
}

#[test]
fn a_stop_ends_the_wait() {
    let mut session = beginner();
    for go in [
        "go wtime 100000000 btime 100000000",
        "go movetime 100000000",
        "go ponder wtime 9000000 btime 9000000",
    ] {
        session.send(go);
        session.until("info depth 2 ");
        session.send("stop");
        session.found().check(&Position::startpos());
    }
    // And the ponder hit lets it answer in its time: after a long wait, at once.
    session.send("go ponder wtime 6000 btime 6000");
    session.until("info depth 2 ");
    assert!(!session.settle().iter().any(|line| line.starts_with("bestmove")));
    session.send("ponderhit");
    session.found().check(&Position::startpos());
    session.quit();
}
