//! The search: what one search shares between its threads ([`SharedSearch`]), what a thread remembers from
//! search to search ([`ThreadData`]), and a thread's view of the present one ([`Searcher`]).

mod correction_history;
mod history;
mod mate;
mod mate_solver;
mod move_picker;
mod node;
mod pv;
mod quiescence;
mod reporting;
mod root_moves;
mod soft_limit;
mod tablebase_probe;
mod tablebase_pv;
mod thread_voting;
mod threats;
mod worker;

pub use mate_solver::{MateProof, MateSolver};
pub(crate) use worker::Worker;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};

use chess::{Bitboard, KeyHistory, Move, PieceType, Position};
use nnue::memory::ZeroedBox;
use nnue::{AccumulatorStack, Changes, Network};

use self::correction_history::CorrectionHistory;
use self::history::{Histories, NO_MOVE, captured_type, piece_to};
use self::move_picker::ScoredMove;
use self::pv::PvTable;
use self::reporting::Reported;
use self::root_moves::RootMove;
use crate::assigned_values::AssignedValues;
use crate::level::Level;
use crate::limits::Limits;
use crate::params;
use crate::report::{Report, Reporter};
use crate::settings::Settings;
use crate::signal::Signal;
use crate::tablebase::{Ranking, Tablebases};
use crate::time::{Clock, NodeClock};
use crate::tt::TranspositionTable;
use crate::value::{self, MAX_PLY, Value};

/// The counters of one thread, on a cache line of their own.
#[derive(Default)]
#[repr(align(64))]
struct Counters {
    nodes: AtomicU64,
    tablebase_hits: AtomicU64,
}

/// The result of one thread.
#[derive(Clone)]
pub(crate) struct ThreadResult {
    best: RootMove,
    depth: i32,
}

/// Everything that the threads of one search share.
pub(crate) struct SharedSearch {
    root: Position,
    history: KeyHistory,
    root_moves: Vec<Move>,
    /// The move to answer with, without a search.
    book_move: Option<Move>,
    limits: Limits,
    /// How the search is weakened, if at all.
    level: Option<Level>,
    settings: Settings,
    table: Arc<TranspositionTable>,
    /// The table was loaded from a file: the search goes on where another one stopped.
    hash_loaded: bool,
    signal: Arc<Signal>,
    tablebases: Arc<Tablebases>,
    assigned: Arc<AssignedValues>,
    /// What the tablebases say about the root; the first thread that needs it asks them.
    ranking: OnceLock<Option<Ranking>>,
    clock: Clock,
    counters: Box<[Counters]>,
    lines: Box<[Mutex<Vec<Move>>]>,
    helpers_busy: Mutex<usize>,
    helper_done: Condvar,
    results: Mutex<Vec<ThreadResult>>,
    reporter: Mutex<Box<dyn Reporter>>,
}

/// What a search is started with.
pub(crate) struct SearchRequest {
    pub(crate) root: Position,
    /// The positions of the game before the root.
    pub(crate) history: KeyHistory,
    pub(crate) limits: Limits,
    /// How the search is weakened, if at all.
    pub(crate) level: Option<Level>,
    pub(crate) settings: Settings,
    pub(crate) table: Arc<TranspositionTable>,
    /// The table was loaded from a file, and this is the first search with it.
    pub(crate) hash_loaded: bool,
    pub(crate) signal: Arc<Signal>,
    pub(crate) tablebases: Arc<Tablebases>,
    pub(crate) assigned: Arc<AssignedValues>,
    pub(crate) node_clock: NodeClock,
    pub(crate) threads: usize,
    /// The move to answer with, without a search.
    pub(crate) book_move: Option<Move>,
    pub(crate) reporter: Box<dyn Reporter>,
}

impl SharedSearch {
    pub(crate) fn new(request: SearchRequest) -> Self {
        let SearchRequest { root, limits, level, settings, threads, .. } = request;
        let all = root.legal_moves();
        let mut root_moves: Vec<Move> =
            all.iter().copied().filter(|mv| limits.search_moves.contains(mv)).collect();
        if root_moves.is_empty() {
            root_moves = all.to_vec();
        }
        if let Some(level) = &level {
            root_moves = level.visible_moves(&root, root_moves);
        }
        let clock = Clock::new(&limits, &root, &settings, &request.node_clock);
        Self {
            root,
            history: request.history,
            root_moves,
            book_move: request.book_move,
            limits,
            level,
            settings,
            table: request.table,
            hash_loaded: request.hash_loaded,
            signal: request.signal,
            tablebases: request.tablebases,
            assigned: request.assigned,
            ranking: OnceLock::new(),
            clock,
            counters: (0..threads).map(|_| Counters::default()).collect(),
            lines: (0..threads).map(|_| Mutex::default()).collect(),
            helpers_busy: Mutex::new(threads - 1),
            helper_done: Condvar::new(),
            results: Mutex::default(),
            reporter: Mutex::new(request.reporter),
        }
    }

    /// Is there no book move, and a legal one?
    fn needs_search(&self) -> bool {
        !self.root_moves.is_empty() && self.book_move.is_none()
    }

