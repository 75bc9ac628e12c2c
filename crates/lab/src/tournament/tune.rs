//! `rufous-lab tune`: SPSA tuning of spin options by games of an engine against itself.
//!
//! The games are those of `rufous-lab match`. The opening and the perturbation of a pair depend on its number and the
//! seed; with one game at a time and a node limit the whole run is reproducible, interrupted or not. With several games
//! at a time a pair starts from the current values, so that no thread waits for another.

mod parameter;
mod spsa;
mod state;

use std::error::Error;
use std::fmt;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use clap::Parser;
use rng::Random;

use super::engine::{Engine, Entry};
use super::game::{self, Game, StartFailures};
use super::game_args::{Arena, GameArgs};
use super::player::{Player, Settings};
use super::progress::Progress;
use super::workers;
use parameter::Parameter;
use spsa::{Rates, Trial};
use state::State;

/// The state is written after this many pairs; an interruption loses at most these.
const PAIRS_BETWEEN_STATES: u32 = 4;

/// Tune spin options of an engine with SPSA, by games against itself.
///
/// In each pair of games every parameter is perturbed by its step, up or down at random, for one side and in the
/// opposite direction for the other; then its value moves by rate * step * (wins - losses) towards the better side.
/// The same command resumes from the state; a larger --pairs extends the run.
#[derive(Parser, Debug, Clone)]
pub(crate) struct Args {
    /// The engine
    engine: PathBuf,
    /// Arguments of the engine
    #[arg(last = true)]
    engine_args: Vec<String>,
    /// Set an option for both sides, as NAME=VALUE
    #[arg(long, value_name = "NAME=VALUE")]
    option: Vec<String>,
    /// File with one line per parameter: name start step min max
    #[arg(long, value_name = "FILE")]
    parameters: PathBuf,
    /// File for the current values and the number of pairs
    #[arg(long, value_name = "FILE")]
    state: PathBuf,
    /// Total number of pairs of games, including those of the state
    #[arg(long)]
    pairs: usize,
    /// Learning rate at the first pair
    #[arg(long, value_name = "RATE", default_value_t = 0.03)]
    first_rate: f64,
    /// Learning rate at the last pair
    #[arg(long, value_name = "RATE", default_value_t = 0.008)]
    last_rate: f64,
    #[command(flatten)]
    game: GameArgs,
}

/// Arguments that do not fit together.
#[derive(Debug, PartialEq, Eq)]
enum TuneError {
    NoPairs,
    BadRates,
    FixedAndTuned(String),
}

impl fmt::Display for TuneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPairs => f.write_str("tuning needs pairs of games"),
            Self::BadRates => f.write_str("the rates have to be above 0, and the last not above the first"),
            Self::FixedAndTuned(name) => write!(f, "'{name}' is tuned and cannot be set by --option"),
        }
    }
}

impl Error for TuneError {}

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let rates = args.rates()?;
    let start = state::read_parameters(&args.parameters)?;
    let entry = Entry::from_program(&args.engine, &args.engine_args, &args.option)?;
    let engine = entry.complete(&args.game.limits())?;
    let arena = args.game.arena()?;
    introduce(&engine, &arena, &start.parameters)?;
    let state = start.resume(&args.state)?;
    if state.pairs > 0 {
        println!("{} pairs are in the state already", state.pairs);
    }
    // Fail before the games, not after them.
    state.write(&args.state)?;

    let (planned, seed) = (args.pairs, args.game.seed);
    let tuner = Mutex::new(Tuner { next: state.pairs, state, planned, seed, rates });
    let mut recorder = Recorder::new(args, &start.parameters, &tuner);
    let play = |abort: &AtomicBool, sender: &Sender<_>| play_pairs(&engine, &arena, &tuner, abort, sender);
    workers::run(arena.concurrency.min(planned), play, |pair| {
        if let Some(pair) = pair {
            recorder.take(&pair)?;
        }
        recorder.show();
        Ok(ControlFlow::Continue(()))
    })?;
    recorder.conclude()
}

impl Args {
    fn rates(&self) -> Result<Rates, TuneError> {
        if self.pairs == 0 {
            return Err(TuneError::NoPairs);
        }
        let rates = Rates { first: self.first_rate, last: self.last_rate };
        let sound = rates.first.is_finite() && 0.0 < rates.last && rates.last <= rates.first;
        if sound { Ok(rates) } else { Err(TuneError::BadRates) }
    }
}

/// Starts the engine once before the first game, and sees whether it has an option for each parameter.
fn introduce(engine: &Engine, arena: &Arena, parameters: &[Parameter]) -> Result<(), Box<dyn Error>> {
    let is_tuned = |name: &&String| parameters.iter().any(|tuned| tuned.name.eq_ignore_ascii_case(name));
    if let Some(name) = engine.options.keys().find(is_tuned) {
        return Err(TuneError::FixedAndTuned(name.clone()).into());
    }
    let mut player = Player::new(engine, arena);
    let identity = player.introduce().map_err(|error| format!("{}: {error}", engine.name))?;
    parameters.iter().try_for_each(|parameter| parameter.check(identity))?;
    println!("{}: {} ({})", engine.name, identity.name, engine.limits);
    player.retire();
    let (tuned, openings) = (parameters.len(), arena.openings.len());
    println!("parameters: {tuned}, openings: {openings}, games at once: {}", arena.concurrency);
    Ok(())
}

