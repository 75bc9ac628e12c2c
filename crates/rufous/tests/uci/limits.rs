//! `go` with every limit, sensible or not.

use std::thread;
use std::time::{Duration, Instant};

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
        "fen 4k3/8/8/8/8/8/R7/4K3 w - - 120 100",
        "fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8",
    ] {
        assert_eq!(session.say(&format!("position {position}")), [""; 0]);
        let found = session.search("go depth 6");
        assert_ne!(found.best, "(none)", "{position}");
        assert!(!found.infos.is_empty());
    }
    session.quit();
}

#[test]
fn a_search_for_a_mate_that_is_not_there_ends() {
    let mut session = Session::start();
    for moves in [0, 1, 2] {
        let found = session.search(&format!("go mate {moves}"));
        assert!(found.lines.iter().any(|line| line.contains("neither side mates")), "{:?}", found.lines);
    }
    session.quit();
}

#[test]
fn no_depth_of_perft_is_too_large() {
    let mut session = Session::start();
    session.send("go perft 18446744073709551615\nstop");
    session.until("info string perft stopped");
    session.quit();
}

#[test]
fn a_long_first_iteration_is_interrupted() {
    let mut session = Session::start();
    // The first iteration takes some 140,000 nodes.
    session.send("position fen q2k2q1/2nqn2b/1n1P1n1b/2rnr2Q/1NQ1QN1Q/3Q3B/2RQR2B/Q2K2Q1 w - - 0 1");
    let found = session.search("go movetime 1");
    assert_ne!(found.best, "(none)");
    assert!(found.last().nodes < Some(140_000), "{:?}", found.lines);
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
        found.check(&Position::startpos());
    }
    session.quit();
}

/// What could be known is known at once here, and still nobody has said `stop`.
#[test]
fn infinite_and_ponder_wait_even_where_nothing_is_left_to_find() {
    let mut session = Session::start();
    for fen in [
        "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1",
        "7k/8/8/8/8/8/8/K7 w - - 0 1",
        "7k/8/8/8/8/8/6q1/6BK w - - 0 1",
        "4k3/8/8/8/8/8/R7/4K3 w - - 120 100",
    ] {
        for go in ["go infinite", "go ponder wtime 1 btime 1", "go ponder depth 1", "go ponder mate 1"] {
            session.send(&format!("position fen {fen}\n{go}"));
            for _ in 0..20 {
                let lines = session.settle();
                assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{fen} {go}: {lines:?}");
                thread::sleep(Duration::from_millis(1));
            }
            session.search("stop").check(&Position::from_fen(fen).unwrap());
        }
    }
    session.quit();
}

#[test]
fn the_time_of_a_move_is_used() {
    let mut session = Session::start();
    session.send("setoption name Move Overhead value 10");
    session.settle();
    let begun = Instant::now();
    session.search("go movetime 300").check(&Position::startpos());
    assert!(begun.elapsed() >= Duration::from_millis(290), "{:?}", begun.elapsed());
    session.quit();
}

#[test]
fn the_first_limit_met_ends_the_search() {
    let mut session = Session::start();
    assert_eq!(session.search("go depth 4 nodes 100000000 movetime 600000").last().depth, Some(4));
    let found = session.search("go depth 99 nodes 2000 wtime 6000000 btime 6000000");
    assert!(found.last().nodes <= Some(2000), "{:?}", found.lines);
    assert!(session.search("go depth 99 nodes 1000000000 movetime 50").last().depth < Some(99));
    session.send("position startpos moves g2g4 e7e5 f2f3");
    assert_eq!(session.search("go mate 1 depth 99").best, "d8h4");
    session.quit();
}

#[test]
fn a_limit_ends_with_its_search() {
    let mut session = Session::start();
    session.search("go depth 2 searchmoves a2a3 nodes 50 mate 1 movetime 1000 ponder\nponderhit");
    let found = session.search("go depth 9");
    assert_eq!(found.check(&Position::startpos()).last().depth, Some(9));
    assert!(found.last().nodes > Some(50) && found.best != "a2a3", "{:?}", found.lines);
    session.quit();
}

/// The conversation of the practical guide: a hit, and then a miss.
#[test]
fn pondering_goes_on_as_a_search_or_is_thrown_away() {
    let mut session = Session::start();
    session.send("setoption name Ponder value true\nposition startpos");
    let first = session.search("go depth 8");
    let reply = first.ponder.clone().expect("a search of this depth expects an answer");
    let line = format!("{} {reply}", first.best);
    session.send(&format!("position startpos moves {line}\ngo ponder wtime 2000 btime 2000 winc 0 binc 0"));
    let before = session.until("info depth 5 ");
    assert!(!before.iter().any(|line| line.starts_with("bestmove")), "{before:?}");
    let second = session.search("ponderhit");
    second.check(&after(&line));

    let expected = format!("{line} {} {}", second.best, second.ponder.as_deref().unwrap_or("a7a6"));
    session.send(&format!("position startpos moves {expected}\ngo ponder wtime 2000 btime 2000"));
    session.until("info depth 3 ");
    session.search("stop").check(&after(&expected));
    session.send(&format!("position startpos moves {line} {}", second.best));
    session.search("go depth 5").check(&after(&format!("{line} {}", second.best)));
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
    session.send("perft 30\nstop");
    session.quit();
}
