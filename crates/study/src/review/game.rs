//! The review of a game from the analyses of its positions.

use chess::{CastlingNotation, Color, FenStyle, GameEnd, KeyHistory, Move, Position};
use pgn::Game;

use super::accuracy::{self, Weighed};
use super::judgement::{Judgement, Missed, judge, threshold};
use super::model::{Better, Figures, Player, Review, ReviewedMove};
use super::phase::Phase;
use crate::analyst::{Analysis, Limits, Line, Request, Score};

/// Better lines are shown to this length.
const LINE_PLIES: usize = 12;

/// The second line shows whether a move was the only good one.
const MULTIPV: usize = 2;

/// The positions of a game as they are to be analysed: before each move, and the last one.
pub(crate) fn requests(game: &Game, limits: Limits) -> Vec<Request> {
    let moves: Vec<Move> = game.moves().collect();
    (0..=moves.len())
        .map(|plies| Request { start: game.start, moves: moves[..plies].to_vec(), limits, multipv: MULTIPV })
        .collect()
}

/// The review of a game by the analyses of its positions from the first on; where there are fewer of them than
/// positions, of the moves between them.
///
/// # Panics
/// Without any analysis.
pub(crate) fn review(game: &Game, analyses: &[Analysis]) -> Review {
    let positions = game.positions();
    let moves: Vec<Move> = game.moves().collect();
    let values = values(&positions, &moves, analyses);
    let views: Vec<View> =
        positions.iter().zip(&values).map(|(position, &value)| View::new(position, value)).collect();
    let chances: Vec<f64> = views.iter().map(|view| view.chances).collect();
    let weighed = accuracy::weigh(game.start.side_to_move(), &chances);
    let mut phase = Phase::Opening;
    let mut losses = Vec::new();
    let mut reviewed_moves = Vec::new();
    for (index, (node, &mv)) in game.main.moves.iter().zip(&moves).enumerate().take(views.len() - 1) {
        let (before, after) = (&views[index], &views[index + 1]);
        phase = phase.max(Phase::of(&positions[index]));
        let previous = index.checked_sub(1).map(|index| moves[index]);
        let context = Context { game, position: &positions[index], mv, previous };
        let mut reviewed = reviewed_move(&context, before, after, &analyses[index]);
        reviewed.ply = index + 1;
        reviewed.phase = phase;
        reviewed.accuracy = rounded(weighed[index].accuracy);
        reviewed.clock =
            node.comments.iter().find_map(|comment| pgn::command(comment, "clk")).map(str::to_owned);
        reviewed.comments = node.comments.iter().map(|comment| words_of(comment)).collect();
        reviewed.comments.retain(|comment| !comment.is_empty());
        losses.push((before.for_mover.bounded_centipawns() + after.for_mover.bounded_centipawns()).max(0));
        reviewed_moves.push(reviewed);
    }
    let moves = reviewed_moves;
    let players = [Color::White, Color::Black].map(|color| player(game, color, &moves, &weighed, &losses));
    let [white, black] = players;
    Review {
        number: game.number,
        line: game.first_line,
        tags: game.tags.clone(),
        start: game.start.fen(if game.chess960 { FenStyle::Shredder } else { FenStyle::Standard }),
        chess960: game.chess960,
        result: game.outcome.text().to_owned(),
        engine: analyses[0].by.engine.clone(),
        comments: game.main.comments.clone(),
        score: views[0].score,
        chances: rounded(views[0].chances),
        turning_points: turning_points(views[0].chances, &moves),
        moves,
        white,
        black,
    }
}

/// The scores of the positions, for the side to move. The score of a position is that of its best move: the move played
/// scores what the next position does, the others what the search said. So what a search missed, such as a mate in the
/// middle of a combination, is corrected by the searches of the following positions.
fn values(positions: &[Position], moves: &[Move], analyses: &[Analysis]) -> Vec<Score> {
    let count = analyses.len().min(positions.len());
    let mut values: Vec<Score> = analyses[..count].iter().map(|analysis| analysis.best().score).collect();
    if count == positions.len() && is_drawn(positions) {
        values[count - 1] = Score::Centipawns(0);
    }
    for index in (0..count - 1).rev() {
        let played = one_move_earlier(values[index + 1]);
        let others = best_other(&analyses[index], moves[index]).map(|line| line.score);
        values[index] = others.into_iter().fold(played, better_of);
    }
    values
}

/// The best line that does not begin with the move.
fn best_other(analysis: &Analysis, mv: Move) -> Option<&Line> {
    analysis.lines.iter().find(|line| line.pv.first() != Some(&mv))
}

/// The value of a move by the value of the position behind it, for the side that moves.
fn one_move_earlier(value: Score) -> Score {
    match value.reversed() {
        Score::Mate(moves) if moves >= 0 => Score::Mate(moves + 1),
        other => other,
    }
}

/// The better of two values; quick mates are better than slow ones, if one gives them.
fn better_of(one: Score, other: Score) -> Score {
    let rank = |score: Score| match score {
        Score::Centipawns(centipawns) => (0, centipawns),
        Score::Mate(moves) if moves > 0 => (1, -moves),
        Score::Mate(moves) => (-1, -moves),
    };
    if rank(one) >= rank(other) { one } else { other }
}

/// The score of a position from both views.
struct View {
    /// For the side to move.
    for_mover: Score,
    /// For White.
    score: Score,
    /// White's.
    chances: f64,
}

