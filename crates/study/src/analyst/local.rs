//! Rufous, in process.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::time::Instant;

use chess::Move;
use engine::{CreateError, Effect, Engine, Options, Report, Reporter, SearchInfo};
use nnue::Network;

use super::lines::Lines;
use super::{
    Analysis, Analyst, Bound, CANCEL_POLL, Cancel, Error, Identity, Limits, Line, Request, Score, Wdl,
};

/// An engine of this process with one thread.
pub(super) struct Local {
    engine: Engine,
    identity: Arc<Identity>,
    cancel: Cancel,
}

impl Local {
    /// An engine with so many megabytes for its hash table, and these options.
    pub(super) fn new(
        network: &Arc<Network>,
        hash_mib: usize,
        options: &[(String, String)],
        cancel: &Cancel,
    ) -> Result<Self, String> {
        let mut engine = Engine::new(Arc::clone(network)).map_err(|error: CreateError| error.to_string())?;
        engine.set_hash(hash_mib).map_err(|error| error.to_string())?;
        engine.settings_mut().analyse_mode = true;
        engine.settings_mut().show_wdl = true;
        let mut values = Options::default();
        for (name, value) in options {
            let change = values.check(name, Some(value)).map_err(|error| error.to_string())?;
            let Some(change) = change else { continue };
            if let Effect::Notation | Effect::Program = change.spec().effect {
                return Err(format!("the option {} has no effect here", change.spec().name));
            }
            change.apply(&mut engine).map_err(|error| error.to_string())?;
            values.record(change);
        }
        let network = values.get("EvalFile").map_or("", engine::OptionValue::text);
        Ok(Self { engine, identity: Arc::new(identity(network, options)), cancel: cancel.clone() })
    }
}

/// The identity of Rufous with this network and these options.
fn identity(network: &str, options: &[(String, String)]) -> Identity {
    Identity {
        engine: concat!("Rufous ", env!("CARGO_PKG_VERSION")).to_owned(),
        network: super::args::file_name(network),
        options: super::args::identifying_options(options),
    }
}

/// The identity of Rufous with default options.
pub(crate) fn plain_identity() -> Identity {
    identity(engine::EMBEDDED_NAME, &[])
}

impl Analyst for Local {
    fn identity(&self) -> &Arc<Identity> {
        &self.identity
    }

    fn search(&mut self, request: &Request) -> Result<Analysis, Error> {
        let started = Instant::now();
        self.engine.new_game();
        self.engine.settings_mut().multipv = request.multipv;
        self.engine.set_position(request.start, &request.moves);
        let (answer, heard) = sync_channel(1);
        let collector = LineCollector { lines: Lines::default(), multipv: request.multipv, answer };
        self.engine.go(limits(&request.limits), Box::new(collector));
        loop {
            match heard.recv_timeout(CANCEL_POLL) {
                Ok(_) | Err(RecvTimeoutError::Timeout) if self.cancel.is_cancelled() => {
                    self.engine.control().stop();
                    return Err(Error::Cancelled);
                }
                Ok(lines) => return lines.finish(&self.identity, started.elapsed()),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Error::Engine("its search ended without a move".to_owned()));
                }
            }
        }
    }
}

fn limits(limits: &Limits) -> engine::Limits {
    engine::Limits {
        nodes: limits.nodes,
        depth: limits.depth,
        move_time: limits.movetime.map(|time| i64::try_from(time.as_millis()).unwrap_or(i64::MAX)),
        ..engine::Limits::default()
    }
}

impl From<&SearchInfo> for Line {
    fn from(info: &SearchInfo) -> Self {
        Self {
            score: match info.score {
                engine::Score::Centipawns(centipawns) => Score::Centipawns(centipawns),
                engine::Score::Mate(moves) => Score::Mate(moves),
            },
            bound: info.bound.map(|bound| match bound {
                engine::Bound::Lower => Bound::Lower,
                engine::Bound::Upper => Bound::Upper,
            }),
            wdl: info.wdl.map(|engine::Wdl { win, draw, loss }| Wdl { win, draw, loss }),
            depth: info.depth as u64,
            seldepth: info.selective_depth as u64,
            pv: info.pv.clone(),
        }
    }
}

/// Collects the lines of a search and sends them at its end.
struct LineCollector {
    lines: Lines,
    multipv: usize,
    answer: SyncSender<Lines>,
}

impl Reporter for LineCollector {
    fn report(&mut self, report: &Report) {
        let Report::Line(info) = report else { return };
        self.lines.nodes = info.nodes;
        self.lines.add(info.multipv as u64, self.multipv, info.into());
    }

    fn best_move(&mut self, _: Option<Move>, _: Option<Move>) {
        // The receiver of a cancelled search is gone.
        let _ = self.answer.send(std::mem::take(&mut self.lines));
    }
}
