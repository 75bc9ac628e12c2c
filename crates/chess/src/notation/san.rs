//! Standard algebraic notation: exact out, lenient in.

use super::ParseMoveError;
use crate::{File, Move, Piece, PieceType, Position, Rank, Square, Wing};

impl Position {
    /// The legal move in standard algebraic notation, with `+` or `#`.
    ///
    /// ```
    /// use chess::Position;
    /// let pos = Position::from_fen("6k1/5ppp/8/8/8/8/8/R3K2R w - - 0 1").unwrap();
    /// let mate = pos.parse_san("Ra8").unwrap();
    /// assert_eq!(pos.san(mate), "Ra8#");
    /// ```
    pub fn san(&self, mv: Move) -> String {
        let mut text = self.san_without_check(mv);
        let after = self.after(mv);
        if after.in_check() {
            text.push(if after.has_legal_move() { '+' } else { '#' });
        }
        text
    }

    /// The moves of a line from this position in standard algebraic notation.
    pub fn san_line(&self, line: &[Move]) -> Vec<String> {
        let mut position = *self;
        let write = |&mv: &Move| {
            let text = position.san(mv);
            position.play(mv);
            text
        };
        line.iter().map(write).collect()
    }

    fn san_without_check(&self, mv: Move) -> String {
        let (from, to) = (mv.from(), mv.to());
        if mv.is_castling() {
            return if Wing::of(from, to) == Wing::King { "O-O".into() } else { "O-O-O".into() };
        }
        let kind = self.piece_on(from).map_or(PieceType::Pawn, Piece::kind);
        let mut text = String::new();
        if kind == PieceType::Pawn {
            if mv.is_capture() {
                text.push(from.file().letter());
            }
        } else {
            text.push(kind.letter().to_ascii_uppercase());
            text.push_str(&self.disambiguation(mv, kind));
        }
        if mv.is_capture() {
            text.push('x');
        }
        text.push_str(&to.to_string());
        if let Some(promoted) = mv.promotion() {
            text.push('=');
            text.push(promoted.letter().to_ascii_uppercase());
        }
        text
    }

    /// The file, else the rank, else both, where another piece of the kind can go there too.
    fn disambiguation(&self, mv: Move, kind: PieceType) -> String {
        let moves = self.legal_moves();
        let rivals: Vec<Square> = moves
            .iter()
            .filter(|other| other.to() == mv.to() && other.from() != mv.from() && !other.is_castling())
            .map(|other| other.from())
            .filter(|&from| self.piece_on(from).is_some_and(|piece| piece.kind() == kind))
            .collect();
        let from = mv.from();
        if rivals.is_empty() {
            String::new()
        } else if rivals.iter().all(|rival| rival.file() != from.file()) {
            from.file().letter().into()
        } else if rivals.iter().all(|rival| rival.rank() != from.rank()) {
            from.rank().digit().into()
        } else {
            from.to_string()
        }
    }

    /// The legal move that the text means. Besides the standard form these are understood: missing
    /// or superfluous signs (`x`, `=`, `+`, `#`, `!?`, `e.p.`), zeros for castling, long forms such
    /// as `Bh8-f6`, and the notation of UCI.
    pub fn parse_san(&self, text: &str) -> Result<Move, ParseMoveError> {
        let text = text.trim().trim_end_matches("e.p.").trim_end_matches(['+', '#', '!', '?', ' ']);
        if let Some(wing) = castling_wing(text) {
            let moves = self.legal_moves();
            let castling = moves.iter().find(|mv| mv.is_castling() && Wing::of(mv.from(), mv.to()) == wing);
            return castling.copied().ok_or(ParseMoveError::Illegal);
        }
        // Only lower case reads as the notation of UCI: `B7b6` is a bishop, `b7b6` may be anything.
        if text.starts_with(|first: char| first.is_ascii_lowercase())
            && let Ok(mv) = self.parse_uci_move(text)
        {
            return Ok(mv);
        }
        let pattern = Pattern::parse(text).ok_or(ParseMoveError::Syntax)?;
        let moves = self.legal_moves();
        let mut fitting = moves.iter().filter(|&&mv| pattern.fits(self, mv));
        match (fitting.next(), fitting.next()) {
            (Some(&mv), None) => Ok(mv),
            (None, _) => Err(ParseMoveError::Illegal),
            (Some(_), Some(_)) => Err(ParseMoveError::Ambiguous),
        }
    }
}

