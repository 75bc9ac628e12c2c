//! The Rufous chess engine as a library. [`Engine`] is the facade: hash table, threads, options, tablebases, book and
//! search. [`MateSolver`] solves mate problems without it.
//!
//! A search runs on threads of its own and talks to a [`Reporter`]: any number of [`Report`]s, then exactly one best move.
//!
//! # Analyse a position
//!
//! ```
//! use std::sync::mpsc;
//!
//! use chess::{Move, Position};
//! use engine::{Engine, Limits, Report, Reporter, Score, SearchInfo, embedded_network};
//!
//! /// Sends the last line of a search when it has ended.
//! struct LastLine(Option<SearchInfo>, mpsc::Sender<SearchInfo>);
//!
//! impl Reporter for LastLine {
//!     fn report(&mut self, report: &Report) {
//!         if let Report::Line(info) = report {
//!             self.0 = Some(info.clone());
//!         }
//!     }
//!
//!     fn best_move(&mut self, _best: Option<Move>, _ponder: Option<Move>) {
//!         if let Some(info) = self.0.take() {
//!             let _ = self.1.send(info);
//!         }
//!     }
//! }
//!
//! let mut engine = Engine::new(embedded_network()?)?;
//! let pos = Position::from_fen("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")?;
//! engine.set_position(pos, &[]);
//! let (sender, receiver) = mpsc::channel();
//! engine.go(Limits::depth(4), Box::new(LastLine(None, sender)));
//! let info = receiver.recv()?;
//! assert_eq!(info.score, Score::Mate(1));
//! assert_eq!(pos.san(info.pv[0]).to_string(), "Rd8#");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Play a game at a level
//!
//! ```
//! use std::sync::mpsc;
//!
//! use chess::{KeyHistory, Move, Position};
//! use engine::{Engine, Limits, Report, Reporter, embedded_network};
//!
//! struct BestMove(mpsc::Sender<Option<Move>>);
//!
//! impl Reporter for BestMove {
//!     fn report(&mut self, _: &Report) {}
//!
//!     fn best_move(&mut self, best: Option<Move>, _ponder: Option<Move>) {
//!         let _ = self.0.send(best);
//!     }
//! }
//!
//! let mut engine = Engine::new(embedded_network()?)?;
//! engine.settings_mut().limit_strength = true;
//! engine.settings_mut().elo = 1200;
//! engine.new_game();
//! let (start, mut pos, mut history, mut moves) =
//!     (Position::startpos(), Position::startpos(), KeyHistory::new(), Vec::new());
//! while pos.game_end(&history).is_none() && moves.len() < 10 {
//!     engine.set_position(start, &moves);
//!     let (sender, receiver) = mpsc::channel();
//!     engine.go(Limits::nodes(1_000), Box::new(BestMove(sender)));
//!     let mv = receiver.recv()?.ok_or("the game is not over")?;
//!     history.push(&pos);
//!     pos.play(mv);
//!     moves.push(mv);
//! }
//! assert_eq!(moves.len(), 10);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Use another engine
//!
//! Any UCI engine can be driven by the client of the crate `uci`:
//!
//! ```no_run
//! use std::time::Duration;
//!
//! use uci::client::{Client, EngineCommand};
//! use uci::{Go, Start};
//!
//! let timeout = Duration::from_secs(5);
//! let mut client = Client::spawn(&EngineCommand::new("stockfish"))?;
//! println!("{}", client.negotiate(timeout)?.name);
//! client.set_option("Hash", Some("64"))?;
//! client.new_game(timeout)?;
//! client.position(Start::Startpos, &[])?;
//! client.go(Go { depth: Some(12), ..Go::default() })?;
//! let answer = client.wait(Duration::from_secs(60), |info, _| println!("{info:?}"))?;
//! println!("{:?}", answer.best);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod assigned_values;
mod book;
mod embedded_network;
mod engine;
mod io_error_text;
mod level;
mod limits;
mod numa;
mod options;
mod params;
pub mod platform;
mod report;
mod search;
mod settings;
mod signal;
mod sync;
mod tablebase;
mod thread;
mod thread_pool;
mod time;
mod tt;
pub mod value;
pub mod wdl;

pub use assigned_values::{Assignment, AssignmentError};
pub use book::{Book, BookEntry, BookError, book_key, encode_move};
#[cfg(target_family = "wasm")]
pub use embedded_network::provide_network;
pub use embedded_network::{EMBEDDED_NAME, EmbeddedNetworkError, embedded_bytes, embedded_network};
pub use engine::{Control, CreateError, DEFAULT_HASH_MIB, Engine};
pub use io_error_text::io_error_text;
pub use limits::Limits;
pub use numa::{NumaPolicy, NumaPolicyError, numa_nodes};
pub use options::{
    Effect, OptionChange, OptionError, OptionKind, OptionSpec, OptionValue, Options, all_options,
};
pub use report::{Bound, Report, Reporter, SearchInfo, Wdl};
pub use search::{MateProof, MateSolver};
pub use settings::Settings;
pub use signal::Signal;
pub use tablebase::TablebaseProbe;
pub use thread_pool::SpawnError;
pub use tt::OutOfMemory;
pub use value::Score;
