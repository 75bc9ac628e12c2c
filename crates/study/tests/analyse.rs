//! `rufous-study analyse` and `store` as programs: killed, in company, with other engines.

mod support;

use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write as _};
use std::path::Path;
use std::process::Stdio;
use std::thread;

use serde_json::Value;
use support::{Folder, answers, run, study};

/// Positions that follow each other in games of moves chosen by a number.
fn positions(count: usize, seed: usize) -> Vec<String> {
    let mut position = chess::Position::startpos();
    let mut fens = Vec::new();
    let mut number = seed;
    while fens.len() < count {
        let moves = position.legal_moves();
        if moves.is_empty() || fens.len() % 60 == 59 {
            position = chess::Position::startpos();
        }
        let moves = position.legal_moves();
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        position.play(moves[(number >> 33) % moves.len()]);
        fens.push(position.to_string());
    }
    fens
}

fn text(lines: &[String]) -> String {
    lines.iter().fold(String::new(), |mut text, line| {
        let _ = writeln!(text, "{line}");
        text
    })
}

#[test]
fn a_killed_program_loses_nothing_that_was_finished() {
    let folder = Folder::new("killed");
    let store = folder.path("analyses.sqlite");
    let words = ["analyse", "--store", &store, "--nodes", "60", "--threads", "2", "--timing"];
    let mut written: HashSet<String> = HashSet::new();
    for round in 0..8_usize {
        let mut child = study(&words).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        let fens = positions(2000, round);
        // The program dies while this writes.
        let feeder = thread::spawn(move || drop(input.write_all(text(&fens).as_bytes())));
        let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
        for line in output.by_ref().take(1 + round * round * 7) {
            written.insert(line.unwrap());
        }
        child.kill().unwrap();
        // Lines that were on their way, except for one that was cut off.
        written.extend(output.map_while(Result::ok).filter(|line| line.ends_with('}')));
        child.wait().unwrap();
        feeder.join().unwrap();
    }
    let fens: HashSet<String> = written
        .iter()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["fen"].as_str().unwrap().to_owned())
        .collect();
    assert!(fens.len() > 300, "{}", fens.len());
    let fens: Vec<String> = fens.into_iter().collect();
    let answers = answers(&run(&words, &text(&fens)).stdout);
    assert_eq!(answers.len(), fens.len());
    let searched: Vec<&Value> = answers.iter().filter(|answer| answer["nodes"] != 0).collect();
    assert!(searched.iter().all(|answer| answer["stored"] == true), "something was lost");
    assert!(searched.len() > 300);
}

#[test]
fn two_programs_share_a_store() {
    let folder = Folder::new("shared");
    let store = folder.path("analyses.sqlite");
    let words = ["analyse", "--store", &store, "--nodes", "60", "--threads", "2"];
    let input = text(&positions(400, 99));
    let both = thread::scope(|scope| {
        let programs = [(); 3].map(|()| scope.spawn(|| run(&words, &input)));
        programs.map(|program| program.join().unwrap())
    });
    let alone = run(&["analyse", "--no-store", "--nodes", "60", "--threads", "1"], &input);
    for output in both {
        assert!(output.stdout == alone.stdout, "the store changes nothing");
        assert!(!String::from_utf8_lossy(&output.stderr).contains("not stored"), "{output:?}");
    }
    let stats = run(&["store", "stats", "--store", &store], "");
    assert!(String::from_utf8_lossy(&stats.stdout).contains("by Rufous "), "{stats:?}");
}

