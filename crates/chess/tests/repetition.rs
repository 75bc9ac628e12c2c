//! Repetition and its foresight, beside a comparison of whole positions.

use chess::{KeyHistory, Move, MoveKind, PieceType, Position};

#[path = "support/random.rs"]
mod random;

use random::{Random, RandomPlay};

/// Few men repeat often; rights to castle and a pawn that may be taken en passant make positions differ.
const STARTS: [&str; 6] = [
    "4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1",
    "1n2k1n1/8/8/8/8/8/8/1N2K1N1 w - - 0 1",
    "4k3/3p4/8/4P3/8/8/8/Q3K2q w - - 0 1",
    "8/8/4k3/2b5/8/3K4/8/R7 b - - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "1rk1r3/8/8/8/8/8/8/R2K3R w HAeb - 0 1",
];

/// What makes two positions the same: board, side to move, rights, en passant.
fn identity(pos: &Position) -> String {
    pos.to_string().rsplitn(3, ' ').last().expect("six fields").to_owned()
}

/// A quiet move of a piece, which could be taken back.
fn is_reversible(pos: &Position, mv: Move) -> bool {
    mv.is_quiet()
        && !mv.is_castling()
        && pos.piece_on(mv.from()).is_some_and(|piece| piece.kind() != PieceType::Pawn)
        && pos.after(mv).castling() == pos.castling()
}

fn reaches(from: &Position, to: &Position) -> bool {
    let target = identity(to);
    from.legal_moves().iter().any(|&mv| is_reversible(from, mv) && identity(&from.after(mv)) == target)
}

/// The law behind [`KeyHistory::can_repeat`], by trying every move.
fn can_repeat(past: &[Position], pos: &Position, ply: usize) -> bool {
    (3..=past.len()).step_by(2).any(|plies| {
        let earlier = &past[past.len() - plies];
        let came_before = || {
            let older = &past[..past.len() - plies];
            older.iter().any(|old| identity(old) == identity(earlier))
        };
        let back = || reaches(pos, earlier);
        if plies < ply { back() || reaches(earlier, pos) } else { back() && came_before() }
    })
}

fn walk(random: &mut Random, mut pos: Position, plies: usize) -> usize {
    let mut past: Vec<Position> = Vec::new();
    let mut moves: Vec<Move> = Vec::new();
    let mut history = KeyHistory::new();
    let mut repeated = 0;
    for _ in 0..plies {
        let same: Vec<usize> =
            (1..=past.len()).filter(|&plies| identity(&past[past.len() - plies]) == identity(&pos)).collect();
        assert_eq!(history.occurrences(&pos), same.len(), "{pos}");
        repeated += same.len();
        for ply in [0, 1, 3, 4, 5, 6, 8, 12, 100] {
            let expected = same.len() >= 2 || same.iter().any(|&plies| plies < ply);
            assert_eq!(history.is_repetition(&pos, ply), expected, "{pos} {same:?} {ply}");
            assert_eq!(history.can_repeat(&pos, ply), can_repeat(&past, &pos, ply), "{pos} {ply}");
        }
        let Some(mv) = random.legal_move(&pos) else { break };
        // Taking back what one played two plies ago is what makes repetitions.
        let back = moves.len().checked_sub(2).map(|index| moves[index]);
        let back = back.map(|last: Move| Move::new(last.to(), last.from(), MoveKind::Quiet));
        let mv = back.filter(|&back| random.below(3) > 0 && pos.is_legal(back)).unwrap_or(mv);
        moves.push(mv);
        history.push(&pos);
        past.push(pos);
        pos.play(mv);
    }
    repeated
}

#[test]
fn repetitions_equal_the_brute_comparison() {
    let mut random = Random::new(5);
    let mut repeated = 0;
    for _ in 0..3 {
        for start in STARTS {
            repeated += walk(&mut random, Position::from_fen(start).unwrap(), 60);
        }
        let start = random.start();
        repeated += walk(&mut random, start, 60);
    }
    assert!(repeated > 100, "only {repeated} repetitions were met");
}

#[test]
fn forgetting_the_unreachable_changes_no_answer() {
    let mut random = Random::new(6);
    let (mut whole, mut short) = (KeyHistory::new(), KeyHistory::new());
    let mut pos = Position::from_fen(STARTS[0]).unwrap();
    for _ in 0..400 {
        assert_eq!(whole.occurrences(&pos), short.occurrences(&pos), "{pos}");
        assert_eq!(whole.can_repeat(&pos, 20), short.can_repeat(&pos, 20), "{pos}");
        let Some(mv) = random.legal_move(&pos) else { break };
        whole.push(&pos);
        short.push(&pos);
        pos.play(mv);
        short.forget_unreachable(&pos);
        assert!(short.len() <= pos.repetition_window());
    }
}
