//! Tokens of a line: what separates words, what a number is, and that printed text stays on one line.

use std::borrow::Cow;
use std::fmt;
use std::num::IntErrorKind;

use crate::moves::UciMove;

/// Blanks separate words. Control characters count, so that a stray NUL or CR cannot hide a command, and so does
/// the byte order mark that some shells put before the first line they pipe.
fn is_blank(c: char) -> bool {
    // The first test settles nearly all characters, and the others are slow.
    !c.is_ascii_graphic() && (c.is_whitespace() || c.is_control() || c == '\u{feff}')
}

/// Those blanks that must not survive inside a text that is kept as it was sent.
fn is_forbidden(c: char) -> bool {
    c.is_control() || c == '\u{feff}'
}

/// Decodes a line, with invalid UTF-8 replaced and every control character turned into a space.
pub(crate) fn decode(line: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(line);
    if text.contains(is_forbidden) { Cow::Owned(text.replace(is_forbidden, " ")) } else { text }
}

/// A cursor over the words of a line.
#[derive(Clone, Debug)]
pub(crate) struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { rest: text.trim_matches(is_blank) }
    }

    /// The untouched text behind the words read so far, without blanks at its ends.
    pub(crate) fn rest(&self) -> &'a str {
        self.rest
    }

    pub(crate) fn peek(&self) -> Option<&'a str> {
        self.clone().next()
    }

    /// Reads the next word as what `read` makes of it, and leaves it where it was if that is nothing.
    pub(crate) fn next_as<T>(&mut self, read: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        let mut ahead = self.clone();
        let value = read(ahead.next()?)?;
        *self = ahead;
        Some(value)
    }

    /// Reads as many words as `read` makes something of.
    pub(crate) fn all_as<T>(&mut self, read: impl Fn(&str) -> Option<T>) -> Vec<T> {
        std::iter::from_fn(|| self.next_as(&read)).collect()
    }

    /// Reads up to the first word that `ends`, which stays unread, and joins the words with single spaces.
    pub(crate) fn join_until(&mut self, ends: impl Fn(&str) -> bool) -> String {
        let words = self.all_as(|word| (!ends(word)).then(|| word.to_owned()));
        words.join(" ")
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        if self.rest.is_empty() {
            return None;
        }
        let (word, rest) = self.rest.split_once(is_blank).unwrap_or((self.rest, ""));
        self.rest = rest.trim_start_matches(is_blank);
        Some(word)
    }
}

/// An integer of any length; what no machine can hold becomes the largest that it can.
fn integer(text: &str) -> Option<i128> {
    match text.parse::<i128>() {
        Ok(number) => Some(number),
        Err(error) => match error.kind() {
            IntErrorKind::PosOverflow => Some(i128::MAX),
            IntErrorKind::NegOverflow => Some(i128::MIN),
            _ => None,
        },
    }
}

/// A signed number, saturating.
pub(crate) fn signed(text: &str) -> Option<i64> {
    Some(integer(text)?.clamp(i64::MIN.into(), i64::MAX.into()) as i64)
}

/// A number that may not be negative, saturating.
pub(crate) fn unsigned(text: &str) -> Option<u64> {
    let number = integer(text)?;
    (number >= 0).then(|| number.min(u64::MAX.into()) as u64)
}

/// Prints ` text`, or nothing for an empty one. The text comes from a caller: a line break in it would let it speak a
/// second command, so each control character is printed as a space.
fn write_clean(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    let text = decode(text.as_bytes());
    let text = text.trim_matches(is_blank);
    if text.is_empty() { Ok(()) } else { write!(f, " {text}") }
}

/// Prints ` keyword text`, or ` keyword` alone for an empty text.
pub(crate) fn write_text(f: &mut fmt::Formatter<'_>, keyword: &str, text: &str) -> fmt::Result {
    write!(f, " {keyword}")?;
    write_clean(f, text)
}

/// Prints each move after a space.
pub(crate) fn write_moves(f: &mut fmt::Formatter<'_>, moves: &[UciMove]) -> fmt::Result {
    moves.iter().try_for_each(|mv| write!(f, " {mv}"))
}

/// Prints each word after a space, cleaned like a text.
pub(crate) fn write_words(f: &mut fmt::Formatter<'_>, words: &[String]) -> fmt::Result {
    words.iter().try_for_each(|word| write_clean(f, word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_of_all_kinds_separate_words() {
        let line = decode(b"\xEF\xBB\xBF go\t depth\0 5 \r\n");
        assert_eq!(Words::new(&line).collect::<Vec<_>>(), ["go", "depth", "5"]);
    }

    #[test]
    fn rest_keeps_inner_blanks() {
        let mut words = Words::new("value  a  b ");
        words.next();
        assert_eq!(words.rest(), "a  b");
    }

    #[test]
    fn numbers_saturate() {
        let huge = "9".repeat(60);
        assert_eq!(unsigned(&huge), Some(u64::MAX));
        assert_eq!(signed(&format!("-{huge}")), Some(i64::MIN));
        assert_eq!(unsigned("-1"), None);
        assert_eq!(signed("-1"), Some(-1));
        assert_eq!(signed("x"), None);
        assert_eq!(signed(""), None);
    }
}
