//! The threads that walk, each with a teacher, and the order in which their walks are written.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use rng::Random;

use super::bases::Bases;
use super::lines::Searcher;
use super::steps::{self, Shape};
use super::teacher::{Teacher, TeacherError, Teaching};
use crate::packed::Record;

/// Chains that are handed over together.
const CHAINS: u64 = 64;

/// What decides the positions.
pub(super) struct Plan {
    pub(super) bases: Bases,
    pub(super) teaching: Teaching,
    pub(super) shape: Shape,
    /// Percentage of chains that are lines of a search, and its nodes.
    pub(super) lines: Option<(u8, u64)>,
    pub(super) seed: u64,
}

/// The totals of a run.
#[derive(Debug)]
pub(super) struct Summary {
    pub(super) positions: u64,
    pub(super) labels: u64,
    pub(super) chains: u64,
    time: Duration,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { positions, labels, chains, time } = self;
        let speed = *labels as f64 / time.as_secs_f64().max(1e-9);
        write!(f, "{positions} positions in {chains} chains, {labels} labels, {speed:.0} a second")
    }
}

type Block = Result<Vec<Record>, TeacherError>;

/// Writes so many positions at least, in whole blocks of chains.
pub(super) fn write(
    plan: &Plan,
    positions: u64,
    threads: usize,
    path: &Path,
) -> Result<Summary, Box<dyn Error>> {
    let named = |error: std::io::Error| format!("{}: {error}", path.display());
    let part = path.with_added_extension("part");
    let mut output = BufWriter::new(File::create(&part).map_err(named)?);
    let mut summary = Summary { positions: 0, labels: 0, chains: 0, time: Duration::ZERO };
    let (next, enough, started) = (AtomicU64::new(0), AtomicBool::new(false), Instant::now());
    thread::scope(|scope| {
        let (sender, made) = sync_channel(2 * threads);
        for _ in 0..threads {
            let sender = sender.clone();
            scope.spawn(|| work(plan, &next, &enough, sender));
        }
        drop(sender);
        let mut write_all = || -> Result<(), Box<dyn Error>> {
            // Blocks that were ready before one with a lower number.
            let mut early = BTreeMap::new();
            for (number, block) in &made {
                early.insert(number, block?);
                while let Some(block) = early.remove(&(summary.chains / CHAINS)) {
                    for record in &block {
                        output.write_all(&record.to_bytes()).map_err(named)?;
                    }
                    summary.positions += block.len() as u64;
                    summary.labels += block.iter().filter(|record| record.has_score()).count() as u64;
                    summary.chains += CHAINS;
                    if summary.positions >= positions {
                        return Ok(());
                    }
                }
            }
            Ok(())
        };
        let written = write_all();
        enough.store(true, Ordering::Relaxed);
        // Unblocks workers that still wait to send.
        drop(made);
        written
    })?;
    output.flush().map_err(named)?;
    fs::rename(&part, path).map_err(named)?;
    summary.time = started.elapsed();
    Ok(summary)
}

/// Makes one block after the other until there are enough.
fn work(plan: &Plan, next: &AtomicU64, enough: &AtomicBool, sender: SyncSender<(u64, Block)>) {
    let mut walker = None;
    while !enough.load(Ordering::Relaxed) {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let block = match &mut walker {
            Some(walker) => plan.block(number, walker),
            None => Walker::new(plan).and_then(|new| plan.block(number, walker.insert(new))),
        };
        // The receiver is gone when there are enough positions or the run failed.
        if sender.send((number, block)).is_err() {
            break;
        }
    }
}

/// What one thread needs.
struct Walker {
    teacher: Box<dyn Teacher>,
    searcher: Option<Searcher>,
}

impl Walker {
    fn new(plan: &Plan) -> Result<Self, TeacherError> {
        let searcher = plan.lines.map(|(_, nodes)| Searcher::new(&plan.teaching, nodes));
        Ok(Self {
            teacher: plan.teaching.teacher()?,
            searcher: searcher.transpose().map_err(TeacherError::Engine)?,
        })
    }
}

impl Plan {
    /// The chains with the numbers of a block: always the same ones.
    fn block(&self, number: u64, walker: &mut Walker) -> Block {
        let mut records = Vec::new();
        for chain in number * CHAINS..(number + 1) * CHAINS {
            let mut random = Random::of_number(self.seed, chain);
            let base = self.bases.draw(&mut random);
            let teacher = &mut *walker.teacher;
            let percent = self.lines.map_or(0, |(percent, _)| percent);
            match &mut walker.searcher {
                Some(searcher) if random.below(100) < percent.into() => {
                    searcher.chain(base, teacher, &mut records)?;
                }
                _ => steps::walk(base, &self.shape, teacher, &mut random, &mut records)?,
            }
        }
        Ok(records)
    }
}
