//! The moves of the root, with what is known about each.

use chess::Move;

use crate::value::{self, Value};

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
    pub(crate) selective_depth: usize,
    /// The line, this move first.
    pub(crate) pv: Vec<Move>,
    /// Nodes spent on the move.
    pub(crate) nodes: u64,
}

impl RootMove {
    pub(crate) fn new(mv: Move) -> Self {
        Self {
            mv,
            value: -value::INFINITE,
            previous: -value::INFINITE,
            average: -value::INFINITE,
            shown: -value::INFINITE,
            lower_bound: false,
            upper_bound: false,
            selective_depth: 0,
            pv: vec![mv],
            nodes: 0,
        }
    }

    /// The move was found to be the best, with this line behind it.
    pub(crate) fn improve(
        &mut self,
        value: Value,
        alpha: Value,
        beta: Value,
        selective_depth: usize,
        tail: &[Move],
    ) {
        self.value = value;
        self.shown = value.clamp(alpha, beta);
        self.lower_bound = value >= beta;
        self.upper_bound = value <= alpha;
        self.selective_depth = selective_depth;
        self.average = if self.average == -value::INFINITE { value } else { (self.average + value) / 2 };
        self.pv.truncate(1);
        self.pv.extend_from_slice(tail);
    }

    /// Better moves come first; among equals those that were better before.
    pub(crate) fn rank(&self) -> (std::cmp::Reverse<Value>, std::cmp::Reverse<Value>) {
        (std::cmp::Reverse(self.value), std::cmp::Reverse(self.previous))
    }

    /// The best value known: of this iteration, else of the last one, else a guess.
    pub(crate) fn known_value(&self) -> Value {
        if self.value == -value::INFINITE && self.previous != -value::INFINITE { self.previous } else { self.shown }
    }
}
