//! Conversion of positions for `shakmaty`, which reads the tables.

use chess::{Color, PieceType, Position};
use shakmaty::{
    Bitboard, Board, ByColor, ByRole, CastlingMode, Chess, FromSetup, PositionError, Setup, Square,
};

/// The same position, or `None` for one that no table holds, as with a right to castle.
pub(super) fn convert(pos: &Position) -> Option<Chess> {
    if pos.castling().any() {
        return None;
    }
    let kind = |kind| Bitboard(pos.of_kind(kind).0);
    let color = |color| Bitboard(pos.of_color(color).0);
    let by_role = ByRole {
        pawn: kind(PieceType::Pawn),
        knight: kind(PieceType::Knight),
        bishop: kind(PieceType::Bishop),
        rook: kind(PieceType::Rook),
        queen: kind(PieceType::Queen),
        king: kind(PieceType::King),
    };
    let by_color = ByColor { black: color(Color::Black), white: color(Color::White) };
    let setup = Setup {
        board: Board::try_from_bitboards(by_role, by_color).ok()?,
        turn: shakmaty::Color::from_white(pos.side_to_move() == Color::White),
        ep_square: pos.en_passant().map(|sq| Square::new(sq.index() as u32)),
        halfmoves: pos.halfmove_clock().into(),
        ..Setup::empty()
    };
    // A position that no game can reach is in the tables all the same.
    Chess::from_setup(setup, CastlingMode::Standard).or_else(PositionError::ignore_impossible_check).ok()
}
