//! `rufous-lab train --bench`: positions per second of training, on random walks.

use std::time::Instant;

use chess::{Piece, Position};
use nnue::{Architecture, HeadKind, ThreatForm};
use rayon::ThreadPoolBuildError;

use super::buckets;
use super::games::{Games, Label, PieceSets};
use super::head::{Direct, Head, OUTPUT_BUCKETS, Pairwise};
use super::loss::Loss;
use super::optimiser::Adam;
use super::rng::Rng;
use super::sampler;
use super::stream;
use super::trainer::{Rule, Settings, State, Trainer};

/// Widths, king buckets and threats.
const SIZES: [(usize, usize, Option<ThreatForm>); 5] = [
    (512, 1, None),
    (512, 8, None),
    (512, 8, Some(ThreatForm::Small)),
    (512, 8, Some(ThreatForm::Large)),
    (1024, 8, None),
];

/// Positions per batch, as used with data of this kind.
const BATCH: usize = 24_576;

/// Measures the usual architectures.
pub(super) fn run(threads: usize) -> Result<(), ThreadPoolBuildError> {
    let games = walks(10_000, &Shape { lead: 60, positions: 20, siblings: 4 }, 1);
    println!("{} positions in chains of 20, {threads} threads, batches of {BATCH}", games.steps().len());
    for (width, buckets, threats) in SIZES {
        let Some(king_buckets) = buckets::layout(buckets) else { continue };
        for head in [HeadKind::Direct, HeadKind::Pairwise] {
            let architecture =
                Architecture { king_buckets, threats, width, head, output_buckets: OUTPUT_BUCKETS };
            let speed = match head {
                HeadKind::Direct => measure::<Direct>(architecture, threads, &games)?,
                HeadKind::Pairwise => measure::<Pairwise>(architecture, threads, &games)?,
            };
            let by_processor = speed.by_processor.map_or(String::new(), |rate| {
                format!(", {:.3} M for each second of a processor", rate / 1e6)
            });
            println!("{architecture}: {:.3} M positions/s{by_processor}", speed.by_clock / 1e6);
        }
    }
    Ok(())
}

/// Positions per second.
struct Speed {
    by_clock: f64,
    /// By processor time, which a busy machine does not distort, where the system reports it.
    by_processor: Option<f64>,
}

/// Processor time of all threads in seconds, with a resolution of a hundredth (Linux).
fn processor_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name in parentheses may hold spaces; user time is the twelfth field after it.
    let ticks: f64 = stat.rsplit(')').next()?.split_whitespace().nth(11)?.parse().ok()?;
    Some(ticks / 100.0)
}

fn measure<H: Head + Send>(
    architecture: Architecture,
    threads: usize,
    games: &Games,
) -> Result<Speed, ThreadPoolBuildError> {
    let settings = Settings {
        loss: Loss { scale: 400.0, lambda: 1.0, power: 2.0 },
        adam: Adam { beta1: 0.9, beta2: 0.999, decay: 0.01, own_rate: 1.0 },
        rate: 0.001,
        last_rate: 0.01,
        warm_up: 0,
        batch: BATCH,
        window: 0,
        pool: stream::POOL,
        average: 0,
        seed: 1,
        threads,
    };
    let rules = vec![Rule { weight: 1.0, lambda: 1.0 }];
    let mut trainer = Trainer::<H>::new(architecture, settings, rules)?;
    let mut state = State::new(&architecture, &settings);
    let mut pass = |number| {
        let mut windows = sampler::windows(games, settings.window, 1, number);
        for batch in sampler::batches(&windows, settings.batch) {
            sampler::sort(&mut windows[batch.clone()], games, &architecture);
            trainer.step(&mut state, games, &windows[batch], settings.rate);
        }
    };
    // The first pass takes the memory that a run takes once.
    pass(0);
    let (started, computed) = (Instant::now(), processor_seconds());
    pass(1);
    let positions = games.steps().len() as f64;
    Ok(Speed {
        by_clock: positions / started.elapsed().as_secs_f64(),
        by_processor: computed.zip(processor_seconds()).map(|(from, to)| positions / (to - from).max(0.01)),
    })
}

/// What random walks look like.
pub(super) struct Shape {
    /// Plies from the start position to where a chain begins, at most.
    pub(super) lead: usize,
    /// Positions of a chain.
    pub(super) positions: usize,
    /// Positions after moves of the same position, the last of which is played; 1 makes games.
    pub(super) siblings: usize,
}

/// Random legal moves, scored by material.
pub(super) fn walks(count: usize, shape: &Shape, seed: u64) -> Games {
    let mut rng = Rng::new(seed, 0);
    let mut games = Games::default();
    while games.len() < count {
        let mut position = Position::startpos();
        for _ in 0..rng.below(shape.lead + 1) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play(moves[rng.below(moves.len())]);
        }
        let mut last = board(&position);
        games.begin(&last, label(&position), 0);
        for number in 1..shape.positions {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let next = position.after(moves[rng.below(moves.len())]);
            let after = board(&next);
            games.advance(&last, &after, label(&next));
            last = after;
            if number.is_multiple_of(shape.siblings) {
                position = next;
            }
        }
    }
    games
}

fn board(position: &Position) -> PieceSets {
    PieceSets(Piece::ALL.map(|piece| position.pieces(piece.color(), piece.kind()).0))
}

/// A score from the material balance, so that there is something to learn.
fn label(position: &Position) -> Label {
    let us = position.side_to_move();
    let score: i32 = position
        .men()
        .map(|(piece, _)| {
            let worth = [60, 180, 200, 300, 560, 0][piece.kind().index()];
            if piece.color() == us { worth } else { -worth }
        })
        .sum();
    Label {
        score: score as i16,
        result: Some(score.signum() as i8),
        black_to_move: us == chess::Color::Black,
        counts: !position.in_check(),
    }
}
