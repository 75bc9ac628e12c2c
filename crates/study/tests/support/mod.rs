//! The program, run by tests.
#![allow(dead_code, reason = "no test uses all of it")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::{env, fs, thread};

use serde_json::Value;

/// A folder of one test alone, removed with everything in it at the end.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = env::temp_dir().join(format!("rufous-study-test-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The program with these arguments and pipes on all sides.
pub(crate) fn study(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rufous-study"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the program on this input.
pub(crate) fn run(arguments: &[&str], input: &str) -> Output {
    let mut child = study(arguments).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    // The program may end without reading all of it.
    let feeder = thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    output
}

/// The objects of an output.
pub(crate) fn answers(output: &[u8]) -> Vec<Value> {
    let lines = output.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_slice(line).unwrap()).collect()
}

/// The playing program, which a build of the whole workspace leaves beside this one.
pub(crate) fn rufous() -> Option<PathBuf> {
    let rufous = Path::new(env!("CARGO_BIN_EXE_rufous-study"))
        .with_file_name("rufous")
        .with_extension(env::consts::EXE_EXTENSION);
    if rufous.is_file() {
        return Some(rufous);
    }
    println!("skipped: {} is not built", rufous.display());
    None
}
