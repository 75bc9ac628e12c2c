//! `rufous-study review`: the games of a file, move by move.

use crate::Outcome;

/// Reviews games: every move judged, better lines shown, accuracy told.
#[derive(clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_: &Args) -> Outcome {
    Err("review is not there yet".into())
}
