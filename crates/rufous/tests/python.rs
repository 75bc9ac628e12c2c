//! What needs Python: a client that nobody of this project wrote, and a terminal.

use std::path::Path;
use std::process::Command;

/// Runs a script with the program as its argument, where Python has the module.
fn run(script: &str, module: &str) {
    let available = Command::new("python3").args(["-c", &format!("import {module}")]).output();
    if !available.is_ok_and(|output| output.status.success()) {
        println!("skipped: python3 with the module '{module}' is not here");
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python").join(script);
    let output = Command::new("python3").arg(script).arg(env!("CARGO_BIN_EXE_rufous")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn python_chess_plays_analyses_ponders_and_uses_chess960() {
    run("client.py", "chess.engine");
}

/// The package in `python/` with this program, the examples of its README included.
#[test]
fn the_python_package_works() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../python");
    let mut python = Command::new("python3");
    python.args(["-c", "import chess.engine"]);
    if !folder.is_dir() || !python.output().is_ok_and(|output| output.status.success()) {
        println!("skipped: no folder python/ or no python3 with the module 'chess'");
        return;
    }
    let output = Command::new("python3")
        .args(["-m", "unittest", "discover", "tests"])
        .current_dir(&folder)
        .env("PYTHONPATH", "src")
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("RUFOUS_PATH", env!("CARGO_BIN_EXE_rufous"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_person_gets_a_banner_and_errors_in_words() {
    run("terminal.py", "pty");
}
