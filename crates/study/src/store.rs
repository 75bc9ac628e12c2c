//! The store of analyses: an SQLite database of positions with their lines, and the command `rufous-study store`.
//!
//! [`StoreArgs::open`] opens the [`Store`] of a command line, [`Store::find`] looks a request up, and [`Store::keep`]
//! writes an analysis. [`Cached`] wraps an [`Analyst`](crate::analyst::Analyst) so that it does both.

mod args;
mod cached;
mod command;
mod database;
mod record;
#[cfg(test)]
mod tests;

pub(crate) use args::StoreArgs;
pub(crate) use cached::Cached;
pub(crate) use command::{Args, run};
pub(crate) use database::Store;
