//! The commands for people and tools, typed or given as arguments.

use std::process::Command;

use chess::Position;

use crate::session::{Session, shown_fen};

fn run(arguments: &[&str]) -> (String, String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_rufous")).args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code())
}

#[test]
fn help_and_version_do_what_they_do_everywhere() {
    let (text, _, code) = run(&["--help"]);
    assert!(text.contains("Usage:") && text.contains("speedtest"), "{text}");
    assert_eq!(code, Some(0));
    let (text, _, code) = run(&["--version"]);
    assert!(text.starts_with(concat!("Rufous ", env!("CARGO_PKG_VERSION"), " (")), "{text}");
    assert!(text.contains("network ") && text.lines().count() == 1, "{text}");
    assert_eq!(code, Some(0));
}

#[test]
fn arguments_that_make_no_sense_are_refused_in_words() {
    for arguments in [&["--wonder"][..], &["wonder"], &["go depth 2", "wonder now"], &["go", "depth", "x"]] {
        let (out, error, code) = run(arguments);
        assert_eq!((out.as_str(), code), ("", Some(2)), "{arguments:?}");
        assert!(error.starts_with("rufous: ") && error.contains("--help"), "{error}");
    }
    for words in ["go depth 2 wonder", "wonder go depth 2"] {
        let arguments: Vec<&str> = words.split(' ').collect();
        let (out, error, code) = run(&arguments);
        assert_eq!((out.as_str(), code), ("", Some(2)), "{words}: {error}");
    }
}

#[test]
fn errors_of_commands_go_to_standard_error_and_the_exit_code() {
    for arguments in [
        &["bench", "16", "1", "5", "no-such-file"][..],
        &["bench", "16", "1", "x"],
        &["bench", "16", "1", "1", "default", "depth", "wonder"],
        &["speedtest", "1", "16", "1", "wonder"],
        &["setoption name Wonder value 1"],
        &["setoption name Hash value 0"],
        &["setoption name EvalFile value no-such-network"],
        &["position fen 8/8 w", "d"],
        &["uci", "position fen 8/8 w"],
        &["genfens 5 seed 1 book no-such-book.epd"],
        &["export_net", "/no-such-folder/network.nnue"],
    ] {
        let (out, error, code) = run(arguments);
        assert_eq!(code, Some(1), "{arguments:?}: {out} {error}");
        assert!(error.starts_with("rufous: "), "{arguments:?}: {error}");
        assert!(!out.contains("ERROR") && !out.contains("error"), "{arguments:?}: {out}");
    }
}

