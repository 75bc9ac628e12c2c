//! A client that starts any UCI engine as a process and tolerates whatever it does.
//!
//! Three threads serve the pipes of an engine, so that nothing it does can block the caller for longer than the
//! caller allows: an engine may hang, flood, die, close its output or never read its input. Lines get the time of
//! their arrival in the thread that reads them, and a wait is woken by the line itself.

mod error;
mod process;
mod queue;
mod reader;
mod transcript;
mod writer;

use std::process::ExitStatus;
use std::time::{Duration, Instant};

pub use error::ClientError;
pub use process::EngineCommand;
pub use reader::Line;
pub use transcript::{Direction, Observer, Traffic};

use crate::command::{Command, Go, Register, Start};
use crate::message::{Check, Info, Message, OptionDeclaration};
use crate::moves::UciMove;
use process::Process;
use queue::Silence;
use transcript::Transcript;
use writer::{Refusal, Writer};

/// How long to wait for the exit status and the rest of standard error of an engine that has ended.
const EXIT_TIMEOUT: Duration = Duration::from_millis(500);

/// The `id` and `option` lines of an engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// `id name`.
    pub name: String,
    /// `id author`.
    pub author: String,
    /// The options, in the engine's order.
    pub options: Vec<OptionDeclaration>,
}

impl Identity {
    /// The option of this name, in any case.
    pub fn option(&self, name: &str) -> Option<&OptionDeclaration> {
        self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BestMove {
    /// The move; `None` where the engine says that there is none.
    pub best: Option<UciMove>,
    /// The answer to ponder on.
    pub ponder: Option<UciMove>,
    /// When `go` was handed to the system, or the `ponderhit` that started the engine's own time.
    pub started: Instant,
    /// When the line was read from the pipe.
    pub arrived: Instant,
    /// How many reports of this search were forgotten because they came faster than they were taken.
    pub forgotten: u64,
}

impl BestMove {
    /// The time that the engine took.
    pub fn elapsed(&self) -> Duration {
        self.arrived.saturating_duration_since(self.started)
    }
}

/// A running engine. It is killed when this is dropped; [`Client::quit`] ends it regularly.
///
/// ```no_run
/// use std::time::Duration;
/// use uci::client::{Client, EngineCommand};
/// use uci::{Go, Start};
///
/// let second = Duration::from_secs(1);
/// let mut engine = Client::spawn(&EngineCommand::new("stockfish"))?;
/// println!("{}", engine.negotiate(10 * second)?.name);
/// engine.set_option("Hash", Some("64"))?;
/// engine.new_game(10 * second)?;
/// engine.position(Start::Startpos, &["e2e4".parse()?])?;
/// engine.go(Go { movetime: Some(100), ..Go::default() })?;
/// let answer = engine.wait(second, |info, _at| println!("{info}"))?;
/// println!("{:?} in {:?}", answer.best, answer.elapsed());
/// engine.quit(second)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Client {
    process: Process,
    /// `None` once the engine's input has been closed.
    writer: Option<Writer>,
    transcript: Transcript,
    identity: Identity,
    /// How many `isready` have not been answered yet.
    unanswered: u32,
    /// The number of forgotten lines when the running search began.
    search: Option<u64>,
}

impl Client {
    /// Starts an engine and sends nothing yet.
    pub fn spawn(command: &EngineCommand) -> Result<Self, ClientError> {
        Self::start(command, None)
    }

    /// Starts an engine, with an observer that gets every line in both directions and on standard error.
    pub fn spawn_observed(command: &EngineCommand, observer: Observer) -> Result<Self, ClientError> {
        Self::start(command, Some(observer))
    }

    fn start(command: &EngineCommand, observer: Option<Observer>) -> Result<Self, ClientError> {
        let transcript = Transcript::new(observer);
        let (process, writer) = Process::spawn(command, &transcript)
            .map_err(|error| ClientError::Spawn { program: command.program.clone(), error })?;
        let identity = Identity::default();
        Ok(Self { process, writer: Some(writer), transcript, identity, unanswered: 0, search: None })
    }

