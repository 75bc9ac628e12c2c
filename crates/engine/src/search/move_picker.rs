//! Staged move picker: the table's move, good captures, quiet moves by history, bad captures, bad quiet moves. A stage is
//! generated only when the ones before did not end the node.

use std::hint::select_unpredictable;

use chess::{Bitboard, CheckInfo, EXCHANGE_VALUES, Generate, Move, MoveList, PieceType, Position};

use super::history::{LOW_PLIES, captured_type, piece_to};
use super::{Searcher, ThreadData};
use crate::params;

/// A move with its score, in one word that compares in picking order: the score from bit 32 up, then the place in the
/// list (the earlier, the larger), then the move. Zero stands for a move that was returned already.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ScoredMove(u64);

impl ScoredMove {
    const RETURNED: Self = Self(0);

    #[inline]
    fn new(mv: Move, score: i32, place: usize) -> Self {
        let score = u64::from(score as u32 ^ 1 << 31);
        Self(score << 32 | u64::from(!(place as u16)) << 16 | u64::from(mv.bits()))
    }

    #[inline]
    fn mv(self) -> Option<Move> {
        Move::from_bits(self.0 as u16)
    }

    #[inline]
    fn score(self) -> i32 {
        ((self.0 >> 32) as u32 ^ 1 << 31) as i32
    }

    #[inline]
    fn place(self) -> usize {
        usize::from(!((self.0 >> 16) as u16))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    TtMove,
    GenerateNoisy,
    GoodNoisy,
    GenerateQuiets,
    Quiets,
    UnsortedQuiets,
    BadNoisy,
    BadQuiets,
    UnsortedBadQuiets,
    Done,
}

/// Which moves a picker gives.
#[derive(Clone, Copy)]
pub(crate) enum MoveFilter<'n> {
    /// All of them.
    All(&'n OrderingContext),
    /// Captures and promotions, those that lose material last.
    Noisy,
    /// The same, and quiet moves that give check, before those that lose material.
    NoisyAndChecks(&'n CheckInfo),
    /// Captures and promotions that win at least so much.
    NoisyWinning(i32),
}

/// What quiet moves are scored with, besides the histories.
pub(crate) struct OrderingContext {
    pub(crate) threats: Threats,
    pub(crate) checks: CheckInfo,
    /// How deep the node is searched: the deeper, the more moves will be looked at in their order.
    depth: i32,
}

impl OrderingContext {
    pub(crate) fn new(pos: &Position, depth: i32) -> Self {
        Self { threats: Threats::new(pos), checks: CheckInfo::new(pos), depth }
    }
}

/// Gives the moves of one node one by one. The moves themselves lie in the thread's arena, above
/// those of the nodes before; the node cuts the arena back when it is left.
pub(crate) struct MovePicker<'n> {
    pos: &'n Position,
    stage: Stage,
    filter: MoveFilter<'n>,
    tt_move: Option<Move>,
    /// Where this node's part of the arena begins, and where its losing captures end.
    start: usize,
    bad_noisy_end: usize,
    /// Where the quiet moves end that are given in order; they lie behind the losing captures.
    sorted_quiets_end: usize,
    next: usize,
    skip_quiets: bool,
    /// There are quiet moves.
    quiets_generated: bool,
    /// What the exchange of the last move wins at least, as far as the picker had to find out.
    known_see: i32,
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

    /// The squares on which a lesser piece attacks a piece of each kind.
    #[inline]
    fn against(&self) -> [Bitboard; 6] {
        [Bitboard::EMPTY, self.by_pawn, self.by_pawn, self.by_minor, self.by_rook, Bitboard::EMPTY]
    }
}

impl<'n> MovePicker<'n> {
    /// The table's move, if any, must be legal.
    pub(crate) fn new(
        search: &Searcher<'_>,
        pos: &'n Position,
        tt_move: Option<Move>,
        filter: MoveFilter<'n>,
    ) -> Self {
        let tt_move = tt_move.filter(|&mv| match filter {
            MoveFilter::All(_) => true,
            MoveFilter::Noisy => !mv.is_quiet(),
            MoveFilter::NoisyAndChecks(checks) => !mv.is_quiet() || checks.gives_check(pos, mv),
            MoveFilter::NoisyWinning(margin) => !mv.is_quiet() && pos.see_at_least(mv, margin),
        });
        let start = search.data.arena.len();
        let stage = if tt_move.is_some() { Stage::TtMove } else { Stage::GenerateNoisy };
        Self {
            pos,
            stage,
            filter,
            tt_move,
            start,
            bad_noisy_end: start,
            sorted_quiets_end: start,
            next: start,
            skip_quiets: false,
            quiets_generated: false,
            known_see: i32::MIN,
        }
    }

