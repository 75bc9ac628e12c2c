//! Evaluations per second of random networks, by instruction set, head and width.
//!
//! `cargo run --release -p rufous-nnue --example nnue_speed`
//!
//! - forward: both accumulators are known, only the head is computed;
//! - incremental: one quiet move (one piece leaves, one arrives) was made since the last evaluation;
//! - refresh: as after a king's crossing, both sides from the cache, which knows the position a few moves ago;
//! - scratch: everything from nothing, as `Network::evaluate` does.
//!
//! The compiler may use vectors in the scalar code too, as far as `target-cpu` lets it.

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use chess::{Color, Piece, PieceType, Square};
use nnue::{
    AccumulatorStack, Arch, Architecture, Board, Changes, HeadKind, KingBuckets, Network, Parameters,
    Placement, ThreatForm,
};
use rng::Random;

const MEASURE: Duration = Duration::from_millis(300);
const SLICE: Duration = Duration::from_micros(500);
const LINE: usize = 64;
/// Widths, without threats and with them.
const WIDTHS: [(usize, Option<ThreatForm>); 7] = [
    (512, None),
    (768, None),
    (1024, None),
    (1536, None),
    (512, Some(ThreatForm::Small)),
    (512, Some(ThreatForm::Large)),
    (1024, Some(ThreatForm::Small)),
];

/// Calls per second in the best of many short slices of time: other programs that take the processor away
/// spoil slices, but hardly all of them.
fn rate(mut calls: impl FnMut() -> usize) -> f64 {
    let (begin, mut best) = (Instant::now(), 0.0f64);
    while begin.elapsed() < MEASURE {
        let (start, mut count) = (Instant::now(), 0);
        while start.elapsed() < SLICE {
            count += calls();
        }
        best = best.max(count as f64 / start.elapsed().as_secs_f64());
    }
    best
}

/// A board with the usual number of pieces in a middle game.
fn middle_game(random: &mut Random) -> Placement {
    loop {
        let board = Placement::random(random);
        if board.occupied().count() == 24 {
            return board;
        }
    }
}

/// Quiet moves of pieces other than kings, each from the board that the one before left.
fn line_of_play(random: &mut Random, mut board: Placement) -> Vec<(Changes, Placement)> {
    let mut line = Vec::new();
    while line.len() < LINE {
        let (from, to) = (Square::new(random.below(64)), Square::new(random.below(64)));
        if let Some(piece) = board.piece_on(from)
            && piece.kind() != PieceType::King
            && piece.color() == board.side_to_move
            && board.piece_on(to).is_none()
        {
            board.take(piece, from);
            board.put(piece, to);
            board.side_to_move = !board.side_to_move;
            let mut changes = Changes::NONE;
            changes.take(piece, from);
            changes.put(piece, to);
            line.push((changes, board));
        }
    }
    line
}

/// The board with both kings on the other wing, which is another view for both sides.
fn kings_mirrored(board: &Placement) -> Placement {
    let mut mirrored = *board;
    for color in Color::ALL {
        let (king, from) = (Piece::new(color, PieceType::King), board.king(color));
        mirrored.take(king, from);
        let to = Square::ALL
            .into_iter()
            .find(|to| (to.index() ^ from.index()) & 4 != 0 && mirrored.piece_on(*to).is_none());
        mirrored.put(king, to.expect("half of the board is not full"));
    }
    mirrored
}

fn measure(network: &Arc<Network>) -> [f64; 4] {
    let mut random = Random::new(1);
    let root = middle_game(&mut random);
    let line = line_of_play(&mut random, root);
    let mut stack = AccumulatorStack::new(network.clone(), &root);

    let forward = rate(|| {
        for _ in 0..LINE {
            black_box(stack.evaluate(black_box(&root)));
        }
        LINE
    });
    let incremental = rate(|| {
        for (changes, board) in &line {
            stack.push(changes);
            black_box(stack.evaluate(board));
        }
        for _ in &line {
            stack.pop();
        }
        LINE
    });
    let boards: Vec<Placement> = line.iter().flat_map(|(_, board)| [*board, kings_mirrored(board)]).collect();
    let refresh = rate(|| {
        for board in &boards {
            stack.reset(board);
            black_box(stack.evaluate(board));
        }
        boards.len()
    });
    let scratch = rate(|| {
        for (_, board) in &line {
            black_box(network.evaluate(board));
        }
        LINE
    });
    [forward, incremental, refresh, scratch]
}

fn main() {
    println!("million evaluations per second\n");
    println!("| head | width | threats | instructions | forward | incremental | refresh | scratch |");
    println!("|---|--:|---|---|--:|--:|--:|--:|");
    for head in [HeadKind::Direct, HeadKind::Pairwise] {
        for (width, threats) in WIDTHS {
            if threats.is_some() && head == HeadKind::Direct {
                continue;
            }
            let architecture =
                Architecture { king_buckets: KingBuckets::SINGLE, threats, width, head, output_buckets: 8 };
            let parameters = Parameters::random(architecture, 1).expect("the architecture is possible");
            for arch in Arch::available() {
                let network = Network::with_arch(parameters.clone(), arch).expect("in range");
                let rates = measure(&Arc::new(network)).map(|rate| format!("{:.2}", rate / 1e6)).join(" | ");
                println!(
                    "| {head:?} | {width} | {} | {arch} | {rates} |",
                    threats.map_or("no", ThreatForm::name)
                );
            }
        }
    }
}
