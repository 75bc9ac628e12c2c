//! `rufous-study`: the program for players.

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    match study::run(&study::Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Where nobody reads it, the exit code tells.
            let _ = writeln!(std::io::stderr(), "rufous-study: {error}");
            ExitCode::FAILURE
        }
    }
}