    fn report(&self, report: &Report) {
        self.reporter.lock().unwrap_or_else(PoisonError::into_inner).report(report);
    }

    /// Nodes of all threads; up to date within one check of the clock.
    fn nodes(&self) -> u64 {
        self.counters.iter().map(|counters| counters.nodes.load(Ordering::Relaxed)).sum()
    }

    fn tablebase_hits(&self) -> u64 {
        self.counters.iter().map(|counters| counters.tablebase_hits.load(Ordering::Relaxed)).sum()
    }
}

/// What a thread keeps between searches.
pub(crate) struct ThreadData {
    evaluator: AccumulatorStack,
    histories: ZeroedBox<Histories>,
    corrections: ZeroedBox<CorrectionHistory>,
    /// The value of the last search of this game.
    last_value: Option<Value>,
    /// The moves of all nodes of the present line, each node's above its parent's.
    arena: Vec<ScoredMove>,
    pv: PvTable,
}

impl ThreadData {
    fn new(network: Arc<Network>) -> Self {
        Self {
            evaluator: AccumulatorStack::new(network, &Position::startpos()),
            histories: ZeroedBox::new(),
            corrections: ZeroedBox::new(),
            last_value: None,
            arena: Vec::with_capacity(16 * 1024),
            pv: PvTable::new(),
        }
    }

    fn forget(&mut self) {
        self.histories.clear();
        self.corrections.clear();
        self.last_value = None;
    }
}

/// What is known about one ply of the present line: a cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Frame {
    /// The move being searched here; `None` before the root and for a null move.
    mv: Option<Move>,
    /// Its row in the continuation history.
    piece_to: usize,
    static_eval: Value,
    /// The move that a singular search leaves out.
    excluded: Option<Move>,
    in_check: bool,
    /// By how many plies the search of the present move is reduced.
    reduction: i32,
    move_count: usize,
    /// What the move takes, if anything; a pawn for a promotion, as the capture history counts it.
    captured: Option<PieceType>,
    /// The sum of the move's histories, as the reduction uses it.
    stat_score: i32,
    /// The node was found in the table.
    tt_hit: bool,
    /// The node is, or once was, part of a principal variation.
    tt_pv: bool,
    /// Beta cutoffs of the nodes at this ply since the node two plies before was entered, which sets it to 0.
    cutoff_count: u32,
    /// What the enemy attacks here.
    threats: Bitboard,
}

impl Frame {
    const EMPTY: Self = Self {
        mv: None,
        piece_to: NO_MOVE,
        static_eval: value::NONE,
        excluded: None,
        in_check: false,
        reduction: 0,
        move_count: 0,
        captured: None,
        stat_score: 0,
        tt_hit: false,
        tt_pv: false,
        cutoff_count: 0,
        threats: Bitboard::EMPTY,
    };
}

/// Frames before the root, so that looking back a few plies is always allowed.
const FRAMES_BEFORE: usize = 8;
const FRAMES: usize = FRAMES_BEFORE + MAX_PLY + 2;

const _: () = assert!(size_of::<Frame>() == 64);

/// One thread's part in one search.
pub(crate) struct Searcher<'a> {
    shared: &'a SharedSearch,
    /// The same table as in `shared`, one pointer nearer.
    table: &'a TranspositionTable,
    data: &'a mut ThreadData,
    number: usize,
    keys: KeyHistory,
    frames: Box<[Frame; FRAMES]>,
    root_moves: Vec<RootMove>,
    /// The line being searched in MultiPV, from 0.
    pv_index: usize,
    nodes: u64,
    tablebase_hits: u64,
    /// Positions of so many men are looked up in the tablebases.
    tablebase_men: usize,
    /// Whether there are assigned values, or a level: kept here because every node asks.
    has_assigned: bool,
    has_level: bool,
    next_check: u64,
    root_depth: i32,
    /// The width of the root's window.
    root_delta: Value,
    completed_depth: i32,
    /// A root move has a value, of this search or from a loaded table: there is something to answer with.
    has_answer: bool,
    selective_depth: usize,
    /// Null moves are verified, and until then not tried, above this ply.
    null_min_ply: usize,
    stopped: bool,
    /// The mate solver has proved the answer: no more search and no vote.
    proved: bool,
    /// A small search inside the one asked for is running; the next check of the limits ends it.
    in_sub_search: bool,
    last_status: std::time::Duration,
    reported: Reported,
}

impl<'a> Searcher<'a> {
    fn new(shared: &'a SharedSearch, data: &'a mut ThreadData, number: usize) -> Self {
        data.evaluator.reset(&shared.root);
        data.arena.clear();
        data.pv.reset();
        let ranking = shared.ranking();
        Self {
            shared,
            table: &shared.table,
            data,
            number,
            keys: shared.history.clone(),
            frames: Box::new([Frame::EMPTY; FRAMES]),
            root_moves: root_moves::ranked(&shared.root_moves, ranking),
            pv_index: 0,
            nodes: 0,
            tablebase_hits: if number == 0 { ranking.map_or(0, Ranking::hits) } else { 0 },
            tablebase_men: if ranking.is_some_and(Ranking::is_final) { 0 } else { shared.tablebase_men() },
            has_assigned: !shared.assigned.is_empty(),
            has_level: shared.level.is_some(),
            next_check: 0,
            root_depth: 0,
            root_delta: 1,
            completed_depth: 0,
            has_answer: false,
            selective_depth: 0,
            null_min_ply: 0,
            stopped: false,
            proved: false,
            in_sub_search: false,
            last_status: std::time::Duration::ZERO,
            reported: Reported::default(),
        }
    }

