//! Scripts: everything in one write, with `quit` as the last line or without it.

use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;
use std::{env, fs, process};

/// How often each script is run: what races shows itself only now and then.
const ROUNDS: usize = 25;

/// Runs a script and gives the lines of the answer.
fn run(script: &str) -> Vec<String> {
    run_reading_late(script, Duration::ZERO)
}

fn run_reading_late(script: &str, late: Duration) -> Vec<String> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_rufous"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let (mut input, script) = (child.stdin.take().unwrap(), script.to_owned());
    // Its own thread: neither pipe holds all of a long script.
    let write = thread::spawn(move || input.write_all(script.as_bytes()));
    thread::sleep(late);
    let output = child.wait_with_output().unwrap();
    write.join().unwrap().expect("the program reads everything");
    assert_eq!(output.status.code(), Some(0));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// The places of the first line that begins with each of these, which must come in this order.
fn assert_in_order(script: &str, lines: &[String], beginnings: &[&str]) {
    let mut rest = lines.iter();
    for beginning in beginnings {
        assert!(
            rest.any(|line| line.starts_with(beginning)),
            "'{beginning}' is missing or out of order in the answer to\n{script}\n---\n{}",
            lines.join("\n")
        );
    }
}

#[test]
fn what_comes_before_quit_is_carried_out_in_order() {
    let scripts: [(&str, &[&str]); 10] = [
        ("isready", &["readyok"]),
        ("setoption name Threads value 4\nsetoption name Hash value 128\nisready", &["readyok"]),
        ("setoption name Hash value 128\neval", &["Final evaluation"]),
        ("go perft 1", &["Nodes searched: 20"]),
        ("go perft 3\ngo perft 2", &["Nodes searched: 8902", "Nodes searched: 400"]),
        ("genfens 2 seed 1 book None", &["info string genfens", "info string genfens"]),
        ("go infinite\nsetoption name Hash value 32\neval", &["bestmove", "Final evaluation"]),
        ("go depth 30\ngo infinite\ngo perft 2", &["bestmove", "bestmove", "Nodes searched: 400"]),
        (
            "eval\nwonder\nsetoption name Hash value x\nd",
            &["Final", "info string ERROR unknown", "info string ERROR Hash", "Fen"],
        ),
        ("uci\ngo ponder\nucinewgame\nisready", &["uciok", "bestmove", "readyok"]),
    ];
    for (script, answers) in scripts {
        for _ in 0..ROUNDS {
            let script = format!("{script}\nquit\n");
            assert_in_order(&script, &run(&script), answers);
        }
    }
}

#[test]
fn a_bench_before_quit_has_its_signature() {
    for _ in 0..3 {
        let lines = run("bench 1 1 1\nquit\n");
        assert!(lines.last().unwrap().ends_with(" nps"), "{lines:?}");
    }
}

#[test]
fn files_are_written_before_quit() {
    let file = env::temp_dir().join(format!("rufous-test-{}-export.nnue", process::id()));
    for _ in 0..ROUNDS {
        run(&format!("setoption name Hash value 64\nexport_net {}\nquit\n", file.display()));
        assert!(fs::metadata(&file).unwrap().len() > 1000);
        fs::remove_file(&file).unwrap();
    }
}

#[test]
fn a_long_script_is_answered_whole() {
    let pair = "position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6\neval\n";
    for end in ["quit\n", ""] {
        let lines = run(&(pair.repeat(300) + end));
        assert_eq!(lines.iter().filter(|line| line.starts_with("Final evaluation")).count(), 300);
    }
}

#[test]
fn the_end_of_input_is_like_quit_but_a_search_with_a_limit_is_finished() {
    let script = "setoption name Hash value 64\ngo depth 7\ngo infinite\nwonder\ngo perft 2\neval\n";
    for _ in 0..ROUNDS {
        let answers = [
            "info depth 7 ",
            "bestmove",
            "info string ERROR unknown",
            "bestmove",
            "Nodes searched: 400",
            "Final",
        ];
        assert_in_order(script, &run(script), &answers);
    }
}

#[test]
fn a_script_waits_for_whoever_reads_its_answers() {
    let lines = run_reading_late(&("uci\n".repeat(300) + "quit\n"), Duration::from_millis(700));
    assert_eq!(lines.iter().filter(|line| *line == "uciok").count(), 300);
}

#[test]
fn a_search_without_end_is_ended_by_a_later_argument() {
    for arguments in [&["go infinite", "stop"][..], &["go ponder wtime 100 btime 100", "ponderhit", "quit"]] {
        let output = Command::new(env!("CARGO_BIN_EXE_rufous")).args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        let told = String::from_utf8(output.stdout).unwrap();
        assert!(told.lines().any(|line| line.starts_with("bestmove")), "{arguments:?}: {told}");
    }
}
