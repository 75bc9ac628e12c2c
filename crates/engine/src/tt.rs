//! The transposition table: what the search has found, shared by all threads without a lock.
//!
//! An entry is one atomic word (key, move, value, depth, age and bound together) and, beside it, the
//! static evaluation. The word is read and written whole, so its parts always belong together. The
//! evaluation may come from another write to the same slot; it is only ever a guess about the
//! position, so a wrong one costs a little accuracy and nothing else. Moves are checked for legality
//! before they are played, so that a clash of the sixteen key bits is harmless as well.

mod file;
#[cfg(test)]
mod tests;

pub(crate) use file::Checksum;

use std::sync::atomic::{AtomicI16, AtomicU8, AtomicU64, Ordering};

use chess::{Move, Position};
use nnue::memory::{self, Zeroable, ZeroedMemory};

use crate::params;
use crate::value::{self, Value};

/// What the value of an entry says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EntryBound {
    /// Nothing; the entry holds only an evaluation.
    None = 0,
    Upper = 1,
    Lower = 2,
    Exact = 3,
}

impl EntryBound {
    /// Is the true value at least the one stored?
    #[inline]
    pub(crate) fn is_lower(self) -> bool {
        self as u8 & Self::Lower as u8 != 0
    }

    /// Is the true value at most the one stored?
    #[inline]
    pub(crate) fn is_upper(self) -> bool {
        self as u8 & Self::Upper as u8 != 0
    }
}

/// An entry, unpacked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) mv: Option<Move>,
    /// Relative to the position, or [`value::NONE`].
    pub(crate) value: Value,
    /// The network's raw evaluation, or [`value::NONE`].
    pub(crate) eval: Value,
    pub(crate) depth: i32,
    pub(crate) bound: EntryBound,
    pub(crate) pv: bool,
}

const SLOTS: usize = 3;
/// Ages count modulo this; older entries give way.
const AGES: u8 = 32;
/// Depths are stored from this one up, so that quiescence has room below zero.
const DEPTH_OFFSET: i32 = 8;

/// The fifty-move rule, in plies.
const FIFTY_MOVES: Value = chess::FIFTY_MOVES as Value;

/// The key of a position in the table. The further the fifty-move rule has come, the less the same position is worth
/// the same, so from the fourteenth ply on each eight have a key of their own.
#[inline]
fn with_clock(key: u64, clock: u16) -> u64 {
    let steps = u64::from(clock.saturating_sub(6) / 8);
    key ^ steps.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[inline]
fn key_of(pos: &Position) -> u64 {
    with_clock(pos.key(), pos.halfmove_clock())
}

/// Half a cache line: three entries.
#[repr(C, align(32))]
struct Cluster {
    words: [AtomicU64; SLOTS],
    evals: [AtomicI16; SLOTS],
    /// What is left of the half line, for [`TranspositionTable::prefetch`].
    #[cfg(all(target_family = "wasm", not(target_feature = "atomics")))]
    spare: AtomicI16,
}

const _: () = assert!(size_of::<Cluster>() == 32);

#[allow(unsafe_code, reason = "the promise that zeroed atomics are valid")]
// SAFETY: atomics of integers are valid as zeros and need no drop.
unsafe impl Zeroable for Cluster {}

/// The parts of a word, from the low bits up: key 16, move 16, value 16, depth 8, age 5, pv 1, bound 2.
#[derive(Clone, Copy)]
struct Word(u64);

impl Word {
    fn new(key: u64, mv: u16, value: Value, depth: i32, age: u8, pv: bool, bound: EntryBound) -> Self {
        let depth = (depth + DEPTH_OFFSET).clamp(1, 255) as u64;
        Self(
            key & 0xffff
                | u64::from(mv) << 16
                | u64::from(value as i16 as u16) << 32
                | depth << 48
                | u64::from(age) << 56
                | u64::from(pv) << 61
                | (bound as u64) << 62,
        )
    }

    #[inline]
    fn matches(self, key: u64) -> bool {
        (self.0 ^ key) & 0xffff == 0 && !self.is_empty()
    }

    #[inline]
    fn is_empty(self) -> bool {
        self.0 >> 48 & 0xff == 0
    }

    #[inline]
    fn mv(self) -> u16 {
        (self.0 >> 16) as u16
    }

    #[inline]
    fn value(self) -> Value {
        Value::from((self.0 >> 32) as u16 as i16)
    }

    #[inline]
    fn depth(self) -> i32 {
        (self.0 >> 48 & 0xff) as i32 - DEPTH_OFFSET
    }

    #[inline]
    fn age(self) -> u8 {
        (self.0 >> 56) as u8 & (AGES - 1)
    }

    #[inline]
    fn pv(self) -> bool {
        self.0 >> 61 & 1 != 0
    }

    #[inline]
    fn bound(self) -> EntryBound {
        match self.0 >> 62 {
            0 => EntryBound::None,
            1 => EntryBound::Upper,
            2 => EntryBound::Lower,
            _ => EntryBound::Exact,
        }
    }

    /// For replacement: the depth, less some plies for each search since. The lowest one is replaced.
    #[inline]
    fn replacement_value(self, age: u8) -> i32 {
        if self.is_empty() {
            return i32::MIN;
        }
        let passed = age.wrapping_sub(self.age()) & (AGES - 1);
        self.depth() - params::tt_age_depth() * i32::from(passed)
    }
}

/// The system does not have that much memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfMemory {
    /// The size that was asked for, in MiB.
    pub mib: usize,
}

