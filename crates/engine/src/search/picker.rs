//! The order of moves: the table's move, captures that pay, quiet moves by history, captures that
//! do not pay. Each sort is generated only when the ones before did not end the node.

use chess::{Bitboard, CheckInfo, EXCHANGE_VALUES, Generate, Move, Piece, PieceType, Position};

use super::history::{LOW_PLIES, piece_to};
use super::{Search, params};

/// A move with what it promises.
#[derive(Clone, Copy)]
pub(crate) struct ScoredMove {
    pub(crate) mv: Move,
    pub(crate) score: i32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Table,
    GenerateNoisy,
    GoodNoisy,
    GenerateQuiets,
    Quiets,
    BadNoisy,
    BadQuiets,
    Done,
}

/// Which moves a picker gives.
#[derive(Clone, Copy)]
pub(crate) enum Kinds<'n> {
    /// All of them.
    All(&'n Scene),
    /// Captures and promotions, those that lose material last.
    Noisy,
    /// The same, and quiet moves that give check, before those that lose material.
    NoisyAndChecks(&'n CheckInfo),
    /// Captures and promotions that win at least so much.
    NoisyWinning(i32),
}

/// What the quiet moves of a node are judged by.
pub(crate) struct Scene {
    pub(crate) threats: Threats,
    pub(crate) checks: CheckInfo,
    /// How deep the node is searched: the deeper, the more moves will be looked at in their order.
    depth: i32,
}

impl Scene {
    pub(crate) fn new(pos: &Position, depth: i32) -> Self {
        Self { threats: Threats::new(pos), checks: CheckInfo::new(pos), depth }
    }
}

/// Gives the moves of one node one by one. The moves themselves lie in the thread's arena, above
/// those of the nodes before; the node cuts the arena back when it is left.
pub(crate) struct Picker<'n> {
    pos: &'n Position,
    stage: Stage,
    kinds: Kinds<'n>,
    table_move: Option<Move>,
    /// Where this node's part of the arena begins, and where its losing captures end.
    start: usize,
    losing_end: usize,
    next: usize,
    skip_quiets: bool,
    /// Quiet moves lie behind the losing captures.
    quiets_made: bool,
}

/// Squares that the opponent attacks, by the least valuable attacker.
#[derive(Clone, Copy, Default)]
pub(crate) struct Threats {
    pub(crate) by_pawn: Bitboard,
    pub(crate) by_minor: Bitboard,
    pub(crate) by_rook: Bitboard,
    pub(crate) all: Bitboard,
}

impl Threats {
    /// What the side that is not to move attacks.
    pub(crate) fn new(pos: &Position) -> Self {
        use chess::attacks::{bishop_attacks, king_attacks, knight_attacks, pawns_attack, rook_attacks};
        let them = !pos.side_to_move();
        let occupied = pos.occupied();
        let mut threats =
            Self { by_pawn: pawns_attack(them, pos.pieces(them, PieceType::Pawn)), ..Self::default() };
        threats.by_minor = threats.by_pawn;
        for sq in pos.pieces(them, PieceType::Knight) {
            threats.by_minor |= knight_attacks(sq);
        }
        for sq in pos.pieces(them, PieceType::Bishop) {
            threats.by_minor |= bishop_attacks(sq, occupied);
        }
        threats.by_rook = threats.by_minor;
        for sq in pos.pieces(them, PieceType::Rook) {
            threats.by_rook |= rook_attacks(sq, occupied);
        }
        threats.all = threats.by_rook | king_attacks(pos.king(them));
        for sq in pos.pieces(them, PieceType::Queen) {
            threats.all |= bishop_attacks(sq, occupied) | rook_attacks(sq, occupied);
        }
        threats
    }

    /// The squares on which a piece of this kind would be lost for less than itself.
    #[inline]
    fn against(&self, kind: PieceType) -> Bitboard {
        match kind {
            PieceType::Pawn | PieceType::King => Bitboard::EMPTY,
            PieceType::Knight | PieceType::Bishop => self.by_pawn,
            PieceType::Rook => self.by_minor,
            PieceType::Queen => self.by_rook,
        }
    }
}