    /// No more quiet moves are wanted.
    pub(crate) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// Does the exchange that the last move begins win at least so much? Answered without a look where the picker
    /// found out before.
    #[inline]
    pub(crate) fn see_at_least(&self, mv: Move, threshold: i32) -> bool {
        self.known_see >= threshold || self.pos.see_at_least(mv, threshold)
    }

    /// The next move of the node, which is `ply` plies from the root.
    pub(crate) fn next(&mut self, search: &mut Searcher<'_>, ply: usize) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = Stage::GenerateNoisy;
                    return self.tt_move;
                }
                Stage::GenerateNoisy => {
                    if let MoveFilter::All(_) = self.filter {
                        search.data.histories.prefetch(self.pos, search.continuation_rows(ply));
                    }
                    self.generate_noisy(search);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.select_noisy(search) {
                    Some(best) => {
                        let mv = best.mv()?;
                        let threshold = self.threshold(best.score());
                        if self.pos.see_at_least(mv, threshold) {
                            self.known_see = threshold;
                            return Some(mv);
                        }
                        search.data.arena[self.bad_noisy_end] = best;
                        self.bad_noisy_end += 1;
                    }
                    None => {
                        self.known_see = i32::MIN;
                        self.stage = Stage::GenerateQuiets;
                    }
                },
                Stage::GenerateQuiets => match self.filter {
                    MoveFilter::All(ordering) if !self.skip_quiets => {
                        self.generate_quiets(search, ordering, ply);
                        self.quiets_generated = true;
                        self.stage = Stage::Quiets;
                    }
                    MoveFilter::NoisyAndChecks(checks) => {
                        self.generate_checks(search, checks);
                        self.stage = Stage::UnsortedQuiets;
                    }
                    _ => self.stage = self.start_bad_noisy(),
                },
                Stage::Quiets => match self.select_quiet(search, 1 - params::bad_quiet()) {
                    Some(mv) => return Some(mv),
                    None => {
                        self.next = self.sorted_quiets_end;
                        self.stage = Stage::UnsortedQuiets;
                    }
                },
                Stage::UnsortedQuiets => match search.data.arena.get(self.next) {
                    Some(quiet) if !self.skip_quiets => {
                        self.next += 1;
                        if quiet.score() > -params::bad_quiet() {
                            return quiet.mv();
                        }
                    }
                    _ => self.stage = self.start_bad_noisy(),
                },
                Stage::BadNoisy => {
                    if self.next < self.bad_noisy_end {
                        self.next += 1;
                        return search.data.arena[self.next - 1].mv();
                    }
                    self.stage = if self.quiets_generated { Stage::BadQuiets } else { Stage::Done };
                }
                Stage::BadQuiets => match self.select_quiet(search, i32::MIN) {
                    Some(mv) => return Some(mv),
                    None => {
                        self.next = self.sorted_quiets_end;
                        self.stage = Stage::UnsortedBadQuiets;
                    }
                },
                Stage::UnsortedBadQuiets => match search.data.arena.get(self.next) {
                    Some(quiet) if !self.skip_quiets => {
                        self.next += 1;
                        if quiet.score() <= -params::bad_quiet() {
                            return quiet.mv();
                        }
                    }
                    _ => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    fn start_bad_noisy(&mut self) -> Stage {
        self.next = self.start;
        if matches!(self.filter, MoveFilter::NoisyWinning(_)) { Stage::Done } else { Stage::BadNoisy }
    }

    /// What a capture must win to be tried before the quiet moves. One that has often been good may lose a little.
    fn threshold(&self, score: i32) -> i32 {
        match self.filter {
            MoveFilter::NoisyWinning(margin) => margin,
            _ => -score / params::good_capture(),
        }
    }

    /// The best capture not given yet.
    fn select_noisy(&mut self, search: &mut Searcher<'_>) -> Option<ScoredMove> {
        let rest = &mut search.data.arena[self.next..];
        let mut best = *rest.first()?;
        let mut at = 0;
        for (index, &current) in rest.iter().enumerate() {
            if current.score() > best.score() {
                (best, at) = (current, index);
            }
        }
        rest.swap(0, at);
        self.next += 1;
        Some(best)
    }

    /// The best promising quiet move not given yet, if it has at least this score. Few nodes look at many, so they are
    /// not sorted, but searched for the best time and again: a loop without a branch to mispredict.
    fn select_quiet(&self, search: &mut Searcher<'_>, least: i32) -> Option<Move> {
        if self.skip_quiets {
            return None;
        }
        let promising = &mut search.data.arena[self.bad_noisy_end..self.sorted_quiets_end];
        let best = promising.iter().copied().fold(ScoredMove::RETURNED, ScoredMove::max);
        if best.score() < least {
            return None;
        }
        *promising.get_mut(best.place())? = ScoredMove::RETURNED;
        best.mv()
    }

    fn generate_noisy(&self, search: &mut Searcher<'_>) {
        let data = &mut *search.data;
        let Self { pos, tt_move, .. } = *self;
        let mut moves = MoveList::new();
        pos.generate(Generate::Noisy, &mut moves);
        for &mv in &moves {
            if Some(mv) == tt_move {
                continue;
            }
            let victim = if mv.is_capture() { captured_type(pos, mv) } else { PieceType::King };
            let mut score = data.histories.capture(pos, mv) * params::capture_weight() / 1024
                + params::captured_weight() * EXCHANGE_VALUES[victim.index()];
            if let Some(kind) = mv.promotion() {
                score += if kind == PieceType::Queen {
                    params::queen_promotion()
                } else {
                    -params::underpromotion()
                };
            }
            data.arena.push(ScoredMove::new(mv, score, 0));
        }
    }

    /// Quiet moves that give check, as they are made: there are few, and quiescence weeds out those that lose.
    fn generate_checks(&mut self, search: &mut Searcher<'_>, checks: &CheckInfo) {
        let Self { pos, tt_move, .. } = *self;
        let arena = &mut search.data.arena;
        arena.truncate(self.bad_noisy_end);
        self.next = self.bad_noisy_end;
        let mut moves = MoveList::new();
        pos.generate(Generate::Quiet, &mut moves);
        for &mv in &moves {
            if Some(mv) != tt_move && checks.gives_check(pos, mv) {
                arena.push(ScoredMove::new(mv, 0, 0));
            }
        }
    }

    fn generate_quiets(&mut self, search: &mut Searcher<'_>, ordering: &OrderingContext, ply: usize) {
        let Self { pos, tt_move, .. } = *self;
        let OrderingContext { threats, checks, depth } = ordering;
        let us = pos.side_to_move();
        let rows = search.continuation_rows(ply);
        let ThreadData { histories, arena, .. } = &mut *search.data;
        arena.truncate(self.bad_noisy_end);
        let continuations = rows.map(|row| histories.continuation_row(row));
        let pawns = histories.pawn_row(pos);
        // There are few answers to a check, and quiescence tries few of them.
        let least = if pos.in_check() { i32::MIN } else { -params::unsorted_quiet() * depth };
        let against = threats.against();
        let mut moves = MoveList::new();
        pos.generate(Generate::Quiet, &mut moves);
        arena.resize(self.bad_noisy_end + moves.len(), ScoredMove::RETURNED);
        let room = &mut arena[self.bad_noisy_end..];
        let (mut count, mut promising) = (0, 0);
        for &mv in &moves {
            if Some(mv) == tt_move {
                continue;
            }
            let Some(piece) = pos.piece_on(mv.from()) else { continue };
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
            // Moves away from attacks by lesser pieces are better, moves into them worse.
            let danger = against[kind.index()];
            let stake = EXCHANGE_VALUES[kind.index()] * params::threat_weight();
            let (into, away) = (danger.has(mv.to()), danger.has(mv.from()));
            score += stake * (i32::from(away & !into) - i32::from(into));
            put_quiet(room, count, &mut promising, (mv, score), least);
            count += 1;
        }
        arena.truncate(self.bad_noisy_end + count);
        self.sorted_quiets_end = self.bad_noisy_end + promising;
    }
}

/// Puts a quiet move behind `count` others. Moves with a score of at least `least` come to the front and will be picked
/// in order; the others stay about as they were generated, since few nodes get that far.
///
/// The outcome is hard to predict, so there is no branch: the first of the others goes to the end, and the new move takes
/// its place or the end.
#[inline(always)]
fn put_quiet(
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
