//! Reviews of games, puzzles and mass analysis, by Rufous in process or by any UCI engine.
//!
//! The program `rufous-study` is [`run`]; each of its commands is a module with its arguments and a `run`.

mod analyse;
mod analyst;
mod games;
mod interrupt;
mod output;
mod pool;
mod progress;
mod puzzles;
mod review;
mod serve;
mod store;

use std::error::Error;

use clap::{Parser, Subcommand};

/// The result of a command; the error is printed.
type CommandResult = Result<(), Box<dyn Error>>;

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
    Manual(manual::Args),
    Puzzles(puzzles::Args),
    Review(review::Args),
    Serve(serve::Args),
    Store(store::Args),
}

/// Runs the command of the command line.
///
/// # Errors
/// An error to print.
pub fn run(cli: &Cli) -> CommandResult {
    match &cli.command {
        Command::Analyse(args) => analyse::run(args),
        Command::Manual(args) => Ok(manual::run::<Cli>(args)?),
        Command::Puzzles(args) => puzzles::run(args),
        Command::Review(args) => review::run(args),
        Command::Serve(args) => serve::run(args),
        Command::Store(args) => store::run(args),
    }
}

/// An empty folder for the files of a test.
#[cfg(test)]
fn test_folder(name: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("rufous-study-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    folder
}
