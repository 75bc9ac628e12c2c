//! The library as C sees it: the header is that of the source, and the example compiles, links and runs.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{self, Command, Output};
use std::{env, fs};

fn crate_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Runs a program; `None` where it is not installed.
fn run(command: &mut Command) -> Option<Output> {
    match command.output() {
        Ok(output) => Some(output),
        Err(error) => {
            println!("skipped: {command:?}: {error}");
            None
        }
    }
}

fn assert_success(output: &Output) {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_header_is_that_of_the_source() {
    let header = crate_folder().join("include/rufous.h");
    let Some(output) = run(Command::new("cbindgen").current_dir(crate_folder()).arg("--quiet")) else {
        return;
    };
    assert_success(&output);
    let made = String::from_utf8(output.stdout).unwrap();
    if env::var_os("UPDATE_HEADER").is_some() {
        fs::write(&header, made).unwrap();
    } else {
        let present = fs::read_to_string(&header).unwrap();
        assert!(
            present == made,
            "rufous.h is out of date: run UPDATE_HEADER=1 cargo test -p rufous-capi header"
        );
    }
}

/// Compiles the example with this library and runs it.
fn compile_and_run(name: &str, library: &Path) {
    let program = env::temp_dir().join(format!("rufous-{}-{name}", process::id()));
    let mut compiler = Command::new("cc");
    compiler.args(["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I"]);
    compiler.arg(crate_folder().join("include")).arg(crate_folder().join("examples/play.c")).arg(library);
    compiler.args(["-lpthread", "-lm"]).args(cfg!(target_os = "linux").then_some("-ldl"));
    let Some(output) = run(compiler.arg("-o").arg(&program)) else { return };
    assert_success(&output);
    // C_RUNNER="valgrind --error-exitcode=3 --leak-check=full" looks for faults of memory; see CONTRIBUTING.
    let runner = env::var("C_RUNNER").unwrap_or_default();
    let mut words = runner.split_whitespace().map(PathBuf::from).chain([program.clone()]);
    let mut command = Command::new(words.next().unwrap());
    let output = command.args(words).env("LD_LIBRARY_PATH", library.parent().unwrap()).output().unwrap();
    assert_success(&output);
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], concat!("Rufous ", env!("CARGO_PKG_VERSION")), "{text}");
    assert_eq!(lines.iter().filter(|line| line.contains(" for the side to move")).count(), 4, "{text}");
    assert!(lines.iter().any(|line| line.starts_with("stopped at ") && line.len() >= 15), "{text}");
    assert!(text.contains("refused: ") && text.ends_with("done\n"), "{text}");
    fs::remove_file(program).unwrap();
}

/// The folder in which cargo leaves the library for this test.
fn library(ending: &str) -> PathBuf {
    env::current_exe().unwrap().with_file_name(format!("librufous_capi.{ending}"))
}

#[test]
fn the_example_runs_with_the_static_library() {
    compile_and_run("static", &library("a"));
}

#[test]
fn the_example_runs_with_the_shared_library() {
    compile_and_run("shared", &library(if cfg!(target_os = "macos") { "dylib" } else { "so" }));
}
