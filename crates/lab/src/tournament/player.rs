//! An engine process: started when it is first needed, kept between games, and restarted after a fault.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use uci::client::{BestMove, Client, ClientError, Identity};
use uci::{Go, Info, Start, UciMove};

use super::engine::Engine;
use super::fault::{Fault, FaultKind};
use super::game::Conditions;
use super::game_args::Arena;

/// How often a wait checks whether the match has been ended.
const POLL_INTERVAL: Duration = Duration::from_millis(250);

/// How long an engine may take to exit after `quit`.
const QUIT_TIMEOUT: Duration = Duration::from_secs(2);

/// Why there is no move.
#[derive(Debug)]
pub(super) enum Interruption {
    /// The engine's fault.
    Fault(Fault),
    /// The match has been ended.
    Aborted,
}

impl From<ClientError> for Interruption {
    fn from(error: ClientError) -> Self {
        Self::Fault(error.into())
    }
}

/// Options by their names.
pub(super) type Settings = Vec<(String, String)>;

/// An engine and its process, if there is one.
pub(super) struct Player<'a> {
    pub(super) engine: &'a Engine,
    /// Options that are set over those of the engine's description.
    settings: Settings,
    client: Option<Client>,
    /// The move that the engine ponders on.
    expected: Option<UciMove>,
    chess960: bool,
    ponder: bool,
    timeout: Duration,
}

impl<'a> Player<'a> {
    pub(super) fn new(engine: &'a Engine, arena: &Arena) -> Self {
        let Conditions { chess960, ponder, .. } = arena.conditions;
        let settings = Settings::new();
        Self { engine, settings, client: None, expected: None, chess960, ponder, timeout: arena.timeout }
    }

    /// The running engine with its options set.
    fn client(&mut self) -> Result<&mut Client, ClientError> {
        if self.client.is_none() {
            let mut client = Client::spawn(&self.engine.command)?;
            client.negotiate(self.timeout)?;
            if self.chess960 {
                client.set_option("UCI_Chess960", Some("true"))?;
            }
            if self.ponder && client.identity().option("Ponder").is_some() {
                client.set_option("Ponder", Some("true"))?;
            }
            for (name, value) in &self.engine.options {
                let is_button = value.is_empty()
                    && client.identity().option(name).is_some_and(|option| option.kind.accepts(None));
                client.set_option(name, (!is_button).then_some(value))?;
            }
            set_all(&mut client, &self.settings)?;
            client.is_ready(self.timeout)?;
            self.client = Some(client);
        }
        self.client.as_mut().ok_or(ClientError::NotSearching)
    }

    /// Gets the engine ready for a new game, and starts it if need be.
    pub(super) fn new_game(&mut self) -> Result<(), ClientError> {
        let timeout = self.timeout;
        let result = self.client().and_then(|client| client.new_game(timeout));
        if result.is_err() {
            self.dismiss();
        }
        result
    }

    /// Starts the engine and returns its `id` and options.
    pub(super) fn introduce(&mut self) -> Result<&Identity, ClientError> {
        self.new_game()?;
        Ok(self.client()?.identity())
    }

    /// Sets options for the games that follow.
    pub(super) fn adjust(&mut self, settings: Settings) {
        self.settings = settings;
        if let Some(client) = &mut self.client
            && set_all(client, &self.settings).is_err()
        {
            // The error will be reported when the next game starts a new process.
            self.dismiss();
        }
    }

    /// Lets the engine search in the opponent's time, after the move that it expects.
    pub(super) fn ponder(
        &mut self,
        start: Start,
        moves: &[UciMove],
        expected: UciMove,
        go: Go,
    ) -> Result<(), ClientError> {
        let moves: Vec<UciMove> = moves.iter().copied().chain([expected]).collect();
        let result = self.client().and_then(|client| {
            client.position(start, &moves)?;
            client.go(go)
        });
        match result {
            Ok(_) => self.expected = Some(expected),
            Err(_) => self.dismiss(),
        }
        result.map(|_| ())
    }

