//! The limits of the server.

use std::num::NonZeroUsize;
use std::thread;

/// The limits of the server; a page that hits one gets a message.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Limits {
    /// Pages open at the same time, each with its own engine
    #[arg(long, default_value_t = 32, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) sessions: u16,
    /// Megabytes for the engines of all pages together
    #[arg(long, default_value_t = 2048, value_name = "MIB", value_parser = clap::value_parser!(u32).range(64..))]
    pub(super) memory: u32,
    /// Search threads per page [default: the number of processors]
    #[arg(long, value_name = "N")]
    pub(super) threads: Option<NonZeroUsize>,
}

impl Limits {
    /// Threads that one page may search with.
    pub(super) fn threads_per_page(&self) -> usize {
        let processors = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
        self.threads.map_or_else(processors, NonZeroUsize::get)
    }

    /// The limits as text for users.
    pub(super) fn in_words(&self) -> Vec<String> {
        vec![
            format!("At most {} pages at the same time (--sessions).", self.sessions),
            format!("At most {} MB for the engines of all pages (--memory).", self.memory),
            format!("At most {} search threads per page (--threads).", self.threads_per_page()),
        ]
    }
}
