//! `rufous-study review`: reviews the games of a file, move by move.
//!
//! `game::requests` lists the positions of a game to analyse and `game::review` makes a `Review` of their analyses; both
//! are pure functions, so that a review can be shown while it is computed. A `Review` is the JSON output; `annotated`
//! turns it into an annotated game, and `report` into an HTML page.

mod accuracy;
mod annotate;
mod command;
mod game;
mod journal;
mod judgement;
mod model;
mod phase;
mod report;
#[cfg(test)]
mod tests;

pub(crate) use command::{Args, run};
pub(crate) use {judgement::threshold, phase::Phase};
