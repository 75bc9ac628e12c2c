//! Perft: a few positions that set traps, and the small counts of the suites beside the workspace.
//!
//! Every count: `cargo run --release -p rufous-chess --example perft_suites`.

use chess::{Position, divide, perft};

#[path = "support/suites.rs"]
mod suites;

/// Counts up to this size are checked here: some six thousand of them, seconds in all.
const LARGEST_IN_SUITE: u64 = 1_500_000;

const INLINE: [(&str, u32, u64); 24] = [
    // Standard chess.
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 4_865_609),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4_085_603),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674_624),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4, 422_333),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4, 2_103_487),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4, 3_894_594),
    // En passant: two pawns leave the king's rank at once, or the diagonal of a pin.
    ("3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", 6, 1_134_888),
    ("8/8/8/8/k1p4R/8/3P4/3K4 w - - 0 1", 6, 1_134_888),
    ("8/8/4k3/8/2p5/8/B2P2K1/8 w - - 0 1", 6, 1_015_133),
    ("8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", 6, 1_440_467),
    ("8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1", 3, 711),
    // Castling with and out of check, through attacks, and after the rook was taken.
    ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", 6, 661_072),
    ("r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", 4, 1_274_206),
    // Promotion with and into check, under-promotion, self-stalemate.
    ("2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", 6, 3_821_001),
    ("4k3/1P6/8/8/8/8/K7/8 w - - 0 1", 6, 217_342),
    ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 5, 3_605_103),
    ("K1k5/8/P7/8/8/8/8/8 w - - 0 1", 6, 2_217),
    // Chess960: both rights on odd files, an inner rook, a rook that shields its king.
    ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 4, 326_672),
    ("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", 4, 667_366),
    ("8/8/8/4B2b/6nN/8/5P2/2R1K2k w Q - 0 1", 4, 118_388),
    ("4r3/3k4/8/8/8/8/6PP/qR1K1R2 w KQ - 0 1", 4, 405_636),
    // Double Chess960: the two sides start from different set-ups.
    ("rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFca - 0 1", 4, 202_136),
    ("1rk1r3/8/8/8/8/8/8/R2K3R w HAeb - 0 1", 4, 272_725),
    ("nrbbkqrn/1ppppppp/p7/8/8/P7/1PPPPPPP/RK1NQBBR w HAgb - 0 1", 4, 151_155),
];

#[test]
fn traps() {
    for (fen, depth, expected) in INLINE {
        let pos = Position::from_fen(fen).unwrap();
        assert_eq!(perft(&pos, depth), expected, "{fen}");
    }
}

#[test]
fn suites_beside_the_workspace() {
    let Some(cases) = suites::load() else {
        eprintln!("skipped: ../shared/suites/perft is missing");
        return;
    };
    let mut checked = 0;
    for case in &cases {
        for &(depth, expected) in case.counts.iter().filter(|&&(_, count)| count <= LARGEST_IN_SUITE) {
            if let Err(error) = case.check(depth, expected) {
                panic!("{}: {error}", case.suite);
            }
            checked += 1;
        }
    }
    assert!(checked > 5_000, "only {checked} counts");
}

#[test]
fn divide_sums_to_perft_and_names_every_move() {
    let pos = Position::from_fen(INLINE[1].0).unwrap();
    let parts = divide(&pos, 3);
    assert_eq!(parts.iter().map(|&(mv, _)| mv).collect::<Vec<_>>(), pos.legal_moves().to_vec());
    assert_eq!(parts.iter().map(|&(_, count)| count).sum::<u64>(), 97_862);
    assert_eq!(perft(&pos, 0), 1);
    assert!(divide(&pos, 0).is_empty());
}
