//! `rufous-study review` as a command.

use std::error::Error;
use std::path::{Path, PathBuf};

use pgn::Game;

use super::annotate::annotated;
use super::game::{requests, review};
use super::journal::{Heading, Journal};
use super::model::{Figures, Review};
use super::report;
use crate::CommandResult;
use crate::analyst::{self, Analysis, AnalystArgs, LimitArgs};
use crate::games::Input;
use crate::interrupt::cancel_on_ctrl_c;
use crate::output::{say, write_whole};
use crate::pool;
use crate::progress::Progress;

/// Nodes per position if no limit is given: about 15 seconds for a game on two cores.
const DEFAULT_NODES: u64 = 200_000;

/// Review games: judge every move, show better lines and compute accuracy.
///
/// Reads any PGN: several games, comments, clocks, variations, Chess960, games from set-up positions. A game that cannot
/// be read is reported with its line and skipped. Without --pgn, --html and --json all three are written to the current
/// directory, named after the games: GAMES-review.pgn, .html and .json.
///
/// Ctrl-C ends the review and writes the finished games, if there are any; --resume continues with the rest.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// PGN file; - for standard input
    #[arg(value_name = "GAMES.pgn")]
    games: PathBuf,
    /// Write annotated games: judgements, evaluations and better lines
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Write an HTML report, a single self-contained file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write everything as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Resume an interrupted review of the same games
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    analysts: AnalystArgs,
}

/// Where the results go.
struct Outputs {
    pgn: Option<PathBuf>,
    html: Option<PathBuf>,
    json: Option<PathBuf>,
    journal: PathBuf,
}

impl Outputs {
    fn new(args: &Args) -> Self {
        let stem = args.games.file_stem().filter(|_| args.games != Path::new("-"));
        let stem = stem.map_or_else(|| "games".to_owned(), |stem| stem.to_string_lossy().into_owned());
        let named = |ending: &str| PathBuf::from(format!("{stem}-review.{ending}"));
        let (mut pgn, mut html, mut json) = (args.pgn.clone(), args.html.clone(), args.json.clone());
        if pgn.is_none() && html.is_none() && json.is_none() {
            (pgn, html, json) = (Some(named("pgn")), Some(named("html")), Some(named("json")));
        }
        let first = [&pgn, &html, &json].into_iter().flatten().next().cloned();
        let mut journal = first.unwrap_or_else(|| named("pgn")).into_os_string();
        journal.push(".part");
        Self { pgn, html, json, journal: journal.into() }
    }

