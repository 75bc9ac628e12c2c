//! `rufous-study review`: the games of a file, move by move.
//!
//! [`requests`] says which positions of a game are to be analysed and [`review()`] makes a [`Review`] of their analyses; both
//! are pure, so that a board can show a review while it is computed ([`review_with`]). A [`Review`] is what the JSON output
//! has; [`annotated`] makes a game of it again, and `report` a page to look at.

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
#[allow(unused_imports, reason = "the board uses them")]
pub(crate) use {
    annotate::annotated,
    game::{requests, review, review_with, san_line},
    judgement::threshold,
    model::Review,
    phase::Phase,
};
