//! The root moves with their values.

use std::cmp::Reverse;

use chess::Move;

use crate::tablebase::{MoveRank, Ranking};
use crate::value::{self, Value};

/// The root moves before the search, those first that the tablebases find best.
pub(crate) fn ranked(moves: &[Move], ranking: Option<&Ranking>) -> Vec<RootMove> {
    let tablebase = |mv| ranking.and_then(|ranking| ranking.rank_of(mv));
    let mut moves: Vec<RootMove> = moves.iter().map(|&mv| RootMove::new(mv, tablebase(mv))).collect();
    moves.sort_by_key(RootMove::rank);
    moves
}

/// A root move.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) mv: Move,
    /// The value of the present iteration; minus infinity until the move proves to be the best so far.
    pub(crate) value: Value,
    /// The value of the last complete iteration.
    pub(crate) previous: Value,
    /// A running mean, the centre of the next window.
    pub(crate) average: Value,
    /// What is shown: the value, cut to the window it was found in.
    pub(crate) shown: Value,
    pub(crate) lower_bound: bool,
    pub(crate) upper_bound: bool,
    /// The iteration that found what is shown.
    pub(crate) depth: usize,
    pub(crate) selective_depth: usize,
    /// The line, this move first.
    pub(crate) pv: Vec<Move>,
    /// Nodes spent on the move.
    pub(crate) nodes: u64,
    /// What the tablebases say about the move.
    pub(crate) tablebase: Option<MoveRank>,
}

impl RootMove {
    pub(crate) fn new(mv: Move, tablebase: Option<MoveRank>) -> Self {
        Self {
            mv,
            value: -value::INFINITE,
            previous: -value::INFINITE,
            average: -value::INFINITE,
            shown: -value::INFINITE,
            lower_bound: false,
            upper_bound: false,
            depth: 1,
            selective_depth: 0,
            pv: vec![mv],
            nodes: 0,
            tablebase,
        }
    }

    /// The move was found to be the best, with this line behind it.
    pub(crate) fn improve(
        &mut self,
        value: Value,
        alpha: Value,
        beta: Value,
        (depth, selective_depth): (usize, usize),
        tail: &[Move],
    ) {
        self.value = value;
        self.shown = value.clamp(alpha, beta);
        self.lower_bound = value >= beta;
        self.upper_bound = value <= alpha;
        self.depth = depth;
        self.selective_depth = selective_depth;
        self.average = if self.average == -value::INFINITE { value } else { (self.average + value) / 2 };
        self.pv.truncate(1);
        self.pv.extend_from_slice(tail);
    }

    /// Better moves come first: by the tablebases, by the search, and by what it found before.
    pub(crate) fn rank(&self) -> Reverse<(i32, Value, Value)> {
        Reverse((self.tablebase_rank(), self.value, self.previous))
    }

    /// How good the tablebases find the move, the same for all where they say nothing.
    pub(crate) fn tablebase_rank(&self) -> i32 {
        self.tablebase.map_or(0, |rank| rank.rank)
    }

    /// The best value known: of this iteration, else of the last one, else a guess.
    pub(crate) fn known_value(&self) -> Value {
        if self.value == -value::INFINITE && self.previous != -value::INFINITE {
            self.previous
        } else {
            self.shown
        }
    }
}
