//! The engine of one page: UCI lines in, UCI lines out.
//!
//! A session has a thread that only waits for lines; searches run on the engine's threads, so `stop` is always read. A
//! command that needs an idle engine ends the search first. The engine is created when it is first needed and dropped
//! with the session.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use chess::{CastlingNotation, Move, Position};
use engine::{EmbeddedNetworkError, Engine, OptionChange, OptionSpec, Options, Report, Reporter};
use nnue::Network;
use rufous::{Game, protocol};
use serde::{Deserialize, Serialize};
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use uci::{Command, Go, Message, Parsed, Start, option_text};

use super::archive::{Archive, Known, Query};
use super::budget::{Budget, Reservation};
use super::limits::Limits;
use super::outbox::Outbox;
use super::page_options;
use crate::analyst::{Lines, Request};

/// The capacity of the input queue; when it is full, the socket waits.
const WAITING: usize = 64;
/// Megabytes of an engine without its hash table and threads: the small table of limited strength, and the rest.
const ENGINE_MIB: usize = 4;
/// Megabytes per search thread: histories, accumulators, stack.
const THREAD_MIB: usize = 16;

/// What all sessions share.
pub(super) struct Shared {
    pub(super) network: Arc<Network>,
    pub(super) budget: Arc<Budget>,
    pub(super) limits: Limits,
    /// Pages may set the options that name files.
    pub(super) trusted: bool,
    /// The store, if enabled.
    pub(super) archive: Option<Archive>,
}

impl Shared {
    pub(super) fn new(
        limits: Limits,
        trusted: bool,
        archive: Option<Archive>,
    ) -> Result<Self, EmbeddedNetworkError> {
        let network = engine::embedded_network()?;
        Ok(Self { network, budget: Budget::new(limits.memory as usize), limits, trusted, archive })
    }

    /// The options that a page may set.
    pub(super) fn options(&self) -> impl Iterator<Item = &'static OptionSpec> {
        let trusted = self.trusted;
        let allowed = move |spec: &&OptionSpec| trusted || page_options::is_harmless(spec);
        engine::all_options().iter().filter(allowed)
    }

    /// The maximum of an option, where the server limits it.
    fn largest(&self, spec: &OptionSpec) -> Option<i64> {
        match spec.name {
            "Threads" => i64::try_from(self.limits.threads_per_page()).ok(),
            "Hash" => Some(i64::from(self.limits.memory) - (ENGINE_MIB + THREAD_MIB) as i64),
            "MultiPV" => Some(5),
            _ => None,
        }
    }
}

/// Starts a session; it ends when the sender is dropped. The permit is held as long as the engine is there.
pub(super) fn start(
    shared: Arc<Shared>,
    out: Outbox,
    permit: OwnedSemaphorePermit,
) -> std::io::Result<Sender<String>> {
    let (sender, lines) = channel(WAITING);
    let work = move || {
        Session::new(shared, out).serve(lines);
        drop(permit);
    };
    thread::Builder::new().name("session".to_owned()).spawn(work)?;
    Ok(sender)
}

struct Session {
    shared: Arc<Shared>,
    out: Outbox,
    engine: Option<Engine>,
    /// The memory of the engine.
    reservation: Option<Reservation>,
    options: Options,
    game: Game,
    /// Has the session ended the last search before its limits did? Each search has its own flag.
    stopped: Arc<AtomicBool>,
}

impl Session {
    fn new(shared: Arc<Shared>, out: Outbox) -> Self {
        Self {
            shared,
            out,
            engine: None,
            reservation: None,
            options: Options::default(),
            game: Game::default(),
            stopped: Arc::default(),
        }
    }

    fn serve(mut self, mut lines: Receiver<String>) {
        while let Some(line) = lines.blocking_recv() {
            if line.trim_start().starts_with('{') {
                self.answer_question(&line);
                continue;
            }
            let Parsed { command, problems } = Command::parse(&line);
            problems.iter().filter(|problem| problem.is_error()).for_each(|problem| self.out.error(problem));
            match command {
                Some(Command::Quit) => break,
                Some(command) => self.carry_out(command),
                None => {}
            }
        }
        self.stop();
    }

