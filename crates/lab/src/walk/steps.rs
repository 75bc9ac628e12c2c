//! One walk: random moves, siblings and passes.

use std::ops::RangeInclusive;

use chess::{Move, Piece, Position};
use nnue::Changes;
use rng::Random;

use super::teacher::{Teacher, TeacherError};
use crate::packed::{NO_SCORE, Record};

/// Scores are clamped to this: beyond it a game is decided.
const LIMIT: i32 = 3000;

/// What walks look like.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) plies: RangeInclusive<usize>,
    /// Moves of which the best is played in half of the plies.
    pub(super) siblings: usize,
    /// Before one move in so many the side to move passes; 0: never.
    pub(super) pass: usize,
    /// A walk ends where one side is further ahead.
    pub(super) decided: i32,
}

/// The record of a position; without a score where its side to move is in check.
pub(super) fn record(position: &Position, value: Option<i32>, begins_chain: bool) -> Record {
    Record {
        pieces: Piece::ALL.map(|piece| position.pieces(piece.color(), piece.kind()).0),
        score: value.map_or(NO_SCORE, |value| value.clamp(-LIMIT, LIMIT) as i16),
        result: None,
        black_to_move: position.side_to_move() == chess::Color::Black,
        begins_chain,
    }
}

/// A teacher's value of a position, where it has one.
pub(super) fn valued(teacher: &mut dyn Teacher, position: &Position) -> Result<Option<i32>, TeacherError> {
    if position.in_check() { Ok(None) } else { teacher.value(position).map(Some) }
}

/// Plays a move and notifies the teacher.
pub(super) fn enter(teacher: &mut dyn Teacher, position: &Position, mv: Move) -> Position {
    let (mut next, mut changes) = (*position, Changes::NONE);
    next.play_observed(mv, &mut changes);
    teacher.enter(&changes);
    next
}

/// Appends the records of a walk from a position that is not in check.
pub(super) fn walk(
    base: &Position,
    shape: &Shape,
    teacher: &mut dyn Teacher,
    random: &mut Random,
    records: &mut Vec<Record>,
) -> Result<(), TeacherError> {
    let mut position = *base;
    teacher.begin(&position);
    records.push(record(&position, valued(teacher, &position)?, true));
    let plies = shape.plies.start() + random.below(shape.plies.end() - shape.plies.start() + 1);
    for _ in 0..plies {
        if shape.pass > 0 && random.below(shape.pass) == 0 && !position.in_check() {
            let mut passed = position;
            passed.play_null();
            teacher.enter(&Changes::NONE);
            records.push(record(&passed, valued(teacher, &passed)?, false));
            teacher.leave();
        }
        let wanted = if random.below(2) == 0 { 1 } else { shape.siblings };
        let moves = random_moves(&position, wanted, random);
        let Some(&first) = moves.first() else { break };
        let value = if moves.len() == 1 {
            position = enter(teacher, &position, first);
            let value = valued(teacher, &position)?;
            records.push(record(&position, value, false));
            value
        } else {
            let best;
            (position, best) = play_best_sibling(&position, &moves, teacher, records)?;
            best
        };
        if value.is_some_and(|value| value.abs() > shape.decided) {
            break;
        }
    }
    Ok(())
}

/// Different random legal moves; captures that do not lose material are three times as likely as others.
fn random_moves(position: &Position, wanted: usize, random: &mut Random) -> Vec<Move> {
    let mut left = position.legal_moves().to_vec();
    let mut moves = Vec::with_capacity(wanted);
    while moves.len() < wanted && !left.is_empty() {
        let number = random.below(left.len());
        let mv = left[number];
        if random.below(3) == 0 || mv.is_capture() && position.see_at_least(mv, 0) {
            moves.push(left.swap_remove(number));
        }
    }
    moves
}

/// Records the positions after all these moves, the best one last, and plays that move. A move that gives check has no
/// value and is played only if all give check.
fn play_best_sibling(
    position: &Position,
    moves: &[Move],
    teacher: &mut dyn Teacher,
    records: &mut Vec<Record>,
) -> Result<(Position, Option<i32>), TeacherError> {
    let first = records.len();
    // The move, what it is worth to the other side, and where it is recorded.
    let mut best: Option<(Move, i32, usize)> = None;
    for &mv in moves {
        let next = enter(teacher, position, mv);
        if let Some(value) = valued(teacher, &next)? {
            if best.is_none_or(|(_, least, _)| value < least) {
                best = Some((mv, value, records.len()));
            }
            records.push(record(&next, Some(value), false));
        }
        teacher.leave();
    }
    let next = enter(teacher, position, best.map_or(moves[0], |(mv, ..)| mv));
    match best {
        Some((_, _, place)) => records[first..].rotate_left(place + 1 - first),
        None => records.push(record(&next, None, false)),
    }
    Ok((next, best.map(|(_, value, _)| value)))
}
