//! `rufous-lab`: the program for engine makers. Each subcommand is a module with its arguments and a `run`.

mod binpack;
mod book;
mod check;
mod data;
mod datagen;
mod date;
mod file;
#[cfg(test)]
#[path = "../tests/support/folder.rs"]
mod folder;
mod ordered;
mod packed;
mod suite;
mod tournament;
mod train;
mod walk;
mod wdl;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Matches, tuning, conformance checks, data and training for makers of UCI engines.
#[derive(Parser)]
#[command(name = "rufous-lab", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Book(book::Args),
    Check(check::Args),
    Data(data::Args),
    Datagen(datagen::Args),
    Manual(manual::Args),
    Match(Box<tournament::Args>),
    Suite(suite::Args),
    Train(train::Args),
    Tune(Box<tournament::tune::Args>),
    Walk(walk::Args),
    Wdl(wdl::Args),
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Book(args) => book::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Data(args) => data::run(&args),
        Command::Datagen(args) => datagen::run(&args),
        Command::Manual(args) => manual::run::<Cli>(&args).map_err(Into::into),
        Command::Match(args) => tournament::run(&args),
        Command::Suite(args) => suite::run(&args),
        Command::Train(args) => train::run(&args),
        Command::Tune(args) => tournament::tune::run(&args),
        Command::Walk(args) => walk::run(&args),
        Command::Wdl(args) => wdl::run(&args),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("rufous-lab: {error}");
            ExitCode::FAILURE
        }
    }
}