impl std::fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "cannot allocate {} MiB for the hash table; the old one stays", self.mib)
    }
}

impl std::error::Error for OutOfMemory {}

/// The table, shared by all threads.
pub(crate) struct TranspositionTable {
    clusters: ZeroedMemory<Cluster>,
    age: AtomicU8,
}

impl TranspositionTable {
    /// A cleared table of this size.
    pub(crate) fn new(mib: usize) -> Result<Self, OutOfMemory> {
        let count = mib.saturating_mul(1 << 20) / size_of::<Cluster>();
        let clusters = ZeroedMemory::try_new(count.max(1)).ok_or(OutOfMemory { mib })?;
        Ok(Self { clusters, age: AtomicU8::new(0) })
    }

    /// Clears the table.
    pub(crate) fn clear(&self) {
        self.clear_part(0, 1);
    }

    /// Forgets a part of so many: several threads together clear a large table faster.
    pub(crate) fn clear_part(&self, part: usize, parts: usize) {
        let share = self.clusters.len().div_ceil(parts);
        for cluster in self.clusters.iter().skip(part * share).take(share) {
            cluster.words.iter().for_each(|word| word.store(0, Ordering::Relaxed));
            cluster.evals.iter().for_each(|eval| eval.store(0, Ordering::Relaxed));
        }
        self.age.store(0, Ordering::Relaxed);
    }

    /// Ages the entries of earlier searches.
    pub(crate) fn new_search(&self) {
        let age = self.age.load(Ordering::Relaxed);
        self.age.store((age + 1) & (AGES - 1), Ordering::Relaxed);
    }

    #[inline]
    fn index(&self, key: u64) -> usize {
        // The high half of the product spreads the keys over any number of clusters; the low
        // sixteen bits of the key, which the entries keep, have next to no part in it.
        let len = self.clusters.len();
        match u32::try_from(len) {
            // WebAssembly has no product of 128 bits.
            Ok(len) if usize::BITS == 32 => high_half(key, len) as usize,
            _ => ((u128::from(key) * len as u128) >> 64) as usize,
        }
    }