    /// Ends pondering where a game is over.
    pub(super) fn end_pondering(&mut self) {
        let timeout = self.timeout;
        if self.expected.take().is_some()
            && self.client().and_then(|client| stop_pondering(client, timeout)).is_err()
        {
            self.dismiss();
        }
    }

    /// Searches, or goes on with the search of an engine that pondered on what was played. Where it pondered on another
    /// move, that search is ended first, in the engine's own time: the second part of the answer.
    ///
    /// With `allowed` the engine is sent `stop` when that time is over, so that an engine that ignored its clock
    /// can be distinguished from one that hangs; without a time it hangs when it has been silent for long.
    pub(super) fn think(
        &mut self,
        position: (Start, &[UciMove]),
        go: Go,
        allowed: Option<Duration>,
        abort: &AtomicBool,
        on_info: &mut dyn FnMut(&Info),
    ) -> Result<(BestMove, Duration), Interruption> {
        let (timeout, expected) = (self.timeout, self.expected.take());
        let result = self.client().map_err(Interruption::from).and_then(|client| {
            let mut before = Duration::ZERO;
            if expected.is_some() && expected.as_ref() == position.1.last() {
                client.ponder_hit()?;
            } else {
                if expected.is_some() {
                    before = stop_pondering(client, timeout)?;
                }
                client.position(position.0, position.1)?;
                client.go(go)?;
            }
            Ok((await_move(client, allowed, timeout, abort, on_info)?, before))
        });
        if result.is_err() {
            self.dismiss();
        }
        result
    }

    /// Kills the engine; the next game starts a new one.
    pub(super) fn dismiss(&mut self) {
        self.client = None;
    }

    /// Sends `quit`.
    pub(super) fn retire(mut self) {
        if let Some(client) = self.client.take() {
            // An engine that does not exit is killed; either way the match goes on.
            let _ = client.quit(QUIT_TIMEOUT);
        }
    }
}

fn set_all(client: &mut Client, settings: &[(String, String)]) -> Result<(), ClientError> {
    settings.iter().try_for_each(|(name, value)| client.set_option(name, Some(value)))
}

/// Ends a search whose result is not wanted, and returns how long that took.
fn stop_pondering(client: &mut Client, timeout: Duration) -> Result<Duration, ClientError> {
    let started = Instant::now();
    client.stop()?;
    client.wait(timeout, |_, _| {})?;
    Ok(started.elapsed())
}

fn await_move(
    client: &mut Client,
    allowed: Option<Duration>,
    timeout: Duration,
    abort: &AtomicBool,
    on_info: &mut dyn FnMut(&Info),
) -> Result<BestMove, Interruption> {
    let started = Instant::now();
    let mut last_sign_of_life = started;
    let mut stopped = false;
    loop {
        let until_flag = allowed.filter(|_| !stopped).map(|time| time.saturating_sub(started.elapsed()));
        // A little longer than the remaining time: the answer may be on its way when the flag falls.
        let slice =
            until_flag.map_or(POLL_INTERVAL, |left| (left + Duration::from_millis(2)).min(POLL_INTERVAL));
        let answer = client.wait(slice, |info, at| {
            last_sign_of_life = last_sign_of_life.max(at);
            on_info(info);
        });
        match answer {
            Err(ClientError::Timeout { .. }) => {}
            other => return Ok(other?),
        }
        if abort.load(Ordering::Relaxed) {
            return Err(Interruption::Aborted);
        }
        let silent = match allowed {
            Some(time) => started.elapsed().saturating_sub(time),
            None => last_sign_of_life.elapsed(),
        };
        if allowed.is_some() && !silent.is_zero() && !stopped {
            client.stop()?;
            stopped = true;
        }
        if silent > timeout {
            let detail = format!("no bestmove {} ms after its time", silent.as_millis());
            return Err(Interruption::Fault(Fault { kind: FaultKind::Hang, detail }));
        }
    }
}