impl View {
    fn new(position: &Position, for_mover: Score) -> Self {
        Self {
            for_mover,
            score: for_white(for_mover, position.side_to_move()),
            chances: chances_of_white(for_mover, position.side_to_move()),
        }
    }
}

fn for_white(score: Score, side: Color) -> Score {
    if side == Color::White { score } else { score.reversed() }
}

fn chances_of_white(score: Score, side: Color) -> f64 {
    let chances = score.winning_chances();
    if side == Color::White { chances } else { 100.0 - chances }
}

/// Is the game drawn by the rules in the last of its positions?
fn is_drawn(positions: &[Position]) -> bool {
    let Some((last, earlier)) = positions.split_last() else { return false };
    let mut keys = KeyHistory::new();
    earlier.iter().for_each(|position| keys.push(position));
    matches!(last.game_end(&keys), Some(GameEnd::DeadPosition | GameEnd::FiftyMoves | GameEnd::Repetition))
}

/// A move and where it was played.
struct Context<'a> {
    game: &'a Game,
    position: &'a Position,
    mv: Move,
    previous: Option<Move>,
}

fn reviewed_move(context: &Context<'_>, before: &View, after: &View, analysis: &Analysis) -> ReviewedMove {
    let Context { game, position, mv, previous } = *context;
    let other = best_other(analysis, mv);
    let played = one_move_earlier(after.for_mover);
    let verdict = judge(before.for_mover, played);
    let lead = other.map(|other| played.winning_chances() - other.score.winning_chances());
    let number = position.fullmove_number();
    let better = other.filter(|_| before.for_mover != played).map(|line| better(game, position, line));
    ReviewedMove {
        ply: 0,
        number: match position.side_to_move() {
            Color::White => format!("{number}."),
            Color::Black => format!("{number}..."),
        },
        san: position.san(mv),
        uci: position.uci_move(mv, notation(game)),
        score: after.score,
        chances: rounded(after.chances),
        loss: rounded(verdict.loss),
        accuracy: 100.0,
        judgement: verdict.judgement,
        missed: verdict.missed,
        only: lead >= Some(threshold::ONLY_MOVE) && !is_recapture(mv, previous),
        phase: Phase::Opening,
        clock: None,
        comments: Vec::new(),
        better,
    }
}

fn is_recapture(mv: Move, previous: Option<Move>) -> bool {
    mv.is_capture() && previous.is_some_and(|previous| previous.is_capture() && previous.to() == mv.to())
}

fn notation(game: &Game) -> CastlingNotation {
    game.start.castling_notation(game.chess960)
}

fn better(game: &Game, position: &Position, best: &Line) -> Better {
    let line = &best.pv[..best.pv.len().min(LINE_PLIES)];
    let side = position.side_to_move();
    Better {
        score: for_white(best.score, side),
        chances: rounded(chances_of_white(best.score, side)),
        san: position.san_line(line),
        uci: position.uci_line(line, notation(game)),
    }
}

/// A comment without its commands.
fn words_of(comment: &str) -> String {
    ["eval", "clk", "emt", "egt", "mct", "csl", "cal", "tqu"]
        .iter()
        .fold(comment.to_owned(), |comment, name| pgn::without_command(&comment, name))
}

/// The turning points of the game: plies at which a mistake gained or lost an advantage.
fn turning_points(start: f64, moves: &[ReviewedMove]) -> Vec<usize> {
    let side = |chances: f64| ((chances - 50.0) / threshold::ADVANTAGE).trunc().clamp(-1.0, 1.0) as i32;
    let before = std::iter::once(start).chain(moves.iter().map(|mv| mv.chances));
    moves
        .iter()
        .zip(before)
        .filter(|(mv, before)| mv.judgement >= Some(Judgement::Mistake) && side(*before) != side(mv.chances))
        .map(|(mv, _)| mv.ply)
        .collect()
}

fn player(game: &Game, color: Color, moves: &[ReviewedMove], weighed: &[Weighed], losses: &[i32]) -> Player {
    let figures = |phase: Option<Phase>| {
        let own: Vec<usize> = (0..moves.len())
            .filter(|&index| weighed[index].color == color)
            .filter(|&index| phase.is_none_or(|phase| moves[index].phase == phase))
            .collect();
        let count =
            |test: &dyn Fn(&ReviewedMove) -> bool| own.iter().filter(|&&index| test(&moves[index])).count();
        let judged = |judgement| count(&|mv| mv.judgement == Some(judgement));
        let accuracies: Vec<Weighed> = own.iter().map(|&index| weighed[index]).collect();
        let loss: i32 = own.iter().map(|&index| losses[index]).sum();
        Figures {
            moves: own.len(),
            accuracy: accuracy::of_moves(&accuracies).map(rounded),
            acpl: (!own.is_empty()).then(|| rounded(f64::from(loss) / own.len() as f64)),
            inaccuracies: judged(Judgement::Inaccuracy),
            mistakes: judged(Judgement::Mistake),
            blunders: judged(Judgement::Blunder),
            missed_mates: count(&|mv| matches!(mv.missed, Some(Missed::Mate(_)))),
            missed_wins: count(&|mv| mv.missed == Some(Missed::Win)),
            only_moves: count(&|mv| mv.only),
        }
    };
    let [opening, middlegame, endgame] = Phase::ALL.map(|phase| figures(Some(phase)));
    Player { name: game.player(color).to_owned(), all: figures(None), opening, middlegame, endgame }
}

/// Rounded to two decimals.
fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}
