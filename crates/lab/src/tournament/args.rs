//! The arguments of `rufous-lab match`, and the plan that they make.

use std::error::Error;
use std::fmt;
use std::path::PathBuf;

use clap::{ArgAction, ArgMatches, FromArgMatches, Parser};

use super::engine::{Engine, EngineFile, Entry, make_names_unique};
use super::game_args::{Arena, GameArgs};
use super::schedule::Schedule;
use super::sprt::Sprt;

/// Play a match between UCI engines.
///
/// An engine is described by key=value pairs: name=X cmd=PROGRAM args="A B" dir=D option.NAME=VALUE
/// tc=|movetime=|nodes=|depth=. Those of --each apply to all engines; an engine's own limits replace the common ones.
/// The SPRT tests the first engine.
///
/// Exit codes: 0 when all games were played or the SPRT was decided, whoever won; 1 when the match could not be played
/// or recorded, or when an engine failed in every one of its games; 2 for invalid arguments.
#[derive(Parser, Debug, Clone)]
pub(crate) struct Args {
    #[command(flatten)]
    engines: EngineWords,
    /// Settings of all engines, with the keys of --engine
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    each: Vec<String>,
    /// A TOML file with `[[engine]]` tables and an `[each]` table, with the same keys (options as a table)
    #[arg(long, value_name = "FILE")]
    engines_file: Option<PathBuf>,

    /// Games per pair of engines, rounded up to an even number: each opening is played with both colours
    #[arg(long, default_value_t = 100)]
    games: usize,
    /// Play the first engine against each of the others instead of a round robin
    #[arg(long)]
    gauntlet: bool,

    #[command(flatten)]
    pub(super) game: GameArgs,

    /// Run an SPRT for the first engine and stop when it is decided [defaults: elo0=0 elo1=5 alpha=0.05 beta=0.05
    /// model=normalized]
    #[arg(long, num_args = 0.., value_name = "KEY=VALUE")]
    sprt: Option<Vec<String>>,

    /// Append the games to this PGN file
    #[arg(long, value_name = "FILE")]
    pub(super) pgn: Option<PathBuf>,
    /// Write the result to this JSON file, updated while the match runs
    #[arg(long, value_name = "FILE")]
    pub(super) json: Option<PathBuf>,
    /// Record finished games in this file; the same command resumes from it
    #[arg(long, value_name = "FILE")]
    pub(super) journal: Option<PathBuf>,
    /// The PGN tag Event
    #[arg(long, default_value = "rufous-lab match")]
    pub(super) event: String,
}

/// The words of each `--engine`. Clap's derive knows no list of lists, its matches do.
#[derive(Debug, Clone, Default)]
struct EngineWords(Vec<Vec<String>>);

const ENGINE: &str = "engine";

impl FromArgMatches for EngineWords {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let occurrences = matches.get_occurrences::<String>(ENGINE).into_iter().flatten();
        Ok(Self(occurrences.map(|words| words.cloned().collect()).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl clap::Args for EngineWords {
    fn augment_args(command: clap::Command) -> clap::Command {
        let argument = clap::Arg::new(ENGINE).long(ENGINE).num_args(1..).action(ArgAction::Append);
        command.arg(argument.value_name("KEY=VALUE").help("An engine; given once for each of them"))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

/// A match that can be played.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) engines: Vec<Engine>,
    pub(super) schedule: Schedule,
    pub(super) arena: Arena,
    pub(super) sprt: Option<Sprt>,
}

/// Arguments that do not fit together.
#[derive(Debug, PartialEq, Eq)]
enum PlanError {
    TooFewEngines,
    NoGames,
    SprtOfMany,
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooFewEngines => "a match needs two engines: give --engine cmd=... twice",
            Self::NoGames => "a match needs games",
            Self::SprtOfMany => "an SPRT is about two engines",
        })
    }
}

impl Error for PlanError {}

impl Args {
    pub(super) fn plan(&self) -> Result<Plan, Box<dyn Error>> {
        let engines = self.engines()?;
        if engines.len() < 2 {
            return Err(PlanError::TooFewEngines.into());
        }
        if self.games == 0 {
            return Err(PlanError::NoGames.into());
        }
        let sprt = self.sprt.as_deref().map(Sprt::from_words).transpose()?;
        if sprt.is_some() && engines.len() > 2 {
            return Err(PlanError::SprtOfMany.into());
        }
        let schedule = Schedule::new(engines.len(), self.gauntlet, self.games.div_ceil(2));
        Ok(Plan { engines, schedule, arena: self.game.arena()?, sprt })
    }

    fn engines(&self) -> Result<Vec<Engine>, Box<dyn Error>> {
        let file = self.engines_file.as_deref().map(EngineFile::read).transpose()?.unwrap_or_default();
        let mut each = file.each;
        each.overlay(Entry::from_words(&self.each)?);
        each.overlay(self.game.limits());
        let mut entries = file.engine;
        for words in &self.engines.0 {
            entries.push(Entry::from_words(words)?);
        }
        let engines: Result<Vec<Engine>, _> =
            entries.into_iter().map(|entry| entry.complete(&each)).collect();
        let mut engines = engines?;
        make_names_unique(&mut engines);
        Ok(engines)
    }

    /// Everything that determines the game of a given number; not the number of games, so that a match can be extended.
    pub(super) fn fingerprint(&self, plan: &Plan) -> String {
        let GameArgs { book, book_order, seed, plies, .. } = &self.game;
        let Arena { openings, conditions, .. } = &plan.arena;
        let book = book.as_ref().map_or_else(|| "startpos".to_owned(), |path| path.display().to_string());
        format!(
            "{:?} gauntlet={} book={book} openings={} order={book_order:?} seed={seed} plies={plies:?} {conditions:?}",
            plan.engines,
            self.gauntlet,
            openings.len(),
        )
    }
}
