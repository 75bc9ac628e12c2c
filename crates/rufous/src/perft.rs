//! `go perft N`.

use std::fmt::Write;

use chess::{CastlingNotation, Position};

use crate::job::Cancel;
use crate::writer::Writer;

/// Nobody lives to see a count of this depth, and each ply takes some of the stack.
const MAX_DEPTH: u64 = 100;

/// Counts and prints, unless the job is cancelled before it is done. Returns the nodes.
pub(crate) fn run(
    position: &Position,
    depth: u64,
    threads: usize,
    castling: CastlingNotation,
    out: &Writer,
    cancel: &Cancel,
) -> u64 {
    let depth = depth.clamp(1, MAX_DEPTH) as u32;
    let counts = chess::divide_with(position, depth, threads, || cancel.cancelled());
    if cancel.cancelled() {
        out.note("perft stopped");
        return 0;
    }
    let total = counts.iter().map(|(_, count)| count).sum();
    let mut text = String::new();
    for (mv, count) in counts {
        let _ = writeln!(text, "{}: {count}", position.uci_move(mv, castling));
    }
    let _ = write!(text, "\nNodes searched: {total}\n");
    out.line(text);
    total
}
