//! The threads that play, each with an engine, and the order in which their games are written.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use nnue::Network;

use rng::Random;

use super::DatagenError;
use super::adjudication::Adjudication;
use super::encoding::{self, Encoded};
use super::game::Game;
use super::opening::Openings;
use super::output::Output;
use super::player::Player;
use super::progress::{Progress, Summary};

/// Games of Chess960 that end before anything can be recorded are rare; this many in a row are a bug.
const ATTEMPTS: usize = 100;

/// What decides the games.
pub(super) struct Plan {
    pub(super) network: Arc<Network>,
    pub(super) hash_mib: usize,
    pub(super) nodes: u64,
    pub(super) seed: u64,
    pub(super) openings: Openings,
    pub(super) adjudication: Adjudication,
    pub(super) played_out_percent: u8,
}

/// When the file is long enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Games(u64),
    Positions(u64),
}

impl Target {
    fn is_reached(self, output: &Output) -> bool {
        match self {
            Self::Games(games) => output.games() >= games,
            Self::Positions(positions) => output.positions() >= positions,
        }
    }
}

/// Plays until the file is long enough.
pub(super) fn play(
    plan: &Plan,
    target: Target,
    threads: usize,
    output: &mut Output,
) -> Result<Summary, Box<dyn Error>> {
    let mut progress = Progress::new(target, output);
    let next = AtomicU64::new(output.games());
    let enough = AtomicBool::new(target.is_reached(output));
    let outcome = thread::scope(|scope| {
        let (sender, played) = sync_channel(2 * threads);
        for _ in 0..threads {
            let sender = sender.clone();
            scope.spawn(|| work(plan, target, &next, &enough, sender));
        }
        drop(sender);
        // Games that were ready before one with a lower number.
        let mut early = BTreeMap::new();
        let mut write_all = || -> Result<(), Box<dyn Error>> {
            for (number, game) in &played {
                early.insert(number, game?);
                while !target.is_reached(output)
                    && let Some(game) = early.remove(&output.games())
                {
                    output.append(&game)?;
                    progress.update(output);
                }
                if target.is_reached(output) {
                    break;
                }
            }
            Ok(())
        };
        let written = write_all();
        enough.store(true, Ordering::Relaxed);
        // Unblocks workers that still wait to send.
        drop(played);
        written
    });
    output.finish()?;
    outcome?;
    Ok(progress.finish(output))
}

/// Plays one game after the other until there are enough.
fn work(
    plan: &Plan,
    target: Target,
    next: &AtomicU64,
    enough: &AtomicBool,
    sender: SyncSender<(u64, Result<Encoded, DatagenError>)>,
) {
    let mut player = None;
    while !enough.load(Ordering::Relaxed) {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if matches!(target, Target::Games(games) if number >= games) {
            break;
        }
        let game = match &mut player {
            Some(player) => plan.play_game(number, player),
            None => Player::new(Arc::clone(&plan.network), plan.hash_mib)
                .map_err(DatagenError::Engine)
                .and_then(|new| plan.play_game(number, player.insert(new))),
        };
        // The receiver is gone when there are enough games or the run failed.
        if sender.send((number, game)).is_err() {
            break;
        }
    }
}

impl Plan {
    /// Plays the game with this number: always the same one.
    fn play_game(&self, number: u64, player: &mut Player) -> Result<Encoded, DatagenError> {
        let mut random = Random::of_number(self.seed, number);
        player.clear();
        for _ in 0..ATTEMPTS {
            let opening =
                self.openings.find(player, &mut random).map_err(|_| DatagenError::NoAnswer(number))?;
            let opening = opening.ok_or(DatagenError::NoOpening(number))?;
            let played_out = random.below(100) < self.played_out_percent.into();
            let adjudication = (!played_out).then_some(self.adjudication);
            let game = Game::play(player, opening, self.nodes, adjudication)
                .map_err(|_| DatagenError::NoAnswer(number))?;
            if let Some(encoded) = encoding::encode(&game).map_err(DatagenError::Encoding)? {
                return Ok(encoded);
            }
        }
        Err(DatagenError::NoOpening(number))
    }
}