    fn carry_out(&mut self, command: Command) {
        match command {
            Command::Uci => self.introduce(),
            Command::IsReady => {
                if self.engine().is_some() {
                    self.out.answer(Message::ReadyOk);
                }
            }
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref().map(option_text)),
            Command::UciNewGame => {
                self.stop();
                if let Some(engine) = &mut self.engine {
                    engine.new_game();
                }
            }
            Command::Position { start, moves } => {
                if let Err(error) = self.game.set_up(start, moves) {
                    self.out.error(error);
                }
            }
            Command::Go(go) => self.go(&go),
            Command::Stop => self.stop(),
            Command::PonderHit => {
                if let Some(engine) = &self.engine {
                    engine.control().ponder_hit();
                }
            }
            other => {
                let word: String = other.to_string().split(' ').take(1).collect();
                self.out.error(format!("'{word}' is not supported here"));
            }
        }
    }

    /// Answers a JSON message, for what UCI has no command.
    fn answer_question(&self, line: &str) {
        let query = match serde_json::from_str(line) {
            Ok(Question::Stored(query)) => query,
            Err(error) => {
                return self.out.error(format!("invalid JSON message: {error}"));
            }
        };
        let archive = self.shared.archive.as_ref().filter(|_| self.is_plain());
        let analysis = archive.and_then(|archive| {
            let mut game = Game::default();
            game.set_up(Start::Fen(query.fen.clone()), query.moves.clone()).ok()?;
            archive.find(*game.start(), game.moves().to_vec(), &query)
        });
        let answer = Answer::Stored { id: query.id, analysis };
        self.out.answer(serde_json::to_string(&answer).unwrap_or_default());
    }

    /// Has the engine default options and full strength, so that its analyses can be shared?
    fn is_plain(&self) -> bool {
        let is_default = |name: &str| self.options.is_default(name);
        let set = |name: &str| self.options.get(name).is_some_and(engine::OptionValue::is_true);
        let unlimited = set("UCI_AnalyseMode") || (!set("UCI_LimitStrength") && is_default("Skill Level"));
        unlimited
            && ["EvalFile", "SyzygyPath", "Syzygy50MoveRule", "UCI_SetPositionValue"]
                .into_iter()
                .all(is_default)
    }

    fn introduce(&self) {
        self.out.answer(Message::IdName(concat!("Rufous ", env!("CARGO_PKG_VERSION")).to_owned()));
        self.out.answer(Message::IdAuthor("the Rufous developers".to_owned()));
        for spec in self.shared.options() {
            self.out.answer(Message::Option(page_options::declaration(spec, self.shared.largest(spec))));
        }
        self.out.answer(Message::UciOk);
    }

    /// The engine, created on first use; on failure the page gets the reason.
    fn engine(&mut self) -> Option<&mut Engine> {
        if self.engine.is_none() {
            let mib = ENGINE_MIB + THREAD_MIB + engine::DEFAULT_HASH_MIB;
            let made =
                self.shared.budget.reserve(mib).map_err(|error| error.to_string()).and_then(|reservation| {
                    let engine =
                        Engine::new(Arc::clone(&self.shared.network)).map_err(|error| error.to_string())?;
                    Ok((engine, reservation))
                });
            match made {
                Ok((engine, reservation)) => {
                    (self.engine, self.reservation) = (Some(engine), Some(reservation));
                }
                Err(reason) => self.out.error(format!("no engine: {reason}")),
            }
        }
        self.engine.as_mut()
    }

    /// Ends the search, if there is one.
    fn stop(&self) {
        if let Some(engine) = &self.engine {
            // First, so that the search reads it when it ends.
            self.stopped.store(true, Ordering::Release);
            engine.control().stop();
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        let change = match self.options.check(name, value) {
            Ok(Some(change)) => change,
            Ok(None) => return,
            Err(error) => return self.out.error(error),
        };
        if let Err(reason) = self.try_option(change) {
            self.out.error(reason);
        }
    }

    fn try_option(&mut self, change: OptionChange) -> Result<(), String> {
        let spec = change.spec();
        if !self.shared.options().any(|allowed| allowed.name == spec.name) {
            return Err(format!("{} can be set only where the server was started with --trusted", spec.name));
        }
        let number = change.value().number();
        if let Some(largest) = self.shared.largest(spec)
            && number > largest.unsigned_abs()
        {
            return Err(format!("{} must be at most {largest} on this server", spec.name));
        }
        self.stop();
        if self.engine().is_none() {
            return Ok(());
        }
        let (Some(engine), Some(reservation)) = (&mut self.engine, &mut self.reservation) else {
            return Ok(());
        };
        let (mut threads, mut hash) = (engine.threads(), engine.hash_mib());
        match spec.name {
            "Threads" => threads = number as usize,
            "Hash" => hash = number as usize,
            _ => {}
        }
        let wanted = ENGINE_MIB + threads * THREAD_MIB + hash;
        let before = ENGINE_MIB + engine.threads() * THREAD_MIB + engine.hash_mib();
        reservation.resize(wanted.max(before)).map_err(|error| format!("{} refused: {error}", spec.name))?;
        let applied = change.apply(engine);
        let after = ENGINE_MIB + engine.threads() * THREAD_MIB + engine.hash_mib();
        reservation.resize(after).map_err(|error| error.to_string())?;
        applied.map_err(|error| error.to_string())?.iter().for_each(|note| self.out.note(note));
        self.options.record(change);
        Ok(())
    }

    fn go(&mut self, go: &Go) {
        let root = *self.game.current();
        if go.perft.is_some() {
            return self.out.error("'go perft' is not supported here");
        }
        let chess960 = self.options.get("UCI_Chess960").is_some_and(engine::OptionValue::is_true);
        let multipv = self.options.get("MultiPV").map_or(1, engine::OptionValue::number) as usize;
        let request = Request {
            start: *self.game.start(),
            moves: self.game.moves().to_vec(),
            limits: claimed_limits(go),
            multipv: multipv.min(root.legal_moves().len()).max(1),
        };
        self.stop();
        self.stopped = Arc::default();
        let keeps = self.shared.archive.is_some() && go.searchmoves.is_empty() && self.is_plain();
        let reporter = PageReporter {
            out: self.out.clone(),
            shared: Arc::clone(&self.shared),
            request,
            root,
            castling: root.castling_notation(chess960),
            lines: keeps.then(Lines::default),
            time: Duration::ZERO,
            stopped: Arc::clone(&self.stopped),
        };
        let (last_move, history) = (self.game.last_move(), self.game.history().clone());
        if let Some(engine) = self.engine() {
            engine.set_game(root, last_move, history);
            engine.go(protocol::limits(go, &root), Box::new(reporter));
        } else {
            self.out.answer(Message::BestMove { best: None, ponder: None });
        }
    }
}

