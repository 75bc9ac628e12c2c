//! The facade of the engine.

use std::io;
use std::path::Path;
use std::sync::Arc;

use chess::{KeyHistory, Move, Position};
use nnue::Network;
use rng::Random;

use crate::assigned_values::{AssignedValues, Assignment};
use crate::book::{Book, BookError};
use crate::level::Level;
use crate::limits::Limits;
use crate::numa::{Binding, NumaPolicy};
use crate::platform;
use crate::report::Reporter;
use crate::search::{SearchRequest, SharedSearch};
use crate::settings::Settings;
use crate::signal::Signal;
use crate::tablebase::{TablebaseProbe, Tablebases};
use crate::thread_pool::{Pool, SpawnError};
use crate::time::NodeClock;
use crate::tt::{Checksum, OutOfMemory, TranspositionTable};

/// The default size of the hash table in megabytes.
pub const DEFAULT_HASH_MIB: usize = 16;

/// Megabytes for searches of limited strength, which are small; untouched they cost nothing.
const LEVEL_HASH_MIB: usize = 2;

/// Stops and redirects a running search from any thread.
#[derive(Clone)]
pub struct Control {
    signal: Arc<Signal>,
}

impl Control {
    /// Ends the running search as soon as possible; nothing happens where none runs.
    pub fn stop(&self) {
        self.signal.stop();
    }

    /// The expected move was played; has no effect unless the search is pondering.
    pub fn ponder_hit(&self) {
        self.signal.ponder_hit();
    }

    /// Is a search running that has not given its move yet?
    pub fn searching(&self) -> bool {
        self.signal.searching()
    }
}

/// Why an engine could not be created.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CreateError {
    /// No memory for the hash table.
    Memory(OutOfMemory),
    /// No thread to search.
    Thread(SpawnError),
}

