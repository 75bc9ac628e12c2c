//! Commands that race each other and the search.

use std::time::Duration;

use chess::Position;
use rng::Random;

use crate::session::{Session, after};

#[test]
fn a_thousand_searches_stopped_at_once_give_a_thousand_moves() {
    let mut session = Session::start();
    session.settle();
    for round in 0..1000 {
        session.send_bytes(match round % 4 {
            0 => b"go infinite\nstop\n",
            1 => b"position startpos moves e2e4\ngo wtime 60000 btime 60000\nstop\nposition startpos\n",
            2 => b"go ponder wtime 1000 btime 1000\nstop\n",
            _ => b"go\nstop\n",
        });
        let root = if round % 4 == 1 { after("e2e4") } else { Position::startpos() };
        let found = session.found();
        assert!(!found.infos.is_empty(), "round {round}: a scored line comes first");
        found.check(&root);
    }
    assert_eq!(session.settle(), [""; 0]);
    session.quit();
}

#[test]
fn all_of_them_in_one_write_too() {
    let mut session = Session::start();
    session.send_bytes(&b"go infinite\nstop\n".repeat(1000));
    for _ in 0..1000 {
        session.found();
    }
    assert_eq!(session.settle(), [""; 0]);
    session.quit();
}

#[test]
fn isready_is_answered_during_a_search() {
    let mut session = Session::start();
    session.send("go infinite");
    for _ in 0..50 {
        assert!(!session.settle().iter().any(|line| line.starts_with("bestmove")));
    }
    session.send("stop");
    session.found();
    session.quit();
}

#[test]
fn isready_is_answered_during_a_count() {
    for count in ["go perft 12", "bench 1 1 60", "speedtest 1 1 100000"] {
        let mut session = Session::start();
        session.send(count);
        for _ in 0..20 {
            session.settle();
        }
        session.send("stop");
        session.quit();
    }
}

#[test]
fn stop_reaches_a_count_that_still_waits() {
    for (count, told) in [
        ("go perft 12", "info string perft stopped"),
        ("bench 1 1 60", "info string stopped before its end"),
        ("speedtest 1 1 100000", "Nodes/second"),
    ] {
        let mut session = Session::start();
        session.send_bytes(format!("setoption name Hash value 256\n{count}\nstop\n").as_bytes());
        session.until(told);
        session.quit();
    }
}

#[test]
fn go_and_ucinewgame_end_a_search_without_end() {
    let mut session = Session::start();
    for endless in ["go infinite", "go", "go ponder wtime 1000 btime 1000"] {
        session.send(&format!("{endless}\nposition startpos moves d2d4\ngo depth 4\nposition startpos"));
        session.found().check(&Position::startpos());
        session.found().check(&after("d2d4"));
        session.send(&format!("{endless}\nucinewgame"));
        session.found().check(&Position::startpos());
    }
    assert_eq!(session.settle(), [""; 0]);
    session.quit();
}

#[test]
fn a_search_with_a_limit_is_not_cut_short() {
    let mut session = Session::start();
    session.send("go depth 9\ngo depth 4\nucinewgame\ngo depth 5");
    for depth in [9, 4, 5] {
        assert_eq!(session.found().last().depth, Some(depth));
    }
    session.quit();
}

#[test]
fn a_ponder_hit_racing_the_end_gives_one_move() {
    let mut session = Session::start();
    session.settle();
    let mut random = Random::new(7);
    for round in 0..200 {
        // So small limits are met before, while or after the hit comes.
        let go =
            ["go ponder nodes 200", "go ponder movetime 1", "go ponder depth 3", "go ponder wtime 1 btime 1"];
        session.send(go[round % 4]);
        std::thread::sleep(Duration::from_micros(random.below(3000) as u64));
        let early = session.settle();
        assert!(!early.iter().any(|line| line.starts_with("bestmove")), "before the hit: {early:?}");
        session.send(if random.below(4) == 0 { "stop" } else { "ponderhit" });
        session.found();
        assert_eq!(session.say("stop\nponderhit"), [""; 0]);
    }
    session.quit();
}

