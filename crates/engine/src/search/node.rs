//! The search of one node, as numbered steps.

use chess::{CheckInfo, EXCHANGE_VALUES, Move, Piece, PieceType, Position};

use super::correction::corrected;
use super::history::piece_to;
use super::picker::{Kinds, Picker, Threats};
use super::tables::Known;
use super::{Frame, Search, params};
use crate::tt::{Entry, EntryBound};
use crate::value::{self, MAX_PLY, Value};

/// What a node is to the search; each kind is compiled by itself.
pub(super) trait NodeKind {
    /// The window is open, and the line may become the principal variation.
    const PV: bool;
    /// The position that the search was asked about.
    const ROOT: bool;
}

pub(super) struct Root;
pub(super) struct Pv;
pub(super) struct NonPv;

impl NodeKind for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl NodeKind for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}

impl NodeKind for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// The depth under which an evaluation without a search is kept.
const EVAL_DEPTH: i32 = -5;
/// Tried moves that are remembered for a malus.
const TRIED: usize = 32;

/// A short list of moves that were tried and did not help.
struct Tried {
    moves: [Option<Move>; TRIED],
    len: usize,
}

impl Tried {
    const fn new() -> Self {
        Self { moves: [None; TRIED], len: 0 }
    }

    fn push(&mut self, mv: Move) {
        if self.len < TRIED {
            self.moves[self.len] = Some(mv);
            self.len += 1;
        }
    }

    fn iter(&self) -> impl Iterator<Item = Move> + '_ {
        self.moves[..self.len].iter().copied().flatten()
    }
}

/// The reduction of a late move in 1024ths of a ply, before its adjustments.
fn base_reduction(depth: i32, move_count: usize) -> i32 {
    let logs = &super::worker::LOG_TABLE;
    let product = logs[(depth as usize).min(63)] * logs[move_count.min(63)];
    params::lmr_base() + product / 1024 * params::lmr_slope() / 1024
}

