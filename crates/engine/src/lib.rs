//! The playing engine behind one facade: [`Engine`]. [`Prover`] solves chess problems without it.

mod assigned;
mod book;
mod embedded;
mod engine;
mod level;
mod limits;
mod numa;
mod options;
pub mod platform;
mod pool;
mod reason;
mod report;
mod search;
mod settings;
mod signal;
mod sync;
mod tablebase;
mod thread;
mod time;
mod tt;
pub mod value;
pub mod wdl;

pub use assigned::{Assignment, AssignmentError};
pub use book::{Book, BookEntry, BookError, book_key, encode_move};
#[cfg(target_family = "wasm")]
pub use embedded::provide_network;
pub use embedded::{BadEmbedded, EMBEDDED_NAME, embedded_bytes, embedded_network};
pub use engine::{Control, DEFAULT_HASH_MIB, Engine, NoEngine};
pub use limits::Limits;
pub use numa::{NotAPolicy, NumaPolicy, numa_nodes};
pub use options::{
    Effect, OptionChange, OptionError, OptionKind, OptionSpec, OptionValue, Options, ProgramOption,
    all_options, find_option,
};
pub use pool::NoThread;
pub use reason::reason;
pub use report::{Bound, Report, Reporter, SearchInfo, Wdl};
pub use search::{Proof, Prover};
pub use settings::Settings;
pub use signal::Signal;
pub use tablebase::TablebaseProbe;
pub use tt::OutOfMemory;
pub use value::Score;
