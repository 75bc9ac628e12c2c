//! The end: `quit`, the end of the input, and an output that nobody reads.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rng::Random;

use crate::session::Session;

#[test]
fn at_the_end_of_input_a_search_with_a_limit_is_finished() {
    let mut session = Session::start();
    session.send("position startpos\ngo depth 9");
    session.close_input();
    let (lines, code) = session.end();
    assert!(lines.iter().any(|line| line.starts_with("info depth 9 ")), "{lines:?}");
    assert!(lines.last().unwrap().starts_with("bestmove "));
    assert_eq!(code, Some(0));
}

#[test]
fn at_the_end_of_input_a_search_without_end_is_stopped() {
    for go in [
        "go infinite",
        "go",
        "go ponder wtime 1000 btime 1000",
        "go btime 1000",
        "setoption name Hash value 32\ngo infinite",
    ] {
        let mut session = Session::start();
        session.send(go);
        session.close_input();
        let (lines, code) = session.end();
        assert!(lines.last().unwrap().starts_with("bestmove "), "{go}: {lines:?}");
        assert_eq!((lines.iter().filter(|line| line.starts_with("bestmove")).count(), code), (1, Some(0)));
    }
}

#[test]
fn everything_before_the_end_is_carried_out() {
    let mut session = Session::start();
    // The last line has no end.
    session.send_bytes(
        b"uci\nsetoption name Hash value 4\nposition startpos moves e2e4\ngo depth 4\nd\nisready",
    );
    session.close_input();
    let (lines, code) = session.end();
    for beginning in ["uciok", "bestmove", "Fen: ", "readyok"] {
        assert_eq!(
            lines.iter().filter(|line| line.starts_with(beginning)).count(),
            1,
            "{beginning}: {lines:?}"
        );
    }
    assert_eq!(code, Some(0));
}

#[test]
fn quit_is_obeyed_at_any_moment() {
    let mut random = Random::new(3);
    for round in 0..60 {
        let mut session = Session::start();
        let before =
            ["", "go infinite", "go ponder", "setoption name Hash value 64", "go depth 30\ngo depth 30"];
        let before = before[round % before.len()];
        session.send(before);
        thread::sleep(Duration::from_micros(random.below(20_000) as u64));
        let asked = Instant::now();
        session.send("quit\ngo infinite\nisready");
        let (lines, code) = session.end();
        assert_eq!(code, Some(0), "{before}");
        assert!(lines.iter().filter(|line| line.starts_with("bestmove")).count() <= 60);
        // The promise is a tenth of a second; a busy machine gets a hundred times that.
        assert!(asked.elapsed() < Duration::from_secs(10), "{before}");
    }
}

/// Starts a count and waits until it runs; what is said next is a batch of its own.
fn counting(count: &str) -> Session {
    let mut session = Session::start();
    session.send(count);
    session.settle();
    thread::sleep(Duration::from_millis(400));
    session
}

#[test]
fn quit_ends_a_count_that_somebody_has_waited_for() {
    for count in ["go perft 12", "bench 1 1 60", "speedtest 1 1 100000", "genfens 100000000 seed 1 book None"]
    {
        let mut session = counting(count);
        session.send("d\nquit");
        let (lines, code) = session.end();
        assert!(lines.iter().any(|line| line.starts_with("Fen: ")), "{count}: what waits is carried out");
        assert_eq!(code, Some(0), "{count}");
    }
}

#[test]
fn a_second_quit_waits_for_nothing() {
    let mut session = Session::start();
    session.send("isready\ngo perft 12\nquit");
    session.until("readyok");
    thread::sleep(Duration::from_millis(400));
    session.send("quit");
    let (_, code) = session.end();
    assert_eq!(code, Some(0));
}

#[test]
fn a_count_without_a_client_ends() {
    for count in ["go perft 12\n", "bench 1 1 60\n", "go perft 12\nquit\n"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_rufous"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(count.as_bytes()).unwrap();
        drop(child.stdout.take());
        let gone = Instant::now();
        while child.try_wait().unwrap().is_none() {
            if gone.elapsed() > Duration::from_secs(60) {
                let _ = child.kill();
                panic!("{count:?} goes on although the client is gone");
            }
            thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
}

#[test]
fn quit_while_searching_still_gives_the_move() {
    let mut session = Session::start();
    session.send("go infinite");
    session.until("info depth 4 ");
    session.send("quit");
    let (lines, code) = session.end();
    assert!(lines.last().unwrap().starts_with("bestmove "), "{lines:?}");
    assert_eq!(code, Some(0));
}

/// A program whose output is closed at a random moment.
#[test]
fn a_closed_output_ends_the_program_quietly() {
    let mut random = Random::new(5);
    for round in 0..30 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_rufous"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let lines = [
            "uci\n",
            "isready\n",
            "go infinite\n",
            "setoption name MultiPV value 3\ngo infinite\n",
            "bench\n",
            "go perft 4\n",
        ];
        input.write_all(lines[round % lines.len()].as_bytes()).unwrap();
        thread::sleep(Duration::from_micros(random.below(30_000) as u64));
        if random.below(2) == 0 {
            let mut line = String::new();
            output.read_line(&mut line).unwrap();
        }
        drop(output);
        // Whoever is idle notices when it has something to say, unless it leaves for another reason.
        let _ = input.write_all(b"isready\nuci\ngo infinite\nisready\n");
        let asked = Instant::now();
        let status = loop {
            match child.try_wait().unwrap() {
                Some(status) => break status,
                None if asked.elapsed() > Duration::from_secs(60) => {
                    let _ = child.kill();
                    panic!("round {round}: the program goes on without anybody listening");
                }
                None => {
                    let _ = input.write_all(b"isready\n");
                    thread::sleep(Duration::from_millis(5));
                }
            }
        };
        let mut told = String::new();
        std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut told).unwrap();
        assert_eq!((status.code(), told.as_str()), (Some(0), ""), "round {round}");
    }
}

#[test]
fn quit_is_obeyed_even_if_nobody_reads() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_rufous"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    // The answers are far more than a pipe holds, and the program is stuck when the last lines come.
    input.write_all(&b"uci\n".repeat(500)).unwrap();
    thread::sleep(Duration::from_millis(300));
    input.write_all(&b"isready\n".repeat(20_000)).unwrap();
    input.write_all(b"quit\n").unwrap();
    let asked = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if asked.elapsed() > Duration::from_secs(60) {
            let _ = child.kill();
            panic!("the program is stuck on its output");
        }
        thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