#[test]
fn a_store_goes_from_one_machine_to_another_and_is_pruned() {
    let folder = Folder::new("export");
    let (here, there, file) =
        (folder.path("here.sqlite"), folder.path("there.sqlite"), folder.path("export.jsonl"));
    let input = text(&positions(50, 5));
    run(&["analyse", "--store", &here, "--nodes", "60", "--multipv", "2"], &input);
    assert!(run(&["store", "export", &file, "--store", &here], "").status.success());
    let mut exported = std::fs::read_to_string(&file).unwrap();
    let count = exported.lines().count();
    assert!(count > 40);
    exported.push_str("{\"position\": \"nonsense\"}\nrubbish\n");
    exported.push_str(&exported.lines().next().unwrap().replace(" w ", " x ").replace(" b ", " x "));
    let output = run(&["store", "import", "--store", &there], &exported);
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(told, format!("{} read, {count} kept, 0 not better than what was there, 3 bad\n", count + 3));
    let again = run(&["store", "import", &file, "--store", &there], "");
    assert!(String::from_utf8_lossy(&again.stdout).contains(" 0 kept"), "{again:?}");
    assert_eq!(
        run(&["store", "export", "--store", &here], "").stdout,
        run(&["store", "export", "--store", &there], "").stdout
    );

    let output = run(&["analyse", "--store", &there, "--nodes", "60", "--multipv", "2"], &input);
    assert!(String::from_utf8_lossy(&output.stderr).contains(" 0 searched"), "{output:?}");

    let prune = |words: &[&str]| {
        let output = run(&[&["store", "prune", "--store", &there], words].concat(), "");
        String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
    };
    assert!(prune(&[]).contains("give a condition"));
    assert_eq!(prune(&["--older-than", "1"]), "0 removed\n");
    assert_eq!(prune(&["--engine", "stockfish"]), "0 removed\n");
    assert_eq!(prune(&["--engine", "rufous", "--dry-run"]), format!("{count} would be removed\n"));
    assert_eq!(prune(&["--nodes-below", "1000000", "--engine", "RUFOUS"]), format!("{count} removed\n"));
    let stats = run(&["store", "stats", "--store", &there], "");
    assert!(String::from_utf8_lossy(&stats.stdout).contains("analyses   0"), "{stats:?}");

    let missing = run(&["store", "stats", "--store", &folder.path("none.sqlite")], "");
    assert!(!missing.status.success());
    assert!(!Path::new(&folder.path("none.sqlite")).exists());
}

/// The store of the user, in a folder of the test.
#[test]
fn the_default_store_is_where_the_system_keeps_data() {
    if cfg!(windows) {
        println!("skipped: the test sets the variables of Unix");
        return;
    }
    let folder = Folder::new("home");
    let mut command = study(&["analyse", "--nodes", "20"]);
    let mut child = command.env_remove("XDG_DATA_HOME").env("HOME", folder.path("")).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"8/8/4k3/8/2p5/8/B2K4/8 w - - 0 1\n").unwrap();
    assert!(child.wait_with_output().unwrap().status.success());
    let data = if cfg!(target_os = "macos") { "Library/Application Support" } else { ".local/share" };
    assert!(Path::new(&folder.path(data)).join("rufous/analyses.sqlite").is_file());
}

#[test]
fn whoever_stops_reading_ends_the_program() {
    let mut child = study(&["analyse", "--no-store", "--nodes", "20"]).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let fens = positions(5000, 1);
    let feeder = thread::spawn(move || drop(input.write_all(text(&fens).as_bytes())));
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    output.next().unwrap().unwrap();
    drop(output);
    assert!(child.wait().unwrap().success());
    feeder.join().unwrap();
}

/// An engine in a dozen lines of shell, which dies where White has a rook on a1.
#[cfg(unix)]
const ENGINE: &str = r#"#!/bin/sh
while read -r line; do
    case "$line" in
        uci) echo "id name Shell 1"; echo "option name MultiPV type spin default 1 min 1 max 9"; echo uciok ;;
        isready) echo readyok ;;
        position*/R*) exit 3 ;;
        go*) echo "info depth 3 seldepth 4 score cp 12 lowerbound nodes 7 pv h1h8 e8e7"
             echo "info depth 3 seldepth 4 score mate 2 nodes 9 pv h1h7 e8d8 a1a1"
             echo "bestmove h1h7" ;;
        quit) exit 0 ;;
    esac
done
"#;

