//! Computes the walks of a run on several threads, each with a teacher, and writes them in order.

use std::error::Error;
use std::fmt;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use rng::Random;

use super::bases::Bases;
use super::lines::Searcher;
use super::steps::{self, Shape};
use super::teacher::{Teacher, TeacherError, Teaching};
use crate::ordered;
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
    let started = Instant::now();
    ordered::run(
        threads,
        0..u64::MAX,
        || Walker::new(plan),
        |number, walker| plan.block(number, walker),
        |block| -> Result<_, Box<dyn Error>> {
            for record in &block {
                output.write_all(&record.to_bytes()).map_err(named)?;
            }
            summary.positions += block.len() as u64;
            summary.labels += block.iter().filter(|record| record.has_score()).count() as u64;
            summary.chains += CHAINS;
            let enough = summary.positions >= positions;
            Ok(if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        },
    )?;
    output.flush().map_err(named)?;
    fs::rename(&part, path).map_err(named)?;
    summary.time = started.elapsed();
    Ok(summary)
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
    fn block(&self, number: u64, walker: &mut Walker) -> Result<Vec<Record>, TeacherError> {
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