impl std::fmt::Display for CreateError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Memory(error) => error.fmt(f),
            Self::Thread(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CreateError {}

impl From<OutOfMemory> for CreateError {
    fn from(error: OutOfMemory) -> Self {
        Self::Memory(error)
    }
}

impl From<SpawnError> for CreateError {
    fn from(error: SpawnError) -> Self {
        Self::Thread(error)
    }
}

/// A chess engine. Several engines in one process are independent of each other.
pub struct Engine {
    signal: Arc<Signal>,
    table: Arc<TranspositionTable>,
    /// The hash table of searches with limited strength, which must not see what full ones found.
    level_table: Arc<TranspositionTable>,
    /// The limit of the last search.
    last_elo: Option<u64>,
    /// The seed of the level's errors in this game.
    level_seed: u64,
    hash_mib: usize,
    /// Where the table is saved and loaded; empty for nowhere.
    hash_file: String,
    /// The table was loaded, and nothing searched since.
    loaded: bool,
    network: Arc<Network>,
    pool: Pool,
    binding: Binding,
    tablebases: Arc<Tablebases>,
    book: Option<Book>,
    assigned: Arc<AssignedValues>,
    random: Random,
    settings: Settings,
    root: Position,
    /// The move that led to it.
    last_move: Option<Move>,
    history: KeyHistory,
    node_clock: NodeClock,
}

impl Engine {
    /// An engine with one thread and a small hash table, set to the start position.
    pub fn new(network: Arc<Network>) -> Result<Self, CreateError> {
        let binding = Binding::new(&NumaPolicy::Auto);
        let mut random = Random::new(platform::seed());
        Ok(Self {
            signal: Arc::default(),
            table: Arc::new(TranspositionTable::new(DEFAULT_HASH_MIB)?),
            level_table: Arc::new(TranspositionTable::new(LEVEL_HASH_MIB)?),
            last_elo: None,
            level_seed: random.bits(),
            hash_mib: DEFAULT_HASH_MIB,
            hash_file: String::new(),
            loaded: false,
            pool: Pool::new(1, &network, &binding)?,
            binding,
            network,
            tablebases: Arc::default(),
            book: None,
            assigned: Arc::default(),
            random,
            settings: Settings::default(),
            root: Position::startpos(),
            last_move: None,
            history: KeyHistory::new(),
            node_clock: NodeClock::default(),
        })
    }

    /// A handle that can stop searches while the engine itself is in use elsewhere.
    pub fn control(&self) -> Control {
        Control { signal: Arc::clone(&self.signal) }
    }

    /// The plain settings; they count from the next search on.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The same, to change them.
    pub fn settings_mut(&mut self) -> &mut Settings {
        &mut self.settings
    }

    /// Threads that search.
    pub fn threads(&self) -> usize {
        self.pool.len()
    }

    /// Changes the number of searching threads.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), SpawnError> {
        self.wait();
        if threads != self.threads() {
            self.pool = Pool::new(threads, &self.network, &self.binding)?;
        }
        Ok(())
    }

    /// Binds the searching threads to processors from now on.
    pub fn set_numa_policy(&mut self, policy: &NumaPolicy) -> Result<(), SpawnError> {
        self.wait();
        let binding = Binding::new(policy);
        if binding != self.binding {
            self.pool = Pool::new(self.threads(), &self.network, &binding)?;
            self.binding = binding;
        }
        Ok(())
    }

    /// Megabytes of the hash table.
    pub fn hash_mib(&self) -> usize {
        self.hash_mib
    }

    /// Changes the size of the hash table, which clears it. The same size again changes nothing, and
    /// where there is not so much memory, the old table stays.
    pub fn set_hash(&mut self, mib: usize) -> Result<(), OutOfMemory> {
        self.wait();
        if mib != self.hash_mib {
            self.table = Arc::new(TranspositionTable::new(mib)?);
            // It is zero already; this has the system provide it now, on many processors at once, not during a search.
            self.clear_table();
            self.hash_mib = mib;
        }
        Ok(())
    }

    /// Clears the hash tables and everything else that searches have learned: the next one takes the
    /// nodes that it would take in a new engine.
    pub fn clear_hash(&mut self) {
        self.wait();
        self.clear_table();
        self.loaded = false;
        self.forget();
    }

    fn clear_table(&self) {
        let table = Arc::clone(&self.table);
        self.pool.run_on_all(move |part, parts, _| table.clear_part(part, parts));
    }

    /// Clears everything that searches have learned, except the hash table.
    fn forget(&mut self) {
        self.level_table.clear();
        self.pool.forget();
    }

    /// Where the hash table is saved and loaded from now on.
    pub fn set_hash_file(&mut self, file: &str) {
        file.clone_into(&mut self.hash_file);
    }

    /// The file for the hash table; empty for none.
    pub fn hash_file(&self) -> &str {
        &self.hash_file
    }

    /// Writes the hash table to its file.
    pub fn save_hash(&self) -> io::Result<()> {
        self.wait();
        self.table.save(Path::new(&self.hash_file), self.network_checksum())
    }

    /// Replaces the contents of the hash table by those of its file, which may come from a table of any size. They stay
    /// through the new game that many a client announces before it lets the engine search.
    pub fn load_hash(&mut self) -> io::Result<()> {
        self.wait();
        self.table.load(Path::new(&self.hash_file), self.network_checksum())?;
        self.loaded = true;
        Ok(())
    }

    /// Identifies the network.
    fn network_checksum(&self) -> u64 {
        let mut checksum = Checksum::default();
        checksum.add(&self.network.to_bytes());
        checksum.value()
    }

    /// The network in use.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Evaluates with another network from now on; what was learned with the old one is forgotten.
    pub fn set_network(&mut self, network: Arc<Network>) -> Result<(), SpawnError> {
        self.wait();
        self.pool = Pool::new(self.threads(), &network, &self.binding)?;
        self.network = network;
        self.clear_hash();
        Ok(())
    }

    /// Uses the Syzygy tablebases of these directories from now on; the list is separated as in `PATH`, and an empty list
    /// means none. Returns messages about what was found and what was skipped.
    pub fn set_tablebases(&mut self, directories: &str) -> Vec<String> {
        self.wait();
        let (tablebases, notes) = Tablebases::load(directories);
        self.tablebases = Arc::new(tablebases);
        // What was learned may rest on the old tables.
        self.clear_hash();
        notes
    }

    /// Uses the same tablebases as another engine from now on.
    pub fn share_tablebases(&mut self, other: &Self) {
        self.wait();
        self.tablebases = Arc::clone(&other.tablebases);
        self.clear_hash();
    }

    /// Probes the tablebases, if the position has no more pieces than they have.
    pub fn probe_tablebases(&self, pos: &Position) -> Option<TablebaseProbe> {
        self.tablebases.probe(pos)
    }

    /// Uses this opening book from now on, or none if the name is empty; moves are played only if the settings say so.
    /// Returns messages about its content. If the file is not a book, the old one stays.
    pub fn set_book(&mut self, file: &str) -> Result<Vec<String>, BookError> {
        if file.is_empty() {
            self.book = None;
            return Ok(Vec::new());
        }
        let book = Book::open(Path::new(file))?;
        let note = format!("book with {} moves", book.len());
        self.book = Some(book);
        Ok(vec![note])
    }

    /// Assigns a value to a position, or removes it.
    pub fn assign(&mut self, assignment: &Assignment) {
        self.wait();
        Arc::make_mut(&mut self.assigned).apply(assignment);
        self.clear_hash();
    }

    /// The move of the book, if it is used for this search.
    fn book_move(&mut self, limits: &Limits) -> Option<Move> {
        let Settings { own_book, analyse_mode, book_depth, book_variety, multipv, .. } = self.settings;
        let asked = own_book && !analyse_mode && multipv == 1 && limits.is_for_play();
        let book = self.book.as_ref().filter(|_| asked)?;
        let early = u64::from(self.root.fullmove_number()) <= book_depth;
        early.then(|| book.choose(&self.root, book_variety, &mut self.random)).flatten()
    }

    /// The next search is from another game: everything learned is forgotten, but for a table just loaded.
    pub fn new_game(&mut self) {
        if self.loaded {
            self.forget();
        } else {
            self.clear_hash();
        }
        self.node_clock = NodeClock::default();
        self.level_seed = self.random.bits();
    }

    /// Sets the position by where it started and the legal moves since then. A running search goes
    /// on with the old one.
    pub fn set_position(&mut self, start: Position, moves: &[Move]) {
        let (mut root, mut history) = (start, KeyHistory::new());
        for &mv in moves {
            history.push(&root);
            root.play(mv);
        }
        self.set_game(root, moves.last().copied(), history);
    }

    /// The same where the game has been played already: the position, the move that led to it, and the
    /// positions before.
    pub fn set_game(&mut self, root: Position, last_move: Option<Move>, mut history: KeyHistory) {
        history.forget_unreachable(&root);
        (self.root, self.last_move, self.history) = (root, last_move, history);
    }

    /// The position that the next search starts from.
    pub fn position(&self) -> &Position {
        &self.root
    }

    /// Starts to search and returns at once; waits first for a search that is still running. The
    /// reporter hears exactly one `best_move`.
    pub fn go(&mut self, limits: Limits, reporter: Box<dyn Reporter>) {
        self.wait();
        self.signal.begin(limits.ponder, limits.infinite);
        let level = self.level(&limits);
        let table = if level.is_some() { &self.level_table } else { &self.table };
        table.new_search();
        let (table, book_move) = (Arc::clone(table), self.book_move(&limits));
        self.pool.search(SharedSearch::new(SearchRequest {
            root: self.root,
            history: self.history.clone(),
            limits,
            level,
            settings: self.settings.clone(),
            table,
            hash_loaded: self.loaded,
            signal: Arc::clone(&self.signal),
            tablebases: Arc::clone(&self.tablebases),
            assigned: Arc::clone(&self.assigned),
            node_clock: self.node_clock.clone(),
            threads: self.threads(),
            book_move,
            reporter,
        }));
        self.loaded = false;
    }

    /// The limited strength of a search, if any. When the strength changes, everything learned at the old one is cleared.
    fn level(&mut self, limits: &Limits) -> Option<Level> {
        let taken_on = self.last_move.filter(|mv| mv.is_capture()).map(Move::to);
        let level = Level::of_search(&self.settings, limits, self.level_seed, taken_on);
        let elo = level.as_ref().map(Level::elo);
        if elo != self.last_elo {
            self.level_table.clear();
            self.pool.forget();
            self.last_elo = elo;
        }
        level
    }

    /// Waits until no search is running.
    pub fn wait(&self) {
        self.signal.wait_until_idle();
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // The threads end when the pool goes; a search would keep them.
        self.signal.stop();
        self.wait();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Sender, channel};

    use nnue::{Architecture, Parameters};

    use super::*;
    use crate::report::Report;

    /// Sends the nodes and lines of a search, and at last its move.
    struct Told(Sender<String>);

    impl Reporter for Told {
        fn report(&mut self, report: &Report) {
            if let Report::Line(info) = report {
                let _ = self.0.send(format!("{} {} {:?}", info.nodes, info.value, info.pv));
            }
        }

        fn best_move(&mut self, best: Option<Move>, _: Option<Move>) {
            let _ = self.0.send(format!("{best:?}"));
        }
    }

    fn search(engine: &mut Engine) -> Vec<String> {
        let (sender, told) = channel();
        engine.go(Limits::depth(6), Box::new(Told(sender)));
        engine.wait();
        told.into_iter().collect()
    }

    #[test]
    fn a_level_with_another_network_knows_nothing_of_the_old_one() {
        let network = crate::embedded_network().unwrap();
        let architecture = Architecture { width: 128, ..*network.architecture() };
        let other = Arc::new(Network::new(Parameters::random(architecture, 3).unwrap()).unwrap());
        let limited = |network| {
            let mut engine = Engine::new(network).unwrap();
            engine.settings_mut().limit_strength = true;
            engine.settings_mut().elo = 1500;
            engine.level_seed = 7;
            engine
        };
        let mut changed = limited(Arc::clone(&network));
        let with_the_first = search(&mut changed);
        changed.set_network(Arc::clone(&other)).unwrap();
        let with_the_second = search(&mut changed);
        assert_ne!(with_the_first, with_the_second);
        assert_eq!(with_the_second, search(&mut limited(other)), "as in a new engine");
        changed.set_network(network).unwrap();
        assert_eq!(with_the_first, search(&mut changed), "and back again");
    }
}
