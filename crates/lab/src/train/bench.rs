//! `rufous-lab train --bench`: positions per second of training, on made-up games.

use std::time::Instant;

use nnue::features::KingBuckets;

use super::games::{Board, Games, Placed, Step};
use super::head::{Direct, Head, HeadKind, Pairwise};
use super::loss::Loss;
use super::network::Architecture;
use super::optimiser::Adam;
use super::rng::Rng;
use super::sampler;
use super::trainer::{Settings, State, Trainer};

/// Games of so many plies, as long as those of self-play at low node counts.
const PLIES: usize = 100;

/// Measures the usual widths with both heads.
pub(super) fn run(threads: usize) {
    let games = made_up_games(10_000, 1);
    println!(
        "{} positions, {threads} threads, a quarter of them without loss as in real games",
        games.steps().len()
    );
    for width in [512, 1024] {
        for head in [HeadKind::Direct, HeadKind::Pairwise] {
            let architecture = Architecture { king_buckets: KingBuckets::SINGLE, width, head };
            let speed = match head {
                HeadKind::Direct => measure::<Direct>(architecture, threads, &games),
                HeadKind::Pairwise => measure::<Pairwise>(architecture, threads, &games),
            };
            let by_processor = speed.by_processor.map_or(String::new(), |rate| {
                format!(", {:.2} M for each second of a processor", rate / 1e6)
            });
            println!("768 -> 2 x {width} {head:?}: {:.2} M positions/s{by_processor}", speed.by_clock / 1e6);
        }
    }
}

/// Positions per second.
struct Speed {
    by_clock: f64,
    /// What a busy machine does not falsify, where the system tells it.
    by_processor: Option<f64>,
}

/// Seconds that all threads of this program have computed, in hundredths, as Linux tells it.
fn processor_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name in parentheses may hold spaces; user time is the twelfth field after it.
    let ticks: f64 = stat.rsplit(')').next()?.split_whitespace().nth(11)?.parse().ok()?;
    Some(ticks / 100.0)
}

fn measure<H: Head + Send>(architecture: Architecture, threads: usize, games: &Games) -> Speed {
    let settings = Settings {
        loss: Loss { scale: 400.0, lambda: 1.0, power: 2.0 },
        adam: Adam { beta1: 0.9, beta2: 0.999, decay: 0.01, own_rate: 1.0 },
        rate: 0.001,
        last_rate: 0.01,
        warm_up: 0,
        epochs: 1,
        batch: 16384,
        window: 32,
        average: 0,
        seed: 1,
        threads,
    };
    let mut trainer = Trainer::<H>::new(architecture, settings);
    let mut state = State::new(&architecture, &settings);
    let windows = sampler::windows(games, settings.window, 1, 0);
    let (started, computed) = (Instant::now(), processor_seconds());
    for batch in sampler::batches(&windows, settings.batch) {
        trainer.step(&mut state, games, batch, settings.rate);
    }
    let positions = games.steps().len() as f64;
    Speed {
        by_clock: positions / started.elapsed().as_secs_f64(),
        by_processor: computed.zip(processor_seconds()).map(|(from, to)| positions / (to - from).max(0.01)),
    }
}

/// Games in which random pieces go to random squares: no chess, but the same work as chess.
pub(super) fn made_up_games(count: usize, seed: u64) -> Games {
    let mut rng = Rng::new(seed, 0);
    let mut games = Games::default();
    for _ in 0..count {
        let mut board = start();
        games.begin(&board);
        let nothing: (&[Placed], &[Placed]) = (&[], &[]);
        games.push(Step::new(nothing, 30, 1, false, true));
        for ply in 1..PLIES {
            let (leaving, entering) = random_move(&board, ply % 2 == 0, &mut rng);
            let quiet = rng.below(4) != 0;
            board.apply(&Step::new((&leaving, &entering), 0, 0, false, quiet));
            let score = balance(&board, ply % 2);
            games.push(Step::new((&leaving, &entering), score, score.signum() as i8, ply % 2 == 1, quiet));
        }
    }
    games
}

/// What the pieces of the side to move are worth more than the other's, so that there is something to learn.
fn balance(board: &Board, side: usize) -> i16 {
    let worth = |side: usize| -> u32 {
        [60, 180, 200, 300, 560]
            .iter()
            .zip(0..)
            .map(|(worth, kind)| worth * board.0[2 * kind + side].count_ones())
            .sum()
    };
    worth(side) as i16 - worth(1 - side) as i16
}

fn start() -> Board {
    let mut board = Board::default();
    for (file, kind) in [3, 1, 2, 4, 5, 2, 1, 3].into_iter().enumerate() {
        for (side, (back, pawns)) in [(0, 8), (56, 48)].into_iter().enumerate() {
            board.0[2 * kind + side] |= 1 << (back + file);
            board.0[side] |= 1 << (pawns + file);
        }
    }
    board
}

/// A piece of one side goes anywhere; kings are never taken and their pieces seldom, so that games end as they do
/// in chess with about half of the pieces.
fn random_move(board: &Board, black: bool, rng: &mut Rng) -> (Vec<Placed>, Vec<Placed>) {
    let all: Vec<Placed> = board.placed().collect();
    loop {
        let mover = all[rng.below(all.len())];
        let to = rng.below(64);
        let target = all.iter().copied().find(|placed| placed.square() == to);
        let allowed = target.is_none_or(|taken| taken.piece() < 10 && taken.piece() % 2 != mover.piece() % 2);
        let often = target.is_none() || rng.below(2) == 0;
        let king_often = mover.piece() < 10 || rng.below(3) == 0;
        if mover.piece() % 2 == usize::from(!black) || !allowed || !often || !king_often {
            continue;
        }
        let leaving = std::iter::once(mover).chain(target).collect();
        return (leaving, vec![Placed::new(mover.piece(), to)]);
    }
}
