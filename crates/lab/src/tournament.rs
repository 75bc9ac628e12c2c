//! `rufous-lab match`: matches between UCI engines, refereed by this program alone.
//!
//! Each concurrent game has a thread that owns its engines; the main thread collects the results, records them and
//! decides when to stop. A game depends on its number alone (see [`schedule`]), so a match can be interrupted and
//! resumed from its journal.

mod adjudication;
mod args;
mod engine;
mod fault;
mod game;
mod game_args;
mod journal;
mod limits;
mod openings;
mod pgn;
mod player;
mod progress;
mod report;
mod schedule;
mod sprt;
mod standings;
mod statistics;
mod stolen;
pub(crate) mod tune;
mod workers;

use std::collections::HashSet;
use std::error::Error;
use std::fmt;
use std::fs::File;
use std::io::Write;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

pub(crate) use args::Args;
use args::Plan;
use chess::Color;
use game::{Game, StartFailures};
use journal::{Journal, Record};
use pgn::Heading;
use player::Player;
use progress::Progress;
use report::Report;
use schedule::Assignment;
use standings::Standings;

use crate::file::{self, FileError};

/// How often the JSON file is rewritten.
const JSON_PAUSE: Duration = Duration::from_secs(5);

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let plan = args.plan()?;
    let fingerprint = args.fingerprint(&plan);
    let (mut journal, earlier) = match &args.journal {
        Some(path) => {
            let (journal, records) = Journal::open(path, &fingerprint)?;
            (Some(journal), records)
        }
        None => (None, Vec::new()),
    };
    let mut pgn = match &args.pgn {
        Some(path) => Some(file::append(path)?),
        None => None,
    };
    args.json.iter().try_for_each(|path| file::can_be_written(path))?;
    introduce(&plan)?;

    let planned = plan.schedule.len();
    let earlier: Vec<Record> = earlier.into_iter().filter(|record| record.game < planned).collect();
    let done: HashSet<usize> = earlier.iter().map(|record| record.game).collect();
    let mut recorder = Recorder::new(args, &plan);
    earlier.iter().for_each(|record| recorder.standings.add(record));
    if !done.is_empty() {
        println!("{} games are in the journal already", done.len());
    }

    let pending = Mutex::new((0..planned).filter(|index| !done.contains(index)));
    let next = || pending.lock().unwrap_or_else(PoisonError::into_inner).next();
    let threads = if recorder.is_decided() { 0 } else { plan.arena.concurrency.min(planned) };
    let play = |abort: &AtomicBool, sender: &Sender<_>| play_games(&plan, &next, abort, sender);
    workers::run(threads, play, |result| {
        if let Some((assignment, game)) = result {
            recorder.take(assignment, &game, pgn.as_mut(), journal.as_mut())?;
            if recorder.is_decided() {
                return Ok(ControlFlow::Break(()));
            }
        }
        recorder.show()?;
        Ok(ControlFlow::Continue(()))
    })?;
    recorder.conclude()
}

/// Starts each engine once before the first game, so that a wrong path or option is an error and not a lost game.
fn introduce(plan: &Plan) -> Result<(), Box<dyn Error>> {
    for engine in &plan.engines {
        let mut player = Player::new(engine, &plan.arena);
        let identity = player.introduce().map_err(|error| format!("{}: {error}", engine.name))?;
        println!("{}: {} ({})", engine.name, identity.name, engine.limits);
        player.retire();
    }
    let (games, openings) = (plan.schedule.len(), plan.arena.openings.len());
    println!("{games} games from {openings} openings, {} at once", plan.arena.concurrency);
    Ok(())
}

/// Plays games until there are none left. Engines that play the next game too keep running, others are ended.
fn play_games(
    plan: &Plan,
    next: &dyn Fn() -> Option<usize>,
    abort: &AtomicBool,
    sender: &Sender<(Assignment, Game)>,
) {
    let mut idle: Vec<(usize, Player<'_>)> = Vec::new();
    let new_player = |index: usize| Player::new(&plan.engines[index], &plan.arena);
    while !abort.load(Ordering::Relaxed) {
        let Some(index) = next() else { break };
        let assignment = plan.schedule.game(index);
        let mut seats = [assignment.white, assignment.black].map(|engine| {
            let known = idle.iter().position(|(index, _)| *index == engine);
            known.map_or_else(|| new_player(engine), |known| idle.swap_remove(known).1)
        });
        idle.drain(..).for_each(|(_, player)| player.retire());
        let opening = plan.arena.openings.get(assignment.round);
        let game = game::play(opening, seats.each_mut(), &plan.arena.conditions, abort);
        let [white, black] = seats;
        idle.extend([(assignment.white, white), (assignment.black, black)]);
        if game.is_none_or(|game| sender.send((assignment, game)).is_err()) {
            break;
        }
    }
    idle.into_iter().for_each(|(_, player)| player.retire());
}

/// This engine failed in each of its games, so the result is meaningless.
#[derive(Debug)]
struct AlwaysFailed(String);

impl fmt::Display for AlwaysFailed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} failed in every game", self.0)
    }
}

