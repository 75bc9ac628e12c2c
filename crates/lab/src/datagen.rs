//! `rufous-lab datagen`: games of Rufous against itself, as training data in Stockfish's binpack format.
//!
//! The output depends on the arguments alone: every game has its own seed, made of `--seed` and the game's number, and
//! games are written in the order of their numbers, whatever the number of threads. The same command resumes a run that
//! was stopped, and a larger `--games` or `--positions` extends one that is finished; either way the file is, byte for
//! byte, what a single run would have written. That requires the same build of this program: the journal identifies a
//! run by its arguments, book, network and version, not by every change of the search.
//!
//! ```text
//! rufous-lab datagen --games 10000 --nodes 5000 --threads 2 --seed 1 --out games.binpack
//! rufous-lab datagen --positions 1000000 --nodes 150 --chess960 15 --book book.epd --random-plies 3 --out more.binpack
//! ```
//!
//! Scores are in the units of the network, seen by the side to move, as are the results. Games are adjudicated when
//! one side has been far ahead, or both have been equal, for long; `--played-out` sets how many are not. The format
//! has only standard castling, so games of Chess960 are recorded from where no other castling right is left.

mod adjudication;
mod book;
mod encoding;
mod game;
mod opening;
mod output;
mod player;
mod progress;
#[cfg(test)]
mod tests;
mod workers;

use std::error::Error;
use std::fmt;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{ArgGroup, Parser};
use nnue::Network;
use sha2::{Digest, Sha256};

use adjudication::Adjudication;
use book::Book;
use opening::Openings;
use output::Output;
pub(crate) use player::Player;
use workers::{Plan, Target};

/// Play games of Rufous against itself and write them as a binpack.
#[derive(Parser, Debug, Clone)]
#[command(group(ArgGroup::new("size").required(true).args(["games", "positions"])))]
pub(crate) struct Args {
    /// The binpack to write or to extend
    #[arg(long)]
    out: PathBuf,
    /// Number of games in the file
    #[arg(long)]
    games: Option<u64>,
    /// Minimum number of positions in the file
    #[arg(long)]
    positions: Option<u64>,
    /// Nodes for a move
    #[arg(long, default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Number of games played at the same time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Start positions, one FEN or EPD per line [default: the start position]
    #[arg(long)]
    book: Option<PathBuf>,
    /// Random plies at the start of a game, and one more in half of them [default: 8, with a book 0]
    #[arg(long)]
    random_plies: Option<usize>,
    /// Percentage of games from start positions of Chess960, one half of them double Chess960
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u8).range(..=100))]
    chess960: u8,
    /// Discard openings that a short search scores higher than this for one side
    #[arg(long, default_value_t = 700)]
    opening_limit: i32,
    /// Adjudicate a win when one side is ahead by this much for five plies
    #[arg(long, default_value_t = 2500)]
    win_value: i32,
    /// Percentage of games without adjudication by score
    #[arg(long, default_value_t = 25, value_parser = clap::value_parser!(u8).range(..=100))]
    played_out: u8,
    /// Megabytes of each engine's hash table
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..))]
    hash: u16,
    /// The network to play with, instead of the embedded one
    #[arg(long)]
    net: Option<PathBuf>,
}

/// Errors of a network or of a run.
#[derive(Debug)]
enum DatagenError {
    Network(PathBuf, Box<dyn Error + Send + Sync>),
    NoOpening(u64),
    NoAnswer(u64),
    Engine(engine::CreateError),
    Encoding(crate::binpack::Unwritable),
}

impl fmt::Display for DatagenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Network(path, error) => write!(f, "{}: {error}", path.display()),
            Self::NoOpening(game) => write!(f, "no usable opening was found for game {game}"),
            Self::NoAnswer(game) => write!(f, "a search of game {game} ended without an answer"),
            Self::Engine(error) => error.fmt(f),
            Self::Encoding(error) => write!(f, "a game cannot be encoded: {error}"),
        }
    }
}

impl Error for DatagenError {}

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let plan = args.plan()?;
    let mut output = Output::open(&args.out, &args.fingerprint(&plan))?;
    let summary = workers::play(&plan, args.target(), args.threads.into(), &mut output)?;
    println!("{summary}");
    Ok(())
}

impl Args {
    fn target(&self) -> Target {
        match (self.games, self.positions) {
            (Some(games), _) => Target::Games(games),
            (None, positions) => Target::Positions(positions.unwrap_or(0)),
        }
    }

    fn plan(&self) -> Result<Plan, Box<dyn Error>> {
        let network = match &self.net {
            Some(path) => Arc::new(read_network(path)?),
            None => engine::embedded_network()?,
        };
        let book = self.book.as_deref().map(Book::read).transpose()?;
        Ok(Plan {
            network,
            hash_mib: self.hash.into(),
            nodes: self.nodes,
            seed: self.seed,
            openings: Openings {
                book,
                random_plies: self.random_plies,
                chess960_percent: self.chess960,
                limit: self.opening_limit,
            },
            adjudication: Adjudication { win_value: self.win_value },
            played_out_percent: self.played_out,
        })
    }

    /// Everything on which the games depend: a file of another run must not be extended.
    fn fingerprint(&self, plan: &Plan) -> String {
        let book = plan.openings.book.as_ref().map_or("none", Book::hash);
        format!(
            "rufous {}, network {}, book {book}, random plies {:?}, Chess960 {}, opening limit {}, win value {}, \
             played out {}, nodes {}, hash {}, seed {}",
            env!("CARGO_PKG_VERSION"),
            hash(&plan.network.to_bytes()),
            self.random_plies,
            self.chess960,
            self.opening_limit,
            self.win_value,
            self.played_out,
            self.nodes,
            self.hash,
            self.seed
        )
    }
}

fn read_network(path: &PathBuf) -> Result<Network, DatagenError> {
    let bytes = fs::read(path).map_err(|error| DatagenError::Network(path.clone(), error.into()))?;
    Network::from_bytes(&bytes).map_err(|error| DatagenError::Network(path.clone(), error.into()))
}

/// The first hexadecimal digits of the bytes' SHA-256.
fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(6).map(|byte| format!("{byte:02x}")).collect()
}