#[test]
#[cfg(unix)]
fn any_engine_will_do_and_one_that_dies_is_started_again() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("engine");
    let engine = folder.path("an engine.sh");
    std::fs::write(&engine, ENGINE).unwrap();
    std::fs::set_permissions(&engine, std::fs::Permissions::from_mode(0o755)).unwrap();
    let store = folder.path("analyses.sqlite");
    let words = ["analyse", "--engine", &engine, "--threads", "1", "--nodes", "5", "--store", &store];
    let input =
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1\n4k3/8/8/8/8/8/8/R3K2R w K - 0 1\n4k3/8/8/8/8/8/7R/4K2R w K - 0 1\n";
    let output = run(&words, input);
    let answers = answers(&output.stdout);
    assert_eq!(answers.len(), 3, "{output:?}");
    assert_eq!(answers[0]["engine"], "Shell 1");
    assert_eq!(answers[0]["score"], serde_json::json!({"mate": 2}));
    // The line as far as it is legal.
    assert_eq!(answers[0]["lines"][0]["san"], serde_json::json!(["Rh7", "Kd8"]));
    let error = answers[1]["error"].as_str().unwrap();
    assert!(error.contains("the engine ended") && answers[1]["line"] == 2, "{error}");
    // h1h7 is illegal here, since a rook is in the way: only the first line remains of which nothing is legal either.
    assert!(answers[2]["error"].as_str().unwrap().contains("bestmove without a line"), "{output:?}");

    // Another engine knows nothing of this one's analyses.
    let output = run(&["analyse", "--threads", "1", "--nodes", "5", "--store", &store], &input[..31]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("1 searched"), "{output:?}");
    let output = run(&words, &input[..31]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("1 from the store"), "{output:?}");
}

/// Rufous by UCI says what Rufous in process says.
#[test]
fn in_process_and_by_uci_are_the_same() {
    let Some(rufous) = support::rufous() else { return };
    let input =
        text(&positions(30, 17)) + "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\n";
    let words = ["analyse", "--no-store", "--nodes", "2000", "--multipv", "2", "--threads", "2"];
    let inside = run(&words, &input);
    let outside = run(&[&words[..], &["--engine", rufous.to_str().unwrap()]].concat(), &input);
    let (inside, outside) = (answers(&inside.stdout), answers(&outside.stdout));
    assert_eq!(inside.len(), 31);
    for (inside, outside) in inside.iter().zip(&outside) {
        assert_eq!(inside["lines"], outside["lines"]);
        assert_eq!(inside["network"], outside["network"]);
    }
}

#[test]
fn help_explains_every_option() {
    for command in ["analyse", "store"] {
        let output = study(&["help", command]).stdin(Stdio::null()).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && text.contains("--store"), "{text}");
    }
}

/// The most memory that a process had so far, in KiB.
#[cfg(target_os = "linux")]
fn peak_memory(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn memory_does_not_grow_with_the_input() {
    let mut child = study(&["analyse", "--no-store", "--nodes", "20", "--threads", "2"]).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    // Long lines, most of which need no search, and ids that come back.
    let line = |number: usize| match number % 50 {
        0 => format!(r#"{{"id": {number}, "fen": "8/8/4k3/8/2p5/8/B2K4/8 w - - 0 1"}}"#),
        _ => format!(r#"{{"id": "{number} {}", "fen": "none"}}"#, "x".repeat(300)),
    };
    let mut feed = |range: std::ops::Range<usize>| {
        thread::scope(|scope| {
            let input = &mut input;
            let numbers = range.clone();
            scope.spawn(move || {
                for number in numbers {
                    writeln!(input, "{}", line(number)).unwrap();
                }
            });
            assert_eq!(output.by_ref().take(range.len()).count(), range.len());
        });
        peak_memory(child.id())
    };
    let few = feed(0..1000);
    let many = feed(1000..100_000);
    assert!(many < few + 8 * 1024, "{few} KiB after 1,000 lines, {many} KiB after 100,000");
    drop(input);
    assert!(child.wait().unwrap().success());
}
