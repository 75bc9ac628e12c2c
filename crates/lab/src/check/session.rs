//! The session of one check with one engine, and its transcript.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use uci::client::{Client, ClientError, Direction, EngineCommand, Identity, Line, Traffic};
use uci::{Info, Message, OptionDeclaration, UciMove};

use super::rule::{CheckResult, Finding, ensure, fail, not_applicable};
use super::test_position::TestPosition;

/// The engine under test, and its time limits.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    pub(super) command: EngineCommand,
    /// Options that are set before every search.
    pub(super) options: Vec<(String, String)>,
    /// How long to wait for an answer that has no time limit of its own.
    pub(super) timeout: Duration,
    /// How soon an immediate answer must come.
    pub(super) prompt_limit: Duration,
}

/// A line of the transcript.
#[derive(Clone, Debug)]
pub(super) struct TranscriptLine {
    pub(super) direction: Direction,
    pub(super) after: Duration,
    pub(super) line: String,
}

/// A running engine and the transcript.
pub(super) struct Session {
    pub(super) subject: Subject,
    client: Option<Client>,
    transcript: Arc<Mutex<Vec<TranscriptLine>>>,
}

/// A search from `go` to `bestmove`.
pub(super) struct SearchOutput {
    pub(super) started: Instant,
    /// All output of the search; the last line is the `bestmove`.
    pub(super) lines: Vec<Line>,
}

impl From<ClientError> for Finding {
    fn from(error: ClientError) -> Self {
        Self::Fail(error.to_string())
    }
}

