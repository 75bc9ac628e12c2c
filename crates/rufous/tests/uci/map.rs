//! `UCI.md` says which test shows which statement; here it is held to that.

use std::fs;
use std::path::Path;

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
