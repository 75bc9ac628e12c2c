//! The list of moves has room for whatever a position of at most 32 men can hold.

use chess::{MAX_MOVES, Position};

/// The most moves that so many sliders, knights and pawns one step from promotion can have.
///
/// Alone a slider has at most 27 moves, a knight 8, a king 10 with castling, and such a pawn 12: four
/// promotions on three squares. But a square can be entered along its eight lines only by the next
/// man on each, so sliders and pawns together enter no more than eight times the squares that hold
/// neither an own man nor the enemy king; the pawns' other promotions come on top. (Pawns further
/// back have fewer moves than a slider, and count as one.)
fn bound(sliders: usize, knights: usize, pawns: usize) -> usize {
    let targets = 64 - 1 - (1 + sliders + knights + pawns);
    (27 * sliders + 3 * pawns).min(8 * targets) + 9 * pawns + 8 * knights + 10
}

#[test]
fn no_position_overflows_the_list() {
    let mut most = 0;
    for sliders in 0..=30 {
        for knights in 0..=30 - sliders {
            for pawns in 0..=(30 - sliders - knights).min(8) {
                most = most.max(bound(sliders, knights, pawns));
            }
        }
    }
    assert_eq!(most, 442);
    assert!(most <= MAX_MOVES);
}

#[test]
fn the_most_that_were_found() {
    for (fen, moves) in [
        // The record of games that could be played, by Nenad Petrović.
        ("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", 218),
        // A minute of simulated annealing over everything that the rules of setting up allow.
        ("QQQQQQbk/Q4Q1P/Q5QQ/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1", 266),
    ] {
        let pos = Position::from_fen(fen).unwrap();
        assert_eq!((pos.legal_moves().len(), pos.count_legal_moves()), (moves, moves), "{fen}");
    }
}