fn castling_wing(text: &str) -> Option<Wing> {
    match text.replace('0', "O").to_ascii_uppercase().as_str() {
        "O-O" => Some(Wing::King),
        "O-O-O" => Some(Wing::Queen),
        _ => None,
    }
}

/// What a text says about a move.
struct Pattern {
    kind: PieceType,
    from_file: Option<File>,
    from_rank: Option<Rank>,
    to: Square,
    promotion: Option<PieceType>,
}

impl Pattern {
    fn parse(text: &str) -> Option<Self> {
        let mut signs: Vec<char> =
            text.chars().filter(|c| !matches!(c, 'x' | ':' | '-' | '=' | '(' | ')')).collect();
        let kind = match signs.first()? {
            'N' | 'B' | 'R' | 'Q' | 'K' | 'P' => PieceType::from_letter(signs.remove(0))?,
            _ => PieceType::Pawn,
        };
        let promotion = match signs.last()? {
            letter if letter.is_ascii_digit() => None,
            _ => Some(
                PieceType::from_letter(signs.pop()?).filter(|piece| PieceType::PROMOTIONS.contains(piece))?,
            ),
        };
        let rank = signs.pop()?;
        let file = signs.pop()?;
        let to = format!("{file}{rank}").parse().ok()?;
        let mut pattern = Self { kind, from_file: None, from_rank: None, to, promotion };
        for sign in signs {
            match sign {
                'a'..='h' if pattern.from_file.is_none() && pattern.from_rank.is_none() => {
                    pattern.from_file = Some(File::new(sign as usize - 'a' as usize));
                }
                '1'..='8' if pattern.from_rank.is_none() => {
                    pattern.from_rank = Some(Rank::new(sign as usize - '1' as usize));
                }
                _ => return None,
            }
        }
        Some(pattern)
    }

    fn fits(&self, pos: &Position, mv: Move) -> bool {
        !mv.is_castling()
            && mv.to() == self.to
            && mv.promotion() == self.promotion
            && pos.piece_on(mv.from()).is_some_and(|piece| piece.kind() == self.kind)
            && self.from_file.is_none_or(|file| mv.from().file() == file)
            && self.from_rank.is_none_or(|rank| mv.from().rank() == rank)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn san(fen: &str, uci: &str) -> String {
        let pos = Position::from_fen(fen).unwrap();
        pos.san(pos.parse_uci_move(uci).unwrap())
    }

    #[test]
    fn writes_the_standard_form() {
        let knights = "4k3/8/8/8/1N3N2/8/1N6/4K3 w - - 0 1";
        assert_eq!(san(knights, "f4d3"), "Nfd3");
        assert_eq!(san(knights, "b2d3"), "N2d3");
        let queens = "8/8/8/k7/4Q2Q/8/8/K6Q w - - 0 1";
        assert_eq!(san(queens, "h4e1"), "Qh4e1+");
        assert_eq!(san("rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3", "e5d6"), "exd6");
        assert_eq!(san("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q"), "axb8=Q+");
        assert_eq!(san("r3k3/8/8/8/8/8/8/4K3 b q - 0 1", "e8c8"), "O-O-O");
    }

    #[test]
    fn a_bishop_is_no_file() {
        let pos = Position::from_fen("2k5/1RB5/2r5/1BB5/P1PP4/7K/8/4N3 w - - 1 88").unwrap();
        assert_eq!(pos.parse_san("B7b6"), pos.parse_uci_move("c7b6"));
        assert_eq!(pos.parse_san("b7b6"), pos.parse_uci_move("b7b6"));
    }

    #[test]
    fn reads_more_than_it_writes() {
        let pos = Position::from_fen("1n2k3/P7/8/8/8/8/8/4K2R w K - 0 1").unwrap();
        for text in ["axb8=Q+", "ab8Q", "a7xb8=Q", "a7b8q", "axb8(Q)", "axb8=Q!?"] {
            assert_eq!(pos.parse_san(text).map(|mv| pos.san(mv)), Ok("axb8=Q+".into()), "{text}");
        }
        for text in ["O-O", "0-0", "o-o", "e1g1", "e1h1"] {
            assert!(pos.parse_san(text).unwrap().is_castling(), "{text}");
        }
        assert_eq!(pos.parse_san("Rh1-h5").map(|mv| pos.san(mv)), Ok("Rh5".into()));
        assert_eq!(pos.parse_san("Qe4"), Err(ParseMoveError::Illegal));
        assert_eq!(pos.parse_san("hello"), Err(ParseMoveError::Syntax));
        assert_eq!(pos.parse_san(""), Err(ParseMoveError::Syntax));
    }
}