impl Error for AlwaysFailed {}

/// Records results and decides when the match is over.
struct Recorder<'a> {
    args: &'a Args,
    plan: &'a Plan,
    standings: Standings<'a>,
    progress: Progress,
    started: Instant,
    played: u32,
    start_failures: StartFailures,
    json_written: Option<Instant>,
}

impl<'a> Recorder<'a> {
    fn new(args: &'a Args, plan: &'a Plan) -> Self {
        let progress = Progress::new(args.game.report_pause());
        let standings = Standings::new(&plan.schedule);
        Self {
            args,
            plan,
            standings,
            progress,
            started: Instant::now(),
            played: 0,
            start_failures: StartFailures::default(),
            json_written: None,
        }
    }

    fn report(&self, finished: bool) -> Report<'_> {
        Report {
            engines: &self.plan.engines,
            standings: &self.standings,
            sprt: self.plan.sprt.as_ref(),
            planned: self.plan.schedule.len(),
            finished,
        }
    }

    /// Has the SPRT been decided?
    fn is_decided(&self) -> bool {
        let pairs = self.standings.of(0).pairs;
        self.plan.sprt.is_some_and(|sprt| sprt.verdict(&pairs).is_some())
    }

    /// The game goes into the PGN before it goes into the journal: an interruption between the two repeats a game and
    /// loses none.
    fn take(
        &mut self,
        assignment: Assignment,
        game: &Game,
        pgn: Option<&mut File>,
        journal: Option<&mut Journal>,
    ) -> Result<(), Box<dyn Error>> {
        let engine = |index: usize| &self.plan.engines[index];
        let (white, black) = (engine(assignment.white), engine(assignment.black));
        if let Some(file) = pgn {
            let chess960 = self.plan.arena.conditions.chess960;
            let heading = Heading { event: &self.args.event, game: assignment, white, black, chess960 };
            file.write_all(pgn::text(&heading, game).as_bytes())?;
        }
        let record = Record {
            game: assignment.index,
            white: white.name.clone(),
            black: black.name.clone(),
            result: game.score,
            reason: game.reason(),
            fault: game.fault().map(|fault| fault.kind),
            plies: game.moves.len(),
        };
        // A game that never began is played when the match is resumed, with an engine that starts.
        if let Some(journal) = journal
            && !game.failed_to_start
        {
            journal.record(&record)?;
        }
        for (mover, game::Report { time, given_back, .. }) in game.saved_moves() {
            let name = if mover == Color::White { &white.name } else { &black.name };
            let (took, back) = (time.as_millis(), given_back.as_millis());
            self.progress
                .say(&format!("game {}: {name} took {took} ms and got {back} back", record.game + 1));
        }
        if let Some(fault) = game.fault() {
            let loser = if game.score == game::Score::White { black } else { white };
            self.progress.say(&format!("game {}: {} {fault}", record.game + 1, loser.name));
        }
        self.standings.add(&record);
        self.played += 1;
        self.start_failures.count(game)?;
        Ok(())
    }

    fn show(&mut self) -> Result<(), Box<dyn Error>> {
        if self.progress.is_due() && self.played > 0 {
            let minutes = self.started.elapsed().as_secs_f64() / 60.0;
            let line = self.report(false).line(f64::from(self.played) / minutes);
            self.progress.show(&line);
        }
        if let Some(path) = &self.args.json
            && self.json_written.is_none_or(|written| written.elapsed() >= JSON_PAUSE)
        {
            self.report(false).write_json(path).map_err(FileError::of(path))?;
            self.json_written = Some(Instant::now());
        }
        Ok(())
    }

    fn conclude(mut self) -> Result<(), Box<dyn Error>> {
        self.progress.clear();
        println!("\n{}", self.report(true).text().trim_end());
        if let Some(path) = &self.args.json {
            self.report(true).write_json(path).map_err(FileError::of(path))?;
        }
        match self.standings.always_failed() {
            None => Ok(()),
            Some(engine) => Err(AlwaysFailed(self.plan.engines[engine].name.clone()).into()),
        }
    }
}
