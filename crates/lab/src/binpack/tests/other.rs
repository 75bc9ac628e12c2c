//! Entries of `sfbinpack` beside our own.

use chess::{CastlingNotation, Color, FenStyle, Move, MoveKind, PieceType, Wing};
use sfbinpack::TrainingDataEntry;
use sfbinpack::chess::castling_rights::CastlingRights;
use sfbinpack::chess::coords::Square;
use sfbinpack::chess::r#move::Move as OtherMove;
use sfbinpack::chess::piece::Piece;
use sfbinpack::chess::piecetype::PieceType as OtherKind;
use sfbinpack::chess::position::Position as OtherPosition;

use super::super::Entry;

/// The same entry.
pub(super) fn other_entry(entry: &Entry) -> TrainingDataEntry {
    let fen = entry.position.fen(FenStyle::Standard);
    TrainingDataEntry {
        pos: OtherPosition::from_fen(&fen).expect("a FEN"),
        mv: entry.mv.map_or(OtherMove::null(), |mv| other_move(mv, entry.position.side_to_move())),
        score: entry.score,
        ply: entry.ply,
        result: entry.result.into(),
    }
}

fn other_move(mv: Move, side: Color) -> OtherMove {
    let [from, to] = [mv.from(), mv.to()].map(|square| Square::new(square.index() as u32));
    match (mv.kind(), mv.promotion()) {
        (MoveKind::Castling, _) => OtherMove::castle(from, to),
        (MoveKind::EnPassant, _) => OtherMove::en_passant(from, to),
        (_, Some(kind)) => {
            let piece = Piece::new(OtherKind::from_ordinal(kind.index() as u8), other_color(side));
            OtherMove::promotion(from, to, piece)
        }
        _ => OtherMove::normal(from, to),
    }
}

fn other_color(color: Color) -> sfbinpack::chess::color::Color {
    match color {
        Color::White => sfbinpack::chess::color::Color::White,
        Color::Black => sfbinpack::chess::color::Color::Black,
    }
}

/// Do both tell the same? Compared part by part, since there are millions of them.
pub(super) fn same(ours: &Entry, theirs: &TrainingDataEntry) -> bool {
    let (position, other) = (&ours.position, &theirs.pos);
    let men = Color::ALL.into_iter().all(|color| {
        PieceType::ALL.into_iter().all(|kind| {
            let other_kind = OtherKind::from_ordinal(kind.index() as u8);
            position.pieces(color, kind).0 == other.pieces_bb_color(other_color(color), other_kind).bits()
        })
    });
    let en_passant = position.en_passant().map_or(Square::NONE, |sq| Square::new(sq.index() as u32));
    men && (position.side_to_move() == Color::Black) == (other.side_to_move() as usize == 1)
        && rights(ours) == other.castling_rights()
        && en_passant == other.ep_square()
        && position.halfmove_clock() == other.rule50_counter()
        && ours.mv.map_or(OtherMove::null(), |mv| other_move(mv, position.side_to_move())) == theirs.mv
        && (ours.score, ours.ply, i16::from(ours.result)) == (theirs.score, theirs.ply, theirs.result)
}

fn rights(entry: &Entry) -> CastlingRights {
    let mut rights = CastlingRights::NONE;
    for (color, wing, right) in [
        (Color::White, Wing::King, CastlingRights::WHITE_KING_SIDE),
        (Color::White, Wing::Queen, CastlingRights::WHITE_QUEEN_SIDE),
        (Color::Black, Wing::King, CastlingRights::BLACK_KING_SIDE),
        (Color::Black, Wing::Queen, CastlingRights::BLACK_QUEEN_SIDE),
    ] {
        if entry.position.castling().rook(color, wing).is_some() {
            rights |= right;
        }
    }
    rights
}

/// The text of an entry as `sfbinpack` prints it.
#[test]
fn entries_are_printed_alike() {
    for (fen, text) in [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 20", "e1c1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 7", "e8c8"),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 9", "d4e3"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 30", "a7a8n"),
    ] {
        let position = chess::Position::from_fen(fen).expect("a FEN");
        let mv = position.parse_uci_move(text).expect("a legal move");
        let entry = Entry { position, mv: Some(mv), score: -31, ply: position.game_ply() as u16, result: 1 };
        assert_eq!(entry.to_string(), other_entry(&entry).to_string());
        assert_eq!(position.uci_move(mv, CastlingNotation::KingMove), text);
        assert!(same(&entry, &other_entry(&entry)));
    }
    let entry = Entry { position: chess::Position::startpos(), mv: None, score: 0, ply: 0, result: 0 };
    assert_eq!(entry.to_string(), format!("{} 0000 0 0 0", chess::Position::START_FEN));
}
