//! Positions that set traps, for laws that must hold everywhere.

use chess::Position;

/// Pins, checks, en passant in every danger, castling of every sort, promotions, crowds of queens.
pub(crate) const TRAPS: [&str; 18] = [
    Position::START_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R2Pp1k/8/6P1/8 b - e3 0 1",
    "8/8/8/8/k1pP3R/8/8/3K4 b - d3 0 1",
    "8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1",
    "1b1k4/8/8/1rPpK3/8/8/8/8 w - d6 0 1",
    "8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1",
    "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "r3k2r/8/8/8/8/8/8/1R2K2R w Kkq - 0 1",
    "1rk1r3/8/8/8/8/8/8/R2K3R w HAeb - 0 1",
    "8/8/8/4B2b/6nN/8/5P2/2R1K2k w Q - 0 1",
    "4r3/3k4/8/8/8/8/6PP/qR1K1R2 w KQ - 0 1",
    "rkr5/8/8/8/8/8/8/5RKR b HFca - 0 1",
    "3R4/8/q4k2/2B5/1NK5/3b4/8/8 w - - 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "6k1/5ppp/8/8/8/8/8/r3K3 w - - 0 1",
];

pub(crate) fn traps() -> impl Iterator<Item = Position> {
    TRAPS.into_iter().map(|fen| Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}")))
}
