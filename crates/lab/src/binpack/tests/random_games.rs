//! Games of random moves that have every kind of move.

use chess::{Move, MoveKind, Position};
use rng::Random;

use super::super::Entry;

/// Castling on both wings, en passant with and without a pin, promotions at once, both sides to move, a Chess960 array
/// without rights, all men, and hardly any.
const STARTS: [&str; 12] = [
    Position::START_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 11 40",
    "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 13",
    "r3k2r/8/8/8/8/8/8/R3K2R w Qk - 7 13",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4k3/3p1p2/8/2P1P1P1/1p1p4/8/P1P1P3/4K3 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
    "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w - - 0 1",
    "1k1r4/8/8/8/8/8/8/R2K3R w - - 90 200",
    "7k/8/8/8/8/8/8/K7 b - - 0 1",
];

/// So many games of at most so many positions. The special moves are preferred, since they are rare.
pub(super) fn games(count: usize, longest: usize, seed: u64) -> Vec<Vec<Entry>> {
    let mut random = Random::new(seed);
    let mut games = Vec::new();
    while games.len() < count {
        let start = Position::from_fen(STARTS[random.below(STARTS.len())]).expect("a FEN");
        let game = play(start, 1 + random.below(longest), &mut random);
        if !game.is_empty() {
            games.push(game);
        }
    }
    games
}

fn play(mut position: Position, longest: usize, random: &mut Random) -> Vec<Entry> {
    let result = random.below(3) as i8 - 1;
    let mut game: Vec<Entry> = Vec::new();
    let mut score = random.below(2000) as i16 - 1000;
    for number in 0..longest {
        let moves = position.legal_moves();
        // The other implementation counts to 255.
        if moves.is_empty() || position.halfmove_clock() > 200 {
            break;
        }
        let special: Vec<Move> = moves.iter().copied().filter(|mv| is_special(mv.kind())).collect();
        let mv = if !special.is_empty() && random.below(3) == 0 {
            special[random.below(special.len())]
        } else {
            moves[random.below(moves.len())]
        };
        score = match random.below(40) {
            0 => i16::MAX,
            1 => -i16::MAX,
            2 => 32_002,
            _ => score.wrapping_neg().wrapping_add(random.below(200) as i16 - 100).clamp(-30_000, 30_000),
        };
        let ply = position.game_ply() as u16;
        let result = if number % 2 == 0 { result } else { -result };
        game.push(Entry { position, mv: Some(mv), score, ply, result });
        position.play(mv);
    }
    game
}

pub(super) fn is_special(kind: MoveKind) -> bool {
    !matches!(kind, MoveKind::Quiet | MoveKind::Capture | MoveKind::DoublePush)
}
