use std::collections::BTreeSet;

use chess::Position;

use super::*;
use crate::board::{Board, Placement};
use crate::features::KingBuckets;
use rng::Random;

/// The active threats by the definition alone: every piece looks at every other.
fn by_definition(form: ThreatForm, board: &impl Board) -> BTreeSet<Threat> {
    let men: Vec<(Piece, Square)> =
        Square::ALL.into_iter().filter_map(|square| Some((board.piece_on(square)?, square))).collect();
    let attacks = |piece: Piece, from: Square, to: Square| match piece.kind() {
        PieceType::Pawn if form == ThreatForm::Large && [0, 7].contains(&(from.index() / 8)) => false,
        PieceType::Pawn => attacks::pawn_attacks(piece.color(), from).has(to),
        kind => attacks::piece_attacks(kind, from, board.occupied()).has(to),
    };
    let mut active = BTreeSet::new();
    for &(attacker, from) in &men {
        for &(attacked, to) in &men {
            if attacks(attacker, from, to) {
                let from = if form.tells_square(attacker.kind()) { from } else { Square::A1 };
                active.insert(Threat::new(attacker, from, attacked, to));
            }
        }
    }
    active
}

/// Applies a difference to what was active, and complains where it contradicts it.
fn applied(before: &Threats, after: &Threats) -> BTreeSet<Threat> {
    let mut changes = ThreatChanges::NONE;
    changes.find(before, after);
    let mut active: BTreeSet<Threat> = before.iter().collect();
    for threat in changes.left() {
        assert!(active.remove(threat), "{threat:?} left and was not there");
    }
    for &threat in changes.entered() {
        assert!(active.insert(threat), "{threat:?} entered and was there");
    }
    active
}

fn start() -> Placement {
    Placement::of(&Position::startpos())
}

#[test]
fn the_start_position_by_hand() {
    let threats: BTreeSet<Threat> = Threats::of(ThreatForm::Small, &start()).iter().collect();
    let has = |attacker, attacked, to| threats.contains(&Threat::new(attacker, Square::A1, attacked, to));
    // Both knights guard a pawn each; of the queen's guards on d2 each kind counts once.
    assert!(has(Piece::WhiteKnight, Piece::WhitePawn, Square::D2));
    assert!(has(Piece::WhiteKnight, Piece::WhitePawn, Square::E2));
    assert!(has(Piece::WhiteQueen, Piece::WhiteKing, Square::E1));
    assert!(has(Piece::WhiteKing, Piece::WhiteQueen, Square::D1));
    assert!(has(Piece::BlackRook, Piece::BlackPawn, Square::A7));
    assert!(!has(Piece::WhitePawn, Piece::WhitePawn, Square::E2));
    // A side's knights, bishops, rooks, queen and king guard 2, 4, 4, 5 and 5 men.
    assert_eq!(threats.len(), 2 * (2 + 4 + 4 + 5 + 5));
    // The rooks guard a knight and a pawn each, the bishops two pawns each, as they do in the small form.
    let threats: BTreeSet<Threat> = Threats::of(ThreatForm::Large, &start()).iter().collect();
    let first = Threat::new(Piece::WhiteKnight, Square::B1, Piece::WhitePawn, Square::D2);
    assert!(threats.contains(&first) && threats.len() == 2 * (2 + 4 + 4 + 5 + 5));
    assert_eq!((first.attacker(), first.attacked()), (Piece::WhiteKnight, Piece::WhitePawn));
    assert_eq!(
        (first.from(), first.to(), first.without_square().from()),
        (Square::B1, Square::D2, Square::A1)
    );
}

#[test]
fn attackers_of_one_kind_count_once_or_by_their_squares() {
    let mut board = start();
    board.take(Piece::WhiteKnight, Square::G1);
    board.put(Piece::WhiteKnight, Square::F3);
    let on_d2 = |form| Threats::of(form, &board).iter().filter(|threat| threat.to() == Square::D2).count();
    // Two knights, bishop, queen and king.
    assert_eq!((on_d2(ThreatForm::Small), on_d2(ThreatForm::Large)), (4, 5));
}

#[test]
fn inputs_by_hand() {
    let threat = Threat::new(Piece::WhiteKnight, Square::A1, Piece::BlackPawn, Square::E5);
    let view = |perspective, king| KingBuckets::SINGLE.view(perspective, king);
    let small = |perspective, king| ThreatForm::Small.table().input(view(perspective, king), threat);
    // Own knight, enemy pawn; the king on the files e to h mirrors.
    assert_eq!(small(Color::White, Square::A1), (2 * 12 + 1) * 64 + 36);
    assert_eq!(small(Color::White, Square::G1), (2 * 12 + 1) * 64 + 35);
    // Enemy knight, own pawn, upside down.
    assert_eq!(small(Color::Black, Square::A8), (3 * 12) * 64 + 28);
    assert_eq!(small(Color::Black, Square::G8), (3 * 12) * 64 + 27);

    // The pawns of both sides have 84 pairs of squares each; from a1 a knight reaches b3 and c2, from b1 a3, c3 and d2.
    let threat = Threat::new(Piece::WhiteKnight, Square::B1, Piece::BlackPawn, Square::C3);
    let large = |perspective, king| ThreatForm::Large.table().input(view(perspective, king), threat);
    let knights = 12 * 2 * 84;
    assert_eq!(large(Color::White, Square::A1), knights + 12 * 2 + 3 + 2);
    // From g1, which mirrors b1: six pairs of squares come after those of a1 to f1 with 2, 3, 4, 4, 4 and 4.
    assert_eq!(large(Color::White, Square::H1), knights + 12 * 21 + 3 + 1);
}

