//! `rufous-lab walk`: positions like those of a search tree, labelled by a teacher, for `rufous-lab train`.
//!
//! A walk of some plies starts from a position of a game. Half of its moves are random, captures that do not lose three
//! times as likely as others; half are the best of several random ones, and then the others, its siblings, are
//! recorded too: their values are known. Before one move in eight the side to move passes, and that position is
//! recorded. So a walk is a chain of some twenty records that differ by few pieces each, which makes training fast, and
//! among them are as many bad moves as a search tree has.
//!
//! With `--lines`, some chains are taken from the engine's own search instead: the positions along the lines that it
//! reports.
//!
//! ```text
//! rufous-lab walk --bases games.binpack book.epd --positions 100000000 --threads 2 --seed 1 --out walks.packed
//! rufous-lab walk --bases games.binpack --positions 1000000 --teacher search --nodes 200 --out searched.packed
//! ```
//!
//! The teacher is a network's static evaluation (the embedded one or any file) or the engine's search with it. The same
//! bases, seed and teacher give the same file, whatever the number of threads.

mod bases;
mod lines;
mod steps;
mod teacher;
#[cfg(test)]
mod tests;
mod workers;

use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Parser, ValueEnum};
use nnue::Network;

use bases::Bases;
use steps::Shape;
use teacher::Teaching;
use workers::Plan;

/// Write positions of random walks with a teacher's scores, as packed positions for training.
#[derive(Parser, Debug, Clone)]
pub(crate) struct Args {
    /// Positions to start from: binpacks, or files with one FEN or EPD per line
    #[arg(long, num_args = 1.., required = true)]
    bases: Vec<PathBuf>,
    /// Number of positions sampled from these files
    #[arg(long, default_value_t = 500_000)]
    base_limit: usize,
    /// The file to write
    #[arg(long)]
    out: PathBuf,
    /// Minimum number of positions in the file
    #[arg(long)]
    positions: u64,
    /// What labels the positions
    #[arg(long, value_enum, default_value = "network")]
    teacher: TeacherKind,
    /// Nodes per label, with --teacher search
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// The teacher's network, instead of the embedded one
    #[arg(long)]
    net: Option<PathBuf>,
    /// Minimum plies of a walk
    #[arg(long, default_value_t = 5)]
    shortest: usize,
    /// Maximum plies of a walk
    #[arg(long, default_value_t = 12)]
    longest: usize,
    /// In half of the plies, play the best of this many random moves
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=32))]
    siblings: u8,
    /// Record every Nth position with the other side to move as well; 0 for none
    #[arg(long, default_value_t = 8)]
    pass: usize,
    /// End a walk where the score exceeds this
    #[arg(long, default_value_t = 2000)]
    decided: i32,
    /// Percentage of chains that are lines of the engine's own search
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u8).range(..=100))]
    lines: u8,
    /// Nodes of the searches of --lines
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    line_nodes: u64,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
}

/// The teachers on offer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum TeacherKind {
    /// The network's evaluation of the position.
    Network,
    /// The engine's search from the position.
    Search,
}

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    if args.shortest > args.longest {
        return Err("--shortest must not be above --longest".into());
    }
    let network = match &args.net {
        Some(path) => {
            let named = |error: &dyn Error| format!("{}: {error}", path.display());
            let bytes = fs::read(path).map_err(|error| named(&error))?;
            Arc::new(Network::from_bytes(&bytes).map_err(|error| named(&error))?)
        }
        None => engine::embedded_network()?,
    };
    let bases = Bases::read(&args.bases, args.base_limit, args.seed)?;
    println!("{} positions to start from", bases.len());
    let plan = Plan {
        bases,
        teaching: match args.teacher {
            TeacherKind::Network => Teaching::Network(network),
            TeacherKind::Search => Teaching::Search(network, args.nodes),
        },
        shape: Shape {
            plies: args.shortest..=args.longest,
            siblings: args.siblings.into(),
            pass: args.pass,
            decided: args.decided,
        },
        lines: (args.lines > 0).then_some((args.lines, args.line_nodes)),
        seed: args.seed,
    };
    let summary = workers::write(&plan, args.positions, args.threads.into(), &args.out)?;
    println!("{summary}");
    Ok(())
}
