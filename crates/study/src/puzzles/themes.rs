//! Themes of puzzles by simple tests, named as in the Lichess puzzle database.

use chess::attacks::piece_attacks;
use chess::{Bitboard, Color, Move, Piece, PieceType, Position, Rank, Square};

use super::search::{Goal, Puzzle};
use crate::analyst::Score;
use crate::review::Phase;

/// Piece values in pawns, for material counts.
fn worth(kind: PieceType) -> i32 {
    match kind {
        PieceType::Pawn => 1,
        PieceType::Knight | PieceType::Bishop => 3,
        PieceType::Rook => 5,
        PieceType::Queen => 9,
        PieceType::King => 100,
    }
}

/// The themes of a puzzle, in alphabetical order.
pub(crate) fn themes(puzzle: &Puzzle) -> Vec<String> {
    let mut themes = Vec::new();
    let mut add = |name: &str| themes.push(name.to_owned());
    add(match Phase::of(&puzzle.position()) {
        Phase::Opening => "opening",
        Phase::Middlegame => "middlegame",
        Phase::Endgame => "endgame",
    });
    let moves = puzzle.solution.len().div_ceil(2);
    add(match moves {
        1 => "oneMove",
        2 => "short",
        3 => "long",
        _ => "veryLong",
    });
    if puzzle.mates() {
        add("mate");
        if moves <= 5 {
            add(&format!("mateIn{moves}"));
        }
        if is_back_rank_mate(puzzle) {
            add("backRankMate");
        }
    } else {
        add(match (puzzle.goal, puzzle.score) {
            (Goal::Save, _) => "equality",
            (Goal::Win, Score::Centipawns(score)) if score < 600 => "advantage",
            (Goal::Win, _) => "crushing",
        });
    }
    let tests: [Test; 4] = [
        ("fork", is_fork),
        ("pin", is_pin),
        ("promotion", is_promotion),
        ("hangingPiece", takes_hanging_piece),
    ];
    let steps = steps(puzzle);
    for (name, test) in tests {
        if steps.iter().any(test) {
            add(name);
        }
    }
    if is_sacrifice(puzzle) {
        add("sacrifice");
    }
    themes.sort_unstable();
    themes
}