impl<'n> Picker<'n> {
    /// The table's move, if any, must be legal.
    pub(crate) fn new(
        search: &Search<'_>,
        pos: &'n Position,
        table_move: Option<Move>,
        kinds: Kinds<'n>,
    ) -> Self {
        let table_move = table_move.filter(|&mv| match kinds {
            Kinds::All(_) => true,
            Kinds::Noisy => !mv.is_quiet(),
            Kinds::NoisyAndChecks(checks) => !mv.is_quiet() || checks.gives_check(pos, mv),
            Kinds::NoisyWinning(margin) => !mv.is_quiet() && pos.see_at_least(mv, margin),
        });
        let start = search.memory.arena.len();
        let stage = if table_move.is_some() { Stage::Table } else { Stage::GenerateNoisy };
        Self {
            pos,
            stage,
            kinds,
            table_move,
            start,
            losing_end: start,
            next: start,
            skip_quiets: false,
            quiets_made: false,
        }
    }

    /// No more quiet moves are wanted.
    pub(crate) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The next move of the node, which is `ply` plies from the root.
    pub(crate) fn next(&mut self, search: &mut Search<'_>, ply: usize) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::GenerateNoisy;
                    return self.table_move;
                }
                Stage::GenerateNoisy => {
                    self.generate_noisy(search);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.select(search) {
                    Some(best) if self.pays(best) => return Some(best.mv),
                    Some(best) => {
                        search.memory.arena[self.losing_end] = best;
                        self.losing_end += 1;
                    }
                    None => self.stage = Stage::GenerateQuiets,
                },
                Stage::GenerateQuiets => match self.kinds {
                    Kinds::All(scene) if !self.skip_quiets => {
                        self.generate_quiets(search, scene, ply);
                        self.quiets_made = true;
                        self.stage = Stage::Quiets;
                    }
                    Kinds::NoisyAndChecks(checks) => {
                        self.generate_checks(search, checks);
                        self.stage = Stage::Quiets;
                    }
                    _ => self.stage = self.start_losing(),
                },
                Stage::Quiets => match search.memory.arena.get(self.next) {
                    Some(quiet) if !self.skip_quiets => {
                        self.next += 1;
                        if quiet.score > -params::bad_quiet() {
                            return Some(quiet.mv);
                        }
                    }
                    _ => self.stage = self.start_losing(),
                },
                Stage::BadNoisy => {
                    if self.next < self.losing_end {
                        self.next += 1;
                        return Some(search.memory.arena[self.next - 1].mv);
                    }
                    self.stage = if self.quiets_made { Stage::BadQuiets } else { Stage::Done };
                }
                Stage::BadQuiets => match search.memory.arena.get(self.next) {
                    Some(quiet) if !self.skip_quiets => {
                        self.next += 1;
                        if quiet.score <= -params::bad_quiet() {
                            return Some(quiet.mv);
                        }
                    }
                    _ => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    fn start_losing(&mut self) -> Stage {
        self.next = self.start;
        if matches!(self.kinds, Kinds::NoisyWinning(_)) { Stage::Done } else { Stage::BadNoisy }
    }

    /// Does a capture win enough to be tried before the quiet moves? One that has often been good
    /// may lose a little.
    fn pays(&self, candidate: ScoredMove) -> bool {
        let threshold = match self.kinds {
            Kinds::NoisyWinning(margin) => margin,
            _ => -candidate.score / params::good_capture(),
        };
        self.pos.see_at_least(candidate.mv, threshold)
    }

    /// The best move not given yet.
    fn select(&mut self, search: &mut Search<'_>) -> Option<ScoredMove> {
        let rest = &mut search.memory.arena[self.next..];
        let mut best = *rest.first()?;
        let mut at = 0;
        for (index, &candidate) in rest.iter().enumerate() {
            if candidate.score > best.score {
                (best, at) = (candidate, index);
            }
        }
        rest.swap(0, at);
        self.next += 1;
        Some(best)
    }

    fn generate_noisy(&self, search: &mut Search<'_>) {
        let memory = &mut *search.memory;
        let Self { pos, table_move, .. } = *self;
        pos.generate_with(Generate::Noisy, |mv| {
            if Some(mv) == table_move {
                return;
            }
            let victim = if mv.is_capture() {
                pos.piece_on(mv.to()).map_or(PieceType::Pawn, Piece::kind)
            } else {
                PieceType::King
            };
            let mut score = memory.histories.capture(pos, mv) * params::capture_weight() / 1024
                + 7 * EXCHANGE_VALUES[victim.index()];
            if let Some(kind) = mv.promotion() {
                score += if kind == PieceType::Queen { 6000 } else { -10_000 };
            }
            memory.arena.push(ScoredMove { mv, score });
        });
    }

    /// Quiet moves that give check, as they are made: there are few, and quiescence weeds out those that lose.
    fn generate_checks(&mut self, search: &mut Search<'_>, checks: &CheckInfo) {
        let Self { pos, table_move, .. } = *self;
        let arena = &mut search.memory.arena;
        arena.truncate(self.losing_end);
        self.next = self.losing_end;
        pos.generate_with(Generate::Quiet, |mv| {
            if Some(mv) != table_move && checks.gives_check(pos, mv) {
                arena.push(ScoredMove { mv, score: 0 });
            }
        });
    }

    fn generate_quiets(&mut self, search: &mut Search<'_>, scene: &Scene, ply: usize) {
        let Self { pos, table_move, .. } = *self;
        let Scene { threats, checks, depth } = scene;
        let us = pos.side_to_move();
        let rows = search.continuation_rows(ply);
        let memory = &mut *search.memory;
        memory.arena.truncate(self.losing_end);
        self.next = self.losing_end;
        let histories = &memory.histories;
        let continuations = rows.map(|row| histories.continuation_row(row));
        let pawns = histories.pawn_row(pos);
        pos.generate_with(Generate::Quiet, |mv| {
            if Some(mv) == table_move {
                return;
            }
            let Some(piece) = pos.piece_on(mv.from()) else { return };
            let target = piece_to(piece, mv.to());
            let after = |row: usize| i32::from(continuations[row][target]);
            let mut score = params::quiet_weight() * histories.quiet(us, threats.all, mv)
                + params::pawn_weight() * i32::from(pawns[target])
                + (params::continuation_weight_one() * after(0)
                    + params::continuation_weight() * (after(1) + after(2) + after(3) + after(4)))
                    / 1024;
            if ply < LOW_PLIES {
                score += params::low_ply_weight() * histories.low_ply(ply, mv) / (1 + ply as i32);
            }
            let kind = piece.kind();
            if checks.squares(kind).has(mv.to()) && pos.see_at_least(mv, -params::check_see()) {
                score += params::check_bonus();
            }
            // Away from what would take it for less, and not into it.
            let danger = threats.against(kind);
            let stake = EXCHANGE_VALUES[kind.index()] * params::threat_weight();
            if danger.has(mv.to()) {
                score -= stake;
            } else if danger.has(mv.from()) {
                score += stake;
            }
            memory.arena.push(ScoredMove { mv, score });
        });
        // There are few answers to a check, and quiescence tries few of them.
        let least = if pos.in_check() { i32::MIN } else { -params::unsorted_depth() * depth };
        sort_promising(&mut memory.arena[self.next..], least);
    }
}

/// Brings the moves that promise at least so much to the front, the best first. The others keep
/// about the order in which they were made: few nodes get that far, and there one is as bad as the next.
fn sort_promising(moves: &mut [ScoredMove], least: i32) {
    let mut sorted = 0;
    for at in 0..moves.len() {
        let promising = moves[at];
        if promising.score < least {
            continue;
        }
        moves[at] = moves[sorted];
        let mut hole = sorted;
        while hole > 0 && moves[hole - 1].score < promising.score {
            moves[hole] = moves[hole - 1];
            hole -= 1;
        }
        moves[hole] = promising;
        sorted += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn promising_moves_come_first_and_none_is_lost() {
        let moves: Vec<ScoredMove> = Position::startpos()
            .legal_moves()
            .iter()
            .zip([3, -7, 12, 0, -1, 12, 5, -30, 8, 2, 1, -2, 40, -5, 6, 7, -9, 11, 4, -3])
            .map(|(&mv, score)| ScoredMove { mv, score })
            .collect();
        for least in [-100, 0, 5, 100] {
            let mut sorted = moves.clone();
            sort_promising(&mut sorted, least);
            let promising = moves.iter().filter(|candidate| candidate.score >= least).count();
            assert!(sorted[..promising].is_sorted_by(|a, b| a.score >= b.score), "from {least}");
            assert!(sorted[promising..].iter().all(|candidate| candidate.score < least), "from {least}");
            for ScoredMove { mv, score } in &moves {
                assert!(sorted.iter().any(|other| other.mv == *mv && other.score == *score), "{mv:?}");
            }
        }
    }
}
