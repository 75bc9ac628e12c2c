//! Finding puzzles in analysed games, and proving them.

use chess::{Color, Move, Position};
use pgn::Game;

use crate::analyst::{Analysis, Analyst, Error, Limits, Line, Request, Score};
use crate::review::threshold as judgement;

/// The thresholds of puzzles, in per cent of winning chances; `docs/study.md` has the same table.
pub(crate) mod threshold {
    /// A move wins with at least these chances,
    pub(crate) const WINS: f64 = 75.0;
    /// and the others fail to win if they have at most these.
    pub(crate) const FAILS_TO_WIN: f64 = 60.0;
    /// In both cases at least this much lies between the best move and the others.
    pub(crate) const GAP: f64 = 25.0;
    /// A move saves with at least these chances,
    pub(crate) const SAVES: f64 = 40.0;
    /// and the others lose if they have at most these.
    pub(crate) const LOSES: f64 = 15.0;
    /// Solutions have at most this many moves of the solver, except mates.
    pub(crate) const MOVES: usize = 6;
}

/// A position after a mistake of the opponent.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// The number of the game.
    pub(crate) game: usize,
    /// The position, with the game so far.
    pub(crate) request: Request,
}

/// What the solver achieves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    Win,
    Save,
}

/// A puzzle that was proved.
#[derive(Clone, Debug)]
pub(crate) struct Puzzle {
    pub(crate) game: usize,
    /// Before the move that gave the chance, and that move.
    pub(crate) before: Position,
    pub(crate) mistake: Move,
    /// The solver's move, the answer, and so on; the solver has the last move.
    pub(crate) solution: Vec<Move>,
    pub(crate) goal: Goal,
    /// The score of the first move, for the solver.
    pub(crate) score: Score,
}

impl Puzzle {
    /// The position to solve.
    pub(crate) fn position(&self) -> Position {
        self.before.after(self.mistake)
    }

    /// Who solves.
    pub(crate) fn solver(&self) -> Color {
        self.position().side_to_move()
    }

    /// Does the solution end with mate?
    pub(crate) fn mates(&self) -> bool {
        let mut position = self.position();
        self.solution.iter().for_each(|&mv| position.play(mv));
        position.in_check() && !position.has_legal_move()
    }
}

/// The positions of a game after a mistake that may have a single good answer, from the analyses of all positions; at
/// most one per mistake.
pub(crate) fn candidates(game: &Game, analyses: &[Analysis]) -> Vec<Candidate> {
    let moves: Vec<Move> = game.moves().collect();
    let scores: Vec<Score> = analyses.iter().map(|analysis| analysis.best().score).collect();
    let is_candidate = |&ply: &usize| {
        let loss = scores[ply - 1].winning_chances() - scores[ply].reversed().winning_chances();
        loss >= judgement::MISTAKE
            && scores[ply].winning_chances() >= threshold::SAVES
            && scores[ply] != Score::Mate(0)
    };
    (1..scores.len())
        .filter(is_candidate)
        .map(|ply| Candidate {
            game: game.number,
            request: Request {
                start: game.start,
                moves: moves[..ply].to_vec(),
                limits: Limits::default(),
                multipv: 2,
            },
        })
        .collect()
}

/// Proves that a candidate is a puzzle and finds its solution; `None` where it is none. A quick search comes first, since
/// it rejects most.
///
/// # Errors
/// Where the engine fails.
pub(crate) fn prove(
    analyst: &mut dyn Analyst,
    candidate: &Candidate,
    quick: Limits,
    deep: Limits,
) -> Result<Option<Puzzle>, Error> {
    let mut request = candidate.request.clone();
    let Some(mistake) = request.moves.last().copied() else { return Ok(None) };
    request.limits = quick;
    let Some((first, goal)) = only_move(&analyst.analyse(&request)?) else { return Ok(None) };
    request.limits = deep;
    let proof = analyst.analyse(&request)?;
    if only_move(&proof) != Some((first, goal)) {
        return Ok(None);
    }
    let before = {
        let mut earlier = request.clone();
        earlier.moves.pop();
        earlier.position()
    };
    let position = request.position();
    if position.count_legal_moves() < 2 {
        return Ok(None);
    }
    let score = proof.best().score;
    let solution = solve(analyst, request, proof)?;
    let takes_back = first.is_capture() && mistake.is_capture() && first.to() == mistake.to();
    if takes_back && solution.len() == 1 {
        return Ok(None);
    }
    Ok(Some(Puzzle { game: candidate.game, before, mistake, solution, goal, score }))
}

/// The solution from the proof of its first move on: as long as the solver has only one good move.
fn solve(analyst: &mut dyn Analyst, mut request: Request, mut proof: Analysis) -> Result<Vec<Move>, Error> {
    let first = request.moves.len();
    loop {
        let is_mating = matches!(proof.best().score, Score::Mate(moves) if moves > 0);
        let Some(&mv) = proof.best().pv.first() else { break };
        request.moves.push(mv);
        let solver_moves = (request.moves.len() - first).div_ceil(2);
        if !request.position().has_legal_move() || (solver_moves >= threshold::MOVES && !is_mating) {
            break;
        }
        // The opponent plays the best defence.
        let answer = analyst.analyse(&Request { multipv: 1, ..request.clone() })?;
        let Some(&reply) = answer.best().pv.first() else { break };
        request.moves.push(reply);
        if !request.position().has_legal_move() {
            request.moves.pop();
            break;
        }
        proof = analyst.analyse(&request)?;
        let goes_on = if is_mating { is_only_mate(&proof) } else { only_move(&proof).is_some() };
        if !goes_on {
            request.moves.pop();
            break;
        }
    }
    Ok(request.moves.split_off(first))
}

/// The one move that wins or saves where every other fails.
fn only_move(analysis: &Analysis) -> Option<(Move, Goal)> {
    let [best, second, ..] = analysis.lines.as_slice() else { return None };
    let (wins, fails) = (best.score.winning_chances(), second.score.winning_chances());
    let goal = if wins >= threshold::WINS && fails <= threshold::FAILS_TO_WIN {
        Goal::Win
    } else if wins >= threshold::SAVES && fails <= threshold::LOSES {
        Goal::Save
    } else {
        return None;
    };
    if wins - fails < threshold::GAP {
        return None;
    }
    // A score that is only a bound may be on the wrong side of a threshold.
    let exact = best.bound.is_none() && second.bound.is_none();
    best.pv.first().filter(|_| exact).map(|&mv| (mv, goal))
}

/// Within a mate the next move is the only one if no other mates.
fn is_only_mate(analysis: &Analysis) -> bool {
    let mates = |line: &Line| matches!(line.score, Score::Mate(moves) if moves > 0);
    mates(analysis.best()) && analysis.lines.get(1).is_none_or(|second| !mates(second))
}
