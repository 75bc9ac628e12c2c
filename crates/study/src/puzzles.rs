//! `rufous-study puzzles`: finds positions in which one move wins or saves the game and every other fails.

mod command;
mod output;
mod search;
#[cfg(test)]
mod tests;
mod themes;

pub(crate) use command::{Args, run};
#[cfg(test)]
pub(crate) use search::threshold;
