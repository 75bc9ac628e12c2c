//! Ranking of root moves by tablebases.

use chess::{KeyHistory, Move, Position};
use shakmaty_syzygy::Wdl;

use super::{CURSED_WIN, Dtz, Tablebases};
use crate::value::{self, Value};

/// What the fifty-move rule allows, in plies.
const FIFTY_MOVES: i32 = chess::FIFTY_MOVES as i32;

/// Ranks of one result and of the next better one are further apart than any distance.
const RESULT: i32 = 10_000;

/// What the tables say about a root move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MoveRank {
    /// Moves of a higher rank are better for certain; among those of one rank the search decides.
    pub(crate) rank: i32,
    /// What the move is worth, unless the search finds a mate.
    pub(crate) value: Value,
}

/// What the tables say about all root moves.
#[derive(Clone, Debug)]
pub(crate) struct Ranking {
    ranks: Vec<(Move, MoveRank)>,
    by_dtz: bool,
}

impl Ranking {
    /// What they say about this move.
    pub(crate) fn rank_of(&self, mv: Move) -> Option<MoveRank> {
        self.ranks.iter().find(|(ranked, _)| *ranked == mv).map(|&(_, rank)| rank)
    }

    /// Positions that were looked up.
    pub(crate) fn hits(&self) -> u64 {
        self.ranks.len() as u64
    }

    /// Is there nothing left that probing within the search could add? Knowing the distances, a win
    /// cannot be lost any more, and the search should look for mates among positions that all win.
    pub(crate) fn is_final(&self) -> bool {
        self.by_dtz || self.ranks.iter().all(|(_, rank)| !value::is_win(rank.value))
    }
}

impl Tablebases {
    /// Ranks moves of the root, by distances where the tables are there, else by results alone;
    /// `None` where a table is missing.
    pub(crate) fn rank(
        &self,
        root: &Position,
        history: &KeyHistory,
        moves: &[Move],
        fifty_move_rule: bool,
    ) -> Option<Ranking> {
        let ranker = Ranker::new(self, root, history, fifty_move_rule);
        let all = |rank: &dyn Fn(Move) -> Option<MoveRank>| -> Option<Vec<(Move, MoveRank)>> {
            moves.iter().map(|&mv| Some((mv, rank(mv)?))).collect()
        };
        if let Some(ranks) = all(&|mv| ranker.by_dtz(mv)) {
            return Some(Ranking { ranks, by_dtz: true });
        }
        let ranks = all(&|mv| ranker.by_result(mv))?;
        Some(Ranking { ranks, by_dtz: false })
    }
}

impl Tablebases {
    /// The move that makes progress soonest, or where the game is lost holds out longest; a mate before
    /// anything else. `None` where a table is missing.
    pub(crate) fn best_move(
        &self,
        pos: &Position,
        history: &KeyHistory,
        fifty_move_rule: bool,
    ) -> Option<Move> {
        let mut ranker = Ranker::new(self, pos, history, fifty_move_rule);
        ranker.by_dtz_only = true;
        let mut best = None;
        for &mv in &pos.legal_moves() {
            let after = pos.after(mv);
            let mates = after.in_check() && !after.has_legal_move();
            let score = (ranker.by_dtz(mv)?.rank, mates);
            if best.is_none_or(|(_, most)| score > most) {
                best = Some((mv, score));
            }
        }
        best.map(|(mv, _)| mv)
    }
}

/// Judges the moves of one root.
struct Ranker<'a> {
    tables: &'a Tablebases,
    root: &'a Position,
    /// The history with the root in it.
    keys: KeyHistory,
    /// The root has been on the board before.
    repeated: bool,
    /// Progress by the table's own measure is all that counts.
    by_dtz_only: bool,
    fifty_move_rule: bool,
}

impl<'a> Ranker<'a> {
    fn new(tables: &'a Tablebases, root: &'a Position, history: &KeyHistory, fifty_move_rule: bool) -> Self {
        let mut keys = history.clone();
        let repeated = keys.occurrences(root) > 0;
        keys.push(root);
        Self { tables, root, keys, repeated, by_dtz_only: false, fifty_move_rule }
    }

    /// The game's own end after a move, if it is one: a mate is a loss for the side to move.
    fn end(&self, after: &Position) -> Option<Wdl> {
        if !after.has_legal_move() {
            return Some(if after.in_check() { Wdl::Loss } else { Wdl::Draw });
        }
        let drawn = after.is_dead()
            || self.keys.is_repetition(after, 1)
            || self.fifty_move_rule && after.is_fifty_move_draw();
        drawn.then_some(Wdl::Draw)
    }

    /// The result for the side to move at the root, if the tables know it.
    fn result(&self, after: &Position) -> Option<Wdl> {
        self.end(after).or_else(|| self.tables.wdl(after)).map(|wdl| -wdl)
    }

    fn by_result(&self, mv: Move) -> Option<MoveRank> {
        Some(self.rank(self.result(&self.root.after(mv))?, 0))
    }

    fn by_dtz(&self, mv: Move) -> Option<MoveRank> {
        let after = self.root.after(mv);
        if after.halfmove_clock() == 0 || self.end(&after).is_some() {
            // The move itself is what the distance counts to.
            return Some(self.rank(self.result(&after)?, i32::from(self.must_follow_dtz(1))));
        }
        let Dtz { plies, rounded } = self.tables.distance(&after)?;
        let plies = -plies;
        let distance = plies.abs() + i32::from(plies != 0);
        let clock = i32::from(self.root.halfmove_clock());
        let in_time =
            !self.fifty_move_rule || distance + clock + i32::from(rounded && plies > 0) <= FIFTY_MOVES;
        let wdl = match (plies.signum(), in_time) {
            (1, true) => Wdl::Win,
            (1, false) => Wdl::CursedWin,
            (-1, true) => Wdl::Loss,
            (-1, false) => Wdl::BlessedLoss,
            _ => Wdl::Draw,
        };
        let counts = !in_time || self.must_follow_dtz(distance);
        Some(self.rank(wdl, if counts { distance } else { 0 }))
    }

    /// Must the moves follow the DTZ? The search may choose among all winning moves, since those with the smallest DTZ are
    /// often unnatural; but the higher the fifty-move counter, and once positions repeat, the less freedom there is.
    fn must_follow_dtz(&self, distance: i32) -> bool {
        let clock = i32::from(self.root.halfmove_clock());
        self.by_dtz_only || self.repeated || self.fifty_move_rule && distance + 2 * clock > FIFTY_MOVES
    }

    /// The rank of a move with this result of the side to move at the root. A win shall be near, and a loss far.
    fn rank(&self, wdl: Wdl, distance: i32) -> MoveRank {
        let wdl = match wdl {
            Wdl::CursedWin if !self.fifty_move_rule => Wdl::Win,
            Wdl::BlessedLoss if !self.fifty_move_rule => Wdl::Loss,
            wdl => wdl,
        };
        let value = match wdl {
            Wdl::Win => value::TABLEBASE_WIN,
            Wdl::CursedWin => CURSED_WIN,
            Wdl::Draw => value::DRAW,
            Wdl::BlessedLoss => -CURSED_WIN,
            Wdl::Loss => -value::TABLEBASE_WIN,
        };
        let result = i32::from(wdl);
        MoveRank { rank: result * RESULT - result.signum() * distance, value }
    }
}
