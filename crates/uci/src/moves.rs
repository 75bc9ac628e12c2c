//! A move as the protocol writes it. Whether it is legal, only a board can say.

use std::fmt;
use std::str::FromStr;

/// The text of a null move.
const NULL: [u8; 5] = *b"0000\0";

/// A move in long algebraic notation: `e2e4`, `e7e8q`, or the null move `0000`.
///
/// ```
/// let mv: uci::UciMove = "E7E8Q".parse().unwrap();
/// assert_eq!(mv.to_string(), "e7e8q");
/// assert_eq!(mv.squares(), Some((52, 60)));
/// assert_eq!(mv.promotion(), Some('q'));
/// assert!("e7e9".parse::<uci::UciMove>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct UciMove {
    /// Lower-case ASCII; the last byte is zero where the move promotes nothing.
    text: [u8; 5],
}

impl UciMove {
    /// The null move, `0000`.
    pub const NULL: Self = Self { text: NULL };

    /// A move between two squares counted from a1 = 0, b1 = 1 to h8 = 63, with one of the letters `nbrq` for a
    /// promotion. `None` where a number or the letter is none of these.
    pub fn new(from: u8, to: u8, promotion: Option<char>) -> Option<Self> {
        let ([a, b], [c, d]) = (square_name(from)?, square_name(to)?);
        let letter = promotion.map_or(Some(0), promotion_letter)?;
        Some(Self { text: [a, b, c, d, letter] })
    }

    /// Whether this is the null move.
    pub fn is_null(self) -> bool {
        self == Self::NULL
    }

    /// Origin and target, counted from a1 = 0 to h8 = 63; `None` for the null move.
    pub fn squares(self) -> Option<(u8, u8)> {
        let [a, b, c, d, _] = self.text;
        (!self.is_null()).then(|| (square_index(a, b), square_index(c, d)))
    }

    /// The letter of the piece that a pawn becomes, in lower case.
    pub fn promotion(self) -> Option<char> {
        (self.text[4] != 0).then_some(self.text[4] as char)
    }

    /// The move as it is printed.
    pub fn as_str(&self) -> &str {
        let length = if self.text[4] == 0 { 4 } else { 5 };
        std::str::from_utf8(&self.text[..length]).unwrap_or_default()
    }

    /// Reads a move in upper or lower case; `None` for anything else.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        if bytes == &NULL[..4] {
            return Some(Self::NULL);
        }
        let (&[a, b, c, d], rest) = bytes.split_first_chunk()?;
        let letter = match rest {
            [] => 0,
            [letter] => promotion_letter(*letter as char)?,
            _ => return None,
        };
        let text = [a.to_ascii_lowercase(), b, c.to_ascii_lowercase(), d, letter];
        let on_board = |file: u8, rank: u8| matches!(file, b'a'..=b'h') && matches!(rank, b'1'..=b'8');
        (on_board(text[0], b) && on_board(text[2], d)).then_some(Self { text })
    }
}

fn square_name(index: u8) -> Option<[u8; 2]> {
    (index < 64).then_some([b'a' + index % 8, b'1' + index / 8])
}

fn square_index(file: u8, rank: u8) -> u8 {
    (rank - b'1') * 8 + (file - b'a')
}

fn promotion_letter(letter: char) -> Option<u8> {
    let lower = letter.to_ascii_lowercase();
    "nbrq".contains(lower).then_some(lower as u8)
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text that was not a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAMove(pub String);

impl fmt::Display for NotAMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}' is not a move like e2e4 or e7e8q", self.0)
    }
}

impl std::error::Error for NotAMove {}

impl FromStr for UciMove {
    type Err = NotAMove;

    fn from_str(text: &str) -> Result<Self, NotAMove> {
        Self::read(text).ok_or_else(|| NotAMove(crate::problem::shorten(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_comes_back() {
        for from in 0..64 {
            for to in 0..64 {
                for promotion in [None, Some('n'), Some('b'), Some('r'), Some('q')] {
                    let mv = UciMove::new(from, to, promotion).unwrap();
                    assert_eq!(mv.as_str().parse(), Ok(mv));
                    assert_eq!(mv.as_str().to_uppercase().parse(), Ok(mv));
                    assert_eq!((mv.squares(), mv.promotion()), (Some((from, to)), promotion));
                }
            }
        }
        assert_eq!("0000".parse(), Ok(UciMove::NULL));
        assert_eq!(UciMove::NULL.squares(), None);
    }

    #[test]
    fn other_text_is_refused() {
        for text in
            ["", "e2", "e2e", "e2e4k", "e2e4qq", "i2e4", "e0e4", "e2e9", "O-O", "0000q", "é2e4", "(none)"]
        {
            assert!(text.parse::<UciMove>().is_err(), "{text}");
        }
        let error = "banana".parse::<UciMove>().unwrap_err();
        assert_eq!(error.to_string(), "'banana' is not a move like e2e4 or e7e8q");
        assert_eq!(UciMove::new(64, 0, None), None);
        assert_eq!(UciMove::new(0, 1, Some('k')), None);
        assert_eq!(UciMove::new(0, 1, Some('ｑ')), None);
    }
}
