//! The start positions of Chess960 and double Chess960.

use crate::{ClaimedRook, Color, File, Piece, PieceType, Position, Rank, Setup, Square};

impl Position {
    /// How many set-ups of the first rank Chess960 has.
    pub const CHESS960_SETUPS: u16 = 960;

    /// The start position with these numbered set-ups, which differ in double Chess960. The numbers
    /// are those that players draw, 0 to 959; larger ones wrap around.
    ///
    /// ```
    /// use chess::Position;
    /// assert_eq!(Position::chess960(518, 518), Position::startpos());
    /// let double = Position::chess960(0, 959);
    /// assert_eq!(double.to_string(), "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1");
    /// ```
    pub fn chess960(white: u16, black: u16) -> Self {
        let mut board = [None; 64];
        let mut castling = Vec::new();
        for (color, number) in [(Color::White, white), (Color::Black, black)] {
            let rank = first_rank(number);
            for file in File::ALL {
                let mut put = |kind, row: Rank| {
                    let sq = Square::from_parts(file, color.rank(row));
                    board[sq.index()] = Some(Piece::new(color, kind));
                };
                put(rank[file.index()], Rank::First);
                put(PieceType::Pawn, Rank::Second);
                if rank[file.index()] == PieceType::Rook {
                    castling.push((color, ClaimedRook::OnFile(file)));
                }
            }
        }
        let setup = Setup {
            board,
            side_to_move: Color::White,
            castling,
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        };
        setup.position().expect("a start position is valid").0
    }
}

/// The pieces from A to H of a numbered set-up, as Reinhard Scharnagl numbered them.
fn first_rank(number: u16) -> [PieceType; 8] {
    /// The pairs of knights among five free squares.
    const KNIGHTS: [(usize, usize); 10] =
        [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];

    let number = usize::from(number % Position::CHESS960_SETUPS);
    let mut rank = [None; 8];
    rank[number % 4 * 2 + 1] = Some(PieceType::Bishop);
    rank[number / 4 % 4 * 2] = Some(PieceType::Bishop);
    let free = |rank: &[Option<PieceType>; 8]| -> Vec<usize> {
        (0..8).filter(|&file| rank[file].is_none()).collect()
    };
    rank[free(&rank)[number / 16 % 6]] = Some(PieceType::Queen);
    let (left, right) = KNIGHTS[number / 96];
    let squares = free(&rank);
    rank[squares[left]] = Some(PieceType::Knight);
    rank[squares[right]] = Some(PieceType::Knight);
    let mut king_between_rooks = [PieceType::Rook, PieceType::King, PieceType::Rook].into_iter();
    rank.map(|piece| piece.or_else(|| king_between_rooks.next()).unwrap_or(PieceType::Rook))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::{CastlingRights, Wing};

    #[test]
    fn all_set_ups_differ_and_may_castle_on_both_wings() {
        let may_castle = |rights: &CastlingRights| {
            Color::ALL.iter().all(|&color| Wing::ALL.iter().all(|&wing| rights.rook(color, wing).is_some()))
        };
        let starts: HashSet<String> = (0..Position::CHESS960_SETUPS)
            .map(|number| {
                let pos = Position::chess960(number, number);
                let bishops = pos.pieces(Color::White, PieceType::Bishop);
                assert!(
                    bishops.into_iter().any(Square::is_light) && !bishops.into_iter().all(Square::is_light)
                );
                assert!(may_castle(pos.castling()), "{pos}");
                pos.to_string()
            })
            .collect();
        assert_eq!(starts.len(), 960);
    }
}
