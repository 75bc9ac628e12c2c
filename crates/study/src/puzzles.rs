//! `rufous-study puzzles`: positions of games in which one move wins.

use crate::Outcome;

/// Finds puzzles in games: positions in which one move wins and every other fails.
#[derive(clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_: &Args) -> Outcome {
    Err("puzzles is not there yet".into())
}
