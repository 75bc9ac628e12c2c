//! The playing engine behind one facade: [`Engine`]. [`MateSolver`] solves chess problems without it.

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
    Effect, OptionChange, OptionError, OptionKind, OptionSpec, OptionValue, Options, ProgramOption,
    all_options, find_option,
};
pub use report::{Bound, Report, Reporter, SearchInfo, Wdl};
pub use search::{MateProof, MateSolver};
pub use settings::Settings;
pub use signal::Signal;
pub use tablebase::TablebaseProbe;
pub use thread_pool::SpawnError;
pub use tt::OutOfMemory;
pub use value::Score;
