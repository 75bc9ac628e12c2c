//! The two networks, and which of them judges a position.
//!
//! Where one side is far ahead in material, nearly every judgement will do as long as it comes quickly: a small network
//! takes over. It is trained on just such positions (see `nets/README.md`, also for what it gains).

use std::sync::Arc;

use chess::Position;
use nnue::{AccumulatorStack, Changes, Network};

use crate::embedded::{self, BadEmbedded};
use crate::material;

/// From this difference in pawns on, the small network judges.
pub const LOPSIDED: usize = 8;

/// One of the two networks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NetworkKind {
    /// Judges what is open.
    Main,
    /// Judges what is lopsided.
    Small,
}

impl NetworkKind {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Main, Self::Small];

    /// Which of them judges a position.
    #[inline]
    pub fn of(pos: &Position) -> Self {
        if material::difference_in(pos) < LOPSIDED { Self::Main } else { Self::Small }
    }

    /// The option that names the file of this network.
    pub const fn option(self) -> &'static str {
        match self {
            Self::Main => "EvalFile",
            Self::Small => "EvalFileSmall",
        }
    }
}

/// Both networks.
#[derive(Clone)]
pub struct Networks {
    main: Arc<Network>,
    small: Arc<Network>,
}

impl Networks {
    /// Those inside the program.
    ///
    /// # Errors
    /// When the build was given a file that is no network.
    pub fn embedded() -> Result<Self, BadEmbedded> {
        let load = |kind| embedded::load(kind).map(Arc::new);
        Ok(Self { main: load(NetworkKind::Main)?, small: load(NetworkKind::Small)? })
    }

    /// The same with another network in one place.
    #[must_use]
    pub fn with(mut self, kind: NetworkKind, network: Arc<Network>) -> Self {
        match kind {
            NetworkKind::Main => self.main = network,
            NetworkKind::Small => self.small = network,
        }
        self
    }

    /// One of the two.
    pub fn get(&self, kind: NetworkKind) -> &Arc<Network> {
        match kind {
            NetworkKind::Main => &self.main,
            NetworkKind::Small => &self.small,
        }
    }

    /// The one that judges a position.
    pub fn judging(&self, pos: &Position) -> &Arc<Network> {
        self.get(NetworkKind::of(pos))
    }

    /// Copies in memory of their own, which the system puts near the thread that makes them.
    pub(crate) fn copied(&self) -> Self {
        Self { main: Arc::new(Network::clone(&self.main)), small: Arc::new(Network::clone(&self.small)) }
    }
}

/// Evaluates along a line of play. Both networks note every move; only the one that is asked computes.
pub(crate) struct Evaluator {
    main: AccumulatorStack,
    small: AccumulatorStack,
}

impl Evaluator {
    pub(crate) fn new(networks: &Networks) -> Self {
        let stack = |kind| AccumulatorStack::new(Arc::clone(networks.get(kind)), &Position::startpos());
        Self { main: stack(NetworkKind::Main), small: stack(NetworkKind::Small) }
    }

    /// Forgets the line and begins another one.
    pub(crate) fn reset(&mut self, root: &Position) {
        self.main.reset(root);
        self.small.reset(root);
    }

    /// A move was made.
    #[inline]
    pub(crate) fn push(&mut self, changes: &Changes) {
        self.main.push(changes);
        self.small.push(changes);
    }

    /// The last move was taken back.
    #[inline]
    pub(crate) fn pop(&mut self) {
        self.main.pop();
        self.small.pop();
    }

    /// The judgement of the position on top, for the side to move.
    #[inline]
    pub(crate) fn evaluate(&mut self, pos: &Position) -> i32 {
        match NetworkKind::of(pos) {
            NetworkKind::Main => self.main.evaluate(pos),
            NetworkKind::Small => self.small.evaluate(pos),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_side_that_is_ahead_does_not_matter() {
        let kinds = [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", NetworkKind::Main),
            ("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", NetworkKind::Small),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1", NetworkKind::Small),
            ("rnbqk2r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", NetworkKind::Main),
        ];
        for (fen, kind) in kinds {
            assert_eq!(NetworkKind::of(&Position::from_fen(fen).unwrap()), kind, "{fen}");
        }
    }

    #[test]
    fn each_network_follows_the_line_while_the_other_judges() {
        let networks = Networks::embedded().unwrap();
        let mut evaluator = Evaluator::new(&networks);
        // The queens go one after the other, so that the judge changes twice.
        let mut pos = Position::from_fen("q3k3/8/8/8/8/8/8/Q3K3 w - - 0 1").unwrap();
        evaluator.reset(&pos);
        let mut judges = vec![NetworkKind::of(&pos)];
        for text in ["e1e2", "e8e7", "a1a8", "e7d7", "a8d5", "d7c7", "d5c6", "c7c6", "e2e3"] {
            let mut changes = Changes::NONE;
            let mv = pos.parse_uci_move(text).unwrap();
            pos.play_observed(mv, &mut changes);
            evaluator.push(&changes);
            judges.push(NetworkKind::of(&pos));
            assert_eq!(evaluator.evaluate(&pos), networks.judging(&pos).evaluate(&pos), "{text}");
        }
        judges.dedup();
        assert_eq!(judges, [NetworkKind::Main, NetworkKind::Small, NetworkKind::Main]);
    }
}
