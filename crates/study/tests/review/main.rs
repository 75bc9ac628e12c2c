//! `rufous-study review` as its users know it.

mod scratch;

use std::fs;
use std::process::Command;

use scratch::{Scratch, file, has};

/// The dialects: `NAME.pgn`, and where other readers fail `NAME.plain.pgn` with the same in plain PGN.
fn dialects() -> Vec<String> {
    let names = fs::read_dir(file("games")).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
    names.retain(|name| name.ends_with(".pgn") && !name.ends_with(".plain.pgn"));
    names.sort();
    names
}

#[test]
fn games_of_every_dialect_are_reviewed_and_nothing_is_lost() {
    let names = dialects();
    assert_eq!(names.len(), 20);
    let python = has("python3", &["-c", "import chess.pgn"]);
    if !python {
        println!("skipped: python-chess is not here to read the annotated games again");
    }
    let scratch = Scratch::new("dialects");
    for name in names {
        let original = file("games").join(&name);
        let words = [
            "review",
            original.to_str().unwrap(),
            "--nodes",
            "300",
            "--threads",
            "2",
            "--pgn",
            "out.pgn",
            "--json",
            "out.json",
        ];
        let output = scratch.run(&words);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        let told: Vec<&str> =
            stderr.lines().filter_map(|line| line.split_once(".pgn: ")).map(|(_, told)| told).collect();
        if name.starts_with("17") {
            assert_eq!(
                told,
                [
                    "game 2, line 13: 'Ke3': not a legal move; skipped",
                    "game 3, line 20: a comment that is not closed; skipped",
                    "game 5, line 29: the variant 'Atomic' is not chess; skipped",
                    "game 6, line 39: left out the variation from 'Qh9' on: not a move",
                ]
            );
        } else {
            assert!(told.is_empty(), "{name}: {told:?}");
        }
        let annotated = scratch.read("out.pgn");
        let games: Vec<_> = pgn::Games::new(&annotated).collect::<Result<_, _>>().unwrap();
        let before = pgn::decode(&fs::read(&original).unwrap());
        let before: Vec<_> = pgn::Games::new(&before).flatten().collect();
        assert_eq!(games.len(), before.len(), "{name}");
        for (one, other) in before.iter().zip(&games) {
            assert!(one.moves().eq(other.moves()), "{name}");
            assert!(one.tags.iter().all(|tag| other.tags.contains(tag)), "{name}");
        }
        if python {
            let script = file("python/reread.py");
            let (annotated, review) = (scratch.path("out.pgn"), scratch.path("out.json"));
            let output =
                Command::new("python3").args([&script, &original, &annotated, &review]).output().unwrap();
            assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        }
    }
}

/// The plies that a review calls blunders or mistakes.
fn bad_moves(scratch: &Scratch, text: &str) -> Vec<String> {
    fs::write(scratch.path("games.pgn"), text).unwrap();
    scratch.run(&["review", "games.pgn", "--nodes", "20000", "--json", "out.json"]);
    let reviews: serde_json::Value = serde_json::from_str(&scratch.read("out.json")).unwrap();
    let moves = reviews[0]["moves"].as_array().unwrap();
    let bad = moves.iter().filter(|mv| mv["judgement"] == "blunder" || mv["judgement"] == "mistake");
    bad.map(|mv| format!("{} {}", mv["number"].as_str().unwrap(), mv["san"].as_str().unwrap())).collect()
}

#[test]
fn known_blunders_are_found_and_nothing_else() {
    let scratch = Scratch::new("blunders");
    assert_eq!(bad_moves(&scratch, "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0"), ["3... Nf6"]);
    let ruy = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Na5 10. Bc2 c5 \
               11. d4 Qc7 12. Nbd2 cxd4 13. cxd4 Nc6 14. Nb3 a5 1/2-1/2";
    assert_eq!(bad_moves(&scratch, ruy), [""; 0]);
}