    /// The frame of a ply.
    #[inline]
    fn frame(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[FRAMES_BEFORE + ply]
    }

    /// The frame so many plies before this one.
    #[inline]
    fn frame_before(&self, ply: usize, plies: usize) -> &Frame {
        &self.frames[FRAMES_BEFORE + ply - plies]
    }

    /// The rows of the continuation history that the last 1, 2, 3, 4 and 6 moves choose.
    #[inline]
    fn continuation_rows(&self, ply: usize) -> [usize; 5] {
        [1, 2, 3, 4, 6].map(|plies| self.frame_before(ply, plies).piece_to)
    }

    /// The moves one, two and four plies ago, for the correction history.
    #[inline]
    fn last_moves(&self, ply: usize) -> [usize; 3] {
        [1, 2, 4].map(|plies| self.frame_before(ply, plies).piece_to)
    }

    /// Starts to fetch what the table has on the position after a move, which the next node asks for first.
    #[inline]
    fn prefetch_entry(&self, pos: &Position, mv: Move) {
        // A capture would set the clock back, which only matters late on it.
        self.table.prefetch(pos.likely_key_after(mv), pos.halfmove_clock() + 1);
    }

    /// Plays a move of the line: `next` is a copy of the position, and becomes the one after the move.
    #[inline]
    fn play(&mut self, pos: &Position, next: &mut Position, mv: Move, ply: usize) {
        self.prefetch_entry(pos, mv);
        self.data.evaluator.push_observed(|changes| next.play_observed(mv, changes));
        self.keys.push(pos);
        let piece_to = pos.piece_on(mv.from()).map_or(NO_MOVE, |piece| piece_to(piece, mv.to()));
        let captured = (!mv.is_quiet()).then(|| captured_type(pos, mv));
        let frame = self.frame(ply);
        frame.mv = Some(mv);
        frame.piece_to = piece_to;
        frame.captured = captured;
        self.data.corrections.prefetch(next, self.last_moves(ply + 1));
        self.nodes += 1;
    }

    /// Passes the turn.
    fn play_null(&mut self, pos: &Position, ply: usize) -> Position {
        let mut next = *pos;
        next.play_null();
        self.table.prefetch(next.key(), next.halfmove_clock());
        self.keys.push(pos);
        self.data.evaluator.push(&Changes::NONE);
        let frame = self.frame(ply);
        frame.mv = None;
        frame.piece_to = NO_MOVE;
        self.nodes += 1;
        next
    }

    /// Takes the last move back.
    #[inline]
    fn take_back(&mut self) {
        self.keys.pop();
        self.data.evaluator.pop();
    }

    /// The network's value, with the error of a limited level.
    #[inline]
    fn evaluate(&mut self, pos: &Position) -> Value {
        let error = if self.has_level { self.level_error(pos) } else { 0 };
        (self.data.evaluator.evaluate(pos) + error).clamp(-value::EVAL_LIMIT, value::EVAL_LIMIT)
    }

    #[cold]
    fn level_error(&self, pos: &Position) -> Value {
        self.shared.level.as_ref().map_or(0, |level| level.error(pos))
    }

    /// Does a limited level overlook the move?
    #[inline]
    fn overlooks(&self, pos: &Position, mv: Move, ply: usize) -> bool {
        self.has_level && self.overlooks_at_level(pos, mv, ply)
    }

    #[cold]
    fn overlooks_at_level(&self, pos: &Position, mv: Move, ply: usize) -> bool {
        self.shared.level.as_ref().is_some_and(|level| {
            let last = self.frame_before(ply, 1).mv.filter(|last| last.is_capture());
            level.overlooks(pos, mv, last.map(Move::to))
        })
    }

    /// The value of a draw: -1 or +1, changing with the node count, so that the search does not prefer the first
    /// of several repetitions for ever.
    #[inline]
    fn draw_value(&self) -> Value {
        value::DRAW - 1 + (self.nodes & 2) as Value
    }

    /// Is there a reversible move that repeats a position?
    #[inline]
    fn upcoming_repetition(&self, pos: &Position, ply: usize) -> bool {
        params::upcoming_repetition() > 0 && self.keys.can_repeat(pos, ply)
    }

    /// Is the position drawn by rule, `ply` plies from the root?
    #[inline]
    fn is_draw(&self, pos: &Position, ply: usize) -> bool {
        pos.is_fifty_move_draw() || self.keys.is_repetition(pos, ply) || pos.is_dead()
    }
}
