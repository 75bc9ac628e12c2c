//! The self-tests: each compares a result on this computer with the known one.

use chess::Position;
use engine::{EMBEDDED_NAME, embedded_bytes};
use nnue::{Arch, Network};
use rng::Random;

use super::sha256;
use crate::bench;
use crate::job::Cancel;

/// What was found right, or what is wrong.
type Finding = Result<String, String>;

/// A test of the program with the network in use.
type Test = fn(&Network, &Cancel) -> Finding;

/// All of them, the quick ones first.
pub(super) const ALL: [(&str, Test); 4] = [
    ("network checksum", network_checksum),
    ("instruction sets", instruction_sets),
    ("perft", perft),
    ("bench", bench_signature),
];

/// Positions with the number of move sequences of a length, as the Chess Programming Wiki has them; the last is Chess960.
const PERFT: [(&str, u32, u64); 6] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 4, 197_281),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4_085_603),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674_624),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4, 422_333),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4, 2_103_487),
    ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 4, 326_672),
];

/// Plies of the random game from each position of the bench in which the instruction sets are compared.
const PLIES: usize = 20;

/// The embedded file is named by its SHA-256. A network from another file was checked by its own checksum when it was read.
fn network_checksum(_: &Network, _: &Cancel) -> Finding {
    let found = sha256(embedded_bytes());
    let stem = EMBEDDED_NAME.trim_end_matches(".nnue");
    match stem.strip_prefix("rufous-").filter(|digits| digits.len() == 12) {
        Some(digits) if found.starts_with(digits) => Ok(format!("SHA-256 {digits}... as its name says")),
        Some(digits) => {
            Err(format!("{EMBEDDED_NAME} has the SHA-256 {found}, which does not begin with {digits}"))
        }
        None => Ok(format!("undamaged; {EMBEDDED_NAME} is not named by its SHA-256")),
    }
}

/// Every instruction set of this processor gives the same evaluations.
fn instruction_sets(network: &Network, _: &Cancel) -> Finding {
    let boards = random_boards();
    let expected: Vec<i32> = evaluations(network, Arch::Scalar, &boards)?;
    let mut names = Vec::new();
    for arch in Arch::available() {
        let found = evaluations(network, arch, &boards)?;
        if let Some(index) = (0..boards.len()).find(|&index| found[index] != expected[index]) {
            let (right, wrong) = (expected[index], found[index]);
            return Err(format!("{arch} gives {wrong} instead of {right} for {}", boards[index]));
        }
        names.push(arch.to_string());
    }
    Ok(format!("{} agree on {} positions", names.join(", "), boards.len()))
}

fn evaluations(network: &Network, arch: Arch, boards: &[Position]) -> Result<Vec<i32>, String> {
    let network = Network::with_arch(network.parameters(), arch).map_err(|error| error.to_string())?;
    Ok(boards.iter().map(|board| network.evaluate(board)).collect())
}

/// Positions of random games; the same every time.
fn random_boards() -> Vec<Position> {
    let mut random = Random::new(1);
    let mut boards = Vec::new();
    for mut position in bench::positions() {
        for _ in 0..PLIES {
            boards.push(position);
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play(moves[random.below(moves.len())]);
        }
    }
    boards
}

/// The rules, by counting.
fn perft(_: &Network, cancel: &Cancel) -> Finding {
    let mut total = 0;
    for (fen, depth, expected) in PERFT {
        let position = Position::from_fen(fen).map_err(|error| error.to_string())?;
        let parts = chess::divide_with(&position, depth, 1, || cancel.cancelled());
        let found: u64 = parts.iter().map(|(_, count)| count).sum();
        if found != expected && !cancel.cancelled() {
            return Err(format!("{found} sequences of {depth} moves instead of {expected} from {fen}"));
        }
        total += found;
    }
    Ok(format!("{total} sequences of moves from {} positions, as known", PERFT.len()))
}

/// The search counts as many nodes as in the commit that this program was built from.
fn bench_signature(_: &Network, cancel: &Cancel) -> Finding {
    let found = bench::signature(cancel)?;
    match env!("BUILD_BENCH") {
        "" => Ok(format!("{found} nodes; this build does not know how many it should be")),
        expected if expected == found.to_string() => Ok(format!("{found} nodes, as in the commit")),
        _ if cancel.cancelled() => Ok("stopped".to_owned()),
        expected => Err(format!("{found} nodes instead of {expected}")),
    }
}
