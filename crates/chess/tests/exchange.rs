//! Static exchange evaluation beside a plain recursive one.

use chess::{Bitboard, Color, EXCHANGE_VALUES, Move, PieceType, Position, Square};

#[path = "support/positions.rs"]
mod positions;
#[path = "support/random.rs"]
mod random;

use random::{Random, RandomPlay};

fn value(kind: PieceType) -> i32 {
    EXCHANGE_VALUES[kind.index()]
}

/// What `side` wins by taking a piece of this value on `to`, or by leaving it.
fn best(pos: &Position, to: Square, occupied: Bitboard, side: Color, on_square: i32) -> i32 {
    let attackers = pos.attackers_to(to, occupied) & occupied;
    let own = attackers & pos.of_color(side);
    let Some(kind) = PieceType::ALL.into_iter().find(|&kind| own.meets(pos.of_kind(kind))) else { return 0 };
    if kind == PieceType::King && attackers.meets(pos.of_color(!side)) {
        return 0;
    }
    let taker = (own & pos.of_kind(kind)).first().expect("a taker");
    (on_square - best(pos, to, occupied ^ taker, !side, value(kind))).max(0)
}

fn exchange(pos: &Position, mv: Move) -> i32 {
    if mv.is_castling() {
        return 0;
    }
    let us = pos.side_to_move();
    let (from, to) = (mv.from(), mv.to());
    let mut occupied = (pos.occupied() ^ from) | to;
    let mut gain = pos.piece_on(to).map_or(0, |victim| value(victim.kind()));
    if mv.is_en_passant() {
        gain = value(PieceType::Pawn);
        occupied ^= to.behind(us);
    }
    let mut mover = pos.piece_on(from).expect("a mover").kind();
    if let Some(promoted) = mv.promotion() {
        gain += value(promoted) - value(PieceType::Pawn);
        mover = promoted;
    }
    gain - best(pos, to, occupied, !us, value(mover))
}

fn check(pos: &Position) {
    for &mv in &pos.legal_moves() {
        let worth = exchange(pos, mv);
        for threshold in [worth - 700, worth - 1, worth] {
            assert!(pos.see_at_least(mv, threshold), "{pos} {mv:?} {worth} {threshold}");
        }
        for threshold in [worth + 1, worth + 700] {
            assert!(!pos.see_at_least(mv, threshold), "{pos} {mv:?} {worth} {threshold}");
        }
    }
}

#[test]
fn thresholds_meet_the_recursive_value() {
    positions::traps().for_each(|pos| check(&pos));
    let mut random = Random::new(4);
    for _ in 0..300 {
        let mut pos = random.start();
        for _ in 0..150 {
            let Some(mv) = random.legal_move(&pos) else { break };
            pos.play(mv);
            check(&pos);
        }
    }
}
