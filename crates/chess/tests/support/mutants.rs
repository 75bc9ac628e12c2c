//! Texts that are almost FENs, SANs and moves, thrown at the parsers.

use chess::{CastlingNotation, FenStyle, Position};

use crate::random::{Random, RandomPlay};

/// Characters that mean something to a parser, and some that never should.
const ALPHABET: [char; 48] = [
    '1', '2', '3', '4', '5', '6', '7', '8', '9', '0', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'k', 'q', 'r',
    'n', 'p', 'w', 'K', 'Q', 'R', 'B', 'N', 'P', 'H', 'A', 'O', '-', '/', ' ', 'x', '=', '+', '#', ';', '.',
    '\0', '\t', 'é', '♞', '😀', '\u{200d}',
];

/// Changes a few characters: replaced, inserted, deleted, swapped, doubled, or the text cut off.
fn mutate(random: &mut Random, text: &str) -> String {
    let mut signs: Vec<char> = text.chars().collect();
    for _ in 0..1 + random.below(4) {
        let at = random.below(signs.len() + 1);
        let new = ALPHABET[random.below(ALPHABET.len())];
        match random.below(6) {
            0 if at < signs.len() => signs[at] = new,
            1 if at < signs.len() => drop(signs.remove(at)),
            2 if at + 1 < signs.len() => signs.swap(at, at + 1),
            3 if random.below(8) == 0 => signs.truncate(at),
            4 if at < signs.len() => signs.insert(at, signs[at]),
            _ => signs.insert(at, new),
        }
    }
    signs.into_iter().collect()
}

/// What came of the texts: both outcomes must be met for the fuzzing to mean anything.
#[derive(Default, Debug)]
pub(crate) struct Tally {
    pub(crate) fens_read: u64,
    pub(crate) fens_refused: u64,
    pub(crate) moves_read: u64,
    pub(crate) moves_refused: u64,
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.fens_read += other.fens_read;
        self.fens_refused += other.fens_refused;
        self.moves_read += other.moves_read;
        self.moves_refused += other.moves_refused;
    }
}

/// Plays random games and throws mutants of each position's texts, at least so many, at the parsers.
pub(crate) fn throw(texts: u64, random: &mut Random) -> Tally {
    let mut tally = Tally::default();
    let mut thrown = 0;
    while thrown < texts {
        let mut pos = random.start();
        for _ in 0..100 {
            let Some(mv) = random.legal_move(&pos) else { break };
            for style in [FenStyle::Standard, FenStyle::Shredder] {
                throw_fen(&mutate(random, &pos.fen(style)), &mut tally);
            }
            for notation in [CastlingNotation::KingMove, CastlingNotation::KingTakesRook] {
                throw_move(&pos, &mutate(random, &pos.uci_move(mv, notation)), &mut tally);
            }
            throw_move(&pos, &mutate(random, &pos.san(mv)), &mut tally);
            thrown += 5;
            pos.play(mv);
        }
    }
    tally
}

fn throw_fen(fen: &str, tally: &mut Tally) {
    match Position::from_fen_noting(fen) {
        Err(error) => {
            assert!(error.to_string().len() < 200, "{fen:?}");
            tally.fens_refused += 1;
        }
        Ok((pos, _)) => {
            // Whatever was read is a position like any other: it writes itself, and can be played.
            assert_eq!(
                Position::from_fen(&pos.to_string()).as_ref().map(Position::key),
                Ok(pos.key()),
                "{fen:?}"
            );
            assert_eq!(pos.count_legal_moves(), pos.legal_moves().len(), "{fen:?}");
            for &mv in &pos.legal_moves() {
                assert_eq!(pos.gives_check(mv), pos.after(mv).in_check(), "{fen:?} {mv:?}");
            }
            tally.fens_read += 1;
        }
    }
}

fn throw_move(pos: &Position, text: &str, tally: &mut Tally) {
    for read in [pos.parse_uci_move(text), pos.parse_san(text)] {
        match read {
            Ok(mv) => {
                assert!(pos.is_legal(mv), "{pos} {text:?}");
                tally.moves_read += 1;
            }
            Err(_) => tally.moves_refused += 1,
        }
    }
}
