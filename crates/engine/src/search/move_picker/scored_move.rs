//! Moves with their scores, in the order in which they are picked.

use std::hint::select_unpredictable;

use chess::Move;

/// A move with its score, in one word that compares in picking order: the score from bit 32 up, then the place in the
/// list (the earlier, the larger), then the move. The smallest one stands for a move that was returned already.
///
/// The word is signed, since AVX2 and WebAssembly compare vectors of 64 bits only so.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ScoredMove(i64);

impl ScoredMove {
    pub(super) const RETURNED: Self = Self(i64::MIN);
    /// Room that will be overwritten: zeros are the quickest to write.
    pub(super) const ROOM: Self = Self(0);

    #[inline]
    pub(super) fn new(mv: Move, score: i32, place: usize) -> Self {
        Self(i64::from(score) << 32 | i64::from(!(place as u16)) << 16 | i64::from(mv.bits()))
    }

    #[inline]
    pub(super) fn mv(self) -> Option<Move> {
        Move::from_bits(self.0 as u16)
    }

    #[inline]
    pub(super) fn score(self) -> i32 {
        (self.0 >> 32) as i32
    }

    #[inline]
    pub(super) fn place(self) -> usize {
        usize::from(!((self.0 >> 16) as u16))
    }
}

/// Puts a quiet move behind `count` others. Moves with a score of at least `least` come to the front and will be picked
/// in order; the others stay about as they were generated, since few nodes get that far.
///
/// The outcome is hard to predict, so there is no branch: the first of the others goes to the end, and the new move takes
/// its place or the end.
#[inline(always)]
pub(super) fn put_quiet(
    room: &mut [ScoredMove],
    count: usize,
    promising: &mut usize,
    (mv, score): (Move, i32),
    least: i32,
) {
    let promises = score >= least;
    room[count] = room[*promising];
    room[select_unpredictable(promises, *promising, count)] = ScoredMove::new(mv, score, *promising);
    *promising += usize::from(promises);
}

#[cfg(test)]
mod tests {
    use chess::Position;

    use super::*;

    #[test]
    fn promising_moves_come_to_the_front_and_none_is_lost() {
        let moves: Vec<(Move, i32)> = Position::startpos()
            .legal_moves()
            .iter()
            .copied()
            .zip([3, -7, 12, 0, -1, 12, 5, -30, 8, 2, 1, -2, 40, -5, 6, 7, -9, 11, 4, -3])
            .collect();
        for least in [-100, 0, 5, 100] {
            let (mut arena, mut promising) = (vec![ScoredMove::RETURNED; moves.len()], 0);
            for (count, &scored) in moves.iter().enumerate() {
                put_quiet(&mut arena, count, &mut promising, scored, least);
            }
            let (front, rest) = arena.split_at(promising);
            assert!(front.iter().all(|scored| scored.score() >= least), "from {least}");
            assert!(rest.iter().all(|scored| scored.score() < least), "from {least}");
            assert!(front.iter().enumerate().all(|(place, scored)| scored.place() == place));
            for &(mv, score) in &moves {
                assert!(arena.iter().any(|other| other.mv() == Some(mv) && other.score() == score), "{mv:?}");
            }
            // Of equal scores the first one made is the largest.
            let order: Vec<Move> =
                moves.iter().filter(|scored| scored.1 == 12).map(|scored| scored.0).collect();
            let twelve = |scored: &&ScoredMove| scored.score() == 12;
            if let Some(best) = front.iter().filter(twelve).max() {
                assert_eq!(best.mv(), Some(order[0]));
            }
        }
    }
}
