//! Long algebraic notation, as UCI writes moves.

use super::{CastlingNotation, ParseMoveError};
use crate::{Move, PieceType, Position, Square, Wing};

impl Position {
    /// The legal move that the text means: upper case is understood, and so are both notations of
    /// castling where they mean no other move.
    ///
    /// ```
    /// use chess::{CastlingNotation, Position};
    /// let pos = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
    /// let castling = pos.parse_uci_move("e1g1").unwrap();
    /// assert_eq!(pos.parse_uci_move("e1h1"), Ok(castling));
    /// assert_eq!(pos.uci_move(castling, CastlingNotation::KingMove), "e1g1");
    /// ```
    pub fn parse_uci_move(&self, text: &str) -> Result<Move, ParseMoveError> {
        let text = text.to_ascii_lowercase();
        let part =
            |range: std::ops::Range<usize>| text.get(range).and_then(|part| part.parse::<Square>().ok());
        let (Some(from), Some(to)) = (part(0..2), part(2..4)) else { return Err(ParseMoveError::Syntax) };
        let promotion = match &text.as_bytes()[4..] {
            [] => None,
            [letter] => match PieceType::from_letter(char::from(*letter)) {
                Some(piece) if PieceType::PROMOTIONS.contains(&piece) => Some(piece),
                _ => return Err(ParseMoveError::Syntax),
            },
            _ => return Err(ParseMoveError::Syntax),
        };
        let moves = self.legal_moves();
        let exact = moves.iter().find(|mv| mv.from() == from && mv.to() == to && mv.promotion() == promotion);
        let castling = || {
            moves.iter().find(|mv| {
                mv.is_castling()
                    && mv.from() == from
                    && promotion.is_none()
                    && Wing::of(from, mv.to()).king_to(self.side_to_move()) == to
            })
        };
        exact.or_else(castling).copied().ok_or(ParseMoveError::Illegal)
    }

    /// The move as UCI writes it.
    pub fn uci_move(&self, mv: Move, castling: CastlingNotation) -> String {
        let to = if mv.is_castling() && castling == CastlingNotation::KingMove {
            Wing::of(mv.from(), mv.to()).king_to(self.side_to_move())
        } else {
            mv.to()
        };
        let mut text = format!("{}{to}", mv.from());
        text.extend(mv.promotion().map(PieceType::letter));
        text
    }

    /// The moves of a line from this position as UCI writes them.
    ///
    /// ```
    /// use chess::{CastlingNotation, Position};
    /// let mut pos = Position::startpos();
    /// let e4 = pos.parse_uci_move("e2e4").unwrap();
    /// let e5 = pos.after(e4).parse_uci_move("e7e5").unwrap();
    /// assert_eq!(pos.uci_line(&[e4, e5], CastlingNotation::KingMove), ["e2e4", "e7e5"]);
    /// ```
    pub fn uci_line(&self, line: &[Move], castling: CastlingNotation) -> Vec<String> {
        let mut position = *self;
        let write = |&mv: &Move| {
            let text = position.uci_move(mv, castling);
            position.play(mv);
            text
        };
        line.iter().map(write).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_king_step_is_not_castling() {
        // The king on f1 steps to g1; only the rook's square means castling.
        let pos = Position::from_fen("4k3/8/8/8/8/8/8/5K1R w H - 0 1").unwrap();
        assert!(!pos.parse_uci_move("f1g1").unwrap().is_castling());
        assert!(pos.parse_uci_move("f1h1").unwrap().is_castling());
    }

    #[test]
    fn odd_texts() {
        let pos = Position::from_fen("4k3/P7/8/8/8/8/8/4K3 w - - 0 1").unwrap();
        assert_eq!(pos.parse_uci_move("A7A8Q").unwrap().promotion(), Some(PieceType::Queen));
        assert_eq!(pos.parse_uci_move("a7a8"), Err(ParseMoveError::Illegal));
        for text in ["", "e2", "e2e9", "e1d1x", "a7a8k", "a7a8qq", "0000", "é1d1"] {
            assert_eq!(pos.parse_uci_move(text), Err(ParseMoveError::Syntax), "{text}");
        }
    }
}
