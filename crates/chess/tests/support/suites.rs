//! Reads the perft suites: EPD lines with `D5 4865609` counts, and blocks of `epd` and `perft` lines.

use std::fs;
use std::path::PathBuf;

use chess::{Position, perft};

/// One position with the counts that it must have.
pub(crate) struct Case {
    /// The file that it comes from.
    pub(crate) suite: &'static str,
    /// The position as the file writes it.
    pub(crate) fen: String,
    /// Depths and counts, the smallest depth first.
    pub(crate) counts: Vec<(u32, u64)>,
}

impl Case {
    /// Counts one depth; the text says what is wrong, if anything is.
    pub(crate) fn check(&self, depth: u32, expected: u64) -> Result<(), String> {
        let pos = Position::from_fen(&self.fen).map_err(|error| format!("{}: {error}", self.fen))?;
        match perft(&pos, depth) {
            counted if counted == expected => Ok(()),
            counted => Err(format!("{} depth {depth}: {counted}, not {expected}", self.fen)),
        }
    }
}

const SUITES: [&str; 4] = ["standard.epd", "chess960.epd", "corners.epd", "tricky.perft"];

/// Every case of every suite, or `None` where the folder beside the workspace is missing.
pub(crate) fn load() -> Option<Vec<Case>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/suites/perft");
    let mut cases = Vec::new();
    for suite in SUITES {
        let text = fs::read_to_string(folder.join(suite)).ok()?;
        let read = if suite.ends_with(".epd") { read_epd(suite, &text) } else { read_blocks(suite, &text) };
        assert!(!read.is_empty(), "{suite} has no case");
        cases.extend(read);
    }
    Some(cases)
}

fn read_epd(suite: &'static str, text: &str) -> Vec<Case> {
    let case = |line: &str| {
        // One of the files ends its lines with a NUL.
        let mut parts = line.trim_end_matches('\0').split(';').map(str::trim);
        let fen = parts.next()?.to_owned();
        let counts = parts.filter(|part| !part.is_empty()).map(|part| {
            let (depth, count) =
                part.strip_prefix('D').and_then(|part| part.split_once(' ')).expect("D<n> <count>");
            number_pair(depth, count)
        });
        Some(Case { suite, fen, counts: counts.collect() })
    };
    text.lines().filter(|line| !line.trim().is_empty()).filter_map(case).collect()
}

fn read_blocks(suite: &'static str, text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines() {
        match line.split_once(' ') {
            Some(("epd", fen)) => cases.push(Case { suite, fen: fen.to_owned(), counts: Vec::new() }),
            Some(("perft", counts)) => {
                let (depth, count) = counts.split_once(' ').expect("perft <depth> <count>");
                cases.last_mut().expect("epd before perft").counts.push(number_pair(depth, count));
            }
            _ => {}
        }
    }
    cases
}

fn number_pair(depth: &str, count: &str) -> (u32, u64) {
    (depth.parse().expect("a depth"), count.trim().parse().expect("a count"))
}
