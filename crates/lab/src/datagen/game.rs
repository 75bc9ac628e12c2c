//! A game of an engine against itself.

use chess::{Color, GameEnd, KeyHistory, Move, Position};
use engine::value::Value;

use super::adjudication::{Adjudication, Ruling};
use super::player::{NoAnswer, Player};

/// A game that is longer than this is a draw; the numbers of plies have no more than fourteen bits in the file.
const LONGEST: usize = 1000;

/// A game with a value for each of its positions.
#[derive(Clone, Debug)]
pub(super) struct Game {
    pub(super) start: Position,
    pub(super) moves: Vec<Move>,
    /// What the search of each move came to, seen by White.
    pub(super) values: Vec<Value>,
    pub(super) winner: Option<Color>,
}

impl Game {
    /// Plays from an opening that is not over, to the end or to a ruling.
    pub(super) fn play(
        player: &mut Player,
        start: Position,
        nodes: u64,
        adjudication: Option<Adjudication>,
    ) -> Result<Self, NoAnswer> {
        let mut game = Self { start, moves: Vec::new(), values: Vec::new(), winner: None };
        let (mut position, mut history) = (start, KeyHistory::new());
        game.winner = loop {
            let thought = player.search(&start, &game.moves, nodes)?;
            let white_moves = position.side_to_move() == Color::White;
            game.values.push(if white_moves { thought.value } else { -thought.value });
            game.moves.push(thought.mv);
            history.push(&position);
            position.play(thought.mv);
            if let Some(winner) = ended(&position, &history) {
                break winner;
            }
            match adjudication.and_then(|rules| rules.rule(&game.values)) {
                Some(Ruling::Win(color)) => break Some(color),
                Some(Ruling::Draw) => break None,
                None if game.moves.len() >= LONGEST => break None,
                None => {}
            }
        };
        Ok(game)
    }
}

/// The winner, if any, of a game that is over by the rules.
fn ended(position: &Position, history: &KeyHistory) -> Option<Option<Color>> {
    let end = position.game_end(history)?;
    Some((end == GameEnd::Checkmate).then_some(!position.side_to_move()))
}