/// The limits that an analysis has reached when its search ended by itself. Those of a clock or of a search for a mate say
/// nothing that another search could ask for.
fn claimed_limits(go: &Go) -> crate::analyst::Limits {
    let clock = [go.wtime, go.btime, go.winc, go.binc].iter().any(Option::is_some);
    if clock || go.mate.is_some() {
        return crate::analyst::Limits::default();
    }
    crate::analyst::Limits {
        nodes: go.nodes,
        depth: go.depth,
        movetime: go.movetime.map(|time| Duration::from_millis(time.max(0).unsigned_abs())),
    }
}

/// The JSON queries of a page.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Question {
    Stored(Query),
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Answer {
    Stored { id: u64, analysis: Option<Known> },
}

/// Sends the reports of a search to the page, and stores the analysis.
struct PageReporter {
    out: Outbox,
    shared: Arc<Shared>,
    request: Request,
    root: Position,
    castling: CastlingNotation,
    /// The last report of each line, if the analysis is to be stored.
    lines: Option<Lines>,
    time: Duration,
    /// See [`Session::stopped`].
    stopped: Arc<AtomicBool>,
}

impl Reporter for PageReporter {
    fn report(&mut self, report: &Report) {
        match report {
            Report::Line(line) => {
                self.out.report(Message::from(protocol::info(&self.root, self.castling, line)));
                self.time = line.time;
                if let Some(lines) = &mut self.lines {
                    lines.nodes = line.nodes;
                    lines.add(line.multipv as u64, self.request.multipv, line.into());
                }
            }
            Report::Note(text) => self.out.note(text),
            // The page shows only principal variations.
            Report::CurrentMove { .. } | Report::CurrentLine { .. } | Report::Refutation(_) => {}
        }
    }

    fn best_move(&mut self, best: Option<Move>, ponder: Option<Move>) {
        // Before the answer: the page's next command sets the flag of a search that ended by itself too.
        if self.stopped.load(Ordering::Acquire) {
            self.request.limits = crate::analyst::Limits::default();
        }
        self.out.answer(protocol::best_move(&self.root, self.castling, best, ponder));
        if let (Some(archive), Some(lines)) = (&self.shared.archive, self.lines.take())
            && let Ok(analysis) = lines.finish(archive.identity(), self.time)
        {
            archive.keep(&self.request, analysis);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyst::Limits;

    #[test]
    fn all_limits_of_a_search_count() {
        let limits = |line: &str| match Command::parse(line).command {
            Some(Command::Go(go)) => claimed_limits(&go),
            other => panic!("{line}: {other:?}"),
        };
        assert_eq!(limits("go nodes 5000"), Limits::nodes(5000));
        let movetime = Some(Duration::from_millis(100));
        assert_eq!(limits("go nodes 5000 movetime 100"), Limits { movetime, ..Limits::nodes(5000) });
        assert_eq!(limits("go movetime 100 depth 7"), Limits { nodes: None, depth: Some(7), movetime });
        for line in ["go nodes 5000 wtime 100 btime 100", "go nodes 5000 mate 3", "go infinite"] {
            assert_eq!(limits(line), Limits::default(), "{line}");
        }
    }
}
