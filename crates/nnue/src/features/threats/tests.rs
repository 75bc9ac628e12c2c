use std::collections::BTreeSet;

use chess::Position;

use super::*;
use crate::board::Placement;
use crate::features::KingBuckets;
use rng::Random;

/// The active threats by the definition alone: every piece looks at every other.
fn by_definition(board: &impl Board) -> BTreeSet<Threat> {
    let men: Vec<(Piece, Square)> =
        Square::ALL.into_iter().filter_map(|square| Some((board.piece_on(square)?, square))).collect();
    let attacks = |piece: Piece, from: Square, to: Square| match piece.kind() {
        PieceType::Pawn => attacks::pawn_attacks(piece.color(), from).has(to),
        kind => attacks::piece_attacks(kind, from, board.occupied()).has(to),
    };
    let mut active = BTreeSet::new();
    for &(attacker, from) in &men {
        for &(attacked, to) in &men {
            if attacks(attacker, from, to) {
                active.insert(Threat::new(attacker, attacked, to));
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
    let threats: BTreeSet<Threat> = Threats::of(&start()).iter().collect();
    let has = |attacker, attacked, square| threats.contains(&Threat::new(attacker, attacked, square));
    // Both knights guard a pawn each; of the queen's guards on d2 each kind counts once.
    assert!(has(Piece::WhiteKnight, Piece::WhitePawn, Square::D2));
    assert!(has(Piece::WhiteKnight, Piece::WhitePawn, Square::E2));
    assert!(has(Piece::WhiteQueen, Piece::WhiteKing, Square::E1));
    assert!(has(Piece::WhiteKing, Piece::WhiteQueen, Square::D1));
    assert!(has(Piece::BlackRook, Piece::BlackPawn, Square::A7));
    assert!(!has(Piece::WhitePawn, Piece::WhitePawn, Square::E2));
    // A side's knights, bishops, rooks, queen and king guard 2, 4, 4, 5 and 5 men.
    assert_eq!(threats.len(), 2 * (2 + 4 + 4 + 5 + 5));
    let first = Threat::new(Piece::WhiteKnight, Piece::WhitePawn, Square::D2);
    assert_eq!((first.attacker(), first.attacked()), (Piece::WhiteKnight, Piece::WhitePawn));
    assert_eq!(first.square(), Square::D2);
}

#[test]
fn inputs_by_hand() {
    let threat = Threat::new(Piece::WhiteKnight, Piece::BlackPawn, Square::E5);
    let view = |perspective, king| KingBuckets::SINGLE.view(perspective, king);
    // Own knight, enemy pawn; the king on the files e to h mirrors.
    assert_eq!(view(Color::White, Square::A1).threat(threat), (2 * 12 + 1) * 64 + 36);
    assert_eq!(view(Color::White, Square::G1).threat(threat), (2 * 12 + 1) * 64 + 35);
    // Enemy knight, own pawn, upside down.
    assert_eq!(view(Color::Black, Square::A8).threat(threat), (3 * 12) * 64 + 28);
    assert_eq!(view(Color::Black, Square::G8).threat(threat), (3 * 12) * 64 + 27);
}

#[test]
fn inputs_of_a_view_are_distinct_and_in_range() {
    for perspective in Color::ALL {
        for king in Square::ALL {
            let view = KingBuckets::SINGLE.view(perspective, king);
            let mut seen = vec![false; THREAT_INPUTS];
            for attacker in Piece::ALL {
                for attacked in Piece::ALL {
                    for square in Square::ALL {
                        let input = view.threat(Threat::new(attacker, attacked, square));
                        assert!(!std::mem::replace(&mut seen[input], true));
                    }
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
            Threats::of(board).iter().map(|threat| view.threat(threat)).collect()
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
        let listed: Vec<Threat> = Threats::of(&board).iter().collect();
        assert!(listed.len() <= MAX_THREATS);
        assert_eq!(listed.len(), listed.iter().collect::<BTreeSet<_>>().len());
        assert_eq!(listed.into_iter().collect::<BTreeSet<_>>(), by_definition(&board));
    }
    assert_eq!(Threats::of(&Placement::EMPTY), Threats::NONE);
}

#[test]
fn differences_lead_from_any_board_to_any_other() {
    let mut random = Random::new(3);
    let mut before = Placement::EMPTY;
    for _ in 0..2000 {
        let after = Placement::random(&mut random);
        let reached = applied(&Threats::of(&before), &Threats::of(&after));
        assert_eq!(reached, by_definition(&after));
        before = after;
    }
}

#[test]
fn differences_follow_games_of_chess_and_chess960() {
    let mut random = Random::new(4);
    let mut changes = ThreatChanges::NONE;
    let (mut castled, mut promoted, mut en_passant, mut changed, mut plies) = (0, 0, 0, 0, 0);
    for game in 0..200 {
        let mut position = match game % 2 {
            0 => Position::startpos(),
            _ => Position::chess960(random.below(960) as u16, random.below(960) as u16),
        };
        let mut threats = Threats::of(&position);
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
            let next = Threats::of(&position);
            assert_eq!(next, Threats::of(&Placement::of(&position)));
            assert_eq!(applied(&threats, &next), next.iter().collect());
            changes.find(&threats, &next);
            changed += changes.left().len() + changes.entered().len();
            threats = next;
            plies += 1;
        }
        assert_eq!(threats.iter().collect::<BTreeSet<_>>(), by_definition(&position));
    }
    assert!(castled > 20 && promoted > 20 && en_passant > 0, "{castled} {promoted} {en_passant}");
    let per_move = changed as f64 / f64::from(plies);
    assert!((3.0..12.0).contains(&per_move), "{per_move} threats change with a move");
}
