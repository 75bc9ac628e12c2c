//! Accumulators brought forward equal those from scratch, whatever is pushed and popped.

use std::sync::Arc;

use chess::{Bitboard, Color, Piece, PieceType, Position, Square};
use nnue::{
    AccumulatorStack, Architecture, Board, Changes, HeadKind, KingBuckets, Network, Parameters, Placement,
    ThreatForm,
};
use rng::Random;

fn network(head: HeadKind, king_buckets: KingBuckets) -> Arc<Network> {
    network_of_width(256, head, king_buckets)
}

fn network_of_width(width: usize, head: HeadKind, king_buckets: KingBuckets) -> Arc<Network> {
    made_of(Architecture { king_buckets, threats: None, width, head, output_buckets: 8 })
}

/// Networks with threats of each form as inputs.
fn threatening(width: usize, king_buckets: KingBuckets) -> [Arc<Network>; 2] {
    let head = HeadKind::Pairwise;
    ThreatForm::ALL.map(|form| {
        made_of(Architecture { king_buckets, threats: Some(form), width, head, output_buckets: 8 })
    })
}

fn made_of(architecture: Architecture) -> Arc<Network> {
    let parameters = Parameters::random(architecture, 5).expect("the architecture is possible");
    Arc::new(Network::new(parameters).expect("random parameters are in range"))
}

fn buckets_by_rank() -> KingBuckets {
    KingBuckets::new(std::array::from_fn(|square| (square / 4) as u8)).expect("0 to 7 are all used")
}

/// A square of the set at random.
fn pick(random: &mut Random, set: Bitboard) -> Option<Square> {
    (set.any()).then(|| set.into_iter().nth(random.below(set.count())).expect("below the count"))
}

/// Changes the board as a move might: a step, a capture, a promotion, a castling of sorts, or nothing.
fn random_move(random: &mut Random, board: &mut Placement) -> Changes {
    let mut changes = Changes::NONE;
    let us = board.side_to_move;
    let own = |board: &Placement, kinds: &[PieceType]| {
        kinds.iter().fold(Bitboard::EMPTY, |set, &kind| set | board.pieces(Piece::new(us, kind)))
    };
    let mut lift = |board: &mut Placement, square: Square| {
        let piece = board.piece_on(square).expect("the square was chosen for its piece");
        board.take(piece, square);
        changes.take(piece, square);
        piece
    };
    let mut landings = Vec::new();
    let movers = if random.below(3) == 0 { &[PieceType::King][..] } else { &PieceType::ALL[..] };
    match random.below(8) {
        0 => {}
        1 if own(board, &PieceType::ALL[..5]).any() => {
            let other = pick(random, own(board, &PieceType::ALL[..5])).expect("there is one");
            let king = board.king(us);
            let (king, other) = (lift(board, king), lift(board, other));
            landings.extend([king, other]);
        }
        _ => {
            let from = pick(random, own(board, movers)).expect("there is always a king");
            let mut piece = lift(board, from);
            let enemies = Bitboard(board.occupied().0) & !own(board, &PieceType::ALL);
            let prey = enemies & !board.pieces(Piece::new(!us, PieceType::King));
            if random.below(3) == 0
                && let Some(square) = pick(random, prey)
            {
                lift(board, square);
            }
            if piece.kind() == PieceType::Pawn && random.below(4) == 0 {
                piece = Piece::new(us, PieceType::Queen);
            }
            landings.push(piece);
        }
    }
    for piece in landings {
        let square = pick(random, !board.occupied()).expect("a board is never full");
        board.put(piece, square);
        changes.put(piece, square);
    }
    board.side_to_move = !us;
    changes
}

#[test]
fn incremental_equals_from_scratch() {
    let networks = [KingBuckets::SINGLE, buckets_by_rank()].into_iter().flat_map(|buckets| {
        let [small, large] = threatening(256, buckets);
        [network(HeadKind::Direct, buckets), network(HeadKind::Pairwise, buckets), small, large]
    });
    let mut random = Random::new(7);
    for network in networks {
        let mut line = vec![Placement::random(&mut random)];
        let mut stack = AccumulatorStack::new(network.clone(), &line[0]);
        for step in 0..10_000 {
            let board = line[line.len() - 1];
            match random.below(16) {
                0..8 => {
                    let mut after = board;
                    stack.push(&random_move(&mut random, &mut after));
                    line.push(after);
                }
                8..12 if line.len() > 1 => {
                    stack.pop();
                    line.pop();
                }
                12 if step % 64 == 0 => {
                    line = vec![Placement::random(&mut random)];
                    stack.reset(&line[0]);
                }
                // Not every position is evaluated, so that some are brought forward by several moves.
                _ => assert_eq!(stack.evaluate(&board), network.evaluate(&board)),
            }
        }
    }
}

