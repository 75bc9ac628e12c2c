//! The C interface of Rufous: `librufous` with the header `include/rufous.h`.
//!
//! Every function catches panics at the border and returns [`RufousStatus::Panic`]; that needs a profile with
//! `panic = "unwind"`, as `make capi` has it. A panic on a searching thread, whose caller nobody could tell, ends the
//! process.
#![allow(unsafe_code, reason = "pointers from C; each function says what its caller has to see to")]

mod border;
mod search;

use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr;
use std::sync::{Mutex, PoisonError};

use chess::{CastlingNotation, Move, Position};
use engine::{Control, Effect, Engine, OptionValue, Options};

use border::{Failure, MESSAGE, guarded};
use search::{Caller, Running};
pub use search::{
    RufousBestMoveCallback, RufousBound, RufousInfo, RufousInfoCallback, RufousLimits, RufousScoreKind,
};

/// The result of a call; `rufous_message` has the text.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RufousStatus {
    /// Success.
    Ok,
    /// A pointer that must not be null was null, or a text was not UTF-8.
    BadArgument,
    /// There is no such option, or it does not take this value.
    BadOption,
    /// The FEN or a move is not valid; the position stays as it was.
    BadPosition,
    /// A search is running.
    Searching,
    /// The function must not be called within a callback.
    InCallback,
    /// A bug in Rufous; the engine should be freed.
    Panic,
}

/// An engine.
pub struct RufousEngine {
    control: Control,
    running: Running,
    state: Mutex<State>,
}

struct State {
    engine: Engine,
    options: Options,
}

impl State {
    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<String, Failure> {
        let refused = |error: engine::OptionError| Failure::new(RufousStatus::BadOption, error);
        let Some(change) = self.options.check(name, value).map_err(refused)? else {
            return Ok(String::new());
        };
        let notes = match change.spec().effect {
            Effect::Notation | Effect::Program => Vec::new(),
            Effect::Engine(_) | Effect::Files(_) | Effect::Tunable(_) => {
                change.apply(&mut self.engine).map_err(refused)?
            }
        };
        self.options.record(change);
        Ok(notes.join("\n"))
    }

    fn set_position(&mut self, fen: Option<&str>, moves: &str) -> Result<String, Failure> {
        let refused = |text: String| Failure::new(RufousStatus::BadPosition, text);
        let start = fen.map_or(Ok(Position::startpos()), Position::from_fen);
        let start = start.map_err(|error| refused(error.to_string()))?;
        self.engine.set_position(start, &read_moves(start, moves).map_err(refused)?);
        Ok(String::new())
    }

    fn castling(&self) -> CastlingNotation {
        let chess960 = self.options.get("UCI_Chess960").is_some_and(OptionValue::is_true);
        self.engine.position().castling_notation(chess960)
    }
}

/// The moves of a line from this position.
fn read_moves(mut position: Position, text: &str) -> Result<Vec<Move>, String> {
    let mut moves = Vec::new();
    for word in text.split_whitespace() {
        let mv = position.parse_uci_move(word).map_err(|error| format!("'{word}' is {error}"))?;
        position.play(mv);
        moves.push(mv);
    }
    Ok(moves)
}

/// The text of a pointer; `None` where it is null.
///
/// # Safety
/// The pointer is null or points to bytes that end with a zero and stay as they are for the call.
unsafe fn text<'a>(pointer: *const c_char) -> Result<Option<&'a str>, Failure> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: as the caller promises.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map(Some).map_err(|_| Failure::new(RufousStatus::BadArgument, "a text is not UTF-8"))
}

fn missing(what: &str) -> Failure {
    Failure::new(RufousStatus::BadArgument, format!("{what} is null"))
}

/// The engine behind a pointer.
///
/// # Safety
/// The pointer is null or came from `rufous_new` and was not freed.
unsafe fn engine<'a>(pointer: *mut RufousEngine) -> Result<&'a RufousEngine, Failure> {
    // SAFETY: as the caller promises; the engine is only ever shared.
    unsafe { pointer.as_ref() }.ok_or_else(|| missing("the engine"))
}

impl RufousEngine {
    /// Lets a function change the engine, unless a search is running.
    fn change<T>(&self, change: impl FnOnce(&mut State) -> Result<T, Failure>) -> Result<T, Failure> {
        // Held all along, so that no search starts meanwhile.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if self.running.is_running() {
            return Err(Failure::new(RufousStatus::Searching, "a search is running"));
        }
        change(&mut state)
    }
}

/// Name and version of the library.
#[unsafe(no_mangle)]
pub extern "C" fn rufous_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!("Rufous ", env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => c"Rufous",
        };
    VERSION.as_ptr()
}

/// The message of the last call on this thread: why it failed, or information such as the number of tablebases found.
/// Empty if there is none; valid until the next call on this thread.
#[unsafe(no_mangle)]
pub extern "C" fn rufous_message() -> *const c_char {
    MESSAGE.with_borrow(|message| message.as_ptr())
}

