//! Analysis of positions by Rufous in process, or by any UCI engine.
//!
//! An [`Analyst`] turns a [`Request`] into an [`Analysis`]. [`AnalystArgs`] has the command-line arguments, and
//! [`AnalystArgs::analysts`] creates the analysts, one per thread. Every position is searched by one engine with one
//! thread and cleared tables, so that with a limit of nodes or depth the same request gets the same answer from every
//! analyst.

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

/// With fewer plies than this since the last capture or pawn move the game so far cannot matter: no position can have
/// occurred twice, nor can the next move cause a threefold repetition.
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

    /// The same position with only those counters and moves that can affect its analysis, so that transpositions give the
    /// same search and the same [`Request::key`].
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
        // The pieces are those of a valid position, so this is one too.
        let start = setup.position().map_or(start, |(position, _)| position);
        Self { start, moves, ..self.clone() }
    }

    /// The key of a [`reduced`](Request::reduced) request: FEN without the move number, and the moves that matter for
    /// repetitions.
    pub(crate) fn key(&self) -> String {
        let fen = self.start.fen(FenStyle::Shredder);
        let mut key = fen.rsplit_once(' ').map_or(fen.as_str(), |(fen, _)| fen).to_owned();
        for mv in self.start.uci_line(&self.moves, CastlingNotation::KingTakesRook) {
            key.push(' ');
            key.push_str(&mv);
        }
        key
    }

    /// The score where there is no legal move.
    fn game_over(&self) -> Option<Score> {
        let position = self.position();
        (!position.has_legal_move())
            .then(|| if position.in_check() { Score::Mate(0) } else { Score::Centipawns(0) })
    }
}

/// The legal prefix of a line of another engine, at most to the end of the game.
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

/// Whether the score is a lower or an upper bound.
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
    /// Win, draw and loss probabilities of the side to move, if the engine reports them.
    pub(crate) wdl: Option<Wdl>,
    pub(crate) depth: u64,
    pub(crate) seldepth: u64,
    /// Legal moves; none only where the game is over.
    pub(crate) pv: Vec<Move>,
}

/// The engine that made an analysis.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Identity {
    /// Name and version, as in `id name`.
    pub(crate) engine: String,
    /// The network's file, if it is known.
    pub(crate) network: String,
    /// Options that the user set and that may change the result, as `NAME=VALUE`, in order.
    pub(crate) options: String,
}

/// The analysis of a position.
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

/// Why a position was not analysed; the next one may succeed.
#[derive(Debug)]
pub(crate) enum Error {
    /// All work was cancelled.
    Cancelled,
    /// The engine failed, for this reason.
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

/// Cancels all work, from any thread; running searches are stopped.
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

/// How often a waiting analyst checks whether all work was cancelled.
const CANCEL_POLL: Duration = Duration::from_millis(50);

/// Analyses positions.
pub(crate) trait Analyst: Send {
    /// The engine.
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
