//! An engine that answers with a move and its value.

use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};

use chess::{Move, Position};
use engine::value::{self, Value};
use engine::{CreateError, Engine, Limits, Report, Reporter};
use nnue::Network;

/// The result of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchResult {
    pub(crate) mv: Move,
    /// Seen by the side to move.
    pub(crate) value: Value,
}

/// A search ended without a move, which only a bug of the engine can cause.
#[derive(Debug)]
pub(crate) struct NoAnswer;

/// An engine with one thread.
pub(crate) struct Player(Engine);

impl Player {
    pub(crate) fn new(network: Arc<Network>, hash_mib: usize) -> Result<Self, CreateError> {
        let mut engine = Engine::new(network)?;
        engine.set_hash(hash_mib)?;
        Ok(Self(engine))
    }

    /// Clears everything that earlier searches learned.
    pub(crate) fn clear(&mut self) {
        self.0.new_game();
    }

    /// Searches the position that these moves lead to, which must have a legal move.
    pub(crate) fn search(
        &mut self,
        start: &Position,
        moves: &[Move],
        nodes: u64,
    ) -> Result<SearchResult, NoAnswer> {
        let (answer, heard) = sync_channel(1);
        self.0.set_position(*start, moves);
        self.0.go(Limits::nodes(nodes), Box::new(LastExactValue { value: value::DRAW, answer }));
        // The sender is dropped without an answer when the search thread has died.
        heard.recv().ok().flatten().ok_or(NoAnswer)
    }
}

/// Keeps the last exact value and sends it with the best move. The first iterations have an open window, so there is
/// always one.
struct LastExactValue {
    value: Value,
    answer: SyncSender<Option<SearchResult>>,
}

impl Reporter for LastExactValue {
    fn report(&mut self, report: &Report) {
        if let Report::Line(line) = report
            && line.bound.is_none()
        {
            self.value = line.value;
        }
    }

    fn best_move(&mut self, best: Option<Move>, _: Option<Move>) {
        let thought = best.map(|mv| SearchResult { mv, value: self.value });
        // The receiver is gone if the run failed elsewhere.
        let _ = self.answer.send(thought);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::{Bound, Score, SearchInfo};

    #[test]
    fn a_bound_is_not_taken_for_a_value() {
        let (answer, heard) = sync_channel(1);
        let mut ear = LastExactValue { value: value::DRAW, answer };
        let pos = Position::startpos();
        let mv = pos.legal_moves()[0];
        for (value, bound) in [(31, None), (90, Some(Bound::Lower)), (-70, Some(Bound::Upper))] {
            ear.report(&Report::Line(SearchInfo {
                depth: 9,
                selective_depth: 9,
                multipv: 1,
                value,
                score: Score::new(value, &pos),
                bound,
                wdl: None,
                nodes: 1,
                hashfull: 0,
                tablebase_hits: 0,
                time: std::time::Duration::ZERO,
                pv: vec![mv],
            }));
        }
        ear.best_move(Some(mv), None);
        assert_eq!(heard.recv().unwrap().map(|thought| (thought.mv, thought.value)), Some((mv, 31)));
    }
}
