//! Tests of the mate solver.

use chess::CastlingNotation;

use super::*;

fn prove(fen: &str, longest: usize) -> MateProof {
    let pos = Position::from_fen(fen).unwrap();
    let mut solver = MateSolver::new(&pos, &pos.legal_moves(), &KeyHistory::new(), longest);
    solver.run(&mut || true)
}

/// The length of the mate, negative against the side to move; the line must be legal and end in mate.
fn length(fen: &str, longest: usize) -> Option<i64> {
    let (length, line) = match prove(fen, longest) {
        MateProof::Mate(moves, line) => (moves as i64, line),
        MateProof::Mated(moves, line) => (-(moves as i64), line),
        MateProof::NoMate => return None,
        MateProof::Unknown => panic!("nothing interrupts this proof"),
    };
    let mut pos = Position::from_fen(fen).unwrap();
    for &mv in &line {
        assert!(pos.is_legal(mv), "{mv:?} in {pos}");
        pos.play(mv);
    }
    assert!(pos.in_check() && !pos.has_legal_move(), "{fen} ends in {pos}");
    assert_eq!(line.len() as i64, if length > 0 { 2 * length - 1 } else { -2 * length });
    Some(length)
}

const MORPHY: &str = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
const LADDER: &str = "7k/8/8/8/8/8/8/RR5K w - - 0 1";
const QUEEN: &str = "8/8/8/4k3/8/2K5/6Q1/8 w - - 0 1";

#[test]
fn finds_quiet_keys() {
    // The rook gives itself up so that the pawn must take, and the next one mates.
    assert_eq!(length(MORPHY, 3), Some(2));
    assert_eq!(length("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 4), Some(1));
}

#[test]
fn the_line_is_the_longest_resistance() {
    // After the key some answers are mated a move sooner than others.
    assert_eq!(length("3K4/k7/8/8/2R5/8/8/8 w - - 0 1", 3), Some(3));
}

#[test]
fn of_the_root_only_the_moves_asked_for_count() {
    let run = |fen: &str, wanted: &dyn Fn(&str) -> bool| {
        let pos = Position::from_fen(fen).unwrap();
        let mut moves = pos.legal_moves().to_vec();
        moves.retain(|&mv| wanted(&pos.uci_move(mv, CastlingNotation::KingMove)));
        let mut left = 100_000;
        let proof = MateSolver::new(&pos, &moves, &KeyHistory::new(), 1).run(&mut || {
            left -= 1;
            left > 0
        });
        (proof, moves)
    };
    let (proof, _) = run("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", &|mv| mv != "a1a8");
    assert_eq!(proof, MateProof::NoMate, "the mate was not to be looked for");
    // The fool's mate, which other moves prevent.
    let (proof, moves) =
        run("rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2", &|mv| mv == "g2g4");
    let MateProof::Mated(1, line) = proof else { panic!("{proof:?}") };
    assert_eq!((line[0], line.len()), (moves[0], 2));
}

#[test]
fn results_near_the_fifty_move_rule_are_neither_kept_nor_used() {
    let at = |clock: u16| Position::from_fen(&format!("7k/8/8/8/8/8/8/RR5K w - - {clock} 90")).unwrap();
    let mut results = Results::new();
    results.store(&at(94), Turn::Attacker, 3, true, None);
    assert_eq!(results.verdict(&at(0), Turn::Attacker, 3), None);
    results.store(&at(93), Turn::Attacker, 3, true, None);
    for (clock, verdict) in [(0, Some(true)), (93, Some(true)), (94, None), (99, None)] {
        assert_eq!(results.verdict(&at(clock), Turn::Attacker, 3), verdict, "{clock}");
    }
    assert_eq!(results.verdict(&at(0), Turn::Defender, 3), None, "another question");
}

#[test]
fn tells_that_there_is_none() {
    assert_eq!(length(LADDER, 1), None);
    assert_eq!(length(LADDER, 2), Some(2));
    assert_eq!(length(QUEEN, 3), None);
    assert_eq!(length("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 3), None);
}

#[test]
fn a_line_shortens_move_by_move() {
    for fen in [MORPHY, LADDER, "8/8/8/8/8/2K5/5Q2/k7 w - - 0 1", "7k/8/5K2/8/8/8/8/6R1 w - - 0 1"] {
        let MateProof::Mate(mut moves, line) = prove(fen, 4) else { panic!("{fen}") };
        let mut pos = Position::from_fen(fen).unwrap();
        for (ply, &mv) in line.iter().enumerate() {
            let expected = moves as i64 * if ply % 2 == 0 { 1 } else { -1 };
            assert_eq!(length(&pos.to_string(), 4), Some(expected), "{pos}");
            pos.play(mv);
            moves -= usize::from(ply % 2 == 0);
        }
    }
}

#[test]
fn the_fifty_move_rule_ends_a_mate() {
    // The last move may be the mating one, but not one move later.
    assert_eq!(length("7k/8/8/8/8/8/8/RR5K w - - 97 90", 2), Some(2));
    assert_eq!(length("7k/8/8/8/8/8/8/RR5K w - - 98 90", 2), None);
}

#[test]
fn a_third_repetition_ends_a_mate() {
    let root = Position::from_fen(MORPHY).unwrap();
    let prove =
        |history: &KeyHistory| MateSolver::new(&root, &root.legal_moves(), history, 2).run(&mut || true);
    let key = root.after(root.parse_uci_move("a1a6").unwrap());
    for answer in ["b8c7", "b8d6"] {
        let drawn = key.after(key.parse_uci_move(answer).unwrap());
        let mut history = KeyHistory::new();
        history.push(&drawn);
        assert!(matches!(prove(&history), MateProof::Mate(2, _)), "twice is no draw");
        history.push(&key);
        history.push(&drawn);
        assert_eq!(prove(&history), MateProof::NoMate);
    }
}

#[test]
fn a_question_for_a_long_mate_is_answered_in_time_all_the_same() {
    // What is remembered counts until the fifty-move rule comes into reach.
    let pos = Position::from_fen(QUEEN).unwrap();
    let asked = |longest| {
        let (mut solver, mut count) =
            (MateSolver::new(&pos, &pos.legal_moves(), &KeyHistory::new(), longest), 0);
        let proof = solver.run(&mut || {
            count += 1;
            true
        });
        (proof, count)
    };
    let (proof, count) = asked(40);
    assert!(matches!(proof, MateProof::Mate(..)), "{proof:?}");
    assert_eq!((proof, count), asked(60));
}

#[test]
fn patience_may_end_and_come_back() {
    let pos = Position::from_fen(QUEEN).unwrap();
    let mut solver = MateSolver::new(&pos, &pos.legal_moves(), &KeyHistory::new(), 3);
    for attempt in 0..100_000 {
        let mut left = 100;
        let proof = solver.run(&mut || {
            left -= 1;
            left > 0
        });
        if proof == MateProof::NoMate {
            assert!(attempt > 0, "there was too much effort to show anything");
            return;
        }
        assert_eq!(proof, MateProof::Unknown);
    }
    panic!("nothing is remembered");
}
