//! Who analyses positions: Rufous in process, or any UCI engine.
//!
//! A [`Request`] goes to an [`Analyst`] and comes back as an [`Analysis`]. [`AnalystArgs`] is how a command line
//! describes the analysts, and [`AnalystArgs::analysts`] makes them, one for each thread. Every position is searched by
//! one engine with one thread that knows nothing of the positions before, so that by nodes or depth the same request
//! gets the same answer from whichever analyst it goes to.

mod args;
mod external;
mod lines;
mod local;
mod score;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use chess::{CastlingNotation, FenStyle, KeyHistory, Move, Position, Setup};

pub(crate) use args::{AnalystArgs, LimitArgs};
pub(crate) use lines::Lines;
pub(crate) use local::plain_identity;
pub(crate) use score::{Score, Wdl};

/// What ends the search of a position: the first limit that is reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Limits {
    pub(crate) nodes: Option<u64>,
    pub(crate) depth: Option<u64>,
    pub(crate) movetime: Option<Duration>,
}

impl Limits {
    /// A search of so many nodes.
    pub(crate) fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }
}

/// A position to analyse.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// Where the game started.
    pub(crate) start: Position,
    /// The legal moves since then, for repetitions.
    pub(crate) moves: Vec<Move>,
    pub(crate) limits: Limits,
    /// How many lines are wanted, at least one.
    pub(crate) multipv: usize,
}

/// Fewer plies than this since the last capture or pawn move, and what came before has no part in an analysis: no
/// position can have been there twice, nor can the next move bring one for the third time.
const PLIES_THAT_COUNT: u16 = 4;

impl Request {
    /// A single position.
    #[cfg(test)]
    pub(crate) fn new(position: Position, limits: Limits) -> Self {
        Self { start: position, moves: Vec::new(), limits, multipv: 1 }
    }

    /// The position to analyse.
    pub(crate) fn position(&self) -> Position {
        let mut position = self.start;
        self.moves.iter().for_each(|&mv| position.play(mv));
        position
    }

    /// The same position with only those counters and moves that have a part in its analysis, so that it is searched
    /// alike whichever way a game came to it, and its [`Request::key`] says all about it.
    #[must_use]
    pub(crate) fn reduced(&self) -> Self {
        let mut start = self.start;
        let mut first = 0;
        for (index, &mv) in self.moves.iter().enumerate() {
            start.play(mv);
            if start.halfmove_clock() == 0 {
                first = index + 1;
            }
        }
        let end = start;
        start = self.start;
        self.moves[..first].iter().for_each(|&mv| start.play(mv));
        let mut moves = self.moves[first..].to_vec();
        let mut setup = Setup::from(&start);
        if end.halfmove_clock() < PLIES_THAT_COUNT {
            setup = Setup::from(&end);
            setup.halfmove_clock = 0;
            moves.clear();
        }
        setup.fullmove_number = 1;
        // The men stand as they stood, so this is a position.
        let start = setup.position().map_or(start, |(position, _)| position);
        Self { start, moves, ..self.clone() }
    }

    /// What tells positions apart: FEN without the move number, and the moves that matter for repetitions. Of a
    /// request that is [`Request::reduced`].
    pub(crate) fn key(&self) -> String {
        let fen = self.start.fen(FenStyle::Shredder);
        let mut key = fen.rsplit_once(' ').map_or(fen.as_str(), |(fen, _)| fen).to_owned();
        for mv in self.start.uci_line(&self.moves, CastlingNotation::KingTakesRook) {
            key.push(' ');
            key.push_str(&mv);
        }
        key
    }

    /// What is to be said where there is no legal move.
    fn game_over(&self) -> Option<Score> {
        let position = self.position();
        (!position.has_legal_move())
            .then(|| if position.in_check() { Score::Mate(0) } else { Score::Centipawns(0) })
    }
}

/// The legal beginning of a line that somebody else wrote; nothing comes after the end of a game.
pub(crate) fn read_line<'a>(start: &Position, line: impl IntoIterator<Item = &'a str>) -> Vec<Move> {
    let mut position = *start;
    let mut keys = KeyHistory::new();
    let mut moves = Vec::new();
    for text in line {
        let over = !moves.is_empty() && position.game_end(&keys).is_some();
        let Some(mv) = position.parse_uci_move(text).ok().filter(|_| !over) else { break };
        keys.push(&position);
        position.play(mv);
        moves.push(mv);
    }
    moves
}

/// Whether the true score may be better or worse than the one shown, since the search of it was cut short.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Bound {
    Lower,
    Upper,
}

/// One of the best lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// For the side to move.
    pub(crate) score: Score,
    pub(crate) bound: Option<Bound>,
    /// What the engine thinks of the chances of the side to move, if it tells.
    pub(crate) wdl: Option<Wdl>,
    pub(crate) depth: u64,
    pub(crate) seldepth: u64,
    /// Legal moves; none only where the game is over.
    pub(crate) pv: Vec<Move>,
}

/// Who made an analysis.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Identity {
    /// Name and version, as `id name` tells them.
    pub(crate) engine: String,
    /// The network's file, if it is known.
    pub(crate) network: String,
    /// Options that the user set and that may change what is found, as `NAME=VALUE`, in order.
    pub(crate) options: String,
}

/// What was found out about a position.
#[derive(Clone, Debug)]
pub(crate) struct Analysis {
    pub(crate) by: Arc<Identity>,
    /// The best first; at least one.
    pub(crate) lines: Vec<Line>,
    pub(crate) nodes: u64,
    pub(crate) time: Duration,
    /// It was found in the store and not searched now.
    pub(crate) from_store: bool,
}

impl Analysis {
    /// The best line.
    pub(crate) fn best(&self) -> &Line {
        &self.lines[0]
    }
}

/// Why a position was not analysed. The next one may well be.
#[derive(Debug)]
pub(crate) enum Error {
    /// Somebody asked for the end of all work.
    Cancelled,
    /// The engine failed, in these words.
    Engine(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cancelled => f.write_str("cancelled"),
            Self::Engine(reason) => write!(f, "the engine failed: {reason}"),
        }
    }
}

impl std::error::Error for Error {}

/// Ends all work, from any thread; searches in progress are stopped.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cancel(Arc<AtomicBool>);

impl Cancel {
    pub(crate) fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// How often a waiting analyst looks whether all work was cancelled.
const CANCEL_POLL: Duration = Duration::from_millis(50);

/// Somebody who analyses positions.
pub(crate) trait Analyst: Send {
    /// Who this is.
    fn identity(&self) -> &Arc<Identity>;

    /// Analyses a position that has a legal move.
    fn search(&mut self, request: &Request) -> Result<Analysis, Error>;

    /// Analyses a position.
    fn analyse(&mut self, request: &Request) -> Result<Analysis, Error> {
        let request = request.reduced();
        let Some(score) = request.game_over() else { return self.search(&request) };
        let line = Line { score, bound: None, wdl: None, depth: 0, seldepth: 0, pv: Vec::new() };
        Ok(Analysis {
            by: Arc::clone(self.identity()),
            lines: vec![line],
            nodes: 0,
            time: Duration::ZERO,
            from_store: false,
        })
    }
}
