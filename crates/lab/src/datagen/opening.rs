//! Random openings that are not decided yet.

use chess::{KeyHistory, Position};
use rng::Random;

use super::book::Book;
use super::player::{NoAnswer, Player};

/// Random plies from start positions; those of a book have been opened.
const PLIES_FROM_START: usize = 8;
/// Nodes that tell whether an opening is decided.
const VETTING_NODES: u64 = 1000;
/// Give up after this many discarded openings in a row.
const ATTEMPTS: usize = 10_000;

/// Where to take openings from.
#[derive(Debug)]
pub(super) struct Openings {
    pub(super) book: Option<Book>,
    /// Random plies, if not the usual number of them.
    pub(super) random_plies: Option<usize>,
    pub(super) chess960_percent: u8,
    /// The largest value for one side.
    pub(super) limit: i32,
}

impl Openings {
    /// A random opening; `None` when no usable one was found in many attempts.
    pub(super) fn find(
        &self,
        player: &mut Player,
        random: &mut Random,
    ) -> Result<Option<Position>, NoAnswer> {
        for _ in 0..ATTEMPTS {
            let Some(position) = self.draw(random) else { continue };
            let thought = player.search(&position, &[], VETTING_NODES)?;
            if thought.value.abs() <= self.limit {
                return Ok(Some(position));
            }
        }
        Ok(None)
    }

    /// A position after random play; `None` where that ended the game.
    fn draw(&self, random: &mut Random) -> Option<Position> {
        let (mut position, usual_plies) = match &self.book {
            _ if random.below(100) < self.chess960_percent.into() => (chess960(random), PLIES_FROM_START),
            Some(book) => (book.draw(random), 0),
            None => (Position::startpos(), PLIES_FROM_START),
        };
        let plies = match self.random_plies.unwrap_or(usual_plies) {
            0 => 0,
            // One more in half of the games, so that either side is first to move after the opening.
            plies => plies + random.below(2),
        };
        for _ in 0..plies {
            let moves = position.legal_moves();
            if moves.is_empty() {
                return None;
            }
            position.play(moves[random.below(moves.len())]);
        }
        position.game_end(&KeyHistory::new()).is_none().then_some(position)
    }
}

/// A start position of Chess960, or half of the time of double Chess960.
fn chess960(random: &mut Random) -> Position {
    let mut number = || random.below(Position::CHESS960_SETUPS.into()) as u16;
    let (white, other) = (number(), number());
    Position::chess960(white, if random.below(2) == 0 { white } else { other })
}
