//! `rufous-lab`: the program for engine makers. Each subcommand is a module with its arguments and a `run`.

use clap::{Parser, Subcommand};

/// Matches, conformance checks, data and training for makers of UCI engines.
#[derive(Parser)]
#[command(name = "rufous-lab", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {}

fn main() {
    match Cli::parse().command {}
}