/// What all threads share: the current values and the next pair.
struct Tuner {
    state: State,
    next: usize,
    planned: usize,
    seed: u64,
    rates: Rates,
}

impl Tuner {
    /// The number of the next pair, its perturbation, and the options of both sides.
    fn issue(&mut self) -> Option<(usize, Trial, [Settings; 2])> {
        let number = self.next;
        if number >= self.planned {
            return None;
        }
        self.next += 1;
        let parameters = &self.state.parameters;
        let trial = Trial::new(parameters, &mut Random::of_number(self.seed, number as u64));
        let settings = trial.sides.each_ref().map(|side| {
            let options = parameters.iter().zip(side);
            options.map(|(parameter, value)| (parameter.name.clone(), value.to_string())).collect()
        });
        Some((number, trial, settings))
    }

    fn rate(&self) -> f64 {
        self.rates.at(self.state.pairs, self.planned)
    }

    fn learn(&mut self, pair: &Pair) {
        let rate = self.rate();
        pair.trial.teach(&mut self.state.parameters, pair.gain(), rate);
        self.state.pairs += 1;
    }
}

fn lock(tuner: &Mutex<Tuner>) -> MutexGuard<'_, Tuner> {
    tuner.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A pair that has been played; the side perturbed along the signs had White in the first game.
struct Pair {
    number: usize,
    trial: Trial,
    games: [Game; 2],
}

impl Pair {
    /// Wins less losses of the side perturbed along the signs. A game that never began does not count.
    fn gain(&self) -> i32 {
        let [first, second] = &self.games;
        if first.failed_to_start || second.failed_to_start {
            0
        } else {
            first.score.gain() - second.score.gain()
        }
    }
}

/// Plays pairs until there are none left, always with the same two engines, whose options change between the pairs.
fn play_pairs(
    engine: &Engine,
    arena: &Arena,
    tuner: &Mutex<Tuner>,
    abort: &AtomicBool,
    sender: &Sender<Pair>,
) {
    let mut players = [Player::new(engine, arena), Player::new(engine, arena)];
    while !abort.load(Ordering::Relaxed) {
        let issued = lock(tuner).issue();
        let Some((number, trial, settings)) = issued else { break };
        players.iter_mut().zip(settings).for_each(|(player, settings)| player.adjust(settings));
        let opening = arena.openings.get(number);
        let [along, against] = &mut players;
        let first = game::play(opening, [&mut *along, &mut *against], &arena.conditions, abort);
        let games = first.and_then(|first| {
            let second = game::play(opening, [against, along], &arena.conditions, abort)?;
            Some([first, second])
        });
        let Some(games) = games else { break };
        let pair = Pair { number, trial, games };
        // Update here, so that the next pair of this thread starts from the new values.
        lock(tuner).learn(&pair);
        if sender.send(pair).is_err() {
            break;
        }
    }
    players.into_iter().for_each(Player::retire);
}

/// Writes the state and shows the progress.
struct Recorder<'a> {
    args: &'a Args,
    start: &'a [Parameter],
    tuner: &'a Mutex<Tuner>,
    progress: Progress,
    started: Instant,
    played: u32,
    start_failures: StartFailures,
}

impl<'a> Recorder<'a> {
    fn new(args: &'a Args, start: &'a [Parameter], tuner: &'a Mutex<Tuner>) -> Self {
        let progress = Progress::new(args.game.report_pause());
        let started = Instant::now();
        Self { args, start, tuner, progress, started, played: 0, start_failures: StartFailures::default() }
    }

    fn take(&mut self, pair: &Pair) -> Result<(), Box<dyn Error>> {
        for (index, game) in pair.games.iter().enumerate() {
            self.start_failures.count(game)?;
            if game.fault().is_some() {
                let text = format!("pair {}, game {}: {}", pair.number + 1, index + 1, game.reason());
                self.progress.say(&text);
            }
        }
        self.played += 1;
        if self.played.is_multiple_of(PAIRS_BETWEEN_STATES) {
            let state = lock(self.tuner).state.clone();
            state.write(&self.args.state)?;
        }
        Ok(())
    }

    fn show(&mut self) {
        if !self.progress.is_due() || self.played == 0 {
            return;
        }
        let minutes = self.started.elapsed().as_secs_f64() / 60.0;
        let tuner = lock(self.tuner);
        let moved = |(start, now): (&Parameter, &Parameter)| (now.value - start.value) / start.step;
        let moves = self.start.iter().zip(&tuner.state.parameters).map(|pair| (pair.1, moved(pair)));
        let farthest = moves.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
        let farthest = farthest.map_or_else(String::new, |(parameter, steps)| {
            format!("; farthest: {} {:.2} ({steps:+.2} steps)", parameter.name, parameter.value)
        });
        let line = format!(
            "pairs {} of {}, {:.1} a minute, rate {:.4}{farthest}",
            tuner.state.pairs,
            tuner.planned,
            f64::from(self.played) / minutes,
            tuner.rate()
        );
        drop(tuner);
        self.progress.show(&line);
    }

    fn conclude(mut self) -> Result<(), Box<dyn Error>> {
        self.progress.clear();
        let state = &lock(self.tuner).state;
        state.write(&self.args.state)?;
        println!("\nafter {} pairs", state.pairs);
        let width = self.start.iter().map(|parameter| parameter.name.len()).max().unwrap_or(0);
        for (start, now) in self.start.iter().zip(&state.parameters) {
            println!("{:width$} {} -> {:.2}", start.name, start.value, now.value);
        }
        Ok(())
    }
}
