//! Tells the program how it was built, for `--version`, `compiler`, `doctor` and `speedtest`.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// What decides the node count of `bench`, as seen from this crate.
const PLAY: [&str; 4] = ["../chess/src", "../nnue/src", "../engine/src", "../../nets"];

fn main() {
    // A build for two levels (scripts/two-levels) has its manifest elsewhere: the sources are where this script is.
    if let Some(home) = Path::new(file!()).parent().filter(|folder| folder.is_absolute()) {
        env::set_current_dir(home).expect("this script was compiled from there");
    }
    watch("build.rs");
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let compiler = Command::new(variable("RUSTC")).arg("--version").output();
    let compiler = compiler.ok().and_then(|output| String::from_utf8(output.stdout).ok());
    println!("cargo::rustc-env=BUILD_COMPILER={}", compiler.as_deref().unwrap_or("rustc").trim());
    println!("cargo::rustc-env=BUILD_TARGET={}", variable("TARGET"));
    println!("cargo::rustc-env=BUILD_OPTIMISATION={}", variable("OPT_LEVEL"));
    // Without git, as in a source archive, both stay empty and nobody misses them.
    println!("cargo::rustc-env=BUILD_COMMIT={}", commit().unwrap_or_default());
    println!("cargo::rustc-env=BUILD_BENCH={}", bench().unwrap_or_default());
}

/// Has cargo run this script again when what is there changes. Its own paths begin at the manifest.
fn watch(path: &str) {
    if let Ok(path) = fs::canonicalize(path) {
        println!("cargo::rerun-if-changed={}", path.display());
    }
}

/// The short hash of the commit: as `RUFOUS_COMMIT` says, or git, or cargo in a published package.
fn commit() -> Option<String> {
    println!("cargo::rerun-if-env-changed=RUFOUS_COMMIT");
    let given = env::var("RUFOUS_COMMIT").ok().filter(|commit| !commit.is_empty());
    let hash = given.or_else(commit_of_repository).or_else(commit_of_package)?;
    Some(hash.chars().take(10).collect())
}

fn commit_of_repository() -> Option<String> {
    // Another project's repository may hold these sources as a copy: its commits say nothing of them.
    git(&["ls-files", "--error-unmatch", "build.rs"])?;
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        watch(&log);
    }
    git(&["rev-parse", "HEAD"])
}

fn commit_of_package() -> Option<String> {
    let text = fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let (_, hash) = text.split_once("\"sha1\": \"")?;
    Some(hash.split_once('"')?.0.to_owned())
}

/// The node count of `bench` by the last commit that names one; `None` where this build may differ from it.
fn bench() -> Option<String> {
    println!("cargo::rerun-if-env-changed=EVALFILE");
    PLAY.into_iter().for_each(watch);
    let other_network = env::var_os("EVALFILE").is_some_and(|file| !file.is_empty());
    let unchanged = git(&[&["status", "--porcelain", "--"], &PLAY[..]].concat())?.is_empty();
    if other_network || !unchanged {
        return None;
    }
    let message = git(&["log", "-1", "--grep=^Bench: ", "--format=%B"])?;
    let mut counts = message.lines().filter_map(|line| line.strip_prefix("Bench: "));
    counts.next_back().map(|count| count.trim().to_owned())
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