#[test]
fn tables_list_their_inputs_in_order() {
    for (form, inputs) in [(ThreatForm::Small, 9216), (ThreatForm::Large, 48_096)] {
        let (table, view) = (form.table(), KingBuckets::SINGLE.view(Color::White, Square::A1));
        assert_eq!(form.inputs(), inputs);
        let listed: Vec<usize> = form.threats().map(|threat| table.input(view, threat)).collect();
        assert_eq!(listed, (0..inputs).collect::<Vec<_>>());
    }
}

#[test]
fn inputs_of_a_view_are_distinct_and_in_range() {
    for perspective in Color::ALL {
        for king in Square::ALL {
            let view = KingBuckets::SINGLE.view(perspective, king);
            for form in ThreatForm::ALL {
                let (table, mut seen) = (form.table(), vec![false; form.inputs()]);
                for threat in form.threats() {
                    assert!(!std::mem::replace(&mut seen[table.input(view, threat)], true));
                }
            }
        }
    }
}

#[test]
fn views_share_threats_on_one_wing_whatever_the_bucket() {
    let buckets = KingBuckets::new(std::array::from_fn(|square| square as u8)).expect("0 to 31");
    let view = |perspective, king| buckets.view(perspective, king);
    let c1 = view(Color::White, Square::C1);
    assert_ne!(c1, view(Color::White, Square::B7));
    assert!(c1.shares_threats_with(view(Color::White, Square::B7)));
    assert!(!c1.shares_threats_with(view(Color::White, Square::E1)));
    assert!(!c1.shares_threats_with(view(Color::Black, Square::C1)));
}

#[test]
fn swapping_colours_swaps_perspectives() {
    let mut random = Random::new(1);
    for _ in 0..200 {
        let board = Placement::random(&mut random);
        let mut swapped = Placement::EMPTY;
        for piece in Piece::ALL {
            for square in board.pieces(piece) {
                swapped.put(Piece::new(!piece.color(), piece.kind()), square.flip());
            }
        }
        let inputs = |board: &Placement, perspective: Color| -> BTreeSet<usize> {
            let view = KingBuckets::SINGLE.view(perspective, board.king(perspective));
            ThreatForm::ALL
                .into_iter()
                .flat_map(|form| {
                    let threats = Threats::of(form, board);
                    threats.iter().map(|threat| form.table().input(view, threat)).collect::<Vec<_>>()
                })
                .collect()
        };
        for perspective in Color::ALL {
            assert_eq!(inputs(&board, perspective), inputs(&swapped, !perspective));
        }
    }
}

#[test]
fn enumeration_is_the_definition() {
    let mut random = Random::new(2);
    for _ in 0..2000 {
        let board = Placement::random(&mut random);
        for form in ThreatForm::ALL {
            let listed: Vec<Threat> = Threats::of(form, &board).iter().collect();
            assert!(listed.len() <= MAX_THREATS);
            assert_eq!(listed.len(), listed.iter().collect::<BTreeSet<_>>().len());
            assert_eq!(listed.into_iter().collect::<BTreeSet<_>>(), by_definition(form, &board));
        }
    }
    for form in ThreatForm::ALL {
        assert_eq!(Threats::of(form, &Placement::EMPTY), Threats::none(form));
    }
}

#[test]
fn differences_lead_from_any_board_to_any_other() {
    let mut random = Random::new(3);
    let mut before = Placement::EMPTY;
    for _ in 0..2000 {
        let after = Placement::random(&mut random);
        for form in ThreatForm::ALL {
            let reached = applied(&Threats::of(form, &before), &Threats::of(form, &after));
            assert_eq!(reached, by_definition(form, &after));
        }
        before = after;
    }
}

#[test]
fn differences_follow_games_of_chess_and_chess960() {
    let mut random = Random::new(4);
    let mut changes = ThreatChanges::NONE;
    let (mut castled, mut promoted, mut en_passant, mut changed, mut plies) = (0, 0, 0, [0; 2], 0);
    for game in 0..200 {
        let mut position = match game % 2 {
            0 => Position::startpos(),
            _ => Position::chess960(random.below(960) as u16, random.below(960) as u16),
        };
        let mut before = ThreatForm::ALL.map(|form| Threats::of(form, &position));
        for _ in 0..200 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.below(moves.len())];
            castled += usize::from(mv.is_castling());
            promoted += usize::from(mv.is_promotion());
            en_passant += usize::from(mv.is_en_passant());
            position.play(mv);
            for (form, threats) in ThreatForm::ALL.into_iter().zip(&mut before) {
                let next = Threats::of(form, &position);
                assert_eq!(next, Threats::of(form, &Placement::of(&position)));
                assert_eq!(applied(threats, &next), next.iter().collect());
                changes.find(threats, &next);
                changed[form as usize] += changes.left().len() + changes.entered().len();
                *threats = next;
            }
            plies += 1;
        }
        for (form, threats) in ThreatForm::ALL.into_iter().zip(before) {
            assert_eq!(threats.iter().collect::<BTreeSet<_>>(), by_definition(form, &position));
        }
    }
    assert!(castled > 20 && promoted > 20 && en_passant > 0, "{castled} {promoted} {en_passant}");
    let per_move = changed.map(|changed| changed as f64 / f64::from(plies));
    assert!(
        per_move.iter().all(|changed| (3.0..12.0).contains(changed)),
        "{per_move:?} threats change with a move"
    );
}
