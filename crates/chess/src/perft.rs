//! Perft: counts the leaves of the tree of legal moves, to verify the move generator.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::{Generate, Move, MoveList, Position};

/// The number of move sequences of this length.
///
/// ```
/// assert_eq!(chess::perft(&chess::Position::startpos(), 4), 197_281);
/// ```
pub fn perft(pos: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        // The last move of a sequence need not be played, not even listed.
        1 => pos.count_legal_moves() as u64,
        _ => sum_after_moves(pos, |next| perft(next, depth - 1)),
    }
}

/// What `count` says of the positions after all moves, together.
#[inline]
fn sum_after_moves(pos: &Position, count: impl Fn(&Position) -> u64) -> u64 {
    let mut total = 0;
    // Moves and positions stay in place: to hand them over by value copies them, and the copy of a position waits for
    // what was just written.
    let mut moves = MoveList::new();
    pos.generate(Generate::All, &mut moves);
    for &mv in &moves {
        let mut next = *pos;
        next.play_without_keys(mv);
        total += count(&next);
    }
    total
}

/// [`perft`] for each legal move by itself, in the order of generation.
///
/// ```
/// use chess::{CastlingNotation, Position, divide};
/// let pos = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
/// let parts = divide(&pos, 2);
/// let castling = parts.iter().find(|(mv, _)| pos.uci_move(*mv, CastlingNotation::KingMove) == "e1g1");
/// assert_eq!(castling.map(|&(_, count)| count), Some(3));
/// assert_eq!(parts.iter().map(|&(_, count)| count).sum::<u64>(), 66);
/// ```
pub fn divide(pos: &Position, depth: u32) -> Vec<(Move, u64)> {
    divide_with(pos, depth, 1, || false)
}

/// [`divide`] on several threads, or as many as the system starts. When `stop` becomes true the counting
/// ends early, and what is returned is no longer the answer.
pub fn divide_with(
    pos: &Position,
    depth: u32,
    threads: usize,
    stop: impl Fn() -> bool + Sync,
) -> Vec<(Move, u64)> {
    let moves = pos.legal_moves();
    if depth == 0 {
        return Vec::new();
    }
    // Sub-trees of two plies are many enough to keep threads evenly busy.
    let jobs: Vec<(usize, Position)> = moves
        .iter()
        .enumerate()
        .flat_map(|(root, &mv)| {
            let next = pos.after(mv);
            let children = if depth >= 3 {
                next.legal_moves().iter().map(|&reply| next.after(reply)).collect()
            } else {
                vec![next]
            };
            children.into_iter().map(move |child| (root, child))
        })
        .collect();
    let rest = if depth >= 3 { depth - 2 } else { depth - 1 };

    let taken = AtomicUsize::new(0);
    let work = || {
        let mut counts = vec![0; moves.len()];
        while let Some((root, child)) = jobs.get(taken.fetch_add(1, Ordering::Relaxed)) {
            counts[*root] += perft_until(child, rest, &stop);
        }
        counts
    };
    let mut totals = vec![0; moves.len()];
    thread::scope(|scope| {
        let start = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
        let helpers: Vec<_> = (1..threads).map_while(start).collect();
        let own = work();
        let all = helpers.into_iter().filter_map(|helper| helper.join().ok()).chain([own]);
        for counts in all {
            for (total, count) in totals.iter_mut().zip(counts) {
                *total += count;
            }
        }
    });
    moves.iter().copied().zip(totals).collect()
}

/// [`perft`] that looks at `stop` often enough to end within a millisecond or so.
fn perft_until(pos: &Position, depth: u32, stop: &(impl Fn() -> bool + Sync)) -> u64 {
    if stop() {
        return 0;
    }
    if depth <= 3 {
        return perft(pos, depth);
    }
    sum_after_moves(pos, |next| perft_until(next, depth - 1, stop))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_count_the_same() {
        let pos = Position::startpos();
        for depth in 1..5 {
            let total: u64 = divide_with(&pos, depth, 3, || false).iter().map(|(_, n)| n).sum();
            assert_eq!(total, perft(&pos, depth));
        }
    }
}