impl Session {
    /// Starts the engine and sends nothing yet.
    pub(super) fn start(subject: &Subject) -> Result<Self, ClientError> {
        let transcript = Arc::new(Mutex::new(Vec::new()));
        let (copy, begin) = (Arc::clone(&transcript), Instant::now());
        let observer = move |traffic: Traffic<'_>| {
            let after = traffic.at.saturating_duration_since(begin);
            let said = TranscriptLine { direction: traffic.direction, after, line: traffic.line.to_owned() };
            copy.lock().unwrap_or_else(PoisonError::into_inner).push(said);
        };
        let client = Client::spawn_observed(&subject.command, Box::new(observer))?;
        Ok(Self { subject: subject.clone(), client: Some(client), transcript })
    }

    /// Everything sent and received so far.
    pub(super) fn transcript(&self) -> Vec<TranscriptLine> {
        self.transcript.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The client, until the engine was told to quit.
    pub(super) fn client(&mut self) -> Result<&mut Client, Finding> {
        self.client.as_mut().ok_or_else(|| Finding::Fail("the engine has been told to quit".to_owned()))
    }

    /// Sends a line.
    pub(super) fn send(&mut self, line: &str) -> CheckResult {
        Ok(self.client()?.send_raw(line)?)
    }

    /// Sends several lines in one go.
    pub(super) fn send_all(&mut self, lines: &[&str]) -> CheckResult {
        self.send(&lines.join("\n"))
    }

    /// Reads up to the line that is this message, and returns what came before it and the line.
    pub(super) fn await_line(
        &mut self,
        what: &str,
        within: Duration,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<Vec<Line>, Finding> {
        let deadline = Instant::now() + within;
        let mut lines = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.client()?.next_line(left) {
                Ok(line) => {
                    lines.push(line);
                    if lines.last().is_some_and(|line| wanted(&line.text)) {
                        return Ok(lines);
                    }
                }
                Err(ClientError::Timeout { .. }) => {
                    return fail(format!("no {what} within {} ms", within.as_millis()));
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// All output within this time.
    pub(super) fn listen(&mut self, time: Duration) -> Result<Vec<Line>, Finding> {
        let deadline = Instant::now() + time;
        let mut lines = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.client()?.next_line(left) {
                Ok(line) => lines.push(line),
                Err(ClientError::Timeout { .. }) => return Ok(lines),
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Fails if a line that starts with this word arrives within this time.
    pub(super) fn expect_no(&mut self, word: &str, time: Duration, when: &str) -> CheckResult {
        let lines = self.listen(time)?;
        match lines.iter().find(|line| first_word(&line.text) == word) {
            Some(line) => fail(format!("'{}' {when}", line.text)),
            None => Ok(()),
        }
    }

    /// Sends `uci` and returns everything up to `uciok`.
    pub(super) fn introduction(&mut self) -> Result<Vec<Line>, Finding> {
        self.send("uci")?;
        self.await_line("uciok", self.subject.timeout, |text| first_word(text) == "uciok")
    }

    /// The `id` and `option` lines of the engine.
    pub(super) fn identity(&mut self) -> Result<Identity, Finding> {
        let mut identity = Identity::default();
        for line in self.introduction()? {
            match Message::parse(&line.text) {
                Some(Message::IdName(name)) => identity.name = name,
                Some(Message::IdAuthor(author)) => identity.author = author,
                Some(Message::Option(option)) => identity.options.push(option),
                _ => {}
            }
        }
        Ok(identity)
    }

    /// The usual start: `uci`, the user's options, `isready`.
    pub(super) fn begin(&mut self) -> Result<Identity, Finding> {
        let identity = self.identity()?;
        for (name, value) in self.subject.options.clone() {
            self.send(&format!("setoption name {name} value {value}"))?;
        }
        self.ready()?;
        Ok(identity)
    }

    /// As [`begin`](Self::begin), and the declaration of an option that the check needs.
    pub(super) fn begin_with(&mut self, option: &str) -> Result<OptionDeclaration, Finding> {
        match self.begin()?.option(option) {
            Some(declaration) => Ok(declaration.clone()),
            None => not_applicable(format!("the engine has no option {option}")),
        }
    }

    /// Sends `isready` and waits for the answer.
    pub(super) fn ready(&mut self) -> CheckResult {
        self.send("isready")?;
        self.await_line("readyok", self.subject.timeout, |text| first_word(text) == "readyok").map(|_| ())
    }

    /// Sends a line and fails, with that line, unless the engine is ready after it.
    pub(super) fn survive(&mut self, line: &str) -> CheckResult {
        self.send(line)?;
        self.ready().map_err(|finding| finding.about(line))
    }

    /// Sets up a position and starts a search.
    pub(super) fn go(&mut self, board: &TestPosition, limits: &str) -> Result<Instant, Finding> {
        self.send(board.command())?;
        let started = Instant::now();
        self.send(format!("go {limits}").trim_end())?;
        Ok(started)
    }

    /// Waits for the end of a search that was started before.
    pub(super) fn finish(&mut self, started: Instant) -> Result<SearchOutput, Finding> {
        let lines =
            self.await_line("bestmove", self.subject.timeout, |text| first_word(text) == "bestmove")?;
        Ok(SearchOutput { started, lines })
    }

    /// Ends a search that would go on.
    pub(super) fn stop(&mut self, started: Instant) -> Result<SearchOutput, Finding> {
        self.send("stop")?;
        self.finish(started)
    }

    /// A search to its end, whose answer is a legal move.
    pub(super) fn search(&mut self, board: &TestPosition, limits: &str) -> Result<SearchOutput, Finding> {
        let started = self.go(board, limits)?;
        let search = self.finish(started).map_err(|finding| finding.about(&format!("go {limits}")))?;
        search.best_legal(board)?;
        Ok(search)
    }

    /// Fails unless the engine answers and can still search.
    pub(super) fn expect_alive(&mut self) -> CheckResult {
        self.ready()?;
        self.search(&TestPosition::new(super::test_position::STARTPOS), "depth 1").map(|_| ())
    }

    /// Sends `quit` and returns how the engine ended and how long that took.
    pub(super) fn quit(&mut self) -> Result<(std::process::ExitStatus, Duration), Finding> {
        let Some(client) = self.client.take() else { return fail("the engine has been told to quit") };
        let sent = Instant::now();
        let status = client.quit(self.subject.timeout)?;
        Ok((status, sent.elapsed()))
    }
}

impl SearchOutput {
    /// How long it took.
    pub(super) fn elapsed(&self) -> Duration {
        self.lines.last().map_or(Duration::ZERO, |line| line.at.saturating_duration_since(self.started))
    }

    /// The reports, each with the line that it was read from.
    pub(super) fn infos(&self) -> impl DoubleEndedIterator<Item = (Info, &str)> {
        self.lines.iter().filter_map(|line| match Message::parse(&line.text) {
            Some(Message::Info(info)) => Some((*info, line.text.as_str())),
            _ => None,
        })
    }

    /// The reports on the best line, which have a pv.
    pub(super) fn lines_of_play(&self) -> impl DoubleEndedIterator<Item = (Info, &str)> {
        let best = |info: &Info| !info.pv.is_empty() && info.multipv.is_none_or(|rank| rank == 1);
        self.infos().filter(move |(info, _)| best(info))
    }

    /// The text behind `bestmove`.
    pub(super) fn best_text(&self) -> &str {
        let line = self.lines.last().map_or("", |line| &line.text);
        line.split_whitespace().nth(1).unwrap_or("")
    }

    /// The move behind `ponder`.
    pub(super) fn ponder_text(&self) -> Option<&str> {
        let line = self.lines.last().map_or("", |line| &line.text);
        line.split_whitespace().skip_while(|word| *word != "ponder").nth(1)
    }

    /// The best move, which is legal.
    pub(super) fn best_legal(&self, board: &TestPosition) -> Result<UciMove, Finding> {
        let text = self.best_text();
        board.expect_legal(text)?;
        text.parse().or_else(|_| fail(format!("'{text}' is not a move")))
    }

    /// Fails if it took longer than this plus a tolerance for a busy machine.
    pub(super) fn expect_within(&self, time: Duration, grace: Duration) -> CheckResult {
        let elapsed = self.elapsed();
        ensure(elapsed <= time + grace, || {
            format!("bestmove after {} ms, with {} ms allowed", elapsed.as_millis(), time.as_millis())
        })
    }
}

/// The first word of a line.
pub(super) fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or("")
}
