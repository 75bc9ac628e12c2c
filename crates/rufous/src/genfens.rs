//! `genfens`: random openings, by which OpenBench starts games for training data.

use std::fs;

use chess::Position;
use engine::Engine;
use rng::Random;
use uci::{GenFens, Info};

use crate::job::Cancel;
use crate::network;
use crate::writer::Writer;

/// Random plies from the start position, and one more half of the time so that both sides begin.
const PLIES: usize = 8;
/// Random plies behind a position of a book, where the opening has been played.
const PLIES_AFTER_BOOK: usize = 4;
/// Openings with a larger advantage for one side, in centipawns, are discarded.
const LARGEST_EDGE: i32 = 500;

/// Prints as many openings as were asked for; the same seed gives the same ones.
pub(crate) fn generate(engine: Option<&Engine>, request: &GenFens, out: &Writer, cancel: &Cancel) {
    let starts = match request.book.as_deref().map(read_book).transpose() {
        Ok(book) => book.unwrap_or_else(|| vec![Position::startpos()]),
        Err(reason) => return out.error(reason),
    };
    let network = match network::in_use(engine) {
        Ok(network) => network,
        Err(reason) => return out.error(reason),
    };
    let plies = if request.book.is_some() { PLIES_AFTER_BOOK } else { PLIES };
    let mut random = Random::new(request.seed);
    let mut found = 0;
    while found < request.count && !cancel.cancelled() {
        let start = starts[random.below(starts.len())];
        let plies = plies + random.below(2);
        let Some(position) = play_random(start, plies, &mut random) else { continue };
        let edge = engine::wdl::centipawns(network.evaluate(&position), &position);
        if edge.abs() <= LARGEST_EDGE {
            out.message(Info::text(format!("genfens {position}")));
            found += 1;
        }
    }
}

/// The usable positions of a book, one a line.
fn read_book(path: &str) -> Result<Vec<Position>, String> {
    let text = fs::read_to_string(path)
        .map_err(|error| format!("cannot read the book '{path}': {}", engine::io_error_text(&error)))?;
    let positions: Vec<Position> = text.lines().filter_map(|line| line.parse().ok()).collect();
    if positions.is_empty() { Err(format!("the book '{path}' holds no position")) } else { Ok(positions) }
}

/// Plays at random; `None` where the game ends or the last move gives check.
fn play_random(mut position: Position, plies: usize, random: &mut Random) -> Option<Position> {
    for _ in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return None;
        }
        position.play(moves[random.below(moves.len())]);
    }
    (!position.in_check() && position.has_legal_move()).then_some(position)
}