    /// Sends `uci` and collects the `id` and `option` lines up to `uciok`.
    pub fn negotiate(&mut self, timeout: Duration) -> Result<&Identity, ClientError> {
        let deadline = deadline(timeout);
        self.send(&Command::Uci)?;
        let mut identity = Identity::default();
        loop {
            let line = self.process.queue.pop(deadline);
            let line = line.map_err(|silence| self.failure(silence, "uciok", timeout))?;
            match Message::parse(&line.text) {
                Some(Message::IdName(name)) => identity.name = name,
                Some(Message::IdAuthor(author)) => identity.author = author,
                Some(Message::Option(option)) => identity.options.push(option),
                Some(Message::Registration(Check::Error)) => self.register_later()?,
                Some(Message::UciOk) => break,
                _ => {}
            }
        }
        self.identity = identity;
        Ok(&self.identity)
    }

    /// The engine's `id` and `option` lines; empty before [`Client::negotiate`].
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Sets an option that the engine declared, to a value that the declaration allows.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), ClientError> {
        let option = self.identity.option(name).ok_or_else(|| ClientError::UnknownOption(name.to_owned()))?;
        let name = option.name.clone();
        if !option.kind.accepts(value) {
            return Err(ClientError::BadOptionValue { name, value: value.map(str::to_owned) });
        }
        self.force_option(&name, value)
    }

    /// Sets an option without checking that it is declared.
    pub fn force_option(&mut self, name: &str, value: Option<&str>) -> Result<(), ClientError> {
        self.send(&Command::SetOption { name: name.to_owned(), value: value.map(str::to_owned) })
    }

