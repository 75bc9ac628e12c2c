//! `rufous-lab suite`: runs an engine on test suites and counts the positions that it solves.

mod epd;

use std::error::Error;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use chess::Position;
use clap::Parser;
use uci::client::{Client, ClientError, EngineCommand};
use uci::{Go, Info, ScoreValue, Start, UciMove};

use epd::{EpdError, Problem, Task};

/// An engine that searches a position for this long has failed.
const TIMEOUT: Duration = Duration::from_secs(600);

/// Run an engine on EPD test suites and count the positions that it solves.
#[derive(Parser, Debug, Clone)]
pub(crate) struct Args {
    /// The engine
    engine: PathBuf,
    /// Suites: lines of EPD with best moves (bm), moves to avoid (am) or the length of a mate (dm, ce +M)
    #[arg(required = true)]
    suite: Vec<PathBuf>,
    /// Nodes per position
    #[arg(long, default_value_t = 100_000)]
    nodes: u64,
    /// Set an option, as NAME=VALUE
    #[arg(long, value_name = "NAME=VALUE")]
    option: Vec<String>,
    /// Only the first N positions of each suite
    #[arg(long, value_name = "COUNT")]
    first: Option<usize>,
    /// Number of engines that run at the same time
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
    /// Print the positions that were not solved
    #[arg(long)]
    list: bool,
}

/// Why a suite could not be run.
#[derive(Debug)]
enum SuiteError {
    Unreadable(PathBuf, std::io::Error),
    Line(PathBuf, usize, EpdError),
    Empty(PathBuf),
    NotAnOption(String),
    Engine(ClientError),
}

impl fmt::Display for SuiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(path, why) => write!(f, "{}: {}", path.display(), engine::io_error_text(why)),
            Self::Empty(path) => write!(f, "{} has no positions", path.display()),
            Self::Line(path, line, why) => write!(f, "{}, line {line}: {why}", path.display()),
            Self::NotAnOption(text) => write!(f, "'{text}' is not of the form NAME=VALUE"),
            Self::Engine(why) => write!(f, "the engine failed: {why}"),
        }
    }
}

impl Error for SuiteError {}

impl From<ClientError> for SuiteError {
    fn from(error: ClientError) -> Self {
        Self::Engine(error)
    }
}

/// The result of one position.
#[derive(Clone, Copy, Debug)]
struct Attempt {
    solved: bool,
    nodes: u64,
}

pub(crate) fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    for path in &args.suite {
        let mut problems = read(path)?;
        problems.truncate(args.first.unwrap_or(usize::MAX));
        let attempts = attempt_all(args, &problems)?;
        let solved = attempts.iter().filter(|attempt| attempt.solved).count();
        let mean = attempts.iter().map(|attempt| attempt.nodes).sum::<u64>() / attempts.len().max(1) as u64;
        let worst = attempts.iter().filter(|attempt| attempt.solved).map(|attempt| attempt.nodes).max();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        println!(
            "{name}: {solved} of {} solved within {} nodes; {mean} on average, {} for the hardest solved",
            problems.len(),
            args.nodes,
            worst.unwrap_or(0)
        );
        if args.list {
            for (problem, _) in problems.iter().zip(&attempts).filter(|(_, attempt)| !attempt.solved) {
                println!("  {}", problem.position);
            }
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<Vec<Problem>, SuiteError> {
    let text = fs::read_to_string(path).map_err(|error| SuiteError::Unreadable(path.to_owned(), error))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let problems: Vec<Problem> = lines
        .map(|(at, line)| epd::parse(line).map_err(|error| SuiteError::Line(path.to_owned(), at + 1, error)))
        .collect::<Result<_, _>>()?;
    if problems.is_empty() { Err(SuiteError::Empty(path.to_owned())) } else { Ok(problems) }
}

/// Distributes the problems over the engines.
fn attempt_all(args: &Args, problems: &[Problem]) -> Result<Vec<Attempt>, SuiteError> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(vec![Attempt { solved: false, nodes: 0 }; problems.len()]);
    let work = || -> Result<(), SuiteError> {
        let mut client = start(args)?;
        while let Some((at, problem)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, problems.get(at)?)))
        {
            let attempt = attempt(&mut client, problem, args.nodes)?;
            results.lock().unwrap_or_else(PoisonError::into_inner)[at] = attempt;
        }
        client.quit(TIMEOUT)?;
        Ok(())
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..args.concurrency.max(1)).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .try_for_each(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })?;
    Ok(results.into_inner().unwrap_or_else(PoisonError::into_inner))
}

