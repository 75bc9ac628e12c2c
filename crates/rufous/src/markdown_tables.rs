//! The tables of docs/uci.md come from the program's own: a test compares them, and with `UPDATE_DOCS`
//! set writes them anew.

use std::path::PathBuf;
use std::{env, fs};

use engine::{OptionKind, OptionSpec};

use crate::help::COMMANDS;
use crate::program_options::all_options;

fn kind_and_values(spec: &OptionSpec) -> (&'static str, String, String) {
    let code = |text: &str| format!("`{text}`");
    match spec.kind {
        OptionKind::Check { default } => ("check", code(&default.to_string()), String::new()),
        OptionKind::Spin { default, min, max } => {
            ("spin", code(&default.to_string()), format!("{min} to {max}"))
        }
        OptionKind::Button => ("button", String::new(), String::new()),
        OptionKind::Text { default: "" } => ("string", code("<empty>"), String::new()),
        OptionKind::Text { default } => ("string", code(default), String::new()),
        OptionKind::Network => ("string", "the embedded network".to_owned(), String::new()),
    }
}

fn options() -> String {
    let mut text = "| Option | Type | Default | Range | What it does |\n|---|---|---|---|---|\n".to_owned();
    for spec in all_options() {
        let (kind, default, range) = kind_and_values(spec);
        text += &format!("| `{}` | {kind} | {default} | {range} | {} |\n", spec.name, spec.about);
    }
    text
}

fn commands() -> String {
    let mut text = "| Command | What it does |\n|---|---|\n".to_owned();
    for entry in COMMANDS {
        text += &format!("| `{}` | {} |\n", entry.usage.replace('|', "\\|"), entry.about);
    }
    text
}

/// The text with what lies between `<!-- name -->` and `<!-- /name -->` replaced by the table.
fn with_table(text: &str, name: &str, table: &str) -> String {
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->\n"));
    let (before, rest) = text.split_once(&begin).unwrap_or_else(|| panic!("docs/uci.md lacks {begin}"));
    let (_, after) = rest.split_once(&end).unwrap_or_else(|| panic!("docs/uci.md lacks {end}"));
    format!("{before}{begin}{table}{end}{after}")
}

#[test]
fn the_documents_have_the_tables_of_the_program() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/uci.md");
    let present = fs::read_to_string(&path).expect("docs/uci.md can be read");
    let right = with_table(&with_table(&present, "options", &options()), "commands", &commands());
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &right).expect("docs/uci.md can be written");
    } else {
        assert!(
            present == right,
            "docs/uci.md is out of date: run UPDATE_DOCS=1 cargo test -p rufous markdown_tables"
        );
    }
}
