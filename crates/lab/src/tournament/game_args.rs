//! Arguments shared by the commands that play games: limits, openings, adjudication.

use std::error::Error;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use super::adjudication::{Adjudication, DrawRule, ResignRule};
use super::engine::Entry;
use super::game::Conditions;
use super::openings::{Openings, Order};

/// The arguments as they are given.
#[derive(clap::Args, Debug, Clone)]
pub(super) struct GameArgs {
    /// Time control in seconds: [moves/]base[+increment], such as 8+0.08, 40/60+0.6 or 1:30+1
    #[arg(long)]
    tc: Option<String>,
    /// Milliseconds per move
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,
    /// Nodes per move
    #[arg(long)]
    nodes: Option<u64>,
    /// Depth per move
    #[arg(long)]
    depth: Option<u64>,
    /// Milliseconds by which a clock may be exceeded; with --movetime another 100 ms are allowed
    #[arg(long, value_name = "MS", default_value_t = 0)]
    margin: u64,
    /// Do not count time that the host of a virtual machine took from its processors against a player who would lose by it
    /// (Linux)
    #[arg(long)]
    give_back: bool,
    /// Let engines ponder on the move that they expect; a game then needs a processor for each side
    #[arg(long)]
    ponder: bool,
    /// Seconds of silence after which an engine counts as hanging: after its time is up, before uciok and readyok, or with
    /// --nodes and --depth since its last report
    #[arg(long, value_name = "SECONDS", default_value_t = 20, alias = "patience")]
    timeout: u64,
    /// Number of games played at the same time
    #[arg(long, default_value_t = 1)]
    concurrency: usize,

    /// Openings: PGN by the ending .pgn, FEN or EPD lines otherwise; without a book, the start position
    #[arg(long, value_name = "FILE")]
    pub(super) book: Option<PathBuf>,
    /// The order of the openings
    #[arg(long, value_enum, default_value_t = Order::Random)]
    pub(super) book_order: Order,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    /// Plies to take from each game of a PGN book [default: all]
    #[arg(long)]
    pub(super) plies: Option<usize>,
    /// Play Chess960
    #[arg(long)]
    chess960: bool,

    /// Adjudicate draws when both scores stay small [defaults: from=40 moves=8 score=10]
    #[arg(long, num_args = 0.., value_name = "KEY=VALUE")]
    draw: Option<Vec<String>>,
    /// Adjudicate wins when both scores agree [defaults: moves=4 score=600]
    #[arg(long, num_args = 0.., value_name = "KEY=VALUE")]
    resign: Option<Vec<String>>,
    /// Adjudicate a draw after this many moves
    #[arg(long, value_name = "MOVES")]
    max_moves: Option<usize>,
    /// Seconds between progress lines when the output is not a terminal
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    report_every: u64,
}

/// The conditions and openings of all games.
#[derive(Debug)]
pub(super) struct Arena {
    pub(super) openings: Openings,
    pub(super) conditions: Conditions,
    pub(super) timeout: Duration,
    pub(super) concurrency: usize,
}

/// Arguments that do not fit together.
#[derive(Debug, PartialEq, Eq)]
enum GameArgsError {
    BookNeedsChess960,
    NoConcurrency,
}

impl fmt::Display for GameArgsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BookNeedsChess960 => "the book has positions of Chess960: give --chess960",
            Self::NoConcurrency => "the concurrency has to be at least 1",
        })
    }
}

impl Error for GameArgsError {}

impl GameArgs {
    /// The limits, for engines that have none of their own.
    pub(super) fn limits(&self) -> Entry {
        Entry::from_limits(self.tc.clone(), self.movetime, self.nodes, self.depth)
    }

    /// The pause between two lines of progress.
    pub(super) fn report_pause(&self) -> Duration {
        Duration::from_secs(self.report_every.max(1))
    }

    /// Reads the book and puts everything together.
    pub(super) fn arena(&self) -> Result<Arena, Box<dyn Error>> {
        if self.concurrency == 0 {
            return Err(GameArgsError::NoConcurrency.into());
        }
        let mut openings = match &self.book {
            Some(path) => Openings::read(path, self.plies)?,
            None => Openings::startpos(),
        };
        if self.book_order == Order::Random {
            openings.shuffle(self.seed);
        }
        if openings.need_chess960() && !self.chess960 {
            return Err(GameArgsError::BookNeedsChess960.into());
        }
        let adjudication = Adjudication {
            draw: self.draw.as_deref().map(DrawRule::from_words).transpose()?,
            resign: self.resign.as_deref().map(ResignRule::from_words).transpose()?,
            max_moves: self.max_moves.map(|moves| moves.max(1)),
        };
        let margin = Duration::from_millis(self.margin);
        Ok(Arena {
            openings,
            conditions: Conditions {
                adjudication,
                margin,
                give_back: self.give_back,
                ponder: self.ponder,
                chess960: self.chess960,
            },
            timeout: Duration::from_secs(self.timeout.max(1)),
            concurrency: self.concurrency,
        })
    }
}
