//! Reports of a running search. The search itself never prints.

use std::time::Duration;

use chess::Move;

use crate::value::{Score, Value};

/// On which side of a score the true one lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

/// Chances in permille to win, to draw and to lose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the fields are their own names")]
pub struct Wdl {
    pub win: u16,
    pub draw: u16,
    pub loss: u16,
}

/// One line of the search's findings.
#[derive(Clone, Debug)]
pub struct SearchInfo {
    /// Depth in plies.
    pub depth: usize,
    /// The deepest line looked at.
    pub selective_depth: usize,
    /// The rank of this line, from 1.
    pub multipv: usize,
    /// What the line is worth to the side to move, in the network's units.
    pub value: Value,
    /// The same as it is shown.
    pub score: Score,
    /// Set when the score is only a bound.
    pub bound: Option<Bound>,
    /// Chances, where asked for.
    pub wdl: Option<Wdl>,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Permille of the hash table in use.
    pub hashfull: usize,
    /// Positions found in tablebases.
    pub tablebase_hits: u64,
    /// Time since the search was asked for.
    pub time: Duration,
    /// The line.
    pub pv: Vec<Move>,
}

/// A report of a search.
#[derive(Clone, Debug)]
pub enum Report {
    /// A line with its score.
    Line(SearchInfo),
    /// The root move being searched, with its number from 1.
    CurrentMove {
        /// Depth of the iteration.
        depth: usize,
        /// The root move.
        mv: Move,
        /// Its place in the order of search, from 1.
        number: usize,
    },
    /// The line that a thread (from 1) is looking at.
    CurrentLine {
        /// Number of the thread, from 1.
        thread: usize,
        /// The moves from the root.
        line: Vec<Move>,
    },
    /// A root move and the line that refutes it.
    Refutation(Vec<Move>),
    /// Anything else, for people.
    Note(String),
}

/// Receives the reports of a search, on the search's own thread.
pub trait Reporter: Send {
    /// Something was found.
    fn report(&mut self, report: &Report);
    /// The search has ended: the move to play, `None` where there is none, and the expected answer.
    fn best_move(&mut self, best: Option<Move>, ponder: Option<Move>);
}

/// Discards everything.
impl Reporter for () {
    fn report(&mut self, _: &Report) {}
    fn best_move(&mut self, _: Option<Move>, _: Option<Move>) {}
}