#[test]
fn commands_as_arguments_are_carried_out() {
    for arguments in
        [&["go depth 5"][..], &["go", "depth", "5"], &["position startpos moves e2e4", "go depth 5"]]
    {
        let (out, _, code) = run(arguments);
        assert!(out.contains("info depth 5 ") && out.contains("bestmove "), "{out}");
        assert_eq!(code, Some(0));
    }
    let (out, _, _) = run(&["perft", "4"]);
    assert!(out.contains("Nodes searched: 197281"), "{out}");
    let (out, _, _) = run(&["perft", "2", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"]);
    assert!(out.contains("Nodes searched: 568"), "{out}");
    let (out, _, _) = run(&["uci"]);
    assert!(out.contains("uciok"), "{out}");
}

#[test]
fn the_bench_counts_the_same_nodes_every_time() {
    let counts: Vec<String> = (0..2)
        .map(|_| {
            let (out, error, code) = run(&["bench", "1", "1", "4"]);
            assert_eq!(code, Some(0));
            let words: Vec<&str> = out.lines().last().unwrap().split(' ').collect();
            assert_eq!((words[1], words[3], words.len()), ("nodes", "nps", 4), "{words:?}");
            // Stockfish's scripts look for these lines in both streams taken together, and take one.
            let figures = format!("Nodes searched  : {}\nNodes/second    : ", words[0]);
            assert!(error.contains(&figures) && !out.contains("Nodes searched"), "{out}\n{error}");
            words[0].to_owned()
        })
        .collect();
    assert_eq!(counts[0], counts[1]);
    assert!(counts[0].parse::<u64>().unwrap() > 1000);
}

#[test]
fn the_bench_takes_other_positions_and_limits() {
    let mut session = Session::start();
    session.send("position startpos moves e2e4\nbench 1 1 3 current perft");
    assert!(session.until("13160 nodes ").contains(&"Nodes searched: 13160".to_owned()));
    // What comes after a bench waits for its end; `isready` does not.
    session.send("bench 1 2 500 current nodes\nd");
    let lines = session.until("Fen: ");
    assert!(lines.iter().any(|line| line.ends_with(" nps")), "{lines:?}");
    session.send("bench 1 1 1 default eval");
    session.until("0 nodes ");
    session.send("bench 1 1 _ current infinite");
    session.until("info depth 3 ");
    session.send("stop");
    session.until("info string stopped before its end");
    session.quit();
}

#[test]
fn a_bench_that_was_stopped_shows_no_signature() {
    let mut session = Session::start();
    session.send("bench 1 1 60");
    session.until("info depth 5 ");
    session.send("stop");
    let out = session.until("info string stopped before its end");
    assert!(!out.iter().any(|line| line.ends_with(" nps")), "{out:?}");
    session.quit();
}

#[test]
fn the_speed_test_takes_its_arguments() {
    let (out, _, code) = run(&["speedtest", "1", "8", "1"]);
    assert!(out.contains("Filled invocation          : speedtest 1 8 1\n"), "{out}");
    assert!(out.contains("Nodes/second               : "), "{out}");
    assert_eq!(code, Some(0));
    let time = out.lines().find_map(|line| line.strip_prefix("Total search time [s]      : ")).unwrap();
    assert!(time.parse::<f64>().unwrap() >= 0.99, "it takes the time that it was given: {out}");
}

#[test]
fn random_openings_are_as_many_as_wanted_and_the_same_again() {
    let generate = |seed: &str| run(&[&format!("genfens 20 seed {seed} book None"), "quit"]).0;
    let out = generate("7");
    let fens: Vec<&str> =
        out.lines().map(|line| line.strip_prefix("info string genfens ").unwrap()).collect();
    assert_eq!(fens.len(), 20);
    assert!(fens.iter().all(|fen| Position::from_fen(fen).unwrap().has_legal_move()));
    assert_eq!(generate("7"), out);
    assert_ne!(generate("8"), out);
}

#[test]
fn flip_exchanges_the_colours() {
    let mut session = Session::start();
    session.send("position startpos moves e2e4\nflip");
    assert_eq!(shown_fen(&mut session), "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    session.quit();
}

#[test]
fn texts_are_printed() {
    let mut session = Session::start();
    for (command, part) in [
        ("help", "Universal Chess Interface"),
        ("license", "GNU General Public License"),
        ("compiler", "Compiled by rustc"),
        ("eval", "Final evaluation"),
        ("position fen 4k3/8/8/8/8/8/4r3/4K3 w - - 0 1\neval", "Final evaluation: none (in check)"),
    ] {
        let lines = session.say(command);
        assert!(lines.iter().any(|line| line.contains(part)), "{command}: {lines:?}");
    }
    session.send("position fen 4k3/8/8/8/8/8/4r3/4K3 w - - 0 1");
    assert!(session.say("eval").iter().any(|line| line.contains("in check")));
    session.quit();
}

/// A path that does not exist and the embedded network: what is missing is told and is no failure.
#[test]
fn the_doctor_finds_the_program_in_health() {
    let (out, _, code) = run(&["setoption name SyzygyPath value no-such-folder", "doctor"]);
    assert_eq!(code, Some(0), "{out}");
    for part in [
        concat!("Rufous ", env!("CARGO_PKG_VERSION")),
        "\nComputer\n",
        "\n  instruction set ",
        "\n  tablebases         no Syzygy tables found; skipped no-such-folder",
        "\n  network checksum   ok: ",
        "\n  instruction sets   ok: scalar",
        "\n  perft              ok: 7810000 ",
        "\n  bench              ok: ",
        "\nFor a bug report: Rufous ",
        "self-test passed\n",
    ] {
        assert!(out.contains(part), "{part} is missing in\n{out}");
    }
}

#[test]
fn the_doctor_can_be_stopped_and_the_session_goes_on() {
    let mut session = Session::start();
    session.send("doctor");
    session.until("  instruction sets ");
    session.send("stop");
    let out = session.until("info string stopped before its end");
    assert!(!out.iter().any(|line| line.starts_with("For a bug report")), "{out:?}");
    assert_ne!(session.search("go depth 2").best, "(none)");
    session.quit();
}

#[test]
fn manual_page_and_completions_are_written() {
    let folder = std::env::temp_dir().join(format!("rufous-test-{}-manual", std::process::id()));
    let (out, error, code) = run(&["--manual", folder.to_str().unwrap()]);
    assert_eq!((out.as_str(), error.as_str(), code), ("", "", Some(0)));
    for file in ["rufous.1", "rufous.bash", "_rufous", "rufous.fish"] {
        assert!(std::fs::read_to_string(folder.join(file)).unwrap().contains("genfens"), "{file}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}
