//! A client that nobody of this project wrote uses the program.

use std::path::Path;
use std::process::Command;

#[test]
fn python_chess_plays_analyses_ponders_and_uses_chess960() {
    let available = Command::new("python3").args(["-c", "import chess.engine"]).output();
    if !available.is_ok_and(|output| output.status.success()) {
        println!("skipped: python3 with the package 'chess' is not here");
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/client.py");
    let output = Command::new("python3").arg(script).arg(env!("CARGO_BIN_EXE_rufous")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
