//! Reviews of games, puzzles and mass analysis, by Rufous in process or by any UCI engine.
//!
//! The program `rufous-study` is [`run`]; each of its commands is a module with its arguments and a `run`.

mod analyse;
#[allow(dead_code, unused_imports, reason = "the commands that use it are being written")]
mod analyst;
#[allow(dead_code, reason = "the commands that use it are being written")]
mod pool;
mod puzzles;
mod review;
mod serve;
mod store;

use std::error::Error;

use clap::{Parser, Subcommand};

/// How a command ends: what is said to the user where it fails.
type Outcome = Result<(), Box<dyn Error>>;

/// Reviews of games, puzzles and mass analysis, by Rufous or any other UCI engine.
#[derive(Parser)]
#[command(name = "rufous-study", version)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Analyse(analyse::Args),
    Puzzles(puzzles::Args),
    Review(review::Args),
    Serve(serve::Args),
    Store(store::Args),
}

/// Does what the command line asks for.
///
/// # Errors
/// What is said to the user.
pub fn run(cli: &Cli) -> Outcome {
    match &cli.command {
        Command::Analyse(args) => analyse::run(args),
        Command::Puzzles(args) => puzzles::run(args),
        Command::Review(args) => review::run(args),
        Command::Serve(args) => serve::run(args),
        Command::Store(args) => store::run(args),
    }
}
