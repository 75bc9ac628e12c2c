//! Searches for the C interface: limits, reports, and whether a search is running.

use std::ffi::{CString, c_char, c_void};
use std::ptr;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use chess::{CastlingNotation, Move, Position};
use engine::{Bound, Limits, Report, Reporter, Score, SearchInfo};

use crate::border::{Failure, call_back};
use crate::{RufousStatus, c_text, text};

/// The limits of a search; the first one reached ends it. Zero means no limit, and a search without limits runs until it
/// is stopped. Times are in milliseconds.
#[repr(C)]
pub struct RufousLimits {
    /// White's remaining time.
    pub white_time: i64,
    /// Black's remaining time.
    pub black_time: i64,
    /// White's increment per move.
    pub white_increment: i64,
    /// Black's increment per move.
    pub black_increment: i64,
    /// Moves to the next time control.
    pub moves_to_go: i64,
    /// Time for this move.
    pub move_time: i64,
    /// Depth in plies.
    pub depth: u64,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Ends when a mate in at most this many moves is proved.
    pub mate: u64,
    /// Ponder: search on the opponent's time until `rufous_ponder_hit`.
    pub ponder: bool,
    /// Search only these moves, in UCI notation, separated by spaces; null for all.
    pub search_moves: *const c_char,
}

impl RufousLimits {
    pub(crate) fn read(&self, root: &Position) -> Result<Limits, Failure> {
        let time = |value: i64| (value != 0).then_some(value);
        let count = |value: u64| (value != 0).then_some(value);
        // SAFETY: whoever fills the struct gives a text or null.
        let moves = unsafe { text(self.search_moves)? }.unwrap_or_default();
        let refused = |error| Failure::new(RufousStatus::BadPosition, error);
        let search_moves = moves.split_whitespace().map(|word| root.parse_uci_move(word));
        Ok(Limits {
            time: [time(self.white_time), time(self.black_time)],
            increment: [time(self.white_increment), time(self.black_increment)],
            moves_to_go: time(self.moves_to_go),
            depth: count(self.depth),
            nodes: count(self.nodes),
            mate: count(self.mate),
            move_time: time(self.move_time),
            ponder: self.ponder,
            search_moves: search_moves.collect::<Result<_, _>>().map_err(refused)?,
            ..Limits::default()
        })
    }
}

/// The unit of a score.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RufousScoreKind {
    /// Hundredths of a pawn.
    Centipawns,
    /// Moves to mate, negative for the side that is mated.
    Mate,
}

/// Whether a score is exact.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RufousBound {
    /// The score is exact.
    Exact,
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

/// A line that the search has found.
#[repr(C)]
pub struct RufousInfo {
    /// Depth in plies.
    pub depth: u32,
    /// Selective depth in plies.
    pub selective_depth: u32,
    /// The rank of this line, from 1.
    pub multipv: u32,
    /// The unit of the score.
    pub score_kind: RufousScoreKind,
    /// The score, for the side to move.
    pub score: i32,
    /// Whether the score is exact.
    pub bound: RufousBound,
    /// Win, draw and loss probabilities in permille; all zero unless `UCI_ShowWDL` is set.
    pub win: u32,
    /// See `win`.
    pub draw: u32,
    /// See `win`.
    pub loss: u32,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Positions found in tablebases.
    pub tablebase_hits: u64,
    /// Milliseconds since the search began.
    pub time: u64,
    /// Permille of the hash table in use.
    pub hashfull: u32,
    /// The line in UCI notation, separated by spaces.
    pub pv: *const c_char,
}

/// Called for each line that is found.
pub type RufousInfoCallback = Option<unsafe extern "C" fn(user: *mut c_void, info: *const RufousInfo)>;

/// Called with the best move and the expected answer; each is null if there is none.
pub type RufousBestMoveCallback =
    Option<unsafe extern "C" fn(user: *mut c_void, best: *const c_char, ponder: *const c_char)>;

/// Whether a search is running or its last callback has not returned yet.
#[derive(Clone, Default)]
pub(crate) struct Running {
    shared: Arc<(Mutex<bool>, Condvar)>,
}

impl Running {
    fn lock(&self) -> MutexGuard<'_, bool> {
        self.shared.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn is_running(&self) -> bool {
        *self.lock()
    }

    pub(crate) fn begin(&self) {
        *self.lock() = true;
    }

    fn end(&self) {
        *self.lock() = false;
        self.shared.1.notify_all();
    }

    pub(crate) fn wait(&self) {
        let mut running = self.lock();
        while *running {
            running = self.shared.1.wait(running).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Passes the reports of a search to the callbacks.
pub(crate) struct Caller {
    pub(crate) on_info: RufousInfoCallback,
    pub(crate) on_best_move: RufousBestMoveCallback,
    pub(crate) user: *mut c_void,
    pub(crate) root: Position,
    pub(crate) castling: CastlingNotation,
    pub(crate) running: Running,
}

// SAFETY: the pointer is only handed back; `rufous_go` makes its caller promise that this may happen on another thread.
unsafe impl Send for Caller {}

impl Caller {
    fn line(&self, moves: &[Move]) -> CString {
        c_text(self.root.uci_line(moves, self.castling).join(" "))
    }

    fn info(&self, line: &SearchInfo, pv: &CString) -> RufousInfo {
        let (score_kind, score) = match line.score {
            Score::Centipawns(centipawns) => (RufousScoreKind::Centipawns, centipawns),
            Score::Mate(moves) => (RufousScoreKind::Mate, moves),
        };
        let [win, draw, loss] = line.wdl.map_or([0; 3], |wdl| [wdl.win, wdl.draw, wdl.loss].map(u32::from));
        RufousInfo {
            depth: line.depth as u32,
            selective_depth: line.selective_depth as u32,
            multipv: line.multipv as u32,
            score_kind,
            score,
            bound: match line.bound {
                None => RufousBound::Exact,
                Some(Bound::Lower) => RufousBound::Lower,
                Some(Bound::Upper) => RufousBound::Upper,
            },
            win,
            draw,
            loss,
            nodes: line.nodes,
            tablebase_hits: line.tablebase_hits,
            time: line.time.as_millis() as u64,
            hashfull: line.hashfull as u32,
            pv: pv.as_ptr(),
        }
    }
}

impl Reporter for Caller {
    fn report(&mut self, report: &Report) {
        if let (Report::Line(line), Some(on_info)) = (report, self.on_info) {
            let pv = self.line(&line.pv);
            let info = self.info(line, &pv);
            // SAFETY: the function came from C with this signature, and all that it is given outlives the call.
            call_back(|| unsafe { on_info(self.user, &raw const info) });
        }
    }

    fn best_move(&mut self, best: Option<Move>, ponder: Option<Move>) {
        if let Some(on_best_move) = self.on_best_move {
            let best_text = best.map(|mv| self.line(&[mv]));
            let line: Vec<Move> = [best, ponder].into_iter().map_while(|mv| mv).collect();
            let both = self.line(&line);
            let ponder_text =
                both.to_str().ok().and_then(|text| text.split_once(' ')).map(|(_, text)| c_text(text));
            let pointer = |text: &Option<CString>| text.as_ref().map_or(ptr::null(), |text| text.as_ptr());
            // SAFETY: as above.
            call_back(|| unsafe { on_best_move(self.user, pointer(&best_text), pointer(&ponder_text)) });
        }
        self.running.end();
    }
}
