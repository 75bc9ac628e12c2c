//! Two short games with every kind of move, written as a binpack and read back.

use std::io::Cursor;

use sfbinpack::chess::coords::Square;
use sfbinpack::chess::r#move::{Move, MoveType};
use sfbinpack::chess::piece::Piece;
use sfbinpack::chess::position::Position;
use sfbinpack::{CompressedTrainingDataEntryWriter, TrainingDataEntry};

use super::super::binpack;
use super::super::games::Games;
use super::super::source::Positions;
use crate::binpack::chunk_places;

/// Castling on both sides, an en passant capture, a promotion with capture, kings that cross the middle twice.
const GAMES: [&str; 2] = [
    "e2e4 a7a6 e4e5 d7d5 e5d6 g8f6 d6c7 b8c6 c7d8q e8d8 g1f3 e7e5 f1e2 c8e6 e1h1 d8e8 g1h1 e8e7 f1e1 a8d8 h1g1 e7d7",
    "d2d4 d7d5 b1c3 b8c6 c1f4 c8f5 d1d2 d8d7 e1a1 e8a8 c1b1 h7h5 d2e3 d7e6 c3b5 c8d7 a2a3 d7e8 b5c7 e8d7 c7e6 f5e6",
];

fn square(text: &str) -> Square {
    Square::from_string(text).expect("a square")
}

fn parse(position: &Position, text: &str) -> Move {
    let (from, to) = (square(&text[..2]), square(&text[2..4]));
    let piece = position.piece_at(from);
    if text.ends_with('q') {
        Move::promotion(from, to, Piece::WHITE_QUEEN)
    } else if piece == Piece::WHITE_PAWN && to == position.ep_square() {
        Move::en_passant(from, to)
    } else if ["e1h1", "e1a1", "e8a8"].contains(&text) {
        Move::castle(from, to)
    } else {
        Move::normal(from, to)
    }
}

/// The games as a binpack's bytes.
pub(super) fn bytes() -> Vec<u8> {
    let mut writer = CompressedTrainingDataEntryWriter::new_in_memory().expect("memory is there");
    for (game, moves) in GAMES.iter().enumerate() {
        let mut pos = Position::new();
        for (ply, text) in moves.split(' ').enumerate() {
            pos.set_ply(ply as u16);
            let mv = parse(&pos, text);
            let result = if ply % 2 == game { 1 } else { -1 };
            let score = (ply as i16 * 37 % 200) - 90;
            let entry = TrainingDataEntry { pos, mv, score, ply: ply as u16, result };
            writer.write_entry(&entry).expect("memory is there");
            pos.do_move(mv);
        }
    }
    writer.into_bytes().expect("memory is there")
}

/// The games, decoded.
pub(super) fn games() -> Games {
    decoded(Positions::Quiet)
}

fn decoded(positions: Positions) -> Games {
    let bytes = bytes();
    let mut games = Games::default();
    for chunk in chunk_places(Cursor::new(&bytes)).expect("a sound binpack") {
        let part = binpack::decode(Cursor::new(&bytes), chunk.start, positions, 0);
        games.append(part.expect("a sound chunk"));
    }
    games
}

#[test]
fn a_binpack_becomes_games() {
    let (games, all) = (games(), decoded(Positions::All));
    assert_eq!(games.len(), 2);
    for (number, text) in GAMES.iter().enumerate() {
        let mut position = Position::new();
        let moves: Vec<&str> = text.split(' ').collect();
        assert_eq!(games.plies(number), moves.len());
        for (ply, text) in moves.into_iter().enumerate() {
            let board = games.board_at(number, ply);
            let step = games.steps_of(number)[ply];
            for (piece, squares) in board.0.into_iter().enumerate() {
                let there = (0..64)
                    .filter(|&index| usize::from(position.piece_at(Square::new(index)).id()) == piece)
                    .fold(0, |all, index| all | 1 << index);
                assert_eq!(squares, there, "game {number} ply {ply} piece {piece}");
            }
            assert_eq!(step.side(), ply % 2);
            assert_eq!(step.score, (ply as i16 * 37 % 200) - 90);
            assert_eq!(step.result(), Some(if ply % 2 == number { 1.0 } else { 0.0 }));
            let mv = parse(&position, text);
            let in_check = position.is_checked(position.side_to_move());
            let noisy = in_check
                || !matches!(mv.mtype(), MoveType::Normal | MoveType::Castle)
                || (mv.mtype() == MoveType::Normal && position.piece_at(mv.to()) != Piece::NONE);
            assert_eq!(step.counts(), !noisy, "game {number} ply {ply}");
            assert_eq!(all.steps_of(number)[ply].counts(), !in_check, "game {number} ply {ply}");
            position.do_move(mv);
        }
    }
}

#[test]
fn damage_is_an_error() {
    let mut bytes = bytes();
    bytes[0] = b'X';
    assert!(chunk_places(Cursor::new(bytes)).is_err());
    let mut short = self::bytes();
    short.truncate(short.len() - 5);
    assert!(chunk_places(Cursor::new(short)).is_err());
}
