//! `rufous-study store`: what was analysed before.

use crate::Outcome;

/// Looks after the store of positions that were analysed before.
#[derive(clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_: &Args) -> Outcome {
    Err("store is not there yet".into())
}
