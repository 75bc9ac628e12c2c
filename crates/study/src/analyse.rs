//! `rufous-study analyse`: positions in, analyses out, a line each.

use crate::Outcome;

/// Analyses positions from standard input, a JSON line each.
#[derive(clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_: &Args) -> Outcome {
    Err("analyse is not there yet".into())
}