#[test]
fn commands_behind_a_slow_one_are_carried_out_in_order() {
    let mut session = Session::start();
    // The engine has not been built when these arrive, and the hash takes its time.
    session.send_bytes(
        b"setoption name Hash value 64\ngo infinite\nisready\nposition startpos moves e2e4\nstop\n\
          setoption name Clear Hash\ngo ponder movetime 1\nponderhit\nisready\n",
    );
    let mut lines = session.until("bestmove");
    assert!(lines.iter().any(|line| line == "readyok"), "answered while searching: {lines:?}");
    lines.extend(session.until("bestmove"));
    lines.extend(session.settle());
    // The second question may come while the first search is still running or after it.
    assert_eq!(lines.iter().filter(|line| *line == "readyok").count(), 2, "{lines:?}");
    session.quit();
}

/// The processor time of a process, in hundredths of a second.
#[cfg(target_os = "linux")]
fn ticks(pid: u32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let fields: Vec<&str> = stat[stat.rfind(')').unwrap()..].split(' ').collect();
    fields[12].parse::<u64>().unwrap() + fields[13].parse::<u64>().unwrap()
}

/// The program does nothing but wait.
#[cfg(target_os = "linux")]
fn assert_resting(session: &Session, what: &str) {
    std::thread::sleep(Duration::from_millis(200));
    let before = ticks(session.pid());
    std::thread::sleep(Duration::from_millis(1000));
    let used = ticks(session.pid()) - before;
    assert!(used <= 10, "{what}: {used} ticks of a hundred while waiting");
}

#[cfg(target_os = "linux")]
#[test]
fn a_finished_search_that_waits_uses_no_processor() {
    let mut session = Session::start();
    for (go, depth) in [("go infinite depth 2", 2), ("go ponder depth 2", 2)] {
        session.send(go);
        session.until(&format!("info depth {depth} "));
        assert_resting(&session, go);
        session.send("stop");
        session.found();
    }
    session.quit();
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_is_calculated_without_go() {
    let mut session = Session::start();
    session.send("uci\nsetoption name Ponder value true\nucinewgame\nposition startpos moves e2e4");
    session.until("uciok");
    session.settle();
    assert_resting(&session, "before the first go");
    assert!(session.search("go depth 8").ponder.is_some());
    assert_resting(&session, "after a move with a move to ponder on");
    assert_eq!(session.settle(), [""; 0]);
    session.quit();
}

/// Any mixture of commands keeps the laws: each `go` gets one `bestmove`, each `isready` one
/// `readyok`, and the program leaves with 0.
#[test]
fn random_streams_of_commands_keep_the_laws() {
    for seed in 1..=12 {
        let mut random = Random::new(seed);
        let mut session = Session::start();
        let (mut searches, mut pings) = (0, 0);
        for _ in 0..150 {
            let line = match random.below(14) {
                0 => "go infinite",
                1 => "go nodes 500",
                2 => "go depth 3",
                3 => "go ponder wtime 50 btime 50",
                4 => "go movetime 3",
                5 | 6 => "stop",
                7 => "ponderhit",
                8 => "isready",
                9 => "ucinewgame",
                10 => "setoption name Hash value 2\nsetoption name Hash value 3",
                11 => "position startpos moves e2e4",
                12 => "setoption name Threads value 2\nsetoption name Threads value 1",
                _ => "position fen 8/8/8/4k3/8/8/3PK3/8 w - - 0 1",
            };
            searches += usize::from(line.starts_with("go"));
            pings += usize::from(line == "isready");
            session.send(line);
            if random.below(4) == 0 {
                std::thread::sleep(Duration::from_micros(random.below(4000) as u64));
            }
        }
        session.close_input();
        let (lines, code) = session.end();
        let count = |beginning: &str| lines.iter().filter(|line| line.starts_with(beginning)).count();
        assert_eq!((count("bestmove"), count("readyok"), code), (searches, pings, Some(0)), "seed {seed}");
    }
}
