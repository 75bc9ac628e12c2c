//! The conformance check against a small engine that behaves and one that does not; both are shell scripts.
#![cfg(unix)]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

/// The handshake of an engine; `$author` and `$ready` are what it says of its author and when it is ready.
const HANDSHAKE: &str = r#"
while read -r line; do
    case $line in
    uci) echo "id name Script"; $author; echo "option name Hash type spin default 16 min 1 max 64"; echo uciok ;;
    isready) echo "$ready" ;;
    quit) exit 0 ;;
    esac
done
"#;

/// The checks for which a handshake is enough.
const ONLY: [&str; 8] = [
    "uci.",
    "isready.answer",
    "isready.each",
    "quit.idle",
    "quit.status",
    "option.syntax",
    "wire.readyok-bare",
    "wire.no-banner",
];

struct Run {
    output: Output,
    json: Value,
    junit: String,
}

impl Run {
    fn new(name: &str, variables: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("rufous-lab-check-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = |name: &str| -> PathBuf { folder.join(name) };
        fs::write(file("engine.sh"), format!("{variables}\n{HANDSHAKE}")).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_rufous-lab"));
        command.args(["check", "sh", "--timeout", "60", "--prompt", "60000", "--only"]).args(ONLY);
        command.arg("--json").arg(file("json")).arg("--junit").arg(file("junit"));
        let output = command.arg("--").arg(file("engine.sh")).output().unwrap();
        let json = serde_json::from_str(&fs::read_to_string(file("json")).unwrap()).unwrap();
        let junit = fs::read_to_string(file("junit")).unwrap();
        fs::remove_dir_all(&folder).unwrap();
        Self { output, json, junit }
    }

    fn verdict(&self, id: &str) -> &str {
        let checks = self.json["checks"].as_array().unwrap();
        let check = checks.iter().find(|check| check["id"] == id).unwrap();
        check["verdict"].as_str().unwrap()
    }
}

#[test]
fn an_engine_that_behaves_passes() {
    let run = Run::new("good", "author='echo id author Nobody'\nready=readyok");
    let said = String::from_utf8_lossy(&run.output.stdout).into_owned();
    assert!(run.output.status.success(), "{said}");
    assert_eq!((&run.json["failed_must"], &run.json["failed_should"]), (&0.into(), &0.into()), "{said}");
    assert!(run.junit.contains("failures=\"0\""));
}

#[test]
fn an_engine_that_does_not_fails_where_it_does_not() {
    let run = Run::new("bad", "author=:\nready='readyok indeed'\necho Welcome");
    let said = String::from_utf8_lossy(&run.output.stdout).into_owned();
    assert_eq!(run.output.status.code(), Some(1), "{said}");
    let failed = ["uci.id-author", "wire.readyok-bare", "wire.no-banner"];
    assert!(failed.iter().all(|id| run.verdict(id) == "fail"), "{said}");
    assert_eq!((&run.json["failed_must"], &run.json["failed_should"]), (&1.into(), &2.into()), "{said}");
    // The conversation shows what went wrong, and the rule is quoted.
    assert!(
        said.contains("< readyok indeed")
            && said.contains("this must be sent after receiving the uci command"),
        "{said}"
    );
    assert!(run.junit.contains("failures=\"1\""));
}

#[test]
fn every_check_is_listed_with_its_rule() {
    let output = Command::new(env!("CARGO_BIN_EXE_rufous-lab")).args(["check", "--list"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success());
    assert!(said.contains("should  race.stop-idle"), "{said}");
    assert!(said.lines().filter(|line| line.starts_with("must")).count() > 50);
}

#[test]
fn a_program_that_is_no_engine_is_asked_one_thing_only() {
    for (program, argument) in [("cat", "-"), ("true", "-")] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rufous-lab"));
        command.args(["check", program, "--timeout", "1", "--", argument]);
        let output = command.output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert!(told.contains("does not answer 'uci'") && output.stdout.is_empty(), "{told}");
    }
}

#[test]
fn a_file_that_cannot_be_written_is_named_at_the_start() {
    for option in ["--json", "--junit"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rufous-lab"));
        let output = command.args(["check", "cat", option, "/no/such/folder/result"]).output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert!(told.contains("/no/such/folder/result") && output.stdout.is_empty(), "{told}");
    }
}

#[test]
fn an_empty_suite_is_an_error() {
    let file = std::env::temp_dir().join(format!("rufous-lab-empty-suite-{}.epd", std::process::id()));
    fs::write(&file, "\n  \n").unwrap();
    let output =
        Command::new(env!("CARGO_BIN_EXE_rufous-lab")).args(["suite", "cat"]).arg(&file).output().unwrap();
    fs::remove_file(&file).unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("has no positions"), "{told}");
}
