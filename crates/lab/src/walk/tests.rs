use std::collections::HashMap;
use std::sync::Arc;

use chess::{Bitboard, Color, Piece, Position, Square};
use nnue::{Board, Changes, Network, Parameters, Placement};
use rng::Random;

use super::bases::Bases;
use super::steps::{self, Shape};
use super::teacher::{Teacher, TeacherError, Teaching};
use super::workers::{self, Plan};
use crate::folder::Folder;
use crate::packed::{NO_SCORE, RECORD, Record};

const SHAPE: Shape = Shape { plies: 5..=12, siblings: 4, pass: 8, decided: 2000 };

/// A network with threats, small enough for tests.
fn network() -> Arc<Network> {
    let architecture = nnue::Architecture {
        king_buckets: nnue::features::KingBuckets::SINGLE,
        threats: Some(nnue::ThreatForm::Large),
        width: 128,
        head: nnue::HeadKind::Pairwise,
        output_buckets: 8,
    };
    let parameters = Parameters::random(architecture, 3).expect("a sound architecture");
    Arc::new(Network::new(parameters).expect("sound parameters"))
}

fn plan(folder: &Folder, teaching: Teaching, lines: Option<(u8, u64)>) -> Plan {
    let book = folder.file("bases.epd");
    let fens = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n\
                r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1\n\
                # a comment\n\n8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -\n";
    std::fs::write(&book, fens).expect("a temporary file");
    let bases = Bases::read(&[book], 10, 1).expect("three positions");
    assert_eq!(bases.len(), 3);
    Plan { bases, teaching, shape: SHAPE, lines, seed: 5 }
}

fn written(plan: &Plan, positions: u64, threads: usize, folder: &Folder) -> Vec<Record> {
    let path = folder.file(&format!("{threads}.packed"));
    let summary = workers::write(plan, positions, threads, &path).expect("written");
    let bytes = std::fs::read(path).expect("written above");
    let records: Vec<Record> = bytes
        .as_chunks::<RECORD>()
        .0
        .iter()
        .map(|bytes| Record::from_bytes(bytes).expect("a chess position"))
        .collect();
    assert_eq!(summary.positions, records.len() as u64);
    assert!(summary.positions >= positions);
    assert_eq!(summary.chains, records.iter().filter(|record| record.begins_chain).count() as u64);
    assert_eq!(summary.labels, records.iter().filter(|record| record.score != NO_SCORE).count() as u64);
    records
}

fn placement(record: &Record) -> Placement {
    let mut placement = Placement::EMPTY;
    for (piece, squares) in Piece::ALL.into_iter().zip(record.pieces) {
        Bitboard(squares).into_iter().for_each(|square| placement.put(piece, square));
    }
    placement.side_to_move = if record.black_to_move { Color::Black } else { Color::White };
    placement
}

fn in_check(record: &Record) -> bool {
    let board = placement(record);
    let us = board.side_to_move;
    let king: Square = board.king(us);
    Piece::ALL.into_iter().filter(|piece| piece.color() != us).any(|piece| {
        board.pieces(piece).into_iter().any(|from| match piece.kind() {
            chess::PieceType::Pawn => chess::attacks::pawn_attacks(!us, from).has(king),
            kind => chess::attacks::piece_attacks(kind, from, board.occupied()).has(king),
        })
    })
}

#[test]
fn labels_are_the_networks_from_scratch() {
    let folder = Folder::new("walk-labels");
    let network = network();
    for lines in [None, Some((50, 200))] {
        let plan = plan(&folder, Teaching::Network(Arc::clone(&network)), lines);
        for record in written(&plan, 2000, 1, &folder) {
            let checked = in_check(&record);
            assert_eq!(record.score == NO_SCORE, checked);
            if !checked {
                let value = network.evaluate(&placement(&record));
                assert_eq!(i32::from(record.score), value.clamp(-3000, 3000));
            }
        }
    }
}