/// Creates an engine with default options, set to the start position. Returns null if there is not enough memory or no
/// thread can be started.
#[unsafe(no_mangle)]
pub extern "C" fn rufous_new() -> *mut RufousEngine {
    let mut made = ptr::null_mut();
    guarded(|| {
        let failed = |text: String| Failure::new(RufousStatus::BadArgument, text);
        let network = engine::embedded_network().map_err(|error| failed(error.to_string()))?;
        let engine = Engine::new(network).map_err(|error| failed(error.to_string()))?;
        made = Box::into_raw(Box::new(RufousEngine {
            control: engine.control(),
            running: Running::default(),
            state: Mutex::new(State { engine, options: Options::default() }),
        }));
        Ok(String::new())
    });
    made
}

/// Stops a running search, waits for its last callbacks, and frees the engine. Null is allowed.
///
/// # Safety
/// The engine came from `rufous_new` and is not used afterwards, nor by another thread meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rufous_free(engine: *mut RufousEngine) -> RufousStatus {
    guarded(|| {
        if !engine.is_null() {
            // SAFETY: `rufous_new` made it from a box, and the caller gives it back.
            let engine = unsafe { Box::from_raw(engine) };
            engine.control.stop();
            engine.running.wait();
        }
        Ok(String::new())
    })
}

/// Sets an option of the engine by its UCI name; a button has no value (null).
///
/// # Safety
/// The engine came from `rufous_new`; the texts end with a zero byte or are null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rufous_set_option(
    engine: *mut RufousEngine,
    name: *const c_char,
    value: *const c_char,
) -> RufousStatus {
    guarded(|| {
        // SAFETY: the caller promises what these functions ask for.
        let (engine, name, value) = unsafe { (self::engine(engine)?, text(name)?, text(value)?) };
        let name = name.ok_or_else(|| missing("the name"))?;
        engine.change(|state| state.set_option(name, value))
    })
}

/// Starts a new game: clears everything that was learned.
///
/// # Safety
/// The engine came from `rufous_new`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rufous_new_game(engine: *mut RufousEngine) -> RufousStatus {
    guarded(|| {
        // SAFETY: as the caller promises.
        let engine = unsafe { self::engine(engine)? };
        engine.change(|state| {
            state.engine.new_game();
            Ok(String::new())
        })
    })
}

/// Sets the position: a FEN, or null for the start position, and the moves since then in UCI notation, separated by
/// spaces, or null.
///
/// # Safety
/// The engine came from `rufous_new`; the texts end with a zero byte or are null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rufous_set_position(
    engine: *mut RufousEngine,
    fen: *const c_char,
    moves: *const c_char,
) -> RufousStatus {
    guarded(|| {
        // SAFETY: as the caller promises.
        let (engine, fen, moves) = unsafe { (self::engine(engine)?, text(fen)?, text(moves)?) };
        engine.change(|state| state.set_position(fen, moves.unwrap_or_default()))
    })
}

/// Starts a search and returns at once. If `limits` is null, the search runs until `rufous_stop`. Either callback may be
/// null; `user` is passed to them unchanged. The best-move callback is called exactly once.
///
/// # Safety
/// The engine came from `rufous_new`. The callbacks may be called from another thread until the best move was reported,
/// and `user` has to be valid for them that long.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rufous_go(
    engine: *mut RufousEngine,
    limits: *const RufousLimits,
    on_info: RufousInfoCallback,
    on_best_move: RufousBestMoveCallback,
    user: *mut c_void,
) -> RufousStatus {
    guarded(|| {
        // SAFETY: as the caller promises.
        let (engine, limits) = unsafe { (self::engine(engine)?, limits.as_ref()) };
        engine.change(|state| {
            let root = *state.engine.position();
            let limits = limits.map_or(Ok(engine::Limits::default()), |limits| limits.read(&root))?;
            let running = engine.running.clone();
            let caller = Caller { on_info, on_best_move, user, root, castling: state.castling(), running };
            engine.running.begin();
            state.engine.go(limits, Box::new(caller));
            Ok(String::new())
        })
    })
}

/// Stops the search as soon as possible; does nothing if none is running.
///
/// # Safety
/// The engine came from `rufous_new`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rufous_stop(engine: *mut RufousEngine) -> RufousStatus {
    border::guarded_anywhere(|| {
        // SAFETY: as the caller promises.
        unsafe { self::engine(engine)? }.control.stop();
        Ok(String::new())
    })
}

/// The expected move was played: a pondering search continues on its own clock.
///
/// # Safety
/// The engine came from `rufous_new`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rufous_ponder_hit(engine: *mut RufousEngine) -> RufousStatus {
    border::guarded_anywhere(|| {
        // SAFETY: as the caller promises.
        unsafe { self::engine(engine)? }.control.ponder_hit();
        Ok(String::new())
    })
}

/// Waits until no search is running and the last callback has returned.
///
/// # Safety
/// The engine came from `rufous_new`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rufous_wait(engine: *mut RufousEngine) -> RufousStatus {
    guarded(|| {
        // SAFETY: as the caller promises.
        unsafe { self::engine(engine)? }.running.wait();
        Ok(String::new())
    })
}

/// A text for C, as far as its first zero byte.
fn c_text(text: impl Into<Vec<u8>>) -> CString {
    let mut bytes: Vec<u8> = text.into();
    bytes.retain(|&byte| byte != 0);
    CString::new(bytes).unwrap_or_default()
}
