//! What is known about positions: in how many moves the attacker mates, and in how many it does not.

use chess::{FIFTY_MOVES, Move, Position};

use super::Turn;

/// Positions that are remembered, at 16 bytes each.
const SLOTS: usize = 1 << 20;

#[derive(Clone, Copy, Default)]
struct Slot {
    key: u64,
    /// The attacker mates in so many moves or fewer; 0 when that is not known.
    proved: u8,
    /// The attacker does not mate in so many moves.
    refuted: u8,
    /// What proves it when the attacker is to move, or refutes it when the defender is.
    mv: Option<Move>,
}

/// The results of both searches. A result for one length holds for longer ones if it is a mate, and for shorter ones
/// if it is none.
pub(super) struct Results(Box<[Slot]>);

impl Results {
    pub(super) fn new() -> Self {
        Self(vec![Slot::default(); SLOTS].into_boxed_slice())
    }

    /// Does the attacker mate in so many moves, if that is known?
    pub(super) fn verdict(&self, pos: &Position, turn: Turn, moves: usize) -> Option<bool> {
        let slot = self.slot(pos, turn);
        let verdict = if slot.proved > 0 && usize::from(slot.proved) <= moves {
            Some(true)
        } else {
            (usize::from(slot.refuted) >= moves).then_some(false)
        };
        verdict.filter(|_| is_clock_independent(pos, moves))
    }

    /// The fewest moves in which the attacker is known to mate.
    pub(super) fn shortest_mate(&self, pos: &Position, turn: Turn) -> Option<usize> {
        let proved = usize::from(self.slot(pos, turn).proved);
        (proved > 0 && is_clock_independent(pos, proved)).then_some(proved)
    }

    /// The move that proved or refuted a mate here.
    pub(super) fn best_move(&self, pos: &Position, turn: Turn) -> Option<Move> {
        self.slot(pos, turn).mv
    }

    pub(super) fn store(&mut self, pos: &Position, turn: Turn, moves: usize, proved: bool, mv: Option<Move>) {
        if !is_clock_independent(pos, moves) {
            return;
        }
        let mut slot = self.slot(pos, turn);
        slot.key = turn.key(pos);
        slot.mv = mv.or(slot.mv);
        if proved {
            slot.proved = if slot.proved > 0 { slot.proved.min(moves as u8) } else { moves as u8 };
        } else {
            slot.refuted = slot.refuted.max(moves as u8);
        }
        self.0[slot.key as usize & (SLOTS - 1)] = slot;
    }

    fn slot(&self, pos: &Position, turn: Turn) -> Slot {
        let key = turn.key(pos);
        let slot = self.0[key as usize & (SLOTS - 1)];
        if slot.key == key { slot } else { Slot::default() }
    }
}

/// Is the fifty-move rule too far away for so many moves of both sides to meet it? Only then does the
/// position alone tell whether there is a mate.
pub(super) fn is_clock_independent(pos: &Position, moves: usize) -> bool {
    usize::from(pos.halfmove_clock()) + 2 * moves < usize::from(FIFTY_MOVES)
}
