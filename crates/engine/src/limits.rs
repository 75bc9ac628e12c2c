//! The limits of a search.

use chess::Move;

use crate::platform::Instant;

/// The limits of one search; the first one met ends it. Without any it runs until it is stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// What each side has left on its clock, in milliseconds, by [`chess::Color::index`]; may be negative.
    pub time: [Option<i64>; 2],
    /// What each side gains a move, in milliseconds.
    pub increment: [Option<i64>; 2],
    /// Moves to the next time control.
    pub moves_to_go: Option<i64>,
    /// Depth in plies.
    pub depth: Option<u64>,
    /// Nodes of all threads.
    pub nodes: Option<u64>,
    /// Ends when a mate in so many moves or fewer is proved, for or against.
    pub mate: Option<u64>,
    /// Milliseconds for this move.
    pub move_time: Option<i64>,
    /// Never ends by itself.
    pub infinite: bool,
    /// Searches on the opponent's time until the ponder hit.
    pub ponder: bool,
    /// When the search was asked for, from where all time counts; `None` for the moment in which it starts.
    pub asked_at: Option<Instant>,
    /// Only these root moves, or all if empty.
    pub search_moves: Vec<Move>,
}

impl Limits {
    /// A search of so many plies.
    pub fn depth(depth: u64) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// A search of so many nodes.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// Is it a normal search for a move to play: limited, not pondering, all moves allowed?
    pub fn is_for_play(&self) -> bool {
        self.is_for_move() && !self.ponder && self.search_moves.is_empty()
    }

    /// Does the search end by a limit with a move, rather than being infinite or for a mate?
    pub fn is_for_move(&self) -> bool {
        self.has_limit() && !self.infinite && self.mate.is_none()
    }

    /// Is it over when it is known whether there is a mate?
    pub fn is_for_mate_alone(&self) -> bool {
        self.mate.is_some() && !self.has_limit() && !self.infinite
    }

    fn has_limit(&self) -> bool {
        self.time != [None; 2] || self.move_time.is_some() || self.depth.is_some() || self.nodes.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_search_is_for() {
        let limited = || {
            [
                Limits::depth(5),
                Limits::nodes(5),
                Limits { move_time: Some(5), ..Limits::default() },
                Limits { time: [None, Some(5)], ..Limits::default() },
            ]
        };
        for limits in limited() {
            assert!(limits.is_for_move() && limits.is_for_play(), "{limits:?}");
            assert!(!Limits { infinite: true, ..limits.clone() }.is_for_move());
            assert!(!Limits { mate: Some(3), ..limits.clone() }.is_for_move());
            let ponder = Limits { ponder: true, ..limits.clone() };
            assert!(ponder.is_for_move() && !ponder.is_for_play());
            let search_moves =
                vec![Move::new(chess::Square::E2, chess::Square::E4, chess::MoveKind::DoublePush)];
            let some = Limits { search_moves, ..limits };
            assert!(some.is_for_move() && !some.is_for_play());
        }
        assert!(!Limits::default().is_for_move());
    }
}