    /// Writes the requested files and prints their paths.
    fn write(&self, games: &[Game], reviews: &[Review]) -> CommandResult {
        if let Some(path) = &self.pgn {
            let game_of = |review: &Review| games.iter().find(|game| game.number == review.number);
            let text = |review: &Review| game_of(review).map(|game| annotated(game, review).to_string());
            write_whole(path, &reviews.iter().filter_map(text).collect::<String>())?;
        }
        if let Some(path) = &self.html {
            write_whole(path, &report::page(reviews)?)?;
        }
        if let Some(path) = &self.json {
            write_whole(path, &(serde_json::to_string_pretty(reviews)? + "\n"))?;
        }
        Ok(())
    }
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> CommandResult {
    let limits = args.limits.limits(DEFAULT_NODES);
    let input = Input::read(&args.games)?;
    let outputs = Outputs::new(args);
    let cancel = cancel_on_ctrl_c()?;
    let mut analysts = args.analysts.analysts(&limits, &cancel)?;
    let by = analysts.first().map(|analyst| format!("{:?}", analyst.identity())).unwrap_or_default();
    let heading = Heading::new(&input.bytes, &by, &format!("{limits:?}"));
    let (mut journal, mut reviews) = Journal::open(&outputs.journal, &heading, args.resume)?;
    let is_done = |game: &&Game| reviews.iter().any(|review| review.number == game.number);
    let todo: Vec<&Game> = input.games.iter().filter(|game| !is_done(game)).collect();
    if todo.len() < input.games.len() {
        let done = input.games.len() - todo.len();
        say(format_args!("{done} of {} games were reviewed before", input.games.len()));
    }
    let mut builder = ReviewBuilder::new(&todo);
    let ended = pool::in_order(
        &mut analysts,
        todo.iter().flat_map(|game| requests(game, limits)),
        |analyst, request| analyst.analyse(&request),
        |analysis| builder.take(analysis, &mut journal, &mut reviews),
    );
    builder.progress.clear();
    reviews.sort_by_key(|review| review.number);
    let from_store = builder.from_store;
    // Nothing must not replace an earlier review.
    if ended.is_ok() || !reviews.is_empty() {
        outputs.write(&input.games, &reviews)?;
    }
    say(format_args!(
        "{} of {} games reviewed{}{}",
        reviews.len(),
        input.games.len() + input.broken,
        if input.broken > 0 { format!(", {} could not be read", input.broken) } else { String::new() },
        if from_store > 0 { format!("; {from_store} positions came from the store") } else { String::new() },
    ));
    let reason = match ended {
        Ok(()) => {
            journal.finish();
            return Ok(());
        }
        Err(Stopped::Cancelled) => "interrupted".to_owned(),
        Err(Stopped::Failed(error)) => error.to_string(),
    };
    let written = match reviews.len() {
        0 => "no game was finished, and nothing was written".to_owned(),
        finished => format!("only the finished games were written: {finished}"),
    };
    Err(format!("{reason}; {written}; --resume continues from {}", journal.path().display()).into())
}

/// Why a review ended early.
enum Stopped {
    Cancelled,
    Failed(Box<dyn Error>),
}

impl From<analyst::Error> for Stopped {
    fn from(error: analyst::Error) -> Self {
        match error {
            analyst::Error::Cancelled => Self::Cancelled,
            failed @ analyst::Error::Engine(_) => Self::Failed(failed.into()),
        }
    }
}

/// Turns analyses into reviews, game by game.
struct ReviewBuilder<'a> {
    /// Those that are not finished.
    games: std::slice::Iter<'a, &'a Game>,
    analyses: Vec<Analysis>,
    from_store: usize,
    progress: Progress,
}

impl<'a> ReviewBuilder<'a> {
    fn new(games: &'a [&'a Game]) -> Self {
        let positions = games.iter().map(|game| game.main.moves.len() + 1).sum();
        Self {
            games: games.iter(),
            analyses: Vec::new(),
            from_store: 0,
            progress: Progress::new("positions", positions),
        }
    }

    fn take(
        &mut self,
        analysis: Result<Analysis, analyst::Error>,
        journal: &mut Journal,
        reviews: &mut Vec<Review>,
    ) -> Result<(), Stopped> {
        let analysis = analysis?;
        self.from_store += usize::from(analysis.from_store);
        self.analyses.push(analysis);
        self.progress.advance();
        let Some(game) = self.games.as_slice().first() else { return Ok(()) };
        if self.analyses.len() > game.main.moves.len() {
            let reviewed = review(game, &self.analyses);
            journal.add(&reviewed).map_err(Stopped::Failed)?;
            self.progress.clear();
            say(in_a_line(&reviewed));
            reviews.push(reviewed);
            self.analyses.clear();
            self.games.next();
        }
        Ok(())
    }
}

fn in_a_line(review: &Review) -> String {
    let side = |figures: &Figures| {
        format!(
            "{} accuracy, {} inaccuracies, {} mistakes, {} blunders",
            figures.accuracy.map_or_else(|| "no".to_owned(), |accuracy| format!("{accuracy:.1} %")),
            figures.inaccuracies,
            figures.mistakes,
            figures.blunders
        )
    };
    format!(
        "game {}: {} - {} {}\n  White: {}\n  Black: {}",
        review.number,
        review.white.name,
        review.black.name,
        review.result,
        side(&review.white.all),
        side(&review.black.all)
    )
}
