//! The store for the pages: looked up directly, and written by a separate thread, so that no search waits for a disk.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::{io, thread};

use chess::{CastlingNotation, Position};
use rufous::protocol;
use serde::{Deserialize, Serialize};
use uci::{Info, Message};

use crate::analyst::{Analysis, Bound, Identity, Limits, Line, Request, Score, plain_identity};
use crate::output::warn;
use crate::store::Store;

/// Analyses that may wait to be written; further ones are dropped.
const WAITING: usize = 256;
/// Searches of fewer nodes are not stored: repeating them is as fast.
const LEAST_NODES: u64 = 20_000;

/// The store as pages use it.
pub(super) struct Archive {
    store: Arc<Store>,
    identity: Arc<Identity>,
    writer: SyncSender<(Request, Analysis)>,
}

/// A page's query for a stored analysis.
#[derive(Deserialize)]
pub(super) struct Query {
    /// Repeated in the answer.
    pub(super) id: u64,
    /// Where the game starts.
    pub(super) fen: String,
    /// The moves since.
    #[serde(default)]
    pub(super) moves: Vec<String>,
    /// Minimum number of lines.
    pub(super) lines: usize,
    /// Minimum number of nodes.
    #[serde(default)]
    pub(super) nodes: u64,
}

/// A stored analysis, as the page reads it.
#[derive(Serialize)]
pub(super) struct Known {
    depth: u64,
    nodes: u64,
    engine: String,
    /// The lines as UCI writes them.
    info: Vec<String>,
}

impl Archive {
    pub(super) fn new(store: Arc<Store>) -> io::Result<Self> {
        let (writer, waiting) = sync_channel(WAITING);
        let written = Arc::clone(&store);
        thread::Builder::new().name("store".to_owned()).spawn(move || write(&written, &waiting))?;
        Ok(Self { store, identity: Arc::new(plain_identity()), writer })
    }

    /// The engine whose analyses are stored.
    pub(super) fn identity(&self) -> &Arc<Identity> {
        &self.identity
    }

    /// The stored analysis of a position by a search of at least the query's nodes.
    pub(super) fn find(&self, start: Position, moves: Vec<chess::Move>, query: &Query) -> Option<Known> {
        let limits = Limits::nodes(query.nodes.max(1));
        let request = Request { start, moves, limits, multipv: query.lines.clamp(1, 5) }.reduced();
        // A failing store counts as empty: the position is searched.
        let analysis = self.store.find(&self.identity, &request).ok().flatten()?;
        let position = request.position();
        let info = |(index, line): (usize, &Line)| {
            let info = info(&position, index + 1, line, analysis.nodes);
            Message::from(info).to_string()
        };
        Some(Known {
            depth: analysis.best().depth,
            nodes: analysis.nodes,
            engine: analysis.by.engine.clone(),
            info: analysis.lines.iter().enumerate().map(info).collect(),
        })
    }

    /// Stores an analysis, unless it is too short.
    pub(super) fn keep(&self, request: &Request, analysis: Analysis) {
        if analysis.nodes >= LEAST_NODES && analysis.lines.len() == request.multipv {
            let _ = self.writer.try_send((request.reduced(), analysis));
        }
    }
}

fn write(store: &Store, waiting: &Receiver<(Request, Analysis)>) {
    let mut told = false;
    for (request, analysis) in waiting {
        if let Err(error) = store.keep(&request, &analysis)
            && !std::mem::replace(&mut told, true)
        {
            warn(format_args!("rufous-study: analyses are not stored: {error}"));
        }
    }
}

fn info(position: &Position, rank: usize, line: &Line, nodes: u64) -> Info {
    Info {
        depth: Some(line.depth),
        seldepth: Some(line.seldepth),
        multipv: Some(rank as u64),
        score: Some(uci::Score {
            value: match line.score {
                Score::Centipawns(centipawns) => uci::ScoreValue::Cp(centipawns.into()),
                Score::Mate(moves) => uci::ScoreValue::Mate(moves.into()),
            },
            bound: line.bound.map(|bound| match bound {
                Bound::Lower => uci::Bound::Lower,
                Bound::Upper => uci::Bound::Upper,
            }),
            wdl: line.wdl.map(|wdl| uci::Wdl {
                win: wdl.win.into(),
                draw: wdl.draw.into(),
                loss: wdl.loss.into(),
            }),
        }),
        nodes: Some(nodes),
        pv: protocol::moves(position, CastlingNotation::KingTakesRook, &line.pv),
        ..Info::default()
    }
}
