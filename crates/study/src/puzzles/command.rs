//! `rufous-study puzzles` as a command.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use pgn::Game;

use super::output::{CSV_COLUMNS, Entry};
use super::search::{Candidate, Puzzle, candidates, prove};
use crate::CommandResult;
use crate::analyst::{self, Analysis, AnalystArgs, LimitArgs, Limits, Request};
use crate::games::Input;
use crate::interrupt::cancel_on_ctrl_c;
use crate::output::{say, write_whole};
use crate::pool;
use crate::progress::Progress;

/// Nodes per position of the games if no limit is given.
const DEFAULT_NODES: u64 = 50_000;

/// How many times as much a proof searches, unless it has a limit of its own.
const DEEPER: u32 = 10;

/// Find puzzles in games: positions in which one move wins or saves the game and every other fails.
///
/// Every position is searched. After a mistake, a position with a single good answer is a candidate: it is searched again
/// ten times as long (or --proof-nodes), and so is every move of the solution, which continues as long as the solver has
/// only one good move. Without --pgn, --epd and --csv all three are written to the current directory, named after the
/// games: GAMES-puzzles.pgn, .epd and .csv. Ctrl-C ends the search and writes the puzzles found so far; if there are none
/// yet, earlier files are left as they are.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// PGN file; - for standard input
    #[arg(value_name = "GAMES.pgn")]
    games: PathBuf,
    /// Write the puzzles as PGN games that start with the position to solve
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Write the puzzles as EPD, with bm and pv
    #[arg(long, value_name = "FILE")]
    epd: Option<PathBuf>,
    /// Write the puzzles as CSV with the columns of the Lichess puzzle database
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Nodes per position of a proof [default: ten times the limit of the games]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Limits")]
    proof_nodes: Option<u64>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    analysts: AnalystArgs,
}

/// Ten times the limits; a depth grows by a third only.
fn deeper(limits: Limits) -> Limits {
    Limits {
        nodes: limits.nodes.map(|nodes| nodes.saturating_mul(u64::from(DEEPER))),
        depth: limits.depth.map(|depth| depth + depth.div_ceil(3)),
        movetime: limits.movetime.map(|time| time * DEEPER),
    }
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> CommandResult {
    let quick = args.limits.limits(DEFAULT_NODES);
    let deep = args.proof_nodes.map_or_else(|| deeper(quick), Limits::nodes);
    let input = Input::read(&args.games)?;
    let cancel = cancel_on_ctrl_c()?;
    let mut analysts = args.analysts.analysts(&deep, &cancel)?;

    let positions = input.games.iter().map(|game| game.main.moves.len() + 1).sum();
    let mut scan = Scan { games: input.games.iter(), current: None, analyses: Vec::new(), found: Vec::new() };
    let mut progress = Progress::new("positions", positions);
    let scanned = pool::in_order(
        &mut analysts,
        input.games.iter().flat_map(|game| requests(game, quick)),
        |analyst, request| analyst.analyse(&request),
        |analysis| {
            progress.advance();
            analysis.map(|analysis| scan.take(analysis))
        },
    );
    drop(progress);
    scanned.map_err(|error| ended_early(error, 0))?;
    say(format_args!("{positions} positions, {} of them after a mistake", scan.found.len()));

    let mut puzzles: Vec<Puzzle> = Vec::new();
    let mut progress = Progress::new("candidates", scan.found.len());
    let proved = pool::in_order(
        &mut analysts,
        scan.found.iter(),
        |analyst, candidate| prove(&mut **analyst, candidate, quick, deep),
        |puzzle| {
            progress.advance();
            puzzle.map(|puzzle| puzzles.extend(puzzle))
        },
    );
    drop(progress);
    // Nothing must not replace what an earlier search found.
    if proved.is_ok() || !puzzles.is_empty() {
        write_all(args, &input, &puzzles)?;
        say(format_args!("{} puzzles in {} games", puzzles.len(), input.games.len()));
    }
    proved.map_err(|error| ended_early(error, puzzles.len()).into())
}

/// Why the search ended, and what was written.
fn ended_early(error: analyst::Error, puzzles: usize) -> String {
    let reason = match error {
        analyst::Error::Cancelled => "interrupted".to_owned(),
        failed @ analyst::Error::Engine(_) => failed.to_string(),
    };
    match puzzles {
        0 => format!("{reason}; no puzzle was found so far, and nothing was written"),
        _ => format!("{reason}; only the puzzles found so far were written: {puzzles}"),
    }
}

fn requests(game: &Game, limits: Limits) -> impl Iterator<Item = Request> {
    let (start, moves) = (game.start, game.moves().collect::<Vec<_>>());
    (0..=moves.len()).map(move |plies| Request { start, moves: moves[..plies].to_vec(), limits, multipv: 1 })
}

/// Gathers the analyses of each game in turn.
struct Scan<'a> {
    games: std::slice::Iter<'a, Game>,
    current: Option<&'a Game>,
    analyses: Vec<Analysis>,
    found: Vec<Candidate>,
}

impl Scan<'_> {
    fn take(&mut self, analysis: Analysis) {
        let Some(game) = self.current.or_else(|| self.games.next()) else { return };
        self.current = Some(game);
        self.analyses.push(analysis);
        if self.analyses.len() > game.main.moves.len() {
            self.found.extend(candidates(game, &self.analyses));
            self.analyses.clear();
            self.current = None;
        }
    }
}

fn write_all(args: &Args, input: &Input, puzzles: &[Puzzle]) -> CommandResult {
    let stem = args.games.file_stem().filter(|_| args.games != Path::new("-"));
    let stem = stem.map_or_else(|| "games".to_owned(), |stem| stem.to_string_lossy().into_owned());
    let all = args.pgn.is_none() && args.epd.is_none() && args.csv.is_none();
    let place = |given: &Option<PathBuf>, ending: &str| {
        given.clone().or_else(|| all.then(|| PathBuf::from(format!("{stem}-puzzles.{ending}"))))
    };
    let game_of = |puzzle: &Puzzle| input.games.iter().find(|game| game.number == puzzle.game);
    let entries: Vec<Entry<'_>> =
        puzzles.iter().filter_map(|puzzle| game_of(puzzle).map(|game| Entry { puzzle, game })).collect();
    if let Some(path) = place(&args.pgn, "pgn") {
        write_whole(&path, &entries.iter().map(|entry| entry.pgn().to_string()).collect::<String>())?;
    }
    if let Some(path) = place(&args.epd, "epd") {
        write_whole(&path, &lines(entries.iter().map(Entry::epd)))?;
    }
    if let Some(path) = place(&args.csv, "csv") {
        write_whole(
            &path,
            &lines(std::iter::once(CSV_COLUMNS.to_owned()).chain(entries.iter().map(Entry::csv))),
        )?;
    }
    Ok(())
}

fn lines(lines: impl Iterator<Item = String>) -> String {
    lines.fold(String::new(), |mut text, line| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{line}");
        text
    })
}
