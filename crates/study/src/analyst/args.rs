//! Command-line arguments for the engine and the limits of an analysis.

use std::error::Error;
use std::path::Path;
use std::thread;
use std::time::Duration;

use uci::client::EngineCommand;

use super::external::{External, Program};
use super::local::Local;
use super::{Analyst, Cancel, Limits};
use crate::store::{Cached, StoreArgs};

/// When the search of a position ends; the first limit that is reached counts.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    /// Nodes per position; the same input then gives the same output, on any number of threads
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: Option<u64>,
    /// Depth per position, in plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u64).range(1..=245))]
    pub(crate) depth: Option<u64>,
    /// Milliseconds per position
    #[arg(long, value_name = "MILLISECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) movetime: Option<u64>,
}

impl LimitArgs {
    /// The limits, or so many nodes where none is given.
    pub(crate) fn limits(&self, default_nodes: u64) -> Limits {
        let movetime = self.movetime.map(Duration::from_millis);
        let limits = Limits { nodes: self.nodes, depth: self.depth, movetime };
        if limits == Limits::default() { Limits::nodes(default_nodes) } else { limits }
    }
}

/// Who analyses.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Engine")]
pub(crate) struct AnalystArgs {
    /// Positions searched at the same time, each by an engine with one thread [default: one per core]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Hash table of each engine in megabytes [default: enough for the nodes, else 32]
    #[arg(long, value_name = "MEGABYTES", value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: Option<u32>,
    /// Another UCI engine instead of Rufous: a program and its arguments, separated by spaces
    #[arg(long, value_name = "COMMAND")]
    engine: Option<String>,
    /// Set an option of the engine; can be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = name_and_value)]
    option: Vec<(String, String)>,
    #[command(flatten)]
    store: StoreArgs,
}

/// Megabytes where the search has no limit of nodes.
const HASH_MIB: usize = 32;

/// Nodes that fill a megabyte of the table.
const NODES_PER_MIB: u64 = 64 * 1024;

impl AnalystArgs {
    /// How many analysts there will be.
    pub(crate) fn count(&self) -> usize {
        let cores = || thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(cores, usize::from)
    }

    /// Creates the analysts; `cancel` stops all of them. Earlier analyses are taken from the store.
    ///
    /// # Errors
    /// Where an engine cannot be started or refuses an option, or the store cannot be opened.
    pub(crate) fn analysts(
        &self,
        limits: &Limits,
        cancel: &Cancel,
    ) -> Result<Vec<Box<dyn Analyst>>, Box<dyn Error>> {
        let analysts = self.engines(limits, cancel)?;
        Ok(match self.store.open()? {
            Some(store) => Cached::all(analysts, &store),
            None => analysts,
        })
    }

    fn engines(&self, limits: &Limits, cancel: &Cancel) -> Result<Vec<Box<dyn Analyst>>, Box<dyn Error>> {
        let count = self.count();
        let hash_mib = self.hash_mib(limits);
        let Some(command) = &self.engine else {
            let network = engine::embedded_network()?;
            let local =
                || Ok(Box::new(Local::new(&network, hash_mib, &self.option, cancel)?) as Box<dyn Analyst>);
            return (0..count).map(|_| local()).collect();
        };
        let command = engine_command(command).ok_or("--engine needs a program")?;
        let program = Program { command, hash_mib, options: self.option.clone() };
        let external = || Ok(Box::new(External::new(&program, cancel)?) as Box<dyn Analyst>);
        (0..count).map(|_| external()).collect()
    }

    /// The table is cleared before every position, so it should not be larger than the search needs.
    fn hash_mib(&self, limits: &Limits) -> usize {
        let needed = |nodes: u64| (nodes.div_ceil(NODES_PER_MIB).clamp(1, 1024)) as usize;
        self.hash.map_or_else(|| limits.nodes.map_or(HASH_MIB, needed), |mib| mib as usize)
    }
}

fn engine_command(text: &str) -> Option<EngineCommand> {
    // A path with blanks in it needs no quotes where it is the whole of the command.
    if Path::new(text).is_file() {
        return Some(EngineCommand::new(text));
    }
    let mut words = text.split_whitespace();
    let mut command = EngineCommand::new(words.next()?);
    command.args = words.map(str::to_owned).collect();
    Some(command)
}

fn name_and_value(text: &str) -> Result<(String, String), String> {
    let (name, value) =
        text.split_once('=').ok_or_else(|| format!("'{text}' is not of the form NAME=VALUE"))?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// The options that identify an engine, in order: not its memory, and not its network, which is stored separately.
pub(super) fn identifying_options(options: &[(String, String)]) -> String {
    let counts = |name: &str| !["Hash", "EvalFile"].iter().any(|other| other.eq_ignore_ascii_case(name));
    let mut texts: Vec<String> = options
        .iter()
        .filter(|(name, _)| counts(name))
        .map(|(name, value)| format!("{}={value}", name.to_ascii_lowercase()))
        .collect();
    texts.sort_unstable();
    texts.join(" ")
}

/// The file name of a path: networks are named by their contents, wherever they are.
pub(super) fn file_name(path: &str) -> String {
    Path::new(path).file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
