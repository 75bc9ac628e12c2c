//! What an epoch visits: windows of games in random order, cut into batches.
//!
//! A batch of whole games would be a batch of few games, whose positions all look alike. Windows of some dozens of
//! plies bring more games into a batch; each costs one refresh of the accumulators, so they are not made too short.

use super::games::Games;
use super::rng::Rng;

/// A part of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Window {
    pub(super) game: u32,
    pub(super) first: u32,
    pub(super) plies: u32,
}

/// Every position of every game exactly once, in windows of up to `length` plies whose borders are drawn anew for
/// each epoch (0: whole games), shuffled. The same seed and epoch give the same windows.
pub(super) fn windows(games: &Games, length: usize, seed: u64, epoch: usize) -> Vec<Window> {
    let mut rng = Rng::new(seed, epoch as u64 + 1);
    let mut windows = Vec::new();
    for game in 0..games.len() {
        let plies = games.plies(game);
        let mut first = 0;
        let mut end = if length == 0 { plies } else { 1 + rng.below(length) };
        while first < plies {
            end = end.min(plies);
            windows.push(Window { game: game as u32, first: first as u32, plies: (end - first) as u32 });
            first = end;
            end += length;
        }
    }
    rng.shuffle(&mut windows);
    windows
}

/// Cuts windows into runs of about `positions` positions, at least one window each.
pub(super) fn batches(windows: &[Window], positions: usize) -> Vec<&[Window]> {
    let mut batches = Vec::new();
    let (mut first, mut held) = (0, 0);
    for (number, window) in windows.iter().enumerate() {
        held += window.plies as usize;
        if held >= positions {
            batches.push(&windows[first..=number]);
            (first, held) = (number + 1, 0);
        }
    }
    if first < windows.len() {
        batches.push(&windows[first..]);
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::super::games::{Board, Step};
    use super::*;

    fn games(lengths: &[usize]) -> Games {
        let mut games = Games::default();
        for &length in lengths {
            games.begin(&Board::default());
            for _ in 0..length {
                games.push(Step::new((&[], &[]), 0, 0, false, true));
            }
        }
        games
    }

    #[test]
    fn an_epoch_visits_every_position_once() {
        let lengths = [1, 7, 64, 100, 33];
        let games = games(&lengths);
        for length in [0, 1, 16, 200] {
            let windows = windows(&games, length, 5, 3);
            let mut seen: Vec<Vec<u32>> = lengths.iter().map(|&plies| vec![0; plies]).collect();
            for window in &windows {
                assert!(length == 0 || window.plies as usize <= length);
                for ply in window.first..window.first + window.plies {
                    seen[window.game as usize][ply as usize] += 1;
                }
            }
            assert!(seen.iter().flatten().all(|&times| times == 1));
            let batched: usize = batches(&windows, 20).iter().map(|batch| batch.len()).sum();
            assert_eq!(batched, windows.len());
        }
    }

    #[test]
    fn epochs_differ_and_seeds_reproduce() {
        let games = games(&[80; 20]);
        assert_eq!(windows(&games, 16, 1, 1), windows(&games, 16, 1, 1));
        assert_ne!(windows(&games, 16, 1, 1), windows(&games, 16, 1, 2));
        assert_ne!(windows(&games, 16, 1, 1), windows(&games, 16, 2, 1));
    }
}