#[test]
fn walks_depend_on_the_seed_and_not_on_the_threads() {
    let folder = Folder::new("walk-threads");
    let mut plan = plan(&folder, Teaching::Network(network()), Some((10, 100)));
    let records = written(&plan, 5000, 1, &folder);
    assert_eq!(records, written(&plan, 5000, 3, &folder));
    plan.seed = 6;
    assert_ne!(records, written(&plan, 5000, 2, &folder));
}

#[test]
fn chains_differ_by_little_and_have_siblings_and_passes() {
    let folder = Folder::new("walk-chains");
    let plan = plan(&folder, Teaching::Network(network()), None);
    let records = written(&plan, 20_000, 2, &folder);
    let (mut siblings, mut passes) = (0, 0);
    for pair in records.windows(2).filter(|pair| !pair[1].begins_chain) {
        let [before, after] = pair else { unreachable!("windows of two") };
        let changed = |(a, b): (&u64, &u64)| (a ^ b).count_ones();
        let distance: u32 = before.pieces.iter().zip(&after.pieces).map(changed).sum();
        // From castling to a capture: four pieces, and three.
        assert!(distance <= 7, "{distance} pieces change");
        siblings += u32::from(distance > 0 && before.black_to_move == after.black_to_move);
        passes += u32::from(distance == 0);
    }
    assert!(siblings > 4000 && passes > 200, "{siblings} siblings, {passes} passes");
}

/// Values positions by a table, and checks what it is told of the moves.
struct ByTable {
    values: HashMap<String, i32>,
    depth: usize,
}

impl Teacher for ByTable {
    fn begin(&mut self, _: &Position) {
        self.depth = 0;
    }

    fn enter(&mut self, _: &Changes) {
        self.depth += 1;
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    fn value(&mut self, position: &Position) -> Result<i32, TeacherError> {
        let board = position.to_string();
        let board = board.split(' ').next().unwrap_or_default().to_owned();
        Ok(self.values.get(&board).copied().unwrap_or(100))
    }
}

#[test]
fn the_best_sibling_is_played() {
    // Of the three moves, one is bad for Black, who is to move after it.
    let base = Position::from_fen("7k/8/8/8/8/8/8/K7 w - - 0 1").expect("a position");
    let values = HashMap::from([("7k/8/8/8/8/8/1K6/8".to_owned(), -500)]);
    let mut teacher = ByTable { values, depth: 0 };
    let shape = Shape { plies: 1..=1, siblings: 4, pass: 0, decided: 400 };
    let mut families = 0;
    for seed in 0..40 {
        let mut records = Vec::new();
        steps::walk(&base, &shape, &mut teacher, &mut Random::new(seed), &mut records).expect("a table");
        assert_eq!(teacher.depth, 1);
        if records.len() == 4 {
            families += 1;
            assert_eq!(records[3].score, -500);
            assert_eq!(records.iter().filter(|record| record.score == -500).count(), 1);
        } else {
            assert_eq!(records.len(), 2);
        }
    }
    assert!((5..=35).contains(&families), "{families}");
}

#[test]
fn a_search_teaches_too() {
    let folder = Folder::new("walk-search");
    let plan = plan(&folder, Teaching::Search(network(), 50), None);
    let records = written(&plan, 300, 1, &folder);
    assert_eq!(records, written(&plan, 300, 2, &folder));
    assert!(records.iter().any(|record| record.score != NO_SCORE && record.score != 0));
}

#[test]
fn files_without_positions_are_refused() {
    let folder = Folder::new("walk-none");
    let empty = folder.file("empty.epd");
    std::fs::write(&empty, "# nothing\n").expect("a temporary file");
    assert!(Bases::read(&[empty], 10, 1).is_err());
    let wrong = folder.file("wrong.epd");
    std::fs::write(&wrong, "8/8/8/8/8/8/8/8 w - -\n").expect("a temporary file");
    let error = Bases::read(&[wrong], 10, 1).expect_err("no kings").to_string();
    assert!(error.contains("wrong.epd") && error.contains("line 1"), "{error}");
    assert!(Bases::read(&[folder.file("missing.epd")], 10, 1).is_err());
}
