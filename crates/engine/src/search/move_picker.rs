//! Staged move picker: the table's move, good captures, quiet moves by history, bad captures, bad quiet moves. A stage is
//! generated only when the ones before did not end the node.

mod scored_move;

pub(crate) use scored_move::ScoredMove;

use chess::{CheckInfo, EXCHANGE_VALUES, Generate, Move, MoveList, PieceType, Position};

use self::scored_move::put_quiet;
use super::history::{captured_type, piece_to};
use super::threats::Threats;
use super::{Searcher, ThreadData};
use crate::params;

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
        arena.resize(self.bad_noisy_end + moves.len(), ScoredMove::ROOM);
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
