//! `doctor`: reports the environment and what was chosen for it, and runs a self-test.

mod machine;
mod self_test;

use std::path::Path;

use engine::{Book, EMBEDDED_NAME, Engine, OptionValue, Options};
use nnue::Network;
use sha2::{Digest, Sha256};

use crate::job::Cancel;
use crate::writer::Writer;
use crate::{about, network};

/// A property of the environment: its name and its value.
type Fact = (&'static str, String);

/// Prints the report, runs the tests and prints the verdict; a failed test is an error.
pub(crate) fn run(engine: Option<&Engine>, options: &Options, out: &Writer, cancel: &Cancel) {
    let network = match network::in_use(engine) {
        Ok(network) => network,
        Err(reason) => return out.error(reason),
    };
    out.line(about::version());
    section(out, "Computer", &machine::facts(&network));
    section(out, "Engine", &engine_facts(&network, options));

    out.line("\nSelf-test");
    let mut failures = 0;
    for (name, test) in self_test::ALL {
        if cancel.cancelled() {
            return out.note("stopped before its end");
        }
        let (verdict, text) = match test(&network, cancel) {
            Ok(text) => ("ok", text),
            Err(reason) => ("FAILED", reason),
        };
        failures += usize::from(verdict != "ok");
        out.line(format!("  {name:18} {verdict}: {text}"));
    }
    if cancel.cancelled() {
        return out.note("stopped before its end");
    }
    let verdict = match failures {
        0 => "self-test passed".to_owned(),
        _ => format!("self-test FAILED ({failures} of {})", self_test::ALL.len()),
    };
    out.line(format!("\nFor a bug report: {}; {}; {verdict}", about::version(), machine::summary(&network)));
    if failures == 0 {
        out.line("Rufous works on this computer.");
    } else {
        out.error("Rufous does not work as it should on this computer");
    }
}

fn section(out: &Writer, title: &str, facts: &[Fact]) {
    let lines: Vec<String> = facts.iter().map(|(name, text)| format!("  {name:18} {text}")).collect();
    out.line(format!("\n{title}\n{}", lines.join("\n")));
}

fn engine_facts(network: &Network, options: &Options) -> Vec<Fact> {
    let text = |name: &str| options.get(name).map_or("", OptionValue::text);
    let number = |name: &str| options.get(name).map_or(0, OptionValue::number);
    vec![
        ("build", about::build()),
        ("network", network_fact(network, text("EvalFile"))),
        ("options", format!("Threads {}, Hash {} MB", number("Threads"), number("Hash"))),
        ("tablebases", tablebases(text("SyzygyPath"))),
        ("book", book(text("Book File"), options.get("OwnBook").is_some_and(OptionValue::is_true))),
    ]
}

fn network_fact(network: &Network, name: &str) -> String {
    let bytes = network.to_bytes();
    let origin = if name == EMBEDDED_NAME { "embedded" } else { "from a file" };
    let size = bytes.len() as f64 / 1e6;
    format!("{name}, {origin}, {size:.1} MB, SHA-256 {}...", &sha256(&bytes)[..12])
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn tablebases(path: &str) -> String {
    if path.is_empty() {
        return "none, since SyzygyPath is not set".to_owned();
    }
    match network::new_engine() {
        Ok(mut engine) => engine.set_tablebases(path).join("; "),
        Err(reason) => reason,
    }
}

fn book(file: &str, in_use: bool) -> String {
    if file.is_empty() {
        return "none, since Book File is not set".to_owned();
    }
    match Book::open(Path::new(file)) {
        Ok(book) if in_use => format!("{file}, {} moves", book.len()),
        Ok(book) => format!("{file}, {} moves, not used since OwnBook is off", book.len()),
        Err(error) => format!("{file} cannot be used: {error}"),
    }
}
