//! `rufous-study review`: the games of a file, move by move.
//!
//! `game::requests` says which positions of a game are to be analysed and `game::review` makes a `Review` of their
//! analyses; both are pure, so that a review can be shown while it is computed. A `Review` is what the JSON output has;
//! `annotated` makes a game of it again, and `report` a page to look at.

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