/// A theme and the test of a single move for it.
type Test = (&'static str, fn(&Step) -> bool);

/// A move of the solver.
struct Step {
    before: Position,
    mv: Move,
    after: Position,
    /// What the opponent took just before it.
    taken_back: bool,
}

fn steps(puzzle: &Puzzle) -> Vec<Step> {
    let mut before = puzzle.position();
    let mut previous = puzzle.mistake;
    let mut steps = Vec::new();
    for (index, &mv) in puzzle.solution.iter().enumerate() {
        let after = before.after(mv);
        if index % 2 == 0 {
            let taken_back = previous.is_capture() && previous.to() == mv.to();
            steps.push(Step { before, mv, after, taken_back });
        }
        (before, previous) = (after, mv);
    }
    steps
}

/// The man that moved attacks two others, each worth more than itself or without protection, and cannot simply be taken.
fn is_fork(step: &Step) -> bool {
    let at = step.mv.to();
    let Some(man) = step.after.piece_on(at).filter(|man| man.kind() != PieceType::King) else { return false };
    let occupied = step.after.occupied();
    let them = step.after.side_to_move();
    let attacked = attacks_of(man, at, &step.after);
    let targets = step.after.men().filter(|(other, square)| {
        other.color() == them
            && attacked.has(*square)
            && (worth(other.kind()) > worth(man.kind())
                || (other.kind() != PieceType::Pawn && !step.after.is_attacked(*square, them, occupied)))
    });
    let taken_for_free = {
        let list = step.after.legal_moves();
        list.iter().any(|mv| mv.to() == at && mv.is_capture() && step.after.see_at_least(*mv, 1))
    };
    targets.count() >= 2 && !taken_for_free
}

fn attacks_of(man: Piece, at: Square, position: &Position) -> Bitboard {
    if man.kind() == PieceType::Pawn {
        chess::attacks::pawn_attacks(man.color(), at)
    } else {
        piece_attacks(man.kind(), at, position.occupied())
    }
}

/// The move pins a piece, or goes where only a pinned man could take it.
fn is_pin(step: &Step) -> bool {
    let them = step.after.side_to_move();
    let at = step.mv.to();
    let king = step.after.king(them);
    step.after.pinned().into_iter().filter(|&square| step.after.of_color(them).has(square)).any(|square| {
        let Some(man) = step.after.piece_on(square) else { return false };
        let by_the_mover = chess::attacks::between(king, at).has(square);
        let held_back = attacks_of(man, square, &step.after).has(at)
            && !step.after.legal_moves().iter().any(|mv| mv.to() == at && mv.is_capture());
        (by_the_mover && man.kind() != PieceType::Pawn) || held_back
    })
}

fn is_promotion(step: &Step) -> bool {
    step.mv.promotion().is_some()
}

/// A piece without protection is taken, and not in exchange.
fn takes_hanging_piece(step: &Step) -> bool {
    let at = step.mv.to();
    let Some(taken) = step.before.piece_on(at) else { return false };
    step.mv.is_capture()
        && !step.taken_back
        && worth(taken.kind()) >= 3
        && !step.before.is_attacked(at, taken.color(), step.before.occupied())
}

/// The solver is behind by two pawns or more, compared with the beginning, when his next move comes.
fn is_sacrifice(puzzle: &Puzzle) -> bool {
    let solver = puzzle.solver();
    let start = balance(&puzzle.position(), solver);
    let mut position = puzzle.position();
    let promotes = puzzle.solution.iter().step_by(2).any(|mv| mv.promotion().is_some());
    let mut given = false;
    for (index, &mv) in puzzle.solution.iter().enumerate() {
        position.play(mv);
        given |= index % 2 == 1 && balance(&position, solver) <= start - 2;
    }
    given && !promotes
}

fn balance(position: &Position, color: Color) -> i32 {
    let side = |man: Piece| if man.color() == color { 1 } else { -1 };
    position
        .men()
        .filter(|(man, _)| man.kind() != PieceType::King)
        .map(|(man, _)| side(man) * worth(man.kind()))
        .sum()
}

/// Mate by a rook or queen along the rank of the king, who stands at home behind his own men.
fn is_back_rank_mate(puzzle: &Puzzle) -> bool {
    let mut position = puzzle.position();
    puzzle.solution.iter().for_each(|&mv| position.play(mv));
    let them = position.side_to_move();
    let king = position.king(them);
    let (home, step) = if them == Color::White { (Rank::new(0), 1) } else { (Rank::new(7), -1) };
    let along_the_rank = position.checkers().into_iter().any(|square| {
        let slides = position
            .piece_on(square)
            .is_some_and(|man| matches!(man.kind(), PieceType::Rook | PieceType::Queen));
        slides && square.rank() == king.rank()
    });
    let front = |square: &Square| square.rank().index() as i32 == king.rank().index() as i32 + step;
    let shelter = chess::attacks::king_attacks(king).into_iter().filter(front);
    let blocked = shelter.filter(|&square| position.of_color(them).has(square)).count();
    king.rank() == home && along_the_rank && blocked >= 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyst::read_line;

    /// A puzzle by the position before the mistake, and all moves from the mistake on.
    fn themes_of(fen: &str, moves: &[&str], goal: Goal, score: Score) -> String {
        let before = Position::from_fen(fen).unwrap();
        let line = read_line(&before, moves.iter().copied());
        assert_eq!(line.len(), moves.len(), "{fen}");
        themes(&Puzzle { game: 1, before, mistake: line[0], solution: line[1..].to_vec(), goal, score })
            .join(" ")
    }

    #[test]
    fn mates() {
        assert_eq!(
            themes_of(
                "6k1/5ppp/8/8/8/8/5PPP/R5K1 b - - 0 1",
                &["h7h6", "g2g3", "h6h5", "a1a8"],
                Goal::Win,
                Score::Mate(2)
            ),
            "crushing endgame short",
            "no mate, since the king has a hole"
        );
        assert_eq!(
            themes_of("6k1/5ppp/2n5/8/8/8/5PPP/R5K1 b - - 0 1", &["c6d4", "a1a8"], Goal::Win, Score::Mate(1)),
            "backRankMate endgame mate mateIn1 oneMove"
        );
        assert_eq!(
            themes_of(
                "r1bqkb1r/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4",
                &["a7a6", "h5f7"],
                Goal::Win,
                Score::Mate(1)
            ),
            "mate mateIn1 oneMove opening"
        );
    }

    #[test]
    fn forks_pins_promotions_and_hanging_pieces() {
        let fork = themes_of(
            "4k3/8/2q5/8/3N4/8/8/4K3 b - - 0 1",
            &["c6a8", "d4c6"],
            Goal::Win,
            Score::Centipawns(300),
        );
        assert!(!fork.contains("fork"), "{fork}: it attacks nothing");
        let fork = themes_of(
            "2q1k3/8/8/8/5N2/8/8/4K3 b - - 0 1",
            &["e8f8", "f4e6"],
            Goal::Save,
            Score::Centipawns(0),
        );
        assert!(!fork.contains("fork"), "{fork}: the queen takes the knight");
        let fork = themes_of(
            "r3k3/8/8/1N6/8/8/8/4K3 b - - 0 1",
            &["e8d8", "b5d4"],
            Goal::Win,
            Score::Centipawns(300),
        );
        assert!(!fork.contains("fork"), "{fork}");
        let fork = themes_of(
            "r3k3/8/8/1N6/8/8/8/4K3 b - - 0 1",
            &["a8a1", "e1d2"],
            Goal::Save,
            Score::Centipawns(0),
        );
        assert_eq!(fork, "endgame equality oneMove");
        let fork = themes_of(
            "r4k2/8/8/1N6/8/8/8/4K3 b - - 0 1",
            &["f8e8", "b5c7"],
            Goal::Win,
            Score::Centipawns(300),
        );
        assert_eq!(fork, "advantage endgame fork oneMove");
        let pin = themes_of(
            "4k3/4n3/8/8/8/8/3R4/4K3 b - - 0 1",
            &["e7g6", "d2e2"],
            Goal::Save,
            Score::Centipawns(0),
        );
        assert!(!pin.contains("pin"), "{pin}");
        let pin = themes_of(
            "4k3/8/2n5/8/8/8/4B3/4K3 b - - 0 1",
            &["e8d7", "e2b5"],
            Goal::Win,
            Score::Centipawns(700),
        );
        assert_eq!(pin, "crushing endgame oneMove pin");
        let promotion =
            themes_of("7k/P7/8/8/8/8/8/4K3 b - - 0 1", &["h8g7", "a7a8q"], Goal::Win, Score::Mate(9));
        assert_eq!(promotion, "crushing endgame oneMove promotion");
        let hanging = themes_of(
            "4k3/8/8/3q4/8/8/8/3RK3 b - - 0 1",
            &["e8e7", "d1d5"],
            Goal::Win,
            Score::Centipawns(900),
        );
        assert_eq!(hanging, "crushing endgame hangingPiece oneMove");
    }

    #[test]
    fn a_queen_for_a_mate_is_a_sacrifice() {
        let smothered = themes_of(
            "r4r1k/5Npp/8/8/2Q5/8/8/6K1 b - - 0 1",
            &["h8g8", "f7h6", "g8h8", "c4g8", "f8g8", "h6f7"],
            Goal::Win,
            Score::Mate(3),
        );
        assert!(smothered.contains("sacrifice") && smothered.contains("mateIn3"), "{smothered}");
    }
}
