//! The data of a reviewed game, for the JSON output, the report and the journal.

use serde::{Deserialize, Serialize};

use super::judgement::{Judgement, Missed};
use super::phase::Phase;
use crate::analyst::Score;

/// A reviewed game. Scores and chances are White's; `mate 0` is the end of the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Review {
    /// Which game of its file it is, from 1, and the line that it begins on.
    pub(crate) number: usize,
    pub(crate) line: usize,
    /// Names and values in the order of the file.
    pub(crate) tags: Vec<(String, String)>,
    /// The FEN that it began with.
    pub(crate) start: String,
    pub(crate) chess960: bool,
    pub(crate) result: String,
    /// The engine that analysed it.
    pub(crate) engine: String,
    /// The comments before the first move.
    pub(crate) comments: Vec<String>,
    /// Before the first move.
    pub(crate) score: Score,
    pub(crate) chances: f64,
    pub(crate) moves: Vec<ReviewedMove>,
    pub(crate) white: Player,
    pub(crate) black: Player,
    /// The plies, from 1, at which a mistake gained or lost an advantage.
    pub(crate) turning_points: Vec<usize>,
}

/// A move of a reviewed game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ReviewedMove {
    /// From 1.
    pub(crate) ply: usize,
    /// `12.` or `12...`.
    pub(crate) number: String,
    pub(crate) san: String,
    pub(crate) uci: String,
    /// Behind the move.
    pub(crate) score: Score,
    pub(crate) chances: f64,
    /// Winning chances that the move lost, in per cent.
    pub(crate) loss: f64,
    pub(crate) accuracy: f64,
    pub(crate) judgement: Option<Judgement>,
    pub(crate) missed: Option<Missed>,
    /// It was the only good move, and not a recapture.
    pub(crate) only: bool,
    pub(crate) phase: Phase,
    /// The clock after the move, as in the file.
    pub(crate) clock: Option<String>,
    /// The comments, without commands in brackets.
    pub(crate) comments: Vec<String>,
    /// The engine's move, if it is another one.
    pub(crate) better: Option<Better>,
}

/// A better line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Better {
    pub(crate) score: Score,
    pub(crate) chances: f64,
    pub(crate) san: Vec<String>,
    pub(crate) uci: Vec<String>,
}

/// The statistics of a player for the whole game and for each phase.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Player {
    pub(crate) name: String,
    #[serde(flatten)]
    pub(crate) all: Figures,
    pub(crate) opening: Figures,
    pub(crate) middlegame: Figures,
    pub(crate) endgame: Figures,
}

/// The statistics of a player.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Figures {
    pub(crate) moves: usize,
    /// In per cent; none without moves.
    pub(crate) accuracy: Option<f64>,
    /// Average centipawn loss.
    pub(crate) acpl: Option<f64>,
    pub(crate) inaccuracies: usize,
    pub(crate) mistakes: usize,
    pub(crate) blunders: usize,
    pub(crate) missed_mates: usize,
    pub(crate) missed_wins: usize,
    /// Only moves that were found.
    pub(crate) only_moves: usize,
}
