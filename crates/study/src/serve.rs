//! `rufous-study serve`: a board in the browser.

use crate::Outcome;

/// Serves a board to play and analyse on, for the browser of this machine.
#[derive(clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_: &Args) -> Outcome {
    Err("serve is not there yet".into())
}
