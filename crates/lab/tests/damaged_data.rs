//! Damaged training data: every command that reads it fails with a message that names the file and the place, and
//! loses nothing.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

#[path = "support/folder.rs"]
mod folder;

use folder::Folder;

fn lab(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rufous-lab")).args(arguments).output().unwrap()
}

/// The message of a command that must fail by itself, not by a panic.
fn complaint(arguments: &[&str]) -> String {
    let output = lab(arguments);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {text}");
    assert!(!text.contains("panicked"), "{arguments:?}: {text}");
    text
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn every_command_names_the_file_and_the_place() {
    let folder = Folder::new("damaged-data");
    let sound = folder.file("sound.binpack");
    let made = lab(&[
        "datagen",
        "--games",
        "4",
        "--nodes",
        "30",
        "--hash",
        "1",
        "--seed",
        "3",
        "--out",
        text(&sound),
    ]);
    assert!(made.status.success(), "{made:?}");
    let bytes = fs::read(&sound).unwrap();

    let cut_off = folder.file("cut-off.binpack");
    fs::write(&cut_off, &bytes[..bytes.len() - 7]).unwrap();
    // A black pawn on the first square, where a white man was, or no man.
    let men = folder.file("men.binpack");
    let mut damaged = bytes.clone();
    damaged[15] |= 1;
    damaged[16] = damaged[16] & 0xf0 | 1;
    fs::write(&men, &damaged).unwrap();
    // The moves of the last game are another's.
    let moves = folder.file("moves.binpack");
    let mut damaged = bytes.clone();
    let length = damaged.len();
    damaged[length - 40..].fill(0xff);
    fs::write(&moves, &damaged).unwrap();

    let out = folder.file("out");
    fs::write(&out, "precious").unwrap();
    for (path, place) in [
        (&cut_off, "chunk at byte 0: the file ends after"),
        (&men, "chunk at byte 0, position 1 at byte 8: "),
        (&moves, "chunk at byte 0, position "),
    ] {
        let name = path.file_name().unwrap().to_str().unwrap();
        let (file, out) = (text(path), text(&out));
        for command in [
            &["data", "stats", file][..],
            &["data", "view", file, "--count", "1000000"],
            &["data", "shuffle", file, "--out", out],
            &["wdl", file],
            &["walk", "--bases", file, "--positions", "10", "--out", out],
            &["train", "--data", file, "--valid", text(&sound), "--out", text(&folder.file("training"))],
        ] {
            let message = complaint(command);
            assert!(message.contains(name), "{command:?}: {message}");
            assert!(message.contains("damaged: ") && message.contains(place), "{command:?}: {message}");
        }
    }
    // Merging copies chunks as they are, so it notices only what is wrong with their sizes.
    let message = complaint(&["data", "merge", text(&sound), text(&cut_off), "--out", text(&out)]);
    assert!(message.contains("cut-off.binpack is damaged: chunk at byte 0"), "{message}");
    assert_eq!(fs::read_to_string(&out).unwrap(), "precious");
}