#[test]
fn random_games_of_chess_and_chess960() {
    let mut random = Random::new(11);
    let [small, large] = threatening(512, buckets_by_rank());
    let networks = [
        network(HeadKind::Direct, buckets_by_rank()),
        network_of_width(1024, HeadKind::Pairwise, buckets_by_rank()),
        small,
        large,
    ];
    for network in networks {
        let mut stack = AccumulatorStack::new(network.clone(), &Position::startpos());
        let (mut castled, mut promoted, mut en_passant, mut nulls) = (0, 0, 0, 0);
        for game in 0..800 {
            let mut line = vec![match game % 2 {
                0 => Position::startpos(),
                _ => Position::chess960(random.below(960) as u16, random.below(960) as u16),
            }];
            stack.reset(&line[0]);
            for _ in 0..150 {
                let mut position = line[line.len() - 1];
                if random.below(3) == 0 {
                    let score = stack.evaluate(&position);
                    assert_eq!(score, network.evaluate(&position));
                    assert_eq!(score, network.evaluate(&Placement::of(&position)));
                }
                let moves = position.legal_moves();
                if !moves.is_empty() && !position.in_check() && random.below(20) == 0 {
                    position.play_null();
                    stack.push(&Changes::NONE);
                    line.push(position);
                    nulls += 1;
                    continue;
                }
                if moves.is_empty() || random.below(10) == 0 {
                    if line.len() > 1 {
                        stack.pop();
                        line.pop();
                    }
                    continue;
                }
                let mv = moves[random.below(moves.len())];
                castled += usize::from(mv.is_castling());
                promoted += usize::from(mv.is_promotion());
                en_passant += usize::from(mv.is_en_passant());
                let mut changes = Changes::NONE;
                position.play_observed(mv, &mut changes);
                stack.push(&changes);
                line.push(position);
            }
        }
        assert!(castled > 50 && promoted > 50 && en_passant > 5, "{castled} {promoted} {en_passant}");
        assert!(nulls > 1000, "{nulls}");
    }
}

#[test]
fn long_lines_grow_the_stack() {
    let [small, large] = threatening(256, KingBuckets::SINGLE);
    for network in [network(HeadKind::Direct, KingBuckets::SINGLE), small, large] {
        let mut random = Random::new(8);
        let mut line = vec![Placement::random(&mut random)];
        let mut stack = AccumulatorStack::new(network.clone(), &line[0]);
        for ply in 0..1000 {
            let mut after = line[ply];
            stack.push(&random_move(&mut random, &mut after));
            line.push(after);
            if ply % 3 == 0 {
                stack.evaluate(&after);
            }
        }
        while let Some(board) = line.pop() {
            assert_eq!(stack.evaluate(&board), network.evaluate(&board));
            if !line.is_empty() {
                stack.pop();
            }
        }
    }
}

#[test]
fn a_king_that_crosses_the_middle_and_returns() {
    let [small, large] = threatening(256, KingBuckets::SINGLE);
    for network in [network(HeadKind::Pairwise, KingBuckets::SINGLE), small, large] {
        let mut board = Placement::EMPTY;
        for (piece, square) in [
            (Piece::WhiteKing, Square::D1),
            (Piece::BlackKing, Square::E8),
            (Piece::WhiteRook, Square::A1),
            (Piece::BlackPawn, Square::H7),
        ] {
            board.put(piece, square);
        }
        let mut stack = AccumulatorStack::new(network.clone(), &board);
        for (from, to) in [(Square::D1, Square::E1), (Square::E1, Square::E2), (Square::E2, Square::D2)] {
            stack.evaluate(&board);
            let mut changes = Changes::NONE;
            changes.take(Piece::WhiteKing, from);
            changes.put(Piece::WhiteKing, to);
            board.take(Piece::WhiteKing, from);
            board.put(Piece::WhiteKing, to);
            board.side_to_move = !board.side_to_move;
            stack.push(&changes);
            assert_eq!(stack.evaluate(&board), network.evaluate(&board));
        }
    }
}

#[test]
fn the_side_to_move_matters() {
    let mut random = Random::new(9);
    let single = KingBuckets::SINGLE;
    let [small, large] = threatening(256, single);
    for network in [network(HeadKind::Direct, single), network(HeadKind::Pairwise, single), small, large] {
        let mut differing = 0;
        for _ in 0..100 {
            let mut board = Placement::random(&mut random);
            let first = network.evaluate(&board);
            board.side_to_move = !board.side_to_move;
            differing += usize::from(network.evaluate(&board) != first);
            // Upside down with colours swapped it is the same position.
            let mut swapped = Placement::EMPTY;
            for piece in Piece::ALL {
                for square in board.pieces(piece) {
                    swapped.put(Piece::new(!piece.color(), piece.kind()), square.flip());
                }
            }
            swapped.side_to_move = !board.side_to_move;
            assert_eq!(network.evaluate(&swapped), network.evaluate(&board));
        }
        assert!(differing > 90, "{differing} of 100");
    }
    assert_eq!(Placement::EMPTY.side_to_move, Color::White);
}
