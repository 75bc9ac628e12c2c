//! Plays the games of a run on several threads and writes them in order.

use std::error::Error;
use std::ops::ControlFlow;
use std::sync::Arc;

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
use crate::ordered;

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
    let last = match target {
        Target::Games(games) => games,
        Target::Positions(_) if target.is_reached(output) => 0,
        Target::Positions(_) => u64::MAX,
    };
    let outcome = ordered::run(
        threads,
        output.games()..last,
        || Player::new(Arc::clone(&plan.network), plan.hash_mib).map_err(DatagenError::Engine),
        |number, player| plan.play_game(number, player),
        |game| -> Result<_, Box<dyn Error>> {
            output.append(&game)?;
            progress.update(output);
            Ok(if target.is_reached(output) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        },
    );
    output.finish()?;
    outcome?;
    Ok(progress.finish(output))
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
