//! `UCI.md` says which test shows which statement; here it is held to that. And no option goes untried.

use std::fs;
use std::path::Path;

use crate::session::Session;

/// The names in the table that look like a test: `file::function`.
fn tests_named(text: &str) -> Vec<(&str, &str)> {
    let quoted = text.split('`').skip(1).step_by(2);
    quoted.filter_map(|name| name.split_once("::")).collect()
}

#[test]
fn every_test_that_the_document_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("UCI.md")).unwrap();
    let named = tests_named(&text);
    assert!(named.len() > 50, "only {} tests are named", named.len());
    for (file, function) in named {
        let source = fs::read_to_string(root.join(format!("tests/uci/{file}.rs")));
        let source = source.unwrap_or_else(|_| panic!("UCI.md names {file}::{function}"));
        assert!(source.contains(&format!("fn {function}(")), "UCI.md names {file}::{function}");
    }
}

#[test]
fn every_option_is_set_in_some_session() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/uci");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let sources: String = files.map(|path| fs::read_to_string(path).unwrap()).collect();
    let mut session = Session::start();
    session.send("uci");
    let lines = session.until("uciok");
    let names = lines.iter().filter_map(|line| line.strip_prefix("option name ")?.split_once(" type "));
    let unset = |name: &str| {
        !sources.contains(&format!("{name} value ")) && !sources.contains(&format!("setoption name {name}"))
    };
    let untried: Vec<&str> = names.map(|(name, _)| name).filter(|name| unset(name)).collect();
    assert!(lines.len() > 30 && untried.is_empty(), "{untried:?} of {} lines", lines.len());
    session.quit();
}