    /// Sends `isready` and waits for the answer, also during a search, of which nothing is lost.
    pub fn is_ready(&mut self, timeout: Duration) -> Result<(), ClientError> {
        let deadline = deadline(timeout);
        self.send(&Command::IsReady)?;
        self.unanswered += 1;
        let concerns = |text: &str| {
            use Message::{CopyProtection, ReadyOk, Registration};
            matches!(Message::parse(text), Some(ReadyOk | Registration(_) | CopyProtection(_)))
        };
        while self.unanswered > 0 {
            let line = self.process.queue.take(deadline, concerns);
            let line = line.map_err(|silence| self.failure(silence, "readyok", timeout))?;
            match Message::parse(&line.text) {
                Some(Message::ReadyOk) => self.unanswered -= 1,
                Some(Message::Registration(Check::Error)) => self.register_later()?,
                Some(Message::CopyProtection(Check::Error)) => {
                    let reason = "the engine is copy protected";
                    return Err(ClientError::Protocol { line: line.text, reason });
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The answer that the specification demands when an engine reports at its start that it is not registered.
    fn register_later(&mut self) -> Result<(), ClientError> {
        self.send(&Command::Register(Register::Later))
    }

    /// Announces a new game and waits until the engine is ready for it.
    pub fn new_game(&mut self, timeout: Duration) -> Result<(), ClientError> {
        self.send(&Command::UciNewGame)?;
        self.is_ready(timeout)
    }

    /// Sets up the position for the next search.
    pub fn position(&mut self, start: Start, moves: &[UciMove]) -> Result<(), ClientError> {
        self.send(&Command::Position { start, moves: moves.iter().map(UciMove::to_string).collect() })
    }

    /// Starts a search, which [`Client::wait`] ends. (`go perft` has no such end: for that there are [`Client::send`]
    /// and [`Client::next_line`].) What the engine said before is forgotten, except that a
    /// `bestmove` which no search has asked for is an error.
    pub fn go(&mut self, go: Go) -> Result<(), ClientError> {
        if self.search.is_some() {
            return Err(ClientError::Searching);
        }
        let mut unasked = None;
        for line in self.process.queue.drain() {
            match Message::parse(&line.text) {
                Some(Message::ReadyOk) => self.unanswered = self.unanswered.saturating_sub(1),
                Some(Message::BestMove { .. }) => unasked = Some(line.text),
                _ => {}
            }
        }
        if let Some(line) = unasked {
            return Err(ClientError::Protocol { line, reason: "a bestmove without a search" });
        }
        let forgotten = self.process.queue.forgotten();
        self.send_line(&Command::Go(go).to_string(), true)?;
        self.search = Some(forgotten);
        Ok(())
    }

    /// Whether a search has begun of which the end has not been seen.
    pub fn is_searching(&self) -> bool {
        self.search.is_some()
    }

    /// Waits for the end of the search and hands over each report with the time of its arrival. After a time-out
    /// the search goes on, and it can be waited for again, or stopped first.
    pub fn wait(
        &mut self,
        timeout: Duration,
        mut on_info: impl FnMut(&Info, Instant),
    ) -> Result<BestMove, ClientError> {
        let deadline = deadline(timeout);
        let forgotten_before = self.search.ok_or(ClientError::NotSearching)?;
        loop {
            let line = self.process.queue.pop(deadline);
            let line = line.map_err(|silence| self.failure(silence, "bestmove", timeout))?;
            match Message::parse(&line.text) {
                Some(Message::Info(info)) => on_info(&info, line.at),
                Some(Message::ReadyOk) => self.unanswered = self.unanswered.saturating_sub(1),
                Some(Message::BestMove { best, ponder }) => {
                    self.search = None;
                    let started = self.writer.as_ref().and_then(Writer::clock).unwrap_or(line.at);
                    let forgotten = self.process.queue.forgotten() - forgotten_before;
                    return Ok(BestMove { best, ponder, started, arrived: line.at, forgotten });
                }
                None if line.text.trim_start().starts_with("bestmove") => {
                    self.search = None;
                    let reason = "a bestmove that is no move";
                    return Err(ClientError::Protocol { line: line.text, reason });
                }
                _ => {}
            }
        }
    }

    /// Asks the engine to end its search; the answer is still to be waited for.
    pub fn stop(&mut self) -> Result<(), ClientError> {
        self.send(&Command::Stop)
    }

    /// Sends `ponderhit`. The engine's time counts from here.
    pub fn ponder_hit(&mut self) -> Result<(), ClientError> {
        self.send_line(&Command::PonderHit.to_string(), true)
    }

    /// Sends any command.
    pub fn send(&mut self, command: &Command) -> Result<(), ClientError> {
        self.send_line(&command.to_string(), false)
    }

    /// Sends any text as it is. This is for those who test what an engine makes of it: [`Client::wait`] does not know
    /// of a search that was started in this way.
    pub fn send_raw(&mut self, text: &str) -> Result<(), ClientError> {
        self.send_line(text, false)
    }

    /// The next line of the engine, whatever it is.
    pub fn next_line(&mut self, timeout: Duration) -> Result<Line, ClientError> {
        let line = self.process.queue.pop(deadline(timeout));
        line.map_err(|silence| self.failure(silence, "line", timeout))
    }

    /// Sends `quit`, closes the engine's input, and waits for its end; an engine that is still there then is killed.
    pub fn quit(mut self, timeout: Duration) -> Result<ExitStatus, ClientError> {
        // An engine that reads nothing more may have ended already, which is what is wanted.
        let _ = self.send(&Command::Quit);
        self.writer = None;
        self.process.wait(timeout).ok_or(ClientError::Timeout { what: "end of the engine", after: timeout })
    }

    /// The process id of the engine.
    pub fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// The end of the engine's standard error.
    pub fn stderr_tail(&self) -> String {
        self.process.stderr_tail(Duration::ZERO)
    }

    fn send_line(&mut self, line: &str, starts_clock: bool) -> Result<(), ClientError> {
        self.transcript.record(Direction::ToEngine, Instant::now(), line);
        let sent =
            self.writer.as_ref().map_or(Err(Refusal::Closed), |writer| writer.send(line, starts_clock));
        sent.map_err(|refusal| match refusal {
            Refusal::Full => ClientError::NotReading,
            Refusal::Closed => self.death(),
        })
    }

    /// Finds out why nothing came. An engine whose output is held open by a process that it started looks silent and
    /// is dead.
    fn failure(&mut self, silence: Silence, what: &'static str, after: Duration) -> ClientError {
        match silence {
            Silence::Flooded => ClientError::Flooded,
            Silence::Ended => self.death(),
            Silence::Timeout if self.process.wait(Duration::ZERO).is_some() => self.death(),
            Silence::Timeout => ClientError::Timeout { what, after },
        }
    }

    fn death(&mut self) -> ClientError {
        self.search = None;
        let status = self.process.wait(EXIT_TIMEOUT);
        let timeout = if status.is_some() { EXIT_TIMEOUT } else { Duration::ZERO };
        ClientError::Died { status, stderr: self.process.stderr_tail(timeout) }
    }
}

/// The end of a time-out; one that is too long for the clock is a year.
fn deadline(timeout: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(timeout).unwrap_or_else(|| now + Duration::from_secs(365 * 24 * 3600))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_out_beyond_the_clock_is_still_a_long_one() {
        assert!(deadline(Duration::MAX) > Instant::now() + Duration::from_secs(300 * 24 * 3600));
    }
}
