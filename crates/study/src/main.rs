//! `rufous-study`: the program for players.

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    match study::run(&study::Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("rufous-study: {error}");
            ExitCode::FAILURE
        }
    }
}
