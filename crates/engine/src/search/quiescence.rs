//! Quiescence search: captures, promotions and all answers to checks; quiet checks at the first ply where `qs_checks` is on.

use std::cell::LazyCell;
use std::ops::ControlFlow;

use chess::{CheckInfo, EXCHANGE_VALUES, Position};

use super::Searcher;
use super::correction_history::corrected;
use super::history::captured_type;
use super::move_picker::{MoveFilter, MovePicker, OrderingContext};
use super::node::NodeKind;
use crate::params;
use crate::tt::{Entry, EntryBound};
use crate::value::{self, Value};

/// The depths under which quiescence keeps its findings: the first ply looks at checks as well.
const WITH_CHECKS: i32 = 0;
const WITHOUT_CHECKS: i32 = -1;

impl Searcher<'_> {
    pub(super) fn quiescence<N: NodeKind>(
        &mut self,
        pos: &Position,
        alpha: Value,
        beta: Value,
        ply: usize,
    ) -> Value {
        let depth = if params::qs_checks() > 0 { WITH_CHECKS } else { WITHOUT_CHECKS };
        self.quiescence_to::<N>(pos, alpha, beta, depth, ply)
    }

    fn quiescence_to<N: NodeKind>(
        &mut self,
        pos: &Position,
        alpha: Value,
        beta: Value,
        depth: i32,
        ply: usize,
    ) -> Value {
        let base = self.data.arena.len();
        let value = self.quiescence_moves::<N>(pos, alpha, beta, depth, ply);
        self.data.arena.truncate(base);
        value
    }

    fn quiescence_moves<N: NodeKind>(
        &mut self,
        pos: &Position,
        mut alpha: Value,
        beta: Value,
        depth: i32,
        ply: usize,
    ) -> Value {
        // 1. Limits, repetitions to come, draws by rule, and the user's own values.
        match self.enter::<N>(pos, alpha, beta, ply) {
            ControlFlow::Break(value) => return value,
            ControlFlow::Continue(raised) => alpha = raised,
        }
        let in_check = pos.in_check();
        // Answers to a check are looked at all the same, on whatever ply.
        let depth = if in_check { WITH_CHECKS } else { depth };

        // 2. The transposition table. Near the fifty-move rule the same position is not worth the same.
        let entry = self.table.probe(pos, ply);
        let tt_pv = N::PV || entry.is_some_and(|entry| entry.pv);
        if let Some(entry) = entry
            && !N::PV
            && entry.value != value::NONE
            && entry.depth >= depth
            && pos.halfmove_clock() < params::tt_cut_clock() as u16
            && (if entry.value >= beta { entry.bound.is_lower() } else { entry.bound.is_upper() })
        {
            return entry.value;
        }

        // 3. Stand pat.
        let mut raw_eval = value::NONE;
        let mut best = -value::INFINITE;
        let mut futility_base = -value::INFINITE;
        if !in_check {
            raw_eval = match entry {
                Some(entry) if entry.eval != value::NONE => entry.eval,
                _ => self.evaluate(pos),
            };
            let correction = self.data.corrections.value(pos, self.last_moves(ply));
            let static_eval = corrected(raw_eval, correction, pos);
            best = static_eval;
            if let Some(entry) = entry
                && entry.value != value::NONE
                && !value::is_decisive(entry.value)
                && (if entry.value > best { entry.bound.is_lower() } else { entry.bound.is_upper() })
            {
                best = entry.value;
            }
            if best >= beta {
                if !value::is_decisive(best) {
                    best = (best + beta) / 2;
                }
                if entry.is_none() {
                    let bound = EntryBound::Lower;
                    let entry = Entry { mv: None, value: best, eval: raw_eval, depth, bound, pv: false };
                    self.table.store(pos, ply, entry);
                }
                return best;
            }
            alpha = alpha.max(best);
            futility_base = static_eval + params::qs_futility();
        }

        // 4. The moves.
        let ordering = in_check.then(|| OrderingContext::new(pos, 0));
        let checks = LazyCell::new(|| CheckInfo::new(pos));
        let filter = match &ordering {
            Some(ordering) => MoveFilter::All(ordering),
            None if depth >= WITH_CHECKS => MoveFilter::NoisyAndChecks(&checks),
            None => MoveFilter::Noisy,
        };
        let tt_move = entry.and_then(|entry| entry.mv).filter(|&mv| pos.is_legal(mv));
        let mut picker = MovePicker::new(self, pos, tt_move, filter);
        let recapture = self.frame_before(ply, 1).mv.map(chess::Move::to);
        let mut best_move = None;
        let mut move_count = 0;
        while let Some(mv) = picker.next(self, ply) {
            if self.overlooks(pos, mv, ply) {
                continue;
            }
            move_count += 1;
            if !value::is_loss(best) {
                // 5. Captures that cannot reach alpha, or lose material, are not looked at.
                if !in_check
                    && !mv.is_promotion()
                    && Some(mv.to()) != recapture
                    && !checks.gives_check(pos, mv)
                {
                    if move_count > params::qs_move_count() {
                        continue;
                    }
                    let futility_value =
                        futility_base + value::from_exchange(EXCHANGE_VALUES[captured_type(pos, mv).index()]);
                    if futility_value <= alpha {
                        best = best.max(futility_value);
                        continue;
                    }
                    if !picker.see_at_least(mv, value::to_exchange(alpha - futility_base)) {
                        best = best.max(futility_base.min(alpha));
                        continue;
                    }
                }
                // One answer to a check that does not lose is enough.
                if in_check && mv.is_quiet() {
                    picker.skip_quiets();
                    continue;
                }
                if !picker.see_at_least(mv, -params::qs_see()) {
                    continue;
                }
            }

            let mut next = *pos;
            self.play(pos, &mut next, mv, ply);
            let value = -self.quiescence_to::<N>(&next, -beta, -alpha, WITHOUT_CHECKS, ply + 1);
            self.take_back();
            if self.stopped {
                return value::DRAW;
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.data.pv.set(ply, mv);
                    }
                    if value >= beta {
                        break;
                    }
                    alpha = value;
                }
            }
        }

        // 6. Mate. Stalemate is not looked for: a quiet move is nearly always there.
        if in_check && best == -value::INFINITE {
            return value::mated_in(ply);
        }
        if best >= beta && !value::is_decisive(best) {
            best = (best + beta) / 2;
        }
        let bound = if best >= beta { EntryBound::Lower } else { EntryBound::Upper };
        let entry = Entry { mv: best_move, value: best, eval: raw_eval, depth, bound, pv: tt_pv };
        self.table.store(pos, ply, entry);
        best
    }
}
