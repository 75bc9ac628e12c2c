//! Limited strength (`UCI_Elo`, `Skill Level`).
//!
//! A [`Level`] searches few nodes, overlooks moves of both sides, and adds an error to every evaluation. Errors are not
//! drawn at random at the end of a full search: they are a function of the position and the seed of the game, so the play
//! is consistent. Errors grow with the number of pieces. Mates in one (for and against), evasions of check and recaptures
//! are never overlooked. The answer is delayed by a share of the clock.

mod eval_error;
mod oversights;
mod scale;
mod thinking_time;

use chess::{Move, Position, Square};
use rng::Random;

use self::scale::Traits;
use crate::limits::Limits;
use crate::settings::Settings;

/// The weakest play that can be asked for.
pub(crate) const WEAKEST: u64 = 600;
/// The strongest play that is still limited.
pub(crate) const STRONGEST: u64 = 3190;
/// The `Skill Level` without a limit.
pub(crate) const FULL_SKILL: u64 = 20;

/// The minimum depth, whatever the nodes: a move and its answer.
pub(crate) const LEAST_DEPTH: i32 = 2;

/// The Elo of the lowest `Skill Level`, which is where Stockfish's scale begins.
const LOWEST_SKILL: u64 = 1320;

/// The Elo that the settings ask for, or `None` for full strength. `UCI_Elo` comes before `Skill Level`,
/// whose steps are even.
fn elo_asked(settings: &Settings) -> Option<u64> {
    if settings.analyse_mode {
        None
    } else if settings.limit_strength {
        Some(settings.elo.clamp(WEAKEST, STRONGEST))
    } else if settings.skill_level < FULL_SKILL {
        Some(LOWEST_SKILL + (STRONGEST - LOWEST_SKILL) * settings.skill_level / FULL_SKILL)
    } else {
        None
    }
}

/// How one search is weakened.
#[derive(Clone, Debug)]
pub(crate) struct Level {
    elo: u64,
    traits: Traits,
    /// What makes the errors of this game differ from those of others.
    seed: u64,
    /// Where the last move of the game took something.
    taken_on: Option<Square>,
}

impl Level {
    /// The level of a search, if it is to be weakened. Searches with a limit play a move and are weakened; infinite searches
    /// and searches for a mate are analysis and are not.
    pub(crate) fn of_search(
        settings: &Settings,
        limits: &Limits,
        seed: u64,
        taken_on: Option<Square>,
    ) -> Option<Self> {
        let elo = elo_asked(settings).filter(|_| limits.is_for_move())?;
        Some(Self { elo, traits: Traits::of(elo), seed, taken_on })
    }

    /// The strength aimed at.
    pub(crate) fn elo(&self) -> u64 {
        self.elo
    }

    /// Nodes that a search may spend, once it has looked [`LEAST_DEPTH`] plies ahead.
    pub(crate) fn nodes(&self) -> u64 {
        self.traits.nodes
    }

    /// A random generator for this key in this game.
    fn random(&self, key: u64) -> Random {
        Random::new(self.seed ^ key)
    }

    /// A random number from 0 to 1 for this move in this game.
    fn chance(&self, pos: &Position, mv: Move) -> f64 {
        self.random(pos.key() ^ u64::from(mv.bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15)).unit()
    }
}

/// How much there is to overlook: from 0.4 with bare kings to 1 with all men on the board.
fn complexity(pos: &Position) -> f64 {
    0.4 + 0.02 * (pos.occupied().count() as f64 - 2.0)
}

#[cfg(test)]
mod tests;
