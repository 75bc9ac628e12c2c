//! What was analysed before: an SQLite database of positions with their lines, and `rufous-study store` to look after it.
//!
//! [`StoreArgs::open`] gives the [`Store`] that a command line asks for, [`Store::find`] answers a request that was
//! searched as far before, and [`Store::keep`] writes an analysis down. An [`Analyst`](crate::analyst::Analyst) in
//! [`Remembering`] does both by itself.

mod args;
mod command;
mod database;
mod record;
mod remembering;
#[cfg(test)]
mod tests;

pub(crate) use args::StoreArgs;
pub(crate) use command::{Args, run};
pub(crate) use database::Store;
pub(crate) use remembering::Remembering;
