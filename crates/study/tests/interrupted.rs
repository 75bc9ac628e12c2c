//! Commands that end before their work is done leave earlier results alone.
#![cfg(unix)]

mod support;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use support::{Folder, study};

/// Never answers; with a file named `dies` beside it, it ends instead.
const ENGINE: &str = r#"#!/bin/sh
while read -r line; do
    case "$line" in
    uci) echo "id name Shell 1"; echo "option name MultiPV type spin default 1 min 1 max 9"; echo uciok ;;
    isready) echo readyok ;;
    go*) : > "$0.asked"; [ ! -e "$0.dies" ] || exit 1 ;;
    quit) exit ;;
    esac
done
"#;

/// Only a test that fails waits so long.
const PATIENCE: Duration = Duration::from_secs(60);

/// Runs a command that cannot finish anything, over an earlier result; returns what it told.
fn interrupted(name: &str, dies: bool) -> String {
    let folder = Folder::new(&format!("interrupted-{name}-{dies}"));
    let (games, out, engine) = (folder.path("games.pgn"), folder.path("out.pgn"), folder.path("engine"));
    fs::write(&games, "1. e4 e5 2. Nf3 Nc6 *\n").unwrap();
    fs::write(&out, "earlier\n").unwrap();
    fs::write(&engine, ENGINE).unwrap();
    fs::set_permissions(&engine, fs::Permissions::from_mode(0o755)).unwrap();
    if dies {
        fs::write(folder.path("engine.dies"), "").unwrap();
    }
    let words = [name, &games, "--pgn", &out, "--engine", &engine, "--threads", "1", "--no-store"];
    let child = study(&words).spawn().unwrap();
    if !dies {
        let begun = Instant::now();
        let asked = folder.path("engine.asked");
        while !Path::new(&asked).exists() {
            assert!(begun.elapsed() < PATIENCE, "the engine is asked");
            thread::sleep(Duration::from_millis(20));
        }
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    }
    let output = child.wait_with_output().unwrap();
    assert!(!output.status.success(), "{output:?}");
    assert_eq!(fs::read_to_string(&out).unwrap(), "earlier\n", "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn nothing_does_not_replace_earlier_results() {
    for name in ["puzzles", "review"] {
        let told = interrupted(name, false);
        assert!(told.contains("interrupted; no ") && told.contains("nothing was written"), "{name}: {told}");
        let told = interrupted(name, true);
        assert!(
            told.contains("the engine failed: ") && told.contains("nothing was written"),
            "{name}: {told}"
        );
    }
}