    /// Starts to fetch the position's cluster, so that it is there when it is asked for.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64, clock: u16) {
        let cluster = &self.clusters[self.index(with_clock(key, clock))];
        memory::prefetch(&raw const *cluster);
        // WebAssembly has no prefetch, but a store fetches the line as well, and nobody waits for it. With shared memory it
        // would be an exchange, which does wait.
        #[cfg(all(target_family = "wasm", not(target_feature = "atomics")))]
        cluster.spare.store(0, Ordering::Relaxed);
    }

    /// What is known of a position, `ply` plies from the root.
    #[inline]
    pub(crate) fn probe(&self, pos: &Position, ply: usize) -> Option<Entry> {
        self.probe_key(key_of(pos), ply, pos.halfmove_clock())
    }

    #[inline]
    fn probe_key(&self, key: u64, ply: usize, clock: u16) -> Option<Entry> {
        let cluster = &self.clusters[self.index(key)];
        for (word, eval) in cluster.words.iter().zip(&cluster.evals) {
            let word = Word(word.load(Ordering::Relaxed));
            if word.matches(key) {
                return Some(Entry {
                    mv: Move::from_bits(word.mv()),
                    value: from_table(word.value(), ply, clock),
                    eval: Value::from(eval.load(Ordering::Relaxed)),
                    depth: word.depth(),
                    bound: word.bound(),
                    pv: word.pv(),
                });
            }
        }
        None
    }

    /// Remembers what was found about a position, `ply` plies from the root.
    #[inline]
    pub(crate) fn store(&self, pos: &Position, ply: usize, entry: Entry) {
        self.store_key(key_of(pos), ply, entry);
    }

    #[inline]
    fn store_key(&self, key: u64, ply: usize, entry: Entry) {
        let cluster = &self.clusters[self.index(key)];
        let age = self.age.load(Ordering::Relaxed);
        let words = [0, 1, 2].map(|slot: usize| Word(cluster.words[slot].load(Ordering::Relaxed)));
        let slot = (0..SLOTS).find(|&slot| words[slot].matches(key)).unwrap_or_else(|| {
            (0..SLOTS).min_by_key(|&slot| words[slot].replacement_value(age)).unwrap_or(0)
        });
        let old = words[slot];
        let same = old.matches(key);
        // A move is better than none, and a fresh deep result of the same position better than a
        // shallow one, unless the new one is exact.
        let mv = match entry.mv {
            Some(mv) => mv.bits(),
            None if same => old.mv(),
            None => 0,
        };
        let keep = same
            && entry.bound != EntryBound::Exact
            && old.age() == age
            && entry.depth + params::tt_keep_depth() + params::tt_keep_pv() * i32::from(entry.pv)
                <= old.depth();
        let word = if keep {
            Word(old.0 & !(0xffff << 16) | u64::from(mv) << 16)
        } else {
            cluster.evals[slot].store(entry.eval as i16, Ordering::Relaxed);
            Word::new(key, mv, to_table(entry.value, ply), entry.depth, age, entry.pv, entry.bound)
        };
        cluster.words[slot].store(word.0, Ordering::Relaxed);
    }

    /// Per mille of the entries that this search has written, by a sample.
    pub(crate) fn hashfull(&self) -> usize {
        let age = self.age.load(Ordering::Relaxed);
        let sample = &self.clusters[..self.clusters.len().min(1000)];
        let used = sample
            .iter()
            .flat_map(|cluster| &cluster.words)
            .map(|word| Word(word.load(Ordering::Relaxed)))
            .filter(|word| !word.is_empty() && word.age() == age)
            .count();
        used * 1000 / (sample.len() * SLOTS)
    }
}

/// The product without its lowest 64 bits, from products of 64 bits.
#[inline]
fn high_half(key: u64, len: u32) -> u64 {
    let (high, low, len) = (key >> 32, key & u64::from(u32::MAX), u64::from(len));
    (high * len + ((low * len) >> 32)) >> 32
}

/// Mates and tablebase wins count from the root in the search, from the position in the table.
#[inline]
fn to_table(value: Value, ply: usize) -> Value {
    if value == value::NONE {
        value
    } else if value::is_win(value) {
        value + ply as Value
    } else if value::is_loss(value) {
        value - ply as Value
    } else {
        value
    }
}

/// The same the other way, `clock` plies after the last capture or pawn move: what the fifty-move rule may forestall is
/// no more than the best that an evaluation can say.
#[inline]
fn from_table(value: Value, ply: usize, clock: u16) -> Value {
    if value == value::NONE {
        value
    } else if value::is_win(value) {
        if is_before_fifty_moves(value, clock) { value - ply as Value } else { value::EVAL_LIMIT }
    } else if value::is_loss(value) {
        if is_before_fifty_moves(-value, clock) { value + ply as Value } else { -value::EVAL_LIMIT }
    } else {
        value
    }
}

/// Is the mate, or the tablebases' win, reached before the fifty-move rule even if nothing is captured before?
#[inline]
fn is_before_fifty_moves(win: Value, clock: u16) -> bool {
    let certain = if value::is_mate(win) { value::MATE } else { value::TABLEBASE_WIN };
    certain - win <= FIFTY_MOVES - Value::from(clock)
}