impl Search<'_> {
    /// The value of a position, searched to `depth` within the window. `cut_node`: it is expected to
    /// exceed beta.
    pub(super) fn node<N: NodeKind>(
        &mut self,
        pos: &Position,
        alpha: Value,
        beta: Value,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Value {
        if depth <= 0 {
            return if N::PV {
                self.quiescence::<Pv>(pos, alpha, beta, ply)
            } else {
                self.quiescence::<NonPv>(pos, alpha, beta, ply)
            };
        }
        let base = self.memory.arena.len();
        let value = self.inner_node::<N>(pos, alpha, beta, depth.min(MAX_PLY as i32 - 1), ply, cut_node);
        self.memory.arena.truncate(base);
        value
    }

    fn inner_node<N: NodeKind>(
        &mut self,
        pos: &Position,
        mut alpha: Value,
        mut beta: Value,
        mut depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Value {
        // 1. Limits come first, so that no node escapes them. Then, a reversible move that repeats makes
        //    the node worth a draw at least.
        if self.must_stop() {
            return value::DRAW;
        }
        if !N::ROOT && alpha < value::DRAW && self.keys.can_repeat(pos, ply) {
            alpha = self.draw_value();
            if alpha >= beta {
                return alpha;
            }
        }
        if N::PV {
            self.pv.clear(ply);
            self.selective_depth = self.selective_depth.max(ply + 1);
        }
        let in_check = pos.in_check();
        let us = pos.side_to_move();

        // 2. Draws by rule, and mates that are nearer than any to be found here.
        if !N::ROOT {
            if self.is_draw(pos, ply) {
                return self.draw_value();
            }
            if ply >= MAX_PLY {
                return if in_check { value::DRAW } else { self.evaluate(pos) };
            }
            alpha = alpha.max(value::mated_in(ply));
            beta = beta.min(value::mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }
        let excluded = self.frame(ply).excluded;
        self.frame(ply + 1).excluded = None;
        self.frame(ply + 2).cutoffs = 0;
        self.frame(ply).in_check = in_check;

        // 3. The transposition table.
        let entry = self.job.table.probe(pos.key(), ply);
        let tt_value = entry.map_or(value::NONE, |entry| entry.value);
        let tt_bound = entry.map_or(EntryBound::None, |entry| entry.bound);
        let tt_depth = entry.map_or(EVAL_DEPTH, |entry| entry.depth);
        let tt_move = if N::ROOT {
            Some(self.root_moves[self.pv_index].mv)
        } else {
            entry.and_then(|entry| entry.mv).filter(|&mv| pos.is_legal(mv))
        };
        let tt_capture = tt_move.is_some_and(|mv| !mv.is_quiet());
        let tt_pv = N::PV || entry.is_some_and(|entry| entry.pv);
        if excluded.is_none() {
            self.frame(ply).tt_pv = tt_pv;
        }
        if !N::PV
            && excluded.is_none()
            && tt_value != value::NONE
            && tt_depth > depth - i32::from(tt_value <= beta)
            && (if tt_value >= beta { tt_bound.is_lower() } else { tt_bound.is_upper() })
            && (cut_node == (tt_value >= beta) || depth > 5)
            // Near the fifty-move rule the same position is not worth the same.
            && pos.halfmove_clock() < 90
        {
            if let Some(mv) = tt_move.filter(|mv| mv.is_quiet() && tt_value >= beta) {
                let threats = Threats::new(pos).all;
                self.update_quiet(pos, threats, mv, ply, bonus(depth));
            }
            return tt_value;
        }

        // 4. The tablebases, right after a capture or a pawn move.
        let mut known = (-value::INFINITE, value::INFINITE);
        if !N::ROOT && excluded.is_none() {
            match self.look_up(pos, alpha, beta, depth, ply, tt_pv) {
                Known::Value(value) => return value,
                // Elsewhere the window is too small for what is still open to matter.
                Known::Within(low, high) if N::PV => known = (low, high),
                Known::Within(..) => {}
            }
            alpha = alpha.max(known.0);
        }

        // 5. The static evaluation, corrected by experience, and by the table where it knows more.
        let correction = self.memory.corrections.value(pos, self.last_moves(ply));
        let mut raw_eval = value::NONE;
        let static_eval;
        let mut eval = value::NONE;
        if in_check {
            static_eval = value::NONE;
        } else if excluded.is_some() {
            static_eval = self.frame(ply).static_eval;
            eval = static_eval;
        } else {
            raw_eval = match entry {
                Some(entry) if entry.eval != value::NONE => entry.eval,
                _ => self.evaluate(pos),
            };
            static_eval = corrected(raw_eval, correction, pos);
            eval = static_eval;
            if entry.is_none() {
                let bare = Entry {
                    mv: None,
                    value: value::NONE,
                    eval: raw_eval,
                    depth: EVAL_DEPTH,
                    bound: EntryBound::None,
                    pv: tt_pv,
                };
                self.job.table.store(pos.key(), ply, bare);
            } else if tt_value != value::NONE
                && (if tt_value > eval { tt_bound.is_lower() } else { tt_bound.is_upper() })
            {
                eval = tt_value;
            }
        }
        self.frame(ply).static_eval = static_eval;
        let before = *self.frame_before(ply, 1);
        let two_before = self.frame_before(ply, 2).static_eval;
        let improving = !in_check
            && match two_before {
                value::NONE => {
                    let four_before = self.frame_before(ply, 4).static_eval;
                    four_before != value::NONE && static_eval > four_before
                }
                known => static_eval > known,
            };
        let opponent_worsening =
            !in_check && before.static_eval != value::NONE && static_eval > -before.static_eval;

        // The opponent's quiet move shows its worth in how the evaluation changed.
        if let Some(last) = before.mv
            && !in_check
            && !before.in_check
            && before.static_eval != value::NONE
            && excluded.is_none()
            && last.is_quiet()
        {
            let swing = -(before.static_eval + static_eval);
            let bonus = (params::eval_history_slope() * swing).clamp(-1500, 1500);
            self.memory.histories.update_quiet(!us, before.threats, last, bonus);
        }

        // 6. Hindsight: the parent reduced this node by what it knew then.
        if !N::ROOT && excluded.is_none() {
            let reduced = before.reduction / 1024;
            if reduced >= params::hindsight_depth_up() && !opponent_worsening {
                depth += 1;
            }
            if reduced >= 2
                && depth >= 2
                && !in_check
                && before.static_eval != value::NONE
                && static_eval + before.static_eval > params::hindsight_eval_down()
            {
                depth -= 1;
            }
        }

        if !N::PV && !in_check && excluded.is_none() {
            // 7. Razoring: so far behind that only captures could help.
            if eval < alpha - params::razor_base() - params::razor_square() * depth * depth {
                return self.quiescence::<NonPv>(pos, alpha, beta, ply);
            }

            // 8. Reverse futility: so far ahead that the opponent would not come here.
            if !tt_pv
                && depth < params::rfp_depth()
                && eval >= beta
                && eval - reverse_futility_margin(depth, improving, opponent_worsening, correction) >= beta
                && (tt_move.is_none() || tt_capture)
                && !value::is_loss(beta)
                && !value::is_win(eval)
            {
                return (2 * beta + eval) / 3;
            }

            // 9. Null move: so good that even passing keeps it above beta.
            if let Some(value) = self.null_move(pos, beta, depth, ply, eval, static_eval, cut_node) {
                return value;
            }
            if self.stopped {
                return value::DRAW;
            }
        }

        // 10. Without a move from the table, a shallower search finds one cheaper.
        if depth >= 6 && tt_move.is_none() && (N::PV || cut_node) && excluded.is_none() {
            depth -= 1;
        }

        // 11. ProbCut: a good capture that beats a raised beta at low depth would beat beta here.
        let probcut_beta =
            beta + params::probcut_margin() - params::probcut_improving() * i32::from(improving);
        if !N::PV
            && !in_check
            && excluded.is_none()
            && depth >= 3
            && !value::is_decisive(beta)
            && !(tt_value != value::NONE && tt_depth >= depth - 3 && tt_value < probcut_beta)
            && let Some(value) =
                self.probcut(pos, beta, probcut_beta, depth, ply, static_eval, raw_eval, tt_move, cut_node)
        {
            return value;
        }
        if self.stopped {
            return value::DRAW;
        }
        let small_beta = beta + params::probcut_small_margin();
        if !N::PV
            && excluded.is_none()
            && tt_bound.is_lower()
            && tt_depth >= depth - 4
            && tt_value != value::NONE
            && tt_value >= small_beta
            && !value::is_decisive(beta)
            && !value::is_decisive(tt_value)
        {
            return small_beta;
        }

        // 12. The moves, one by one.
        let threats = Threats::new(pos);
        self.frame(ply).threats = threats.all;
        let checks = CheckInfo::new(pos);
        let rows = self.continuation_rows(ply);
        let mut picker = Picker::new(self, pos, tt_move, Kinds::All, threats);
        let mut best = known.0;
        let mut best_move = None;
        let mut move_count = 0;
        let mut quiets = Tried::new();
        let mut captures = Tried::new();
        let original_alpha = alpha;

        while let Some(mv) = picker.next(self, pos, ply) {
            if Some(mv) == excluded || (N::ROOT && !self.is_root_candidate(mv)) {
                continue;
            }
            move_count += 1;
            self.frame(ply).move_count = move_count;
            if N::ROOT {
                self.report_current_move(mv, move_count);
            }
            let Some(piece) = pos.piece_on(mv.from()) else { continue };
            let target = piece_to(piece, mv.to());
            let quiet = mv.is_quiet();
            let gives_check = checks.gives_check(pos, mv);
            let mut reduction =
                base_reduction(depth, move_count) + params::lmr_improving() * i32::from(!improving);

            // 13. Moves that most likely cannot matter are not searched.
            if !N::ROOT && !value::is_loss(best) && pos.has_pieces(us) {
                let late = (params::lmp_base() + depth * depth) / (2 - i32::from(improving));
                if move_count as i32 >= late {
                    picker.skip_quiets();
                }
                let mut lmr_depth = depth - 1 - reduction / 1024;
                if !quiet || gives_check {
                    let history = self.memory.histories.capture(pos, mv);
                    let victim = pos.piece_on(mv.to()).map_or(PieceType::Pawn, Piece::kind);
                    if !gives_check && !in_check && lmr_depth < 7 && mv.is_capture() && !mv.is_promotion() {
                        let promised = static_eval
                            + params::capture_futility_base()
                            + params::capture_futility_slope() * lmr_depth.max(0)
                            + 2 * EXCHANGE_VALUES[victim.index()]
                            + history / 10;
                        if promised <= alpha {
                            continue;
                        }
                    }
                    let allowance = (history / 30).clamp(-100 * depth, 100 * depth);
                    if !pos.see_at_least(mv, -(params::capture_see_margin() * depth + allowance) / 2) {
                        continue;
                    }
                } else {
                    let history = self.memory.histories.continuation(rows[0], target)
                        + self.memory.histories.continuation(rows[1], target)
                        + self.memory.histories.pawn(pos, target);
                    if history < -params::history_pruning() * depth {
                        continue;
                    }
                    let history = history + 2 * self.memory.histories.quiet(us, threats.all, mv);
                    lmr_depth += history / params::history_to_depth();
                    let promised =
                        static_eval + params::futility_base() + params::futility_slope() * lmr_depth.max(0);
                    if !in_check && lmr_depth < params::futility_depth() && promised <= alpha {
                        if best <= promised && !value::is_decisive(best) && !value::is_win(promised) {
                            best = promised;
                        }
                        continue;
                    }
                    let lmr_depth = lmr_depth.max(0);
                    if !pos.see_at_least(mv, -params::quiet_see_square() * lmr_depth * lmr_depth / 2) {
                        continue;
                    }
                }
            }

            // 14. A move that is much better than all others is searched deeper.
            let mut extension = 0;
            if !N::ROOT
                && Some(mv) == tt_move
                && excluded.is_none()
                && depth >= params::singular_depth() + i32::from(tt_pv)
                && !value::is_decisive(tt_value)
                && tt_value != value::NONE
                && tt_bound.is_lower()
                && tt_depth >= depth - 3
                && (ply as i32) < 2 * self.root_depth
            {
                let margin =
                    params::singular_margin() + params::singular_pv_margin() * i32::from(tt_pv && !N::PV);
                let singular_beta = tt_value - margin * depth / 60;
                self.frame(ply).excluded = Some(mv);
                let value =
                    self.node::<NonPv>(pos, singular_beta - 1, singular_beta, (depth - 1) / 2, ply, cut_node);
                self.frame(ply).excluded = None;
                self.frame(ply).move_count = move_count;
                if self.stopped {
                    return value::DRAW;
                }
                if value < singular_beta {
                    let pv_margin = params::double_pv_margin() * i32::from(N::PV);
                    let double = params::double_margin() + pv_margin;
                    let triple = params::triple_margin() + pv_margin + 100 * i32::from(!quiet);
                    extension = 1
                        + i32::from(value < singular_beta - double)
                        + i32::from(value < singular_beta - triple);
                } else if value >= beta && !value::is_decisive(value) {
                    // Several moves beat beta: one of them will at full depth.
                    return value;
                } else if tt_value >= beta {
                    extension = -3;
                } else if cut_node {
                    extension = -2;
                }
            }

            // 15. The move is played.
            let mut new_depth = depth - 1 + extension;
            let nodes_before = self.nodes;
            let history = if quiet {
                2 * self.memory.histories.quiet(us, threats.all, mv)
                    + self.memory.histories.continuation(rows[0], target)
                    + self.memory.histories.continuation(rows[1], target)
                    - 3500
            } else {
                self.memory.histories.capture(pos, mv) * 5 / 4 - 2500
            };
            let next = self.play(pos, mv, ply);

            // 16. Late moves are searched shallower first.
            if tt_pv {
                reduction -= params::lmr_pv_line()
                    + params::lmr_pv_node() * i32::from(N::PV)
                    + if tt_value != value::NONE && tt_value > alpha { 700 } else { 0 };
            }
            if cut_node {
                reduction += params::lmr_cut_node() + params::lmr_no_tt_move() * i32::from(tt_move.is_none());
            }
            if tt_capture && quiet {
                reduction += params::lmr_tt_capture();
            }
            if self.frame(ply + 1).cutoffs > 3 {
                reduction += params::lmr_cutoffs();
            }
            if Some(mv) == tt_move {
                reduction -= params::lmr_tt_move();
            }
            if gives_check {
                reduction -= 600;
            }
            reduction -= correction.abs() * 4;
            reduction -= history * params::lmr_history() / 1024;

            let mut value = -value::INFINITE;
            if depth >= 2 && move_count > 1 {
                let reduced = (new_depth - reduction / 1024).clamp(1, new_depth.max(1) + i32::from(N::PV));
                self.frame(ply).reduction = (new_depth - reduced) * 1024;
                value = -self.node::<NonPv>(&next, -(alpha + 1), -alpha, reduced, ply + 1, true);
                self.frame(ply).reduction = 0;
                if value > alpha && reduced < new_depth {
                    // How surprising the value is says how deep to look.
                    new_depth += i32::from(value > best + params::lmr_deeper() + 2 * new_depth);
                    new_depth -= i32::from(value < best + new_depth);
                    if reduced < new_depth {
                        value =
                            -self.node::<NonPv>(&next, -(alpha + 1), -alpha, new_depth, ply + 1, !cut_node);
                    }
                    if quiet {
                        self.update_continuations(
                            target,
                            ply,
                            if value >= beta { bonus(new_depth) } else { bonus(new_depth) / 2 },
                        );
                    }
                }
            } else if !N::PV || move_count > 1 {
                let shallower = i32::from(reduction > params::full_depth_reduction());
                value = -self.node::<NonPv>(
                    &next,
                    -(alpha + 1),
                    -alpha,
                    new_depth - shallower,
                    ply + 1,
                    !cut_node,
                );
            }
            if N::PV && (move_count == 1 || value > alpha) {
                value = -self.node::<Pv>(&next, -beta, -alpha, new_depth, ply + 1, false);
            }
            self.take_back();
            if self.stopped {
                return value::DRAW;
            }

            // 17. What the move was worth.
            if N::ROOT {
                let nodes = self.nodes - nodes_before;
                self.note_root_move(mv, value, alpha, beta, move_count, nodes);
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(mv);
                    if N::PV && !N::ROOT {
                        self.pv.set(ply, mv);
                    }
                    if value >= beta {
                        self.frame(ply).cutoffs += u32::from(extension < 2 || N::PV);
                        break;
                    }
                    alpha = value;
                    // Once a move is found, the others need not be searched as deep.
                    if depth > 2 && depth < 14 && !value::is_decisive(value) {
                        depth -= 2;
                    }
                }
            }
            if quiet {
                quiets.push(mv);
            } else {
                captures.push(mv);
            }
        }

        // 18. Neither mate nor stalemate leaves a move.
        if move_count == 0 {
            return if excluded.is_some() {
                alpha
            } else if in_check {
                value::mated_in(ply)
            } else {
                value::DRAW
            };
        }
        best = best.min(known.1);
        // A fail-high far above beta is seldom the truth.
        if best >= beta && !value::is_decisive(best) && !value::is_decisive(alpha) {
            best = (best * depth.max(1) + beta) / (depth.max(1) + 1);
        }

        // 19. The search learns from what happened.
        if let Some(mv) = best_move {
            self.learn(pos, threats.all, mv, ply, depth, &quiets, &captures);
        } else if let Some(last) = before.mv
            && last.is_quiet()
        {
            // Every move failed: what the opponent did was good.
            let bonus = bonus(depth) * if before.move_count > 8 { 3 } else { 2 } / 2;
            self.memory.histories.update_quiet(!us, before.threats, last, bonus);
            self.update_continuations(before.row, ply - 1, bonus);
        }

        // 20. What was found is kept.
        let bound = if best >= beta {
            EntryBound::Lower
        } else if N::PV && best_move.is_some() && best > original_alpha {
            EntryBound::Exact
        } else {
            EntryBound::Upper
        };
        if excluded.is_none() && !(N::ROOT && self.pv_index > 0) {
            let entry = Entry { mv: best_move, value: best, eval: raw_eval, depth, bound, pv: tt_pv };
            self.job.table.store(pos.key(), ply, entry);
        }
        if !in_check
            && excluded.is_none()
            && best_move.is_none_or(Move::is_quiet)
            && !value::is_decisive(best)
            && !(bound == EntryBound::Lower && best <= static_eval)
            && !(bound == EntryBound::Upper && best >= static_eval)
        {
            let line = self.last_moves(ply);
            self.memory.corrections.update(pos, line, best - static_eval, depth);
        }
        best
    }

    #[allow(clippy::too_many_arguments, reason = "a step of the node, split off for its length")]
    fn null_move(
        &mut self,
        pos: &Position,
        beta: Value,
        depth: i32,
        ply: usize,
        eval: Value,
        static_eval: Value,
        cut_node: bool,
    ) -> Option<Value> {
        if !cut_node
            || eval < beta
            || static_eval < beta - params::nmp_eval_slope() * depth + params::nmp_eval_base()
            || self.frame_before(ply, 1).mv.is_none()
            || ply < self.null_min_ply
            || value::is_loss(beta)
            // With king and pawns alone, having to move may be what loses.
            || !pos.has_pieces(pos.side_to_move())
        {
            return None;
        }
        let reduction = params::nmp_base() + depth / params::nmp_divisor();
        let next = self.play_null(pos, ply);
        let value = -self.node::<NonPv>(&next, -beta, -beta + 1, depth - reduction, ply + 1, false);
        self.take_back();
        if self.stopped || value < beta || value::is_win(value) {
            return None;
        }
        if self.null_min_ply > 0 || depth < params::nmp_verification_depth() {
            return Some(value);
        }
        // At high depth a zugzwang would cost too much: look again without null moves.
        self.null_min_ply = ply + 3 * (depth - reduction).max(0) as usize / 4;
        let verified = self.node::<NonPv>(pos, beta - 1, beta, depth - reduction, ply, false);
        self.null_min_ply = 0;
        (!self.stopped && verified >= beta).then_some(value)
    }

    #[allow(clippy::too_many_arguments, reason = "a step of the node, split off for its length")]
    fn probcut(
        &mut self,
        pos: &Position,
        beta: Value,
        probcut_beta: Value,
        depth: i32,
        ply: usize,
        static_eval: Value,
        raw_eval: Value,
        tt_move: Option<Move>,
        cut_node: bool,
    ) -> Option<Value> {
        let mut picker = Picker::new(
            self,
            pos,
            tt_move,
            Kinds::NoisyWinning((probcut_beta - static_eval) / 2),
            Threats::default(),
        );
        let probcut_depth = (depth - 4).max(0);
        while let Some(mv) = picker.next(self, pos, ply) {
            let next = self.play(pos, mv, ply);
            let mut value = -self.quiescence::<NonPv>(&next, -probcut_beta, -probcut_beta + 1, ply + 1);
            if value >= probcut_beta && probcut_depth > 0 {
                value = -self.node::<NonPv>(
                    &next,
                    -probcut_beta,
                    -probcut_beta + 1,
                    probcut_depth,
                    ply + 1,
                    !cut_node,
                );
            }
            self.take_back();
            if self.stopped {
                return None;
            }
            if value >= probcut_beta {
                let bound = EntryBound::Lower;
                let entry =
                    Entry { mv: Some(mv), value, eval: raw_eval, depth: probcut_depth + 1, bound, pv: false };
                self.job.table.store(pos.key(), ply, entry);
                return Some(if value::is_decisive(value) { value } else { value - (probcut_beta - beta) });
            }
        }
        // The picker's moves are not those of the loop to come.
        None
    }

    /// A move was good, those tried before it were not.
    #[allow(clippy::too_many_arguments, reason = "what happened in the node")]
    fn learn(
        &mut self,
        pos: &Position,
        threats: chess::Bitboard,
        best: Move,
        ply: usize,
        depth: i32,
        quiets: &Tried,
        captures: &Tried,
    ) {
        let (good, bad) = (bonus(depth), malus(depth));
        if best.is_quiet() {
            self.update_quiet(pos, threats, best, ply, good);
            for mv in quiets.iter().filter(|&mv| mv != best) {
                self.update_quiet(pos, threats, mv, ply, -bad);
            }
        } else {
            self.memory.histories.update_capture(pos, best, good);
        }
        for mv in captures.iter().filter(|&mv| mv != best) {
            self.memory.histories.update_capture(pos, mv, -bad);
        }
    }

    fn update_quiet(&mut self, pos: &Position, threats: chess::Bitboard, mv: Move, ply: usize, bonus: i32) {
        let Some(piece) = pos.piece_on(mv.from()) else { return };
        let target = piece_to(piece, mv.to());
        self.memory.histories.update_quiet(pos.side_to_move(), threats, mv, bonus);
        self.memory.histories.update_pawn(pos, target, bonus);
        self.update_continuations(target, ply, bonus);
    }

    /// Tells the histories of the last moves that this one followed them well, or badly.
    fn update_continuations(&mut self, target: usize, ply: usize, bonus: i32) {
        for plies in [1, 2, 3, 4, 6] {
            let Frame { row, mv, in_check, .. } = *self.frame_before(ply, plies);
            if mv.is_some() {
                let weighted = if plies == 3 { bonus / 2 } else { bonus };
                self.memory.histories.update_continuation(row, target, weighted);
            }
            // Before a check the line was forced, and says little.
            if in_check && plies >= 2 {
                break;
            }
        }
    }
}

fn reverse_futility_margin(depth: i32, improving: bool, worsening: bool, correction: Value) -> Value {
    params::rfp_margin() * depth
        - params::rfp_improving() * i32::from(improving)
        - params::rfp_worsening() * i32::from(worsening)
        + correction.abs() / 4
}

fn bonus(depth: i32) -> i32 {
    (params::bonus_slope() * depth - params::bonus_offset()).clamp(0, params::bonus_max())
}

fn malus(depth: i32) -> i32 {
    (params::malus_slope() * depth - params::malus_offset()).clamp(0, params::malus_max())
}
