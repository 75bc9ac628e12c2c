//! Any UCI engine, as a process of its own.

use std::sync::Arc;
use std::time::{Duration, Instant};

use chess::CastlingNotation;
use rufous::protocol;
use uci::client::{Client, ClientError, EngineCommand};
use uci::{Go, Info, ScoreValue, Start};

use super::lines::Lines;
use super::{
    Analysis, Analyst, Bound, CANCEL_POLL, Cancel, Error, Identity, Limits, Line, Request, Score, Wdl,
    read_line,
};

/// How long an engine may take to start, or to be ready.
const TIMEOUT: Duration = Duration::from_secs(60);

/// How an engine is started and set.
#[derive(Clone)]
pub(super) struct Program {
    pub(super) command: EngineCommand,
    pub(super) hash_mib: usize,
    pub(super) options: Vec<(String, String)>,
}

/// A UCI engine. One that fails is started anew for the next position.
pub(super) struct External {
    program: Program,
    client: Option<Client>,
    identity: Arc<Identity>,
    /// The values that were sent last.
    multipv: usize,
    chess960: bool,
    cancel: Cancel,
}

impl External {
    /// Starts the engine.
    pub(super) fn new(program: &Program, cancel: &Cancel) -> Result<Self, ClientError> {
        let client = start(program)?;
        let network = program.options.iter().find(|(name, _)| name.eq_ignore_ascii_case("EvalFile"));
        let declared = client.identity().option("EvalFile").and_then(|option| match &option.kind {
            uci::OptionKind::String { default } => Some(default.as_str()),
            _ => None,
        });
        let network = network.map(|(_, value)| value.as_str()).or(declared).unwrap_or_default();
        let identity = Arc::new(Identity {
            engine: client.identity().name.clone(),
            network: super::args::file_name(network),
            options: super::args::identifying_options(&program.options),
        });
        let program = program.clone();
        let cancel = cancel.clone();
        Ok(Self { program, client: Some(client), identity, multipv: 1, chess960: false, cancel })
    }

    fn client(&mut self) -> Result<&mut Client, ClientError> {
        if self.client.is_none() {
            (self.multipv, self.chess960) = (1, false);
        }
        match self.client.take() {
            Some(client) => Ok(self.client.insert(client)),
            None => Ok(self.client.insert(start(&self.program)?)),
        }
    }

    fn try_search(&mut self, request: &Request) -> Result<Option<Analysis>, ClientError> {
        let chess960 = request.position().needs_chess960() || request.start.needs_chess960();
        let (cancel, identity) = (self.cancel.clone(), Arc::clone(&self.identity));
        self.client()?;
        let (old_multipv, old_chess960) = (self.multipv, self.chess960);
        (self.multipv, self.chess960) = (request.multipv, chess960);
        let client = self.client()?;
        if old_multipv != request.multipv {
            client.set_option("MultiPV", Some(&request.multipv.to_string()))?;
        }
        if old_chess960 != chess960 {
            client.set_option("UCI_Chess960", Some(if chess960 { "true" } else { "false" }))?;
        }
        client.new_game(TIMEOUT)?;
        let moves = protocol::moves(&request.start, CastlingNotation::new(chess960), &request.moves);
        client.position(Start::Fen(request.start.to_string()), &moves)?;

        let started = Instant::now();
        client.go(go(&request.limits))?;
        let position = request.position();
        let mut lines = Lines::default();
        loop {
            let heard = |info: &Info, _| {
                lines.nodes = info.nodes.unwrap_or(lines.nodes);
                if let Some(line) = line(info, &position) {
                    lines.add(info.multipv.unwrap_or(1), request.multipv, line);
                }
            };
            match client.wait(CANCEL_POLL, heard) {
                Ok(answer) => {
                    let analysis = lines.finish(&identity, answer.elapsed().min(started.elapsed()));
                    let reason = "a bestmove without a line";
                    let line = || answer.best.map(|mv| mv.to_string()).unwrap_or_default();
                    return analysis.map(Some).map_err(|_| ClientError::Protocol { line: line(), reason });
                }
                Err(ClientError::Timeout { .. }) if cancel.is_cancelled() => return Ok(None),
                // A search by nodes or depth may take any time; by time it has its end.
                Err(ClientError::Timeout { .. })
                    if request.limits.movetime.is_none_or(|time| started.elapsed() < time + TIMEOUT) => {}
                Err(error) => return Err(error),
            }
        }
    }
}

fn start(program: &Program) -> Result<Client, ClientError> {
    let mut client = Client::spawn(&program.command)?;
    client.negotiate(TIMEOUT)?;
    let hash_mib = program.hash_mib.to_string();
    for (name, value) in
        [("Threads", "1"), ("Hash", &hash_mib), ("UCI_AnalyseMode", "true"), ("UCI_ShowWDL", "true")]
    {
        // Not every engine has these.
        match client.set_option(name, Some(value)) {
            Err(ClientError::UnknownOption(_) | ClientError::BadOptionValue { .. }) => {}
            result => result?,
        }
    }
    for (name, value) in &program.options {
        client.set_option(name, Some(value))?;
    }
    client.is_ready(TIMEOUT)?;
    Ok(client)
}

fn go(limits: &Limits) -> Go {
    Go {
        nodes: limits.nodes,
        depth: limits.depth,
        movetime: limits.movetime.map(|time| i64::try_from(time.as_millis()).unwrap_or(i64::MAX)),
        ..Go::default()
    }
}

/// The line of a report, where it has one with a legal move.
fn line(info: &Info, position: &chess::Position) -> Option<Line> {
    let score = info.score?;
    let pv = read_line(position, info.pv.iter().map(uci::UciMove::as_str));
    let number = |number: i64| number.clamp(-99_999, 99_999) as i32;
    let permille = |chance: u64| chance.min(1000) as u16;
    (!pv.is_empty()).then(|| Line {
        score: match score.value {
            ScoreValue::Cp(centipawns) => Score::Centipawns(number(centipawns)),
            ScoreValue::Mate(moves) => Score::Mate(number(moves)),
        },
        bound: score.bound.map(|bound| match bound {
            uci::Bound::Lower => Bound::Lower,
            uci::Bound::Upper => Bound::Upper,
        }),
        wdl: score.wdl.map(|uci::Wdl { win, draw, loss }| Wdl {
            win: permille(win),
            draw: permille(draw),
            loss: permille(loss),
        }),
        depth: info.depth.unwrap_or(0),
        seldepth: info.seldepth.unwrap_or(0),
        pv,
    })
}

impl Analyst for External {
    fn identity(&self) -> &Arc<Identity> {
        &self.identity
    }

    fn search(&mut self, request: &Request) -> Result<Analysis, Error> {
        match self.try_search(request) {
            Ok(Some(analysis)) => Ok(analysis),
            Ok(None) => {
                self.client = None;
                Err(Error::Cancelled)
            }
            Err(error) => {
                self.client = None;
                Err(Error::Engine(error.to_string()))
            }
        }
    }
}
