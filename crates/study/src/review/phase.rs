//! Opening, middlegame and endgame.

use chess::{Bitboard, Color, PieceType, Position, Rank};
use serde::{Deserialize, Serialize};

/// A phase of the game; a game never goes back to an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Phase {
    Opening,
    Middlegame,
    Endgame,
}

impl Phase {
    pub(crate) const ALL: [Self; 3] = [Self::Opening, Self::Middlegame, Self::Endgame];

    /// The phase that a position by itself belongs to. The opening ends when ten pieces besides kings and pawns are
    /// left, or when a side has fewer than four men on its first rank; the endgame begins with six pieces.
    pub(crate) fn of(position: &Position) -> Self {
        let pieces = [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen]
            .into_iter()
            .map(|kind| position.of_kind(kind).count())
            .sum::<usize>();
        let developed = |color: Color| {
            let rank = if color == Color::White { Rank::new(0) } else { Rank::new(7) };
            let at_home = |square: &chess::Square| square.rank() == rank;
            let men: Bitboard = position.of_color(color);
            men.into_iter().filter(at_home).count() < 4
        };
        if pieces <= 6 {
            Self::Endgame
        } else if pieces <= 10 || developed(Color::White) || developed(Color::Black) {
            Self::Middlegame
        } else {
            Self::Opening
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_of_positions() {
        let phase = |fen| Phase::of(&Position::from_fen(fen).unwrap());
        assert_eq!(Phase::of(&Position::startpos()), Phase::Opening);
        assert_eq!(
            phase("r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7"),
            Phase::Opening
        );
        assert_eq!(
            phase("2r2rk1/pp1bqppp/2n1pn2/3p4/3P4/P1NBPN2/1PQ2PPP/2R2RK1 w - - 0 14"),
            Phase::Middlegame
        );
        assert_eq!(phase("3r2k1/pp3ppp/4pn2/8/8/P3PN2/1P3PPP/3R2K1 w - - 0 25"), Phase::Endgame);
    }
}
