//! Teachers: sources of scores for positions.

use std::fmt;
use std::sync::Arc;

use chess::Position;
use engine::CreateError;
use nnue::{AccumulatorStack, Changes, Network};

use crate::datagen::Player;

/// Values positions along lines of play. The order of calls: [`begin`](Teacher::begin) with a position,
/// [`enter`](Teacher::enter) with what every move changes, [`leave`](Teacher::leave) when it is taken back,
/// [`value`](Teacher::value) with the position at hand.
pub(super) trait Teacher {
    /// Forgets the last line and begins another one.
    fn begin(&mut self, root: &Position);

    /// A move was made that changed these pieces; none when a side passed.
    fn enter(&mut self, _changes: &Changes) {}

    /// The last move is taken back.
    fn leave(&mut self) {}

    /// What the position at hand, which is not in check, is worth to its side to move; about 350 to the pawn.
    ///
    /// # Errors
    /// When the teacher has failed.
    fn value(&mut self, position: &Position) -> Result<i32, TeacherError>;
}

/// Why there is no value.
#[derive(Debug)]
pub(super) enum TeacherError {
    Engine(CreateError),
    NoAnswer(Box<Position>),
}

impl fmt::Display for TeacherError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Engine(error) => error.fmt(f),
            Self::NoAnswer(position) => write!(f, "a search of {position} ended without an answer"),
        }
    }
}

impl std::error::Error for TeacherError {}

/// Which teacher is wanted.
#[derive(Clone)]
pub(super) enum Teaching {
    Network(Arc<Network>),
    /// The engine's search of so many nodes.
    Search(Arc<Network>, u64),
}

impl Teaching {
    /// A teacher for one thread.
    pub(super) fn teacher(&self) -> Result<Box<dyn Teacher>, TeacherError> {
        Ok(match self {
            Self::Network(network) => Box::new(Static::new(network)),
            Self::Search(network, nodes) => Box::new(Searching::new(network, *nodes)?),
        })
    }

    /// The network of either.
    pub(super) fn network(&self) -> &Arc<Network> {
        match self {
            Self::Network(network) | Self::Search(network, _) => network,
        }
    }
}

/// The evaluation of a network.
struct Static(AccumulatorStack);

impl Static {
    fn new(network: &Arc<Network>) -> Self {
        Self(AccumulatorStack::new(Arc::clone(network), &Position::startpos()))
    }
}

impl Teacher for Static {
    fn begin(&mut self, root: &Position) {
        self.0.reset(root);
    }

    fn enter(&mut self, changes: &Changes) {
        self.0.push(changes);
    }

    fn leave(&mut self) {
        self.0.pop();
    }

    fn value(&mut self, position: &Position) -> Result<i32, TeacherError> {
        Ok(self.0.evaluate(position))
    }
}

/// Megabytes of the hash table of a short search, which is cleared for every walk.
const HASH_MIB: usize = 1;

/// A search of the engine, which remembers what it found earlier on the same walk.
struct Searching {
    player: Player,
    nodes: u64,
}

impl Searching {
    fn new(network: &Arc<Network>, nodes: u64) -> Result<Self, TeacherError> {
        let player = Player::new(Arc::clone(network), HASH_MIB).map_err(TeacherError::Engine)?;
        Ok(Self { player, nodes })
    }
}

impl Teacher for Searching {
    fn begin(&mut self, _: &Position) {
        self.player.clear();
    }

    fn value(&mut self, position: &Position) -> Result<i32, TeacherError> {
        if !position.has_legal_move() {
            return Ok(0);
        }
        let thought = self.player.search(position, &[], self.nodes);
        thought.map(|thought| thought.value).map_err(|_| TeacherError::NoAnswer(Box::new(*position)))
    }
}