#[cfg(unix)]
#[test]
fn a_review_that_was_interrupted_goes_on() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;

    let scratch = Scratch::new("resume");
    let games = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 *\n\n1. d4 d5 2. c4 e6 3. Nc3 Nf6 *\n\n".repeat(30);
    fs::write(scratch.path("games.pgn"), games).unwrap();
    let words = ["review", "games.pgn", "--nodes", "4000", "--json", "parts.json"];
    let mut child = scratch.command(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    assert!(line.starts_with("game 1: "), "{line}");
    assert!(has("kill", &["-INT", &child.id().to_string()]));
    let rest: Vec<String> = stdout.lines().map(Result::unwrap).collect();
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && stderr.contains("--resume continues"), "{stderr}{rest:?}");
    let count = |text: &str| serde_json::from_str::<Vec<serde_json::Value>>(text).unwrap().len();
    let finished = count(&scratch.read("parts.json"));
    assert!((1..60).contains(&finished), "{finished}");

    // A line that was being written at a power failure.
    let mut journal = scratch.read("parts.json.part");
    journal.push_str("{\"number\":60,\"li");
    fs::write(scratch.path("parts.json.part"), journal).unwrap();
    let output = scratch.run(&[&words[..], &["--resume"]].concat());
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(stdout.contains(&format!("{finished} of 60 games were reviewed before")), "{stdout}");
    // The same once more, from the store, and without it.
    let output = scratch.run(&["review", "games.pgn", "--nodes", "4000", "--json", "whole.json"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("; 420 positions came from the store"));
    assert_eq!(scratch.read("parts.json"), scratch.read("whole.json"));
    scratch.run(&[
        "review",
        "games.pgn",
        "--nodes",
        "4000",
        "--json",
        "whole.json",
        "--no-store",
        "--threads",
        "3",
    ]);
    assert_eq!(scratch.read("parts.json"), scratch.read("whole.json"));
    assert!(!scratch.path("parts.json.part").exists());

    // The journal of another review is refused.
    fs::write(scratch.path("whole.json.part"), "something else\n").unwrap();
    let output =
        scratch.command(&["review", "games.pgn", "--json", "whole.json", "--resume"]).output().unwrap();
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("not the journal of a review"));
}

#[test]
fn a_review_goes_on_when_nobody_reads_what_it_tells() {
    use std::process::Stdio;

    let scratch = Scratch::new("unread");
    fs::write(scratch.path("games.pgn"), "1. e4 e5 *\n\n1. e5 *\n\n1. d4 d5 *\n").unwrap();
    for name in ["review", "puzzles"] {
        let words = [name, "games.pgn", "--nodes", "300", "--pgn", "out.pgn"];
        let mut command = scratch.command(&words);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop((child.stdout.take(), child.stderr.take()));
        assert!(child.wait().unwrap().success(), "{name}");
        assert!(scratch.path("out.pgn").exists(), "{name}");
        fs::remove_file(scratch.path("out.pgn")).unwrap();
    }
}

#[test]
fn nothing_to_review_is_said_in_words() {
    let scratch = Scratch::new("nothing");
    let error = |words: &[&str]| {
        let output = scratch.command(words).output().unwrap();
        assert!(!output.status.success());
        String::from_utf8_lossy(&output.stderr).trim().to_owned()
    };
    assert!(error(&["review", "missing.pgn"]).starts_with("rufous-study: missing.pgn: "));
    fs::write(scratch.path("empty.pgn"), "\n\n").unwrap();
    assert_eq!(error(&["review", "empty.pgn"]), "rufous-study: empty.pgn: no game that can be read");
    fs::write(scratch.path("bad.pgn"), "1. e5 *").unwrap();
    assert!(
        error(&["review", "bad.pgn"]).starts_with("bad.pgn: game 1, line 1: 'e5': not a legal move; skipped")
    );
}

#[test]
fn the_report_works_in_a_browser() {
    let script = file("browser/report.mjs");
    if !has("node", &[script.to_str().unwrap(), "--check"]) {
        println!("skipped: no node with playwright-core and Chromium here");
        return;
    }
    let scratch = Scratch::new("browser");
    let games = ["01-lichess.pgn", "09-chess960.pgn", "02-lichess-study.pgn"]
        .map(|name| fs::read_to_string(file("games").join(name)).unwrap())
        .concat();
    fs::write(scratch.path("games.pgn"), games).unwrap();
    scratch.run(&["review", "games.pgn", "--nodes", "5000", "--html", "report.html"]);
    let output = Command::new("node").arg(&script).arg(scratch.path("report.html")).output().unwrap();
    assert!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}
