//! `go` with every limit, sensible or not.

use chess::Position;
use uci::ScoreValue;

use crate::session::{Session, after, only_note};

#[test]
fn mated_and_stalemated_have_no_move() {
    let mut session = Session::start();
    for (fen, score) in [
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "info depth 0 score mate 0"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "info depth 0 score cp 0"),
    ] {
        session.send(&format!("position fen {fen}"));
        for go in ["go depth 5", "go infinite", "go", "go movetime 10", "go wtime 100 btime 100"] {
            let found = session.search(go);
            assert_eq!(found.best, "(none)");
            assert!(found.lines[found.lines.len() - 2].starts_with(score), "{:?}", found.lines);
        }
        for ending in ["stop", "ponderhit"] {
            session.send("go ponder wtime 1000 btime 1000");
            let before = session.settle();
            assert!(!before.iter().any(|line| line.starts_with("bestmove")), "{before:?}");
            assert_eq!(session.search(ending).best, "(none)");
        }
    }
    session.quit();
}

#[test]
fn a_drawn_root_still_has_a_move() {
    let mut session = Session::start();
    for position in [
        "fen 4k3/8/8/8/8/8/4R3/4K3 w - - 120 100",
        "fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8",
    ] {
        session.send(&format!("position {position}"));
        let found = session.search("go depth 6");
        assert_ne!(found.best, "(none)", "{position}");
        assert!(!found.infos.is_empty());
    }
    session.quit();
}

#[test]
fn each_limit_ends_the_search() {
    let mut session = Session::start();
    let root = after("e2e4 e7e5");
    for go in [
        "go depth 1",
        "go depth 0",
        "go depth 6",
        "go nodes 0",
        "go nodes 1",
        "go nodes 5000",
        "go movetime 0",
        "go movetime 1",
        "go movetime 50",
        "go movetime -5",
        "go wtime 0 btime 0",
        "go wtime -1000 btime -1000",
        "go wtime 100 btime 100 winc 100000 binc 100000",
        "go wtime 200 btime 200 movestogo 0",
        "go wtime 200 btime 200 movestogo -3",
        "go wtime 200 btime 200 movestogo 1",
        "go wtime 200",
        "go depth 999 nodes 2000",
        "go movetime 30 depth 99",
        "go infinite depth 3\nstop",
        "go btime 100 depth 5",
    ] {
        session.send("position startpos moves e2e4 e7e5");
        let found = session.search(go);
        found.check(&root);
        assert!(!found.infos.is_empty(), "{go}");
    }
    session.quit();
}

#[test]
fn depth_is_clamped_and_nothing_overflows() {
    let mut session = Session::start();
    session.send("position fen 7k/8/8/8/8/8/8/K7 w - - 0 1");
    let huge = "9".repeat(40);
    for go in [
        format!("go depth {huge}"),
        "go depth 999".to_owned(),
        format!("go depth 3 nodes {huge} movetime {huge} wtime {huge} winc {huge} mate {huge}"),
    ] {
        session.send(&go);
        session.send("stop");
        let found = session.found();
        assert!(found.infos.iter().all(|info| info.depth <= Some(245)), "{:?}", found.lines);
    }
    session.quit();
}

#[test]
fn without_a_limit_it_goes_on_until_stop() {
    let mut session = Session::start();
    for go in ["go", "go infinite", "go btime 1000 binc 10", "go ponder movetime 1", "go ponder depth 2"] {
        session.send(&format!("position startpos\n{go}"));
        let before = session.until("info depth 2 ");
        assert!(!before.iter().any(|line| line.starts_with("bestmove")), "{go}");
        let more = session.settle();
        assert!(!more.iter().any(|line| line.starts_with("bestmove")), "{go}");
        let found = session.search("stop");
        assert!(!found.infos.is_empty(), "{go}: the last line of play comes once more");
        found.check(&Position::startpos());
    }
    session.quit();
}

#[test]
fn a_bad_limit_is_named_and_the_others_count() {
    let mut session = Session::start();
    let found = session.search("go depth x nodes 100");
    assert_eq!(found.notes(), ["ERROR 'depth' cannot take 'x'"]);
    let found = session.search("go mate depth 3");
    assert_eq!(found.notes(), ["ERROR 'mate' needs a number"]);
    assert_eq!(found.last().depth, Some(3));
    session.quit();
}

#[test]
fn only_the_wanted_moves_are_searched() {
    let mut session = Session::start();
    for (go, allowed) in [
        ("go searchmoves a2a3 h2h3 depth 5", &["a2a3", "h2h3"][..]),
        ("go depth 5 searchmoves A2A3", &["a2a3"]),
        ("go searchmoves b1a3", &["b1a3"]),
    ] {
        session.send(go);
        if !go.contains("depth") {
            session.send("stop");
        }
        let found = session.found();
        found.check(&Position::startpos());
        assert!(found.infos.iter().all(|info| allowed.contains(&info.pv[0].as_str())), "{:?}", found.lines);
    }
    session.quit();
}

#[test]
fn illegal_wanted_moves_are_dropped() {
    let mut session = Session::start();
    let found = session.search("go depth 3 searchmoves e2e5 d2d4");
    assert_eq!((found.best.as_str(), found.notes().len()), ("d2d4", 1));
    let found = session.search("go depth 3 searchmoves e2e5 e7e5");
    assert_eq!(found.notes().len(), 3, "{:?}", found.lines);
    found.check(&Position::startpos());
    assert_eq!(session.search("go depth 3 searchmoves 0000").best, "(none)");
    assert_eq!(session.search("go infinite searchmoves 0000").best, "(none)");
    session.send("go ponder searchmoves 0000");
    assert_eq!(session.settle(), [""; 0]);
    assert_eq!(session.search("ponderhit").best, "(none)");
    session.send("go ponder searchmoves 0000");
    assert_eq!(session.search("stop").best, "(none)");
    session.quit();
}

#[test]
fn a_mate_ends_the_search_for_it() {
    let mut session = Session::start();
    session.send("position startpos moves g2g4 e7e5 f2f3");
    let found = session.search("go mate 1");
    assert_eq!((found.best.as_str(), found.last().score.unwrap().value), ("d8h4", ScoreValue::Mate(1)));
    session.send("position fen rn1q1r2/p4pk1/1p3R1p/2ppP2Q/3P4/2P4P/P1P3P1/1R4K1 w - - 0 1 moves h5h6");
    let found = session.search("go mate 2");
    assert_eq!(found.last().score.unwrap().value, ScoreValue::Mate(-2));
    session.send("position startpos");
    let found = session.search("go mate 3 nodes 20000");
    found.check(&Position::startpos());
    session.quit();
}

#[test]
fn nodestime_plays_by_nodes() {
    let mut session = Session::start();
    session.send("setoption name nodestime value 100\nposition startpos");
    let found = session.search("go wtime 1000 btime 1000 winc 0 binc 0");
    assert!(found.last().nodes < Some(100_000), "{:?}", found.lines);
    session.quit();
}

#[test]
fn perft_counts_and_can_be_stopped() {
    let mut session = Session::start();
    session.send(
        "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1\ngo perft 3",
    );
    let lines = session.until("Nodes searched");
    assert_eq!(lines.last().unwrap(), "Nodes searched: 97862");
    assert!(lines.contains(&"e1g1: 2059".to_owned()));
    session.settle();
    session.send("go perft 12\nstop");
    assert_eq!(
        only_note(&session.settle().iter().filter(|line| !line.is_empty()).cloned().collect::<Vec<_>>()),
        "perft stopped"
    );
    session.send("perft 30");
    session.quit();
}