fn start(args: &Args) -> Result<Client, SuiteError> {
    let mut client = Client::spawn(&EngineCommand::new(&args.engine))?;
    client.negotiate(TIMEOUT)?;
    for option in &args.option {
        let (name, value) = option.split_once('=').ok_or_else(|| SuiteError::NotAnOption(option.clone()))?;
        client.set_option(name, Some(value))?;
    }
    Ok(client)
}

fn attempt(client: &mut Client, problem: &Problem, nodes: u64) -> Result<Attempt, SuiteError> {
    let Problem { position, task } = problem;
    let mate = match task {
        Task::Mate(moves) => Some(*moves),
        Task::Play(_) | Task::Avoid(_) => None,
    };
    client.new_game(TIMEOUT)?;
    client.position(Start::Fen(position.to_string()), &[])?;
    client.go(Go { nodes: Some(nodes), mate, ..Go::default() })?;
    let mut last = Info::default();
    let answer = client.wait(TIMEOUT, |info, _| {
        if info.score.is_some() && info.multipv.is_none_or(|line| line == 1) {
            last = info.clone();
        }
    })?;
    let played = answer.best.and_then(|mv| position.parse_uci_move(&mv.to_string()).ok());
    let solved = match task {
        Task::Play(moves) => played.is_some_and(|mv| moves.contains(&mv)),
        Task::Avoid(moves) => played.is_some_and(|mv| !moves.contains(&mv)),
        Task::Mate(moves) => shows_mate(position, &last, *moves),
    };
    Ok(Attempt { solved, nodes: last.nodes.unwrap_or(0) })
}

/// Does the report claim a mate in at most this many moves, with a pv of exactly the claimed length that ends in mate?
fn shows_mate(position: &Position, info: &Info, moves: u64) -> bool {
    let Some(ScoreValue::Mate(claimed)) =
        info.score.filter(|score| score.bound.is_none()).map(|score| score.value)
    else {
        return false;
    };
    if claimed < 1 || claimed as u64 > moves || info.pv.len() as i64 != 2 * claimed - 1 {
        return false;
    }
    let play = |pos: Position, mv: &UciMove| pos.parse_uci_move(&mv.to_string()).ok().map(|mv| pos.after(mv));
    let end = info.pv.iter().try_fold(*position, play);
    end.is_some_and(|end| end.in_check() && !end.has_legal_move())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(text: &str) -> Info {
        match uci::Message::parse(text) {
            Some(uci::Message::Info(info)) => *info,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_mate_has_to_be_shown() {
        let pos = Position::from_fen("7k/8/8/8/8/8/8/RR5K w - - 0 1").unwrap();
        let shows = |text: &str, moves| shows_mate(&pos, &report(text), moves);
        let line = "info depth 3 score mate 2 pv a1a7 h8g8 b1b8";
        assert!(shows(line, 2) && shows(line, 3));
        assert!(!shows(line, 1), "too long");
        assert!(!shows("info depth 3 score mate 2 pv a1a7 h8g8", 2), "incomplete");
        assert!(!shows("info depth 3 score mate 2 pv a1a7 h8g8 b1b7", 2), "no mate");
        assert!(!shows("info depth 3 score mate 2 lowerbound pv a1a7 h8g8 b1b8", 2), "not exact");
        assert!(!shows("info depth 3 score mate -2 pv a1a7 h8g8 b1b8", 2), "the other side's");
        assert!(!shows("info depth 3 score cp 900 pv a1a7 h8g8 b1b8", 2));
    }
}
