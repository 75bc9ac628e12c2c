//! Quiescence: only captures, promotions and answers to checks, until the position is quiet enough
//! to be evaluated.

use std::ops::ControlFlow;

use chess::{CheckInfo, EXCHANGE_VALUES, Piece, PieceType, Position};

use super::Search;
use super::correction::corrected;
use super::node::NodeKind;
use super::params;
use super::picker::{Kinds, Picker, Scene};
use crate::tt::{Entry, EntryBound};
use crate::value::{self, Value};

/// The depth under which quiescence keeps its findings.
const QS_DEPTH: i32 = 0;

impl Search<'_> {
    pub(super) fn quiescence<N: NodeKind>(
        &mut self,
        pos: &Position,
        alpha: Value,
        beta: Value,
        ply: usize,
    ) -> Value {
        let base = self.memory.arena.len();
        let value = self.quiescence_moves::<N>(pos, alpha, beta, ply);
        self.memory.arena.truncate(base);
        value
    }

    fn quiescence_moves<N: NodeKind>(
        &mut self,
        pos: &Position,
        mut alpha: Value,
        beta: Value,
        ply: usize,
    ) -> Value {
        // 1. Limits, repetitions to come, draws by rule, and the user's own values.
        match self.enter::<N>(pos, alpha, beta, ply) {
            ControlFlow::Break(value) => return value,
            ControlFlow::Continue(raised) => alpha = raised,
        }
        let in_check = pos.in_check();

        // 2. The transposition table.
        let entry = self.job.table.probe(pos.key(), ply);
        let tt_pv = N::PV || entry.is_some_and(|entry| entry.pv);
        if let Some(entry) = entry
            && !N::PV
            && entry.value != value::NONE
            && entry.depth >= QS_DEPTH
            && (if entry.value >= beta { entry.bound.is_lower() } else { entry.bound.is_upper() })
        {
            return entry.value;
        }

        // 3. Standing pat: nobody has to capture.
        let mut raw_eval = value::NONE;
        let mut best = -value::INFINITE;
        let mut futility_base = -value::INFINITE;
        if !in_check {
            raw_eval = match entry {
                Some(entry) if entry.eval != value::NONE => entry.eval,
                _ => self.evaluate(pos),
            };
            let correction = self.memory.corrections.value(pos, self.last_moves(ply));
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
                    self.store_quiet(pos, ply, None, best, raw_eval, EntryBound::Lower, false);
                }
                return best;
            }
            alpha = alpha.max(best);
            futility_base = static_eval + params::qs_futility();
        }

        // 4. The moves.
        let scene = in_check.then(|| Scene::new(pos, QS_DEPTH));
        let kinds = scene.as_ref().map_or(Kinds::Noisy, Kinds::All);
        let table_move = entry.and_then(|entry| entry.mv).filter(|&mv| pos.is_legal(mv));
        let mut picker = Picker::new(self, pos, table_move, kinds);
        let mut checks = None;
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
                    && !checks.get_or_insert_with(|| CheckInfo::new(pos)).gives_check(pos, mv)
                {
                    if move_count > 2 {
                        continue;
                    }
                    let victim = pos.piece_on(mv.to()).map_or(PieceType::Pawn, Piece::kind);
                    let promised = futility_base + 2 * EXCHANGE_VALUES[victim.index()];
                    if promised <= alpha {
                        best = best.max(promised);
                        continue;
                    }
                    if futility_base <= alpha && !pos.see_at_least(mv, 1) {
                        best = best.max(futility_base.min(alpha));
                        continue;
                    }
                }
                if in_check && mv.is_quiet() && move_count > 3 {
                    break;
                }
                if !pos.see_at_least(mv, -params::qs_see()) {
                    continue;
                }
            }

            let next = self.play(pos, mv, ply);
            let value = -self.quiescence::<N>(&next, -beta, -alpha, ply + 1);
            self.take_back();
            if self.stopped {
                return value::DRAW;
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.pv.set(ply, mv);
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
            best = (3 * best + beta) / 4;
        }
        let bound = if best >= beta { EntryBound::Lower } else { EntryBound::Upper };
        self.store_quiet(pos, ply, best_move, best, raw_eval, bound, tt_pv);
        best
    }

    #[allow(clippy::too_many_arguments, reason = "the fields of the entry")]
    fn store_quiet(
        &self,
        pos: &Position,
        ply: usize,
        mv: Option<chess::Move>,
        value: Value,
        eval: Value,
        bound: EntryBound,
        pv: bool,
    ) {
        self.job.table.store(pos.key(), ply, Entry { mv, value, eval, depth: QS_DEPTH, bound, pv });
    }
}
