//! `go perft N`.

use std::fmt::Write;

use chess::{CastlingNotation, Position};

use crate::job::Cancel;
use crate::writer::Writer;

/// Counts and prints, unless the job is cancelled before it is done. Returns the nodes.
pub(crate) fn run(
    position: &Position,
    depth: u64,
    threads: usize,
    castling: CastlingNotation,
    out: &Writer,
    cancel: &Cancel,
) -> u64 {
    let depth = u32::try_from(depth).unwrap_or(u32::MAX).max(1);
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
