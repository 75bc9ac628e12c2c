//! The words of a PGN text, each with its line.

use crate::Outcome;

/// What the text of games consists of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// `[Name "value"]`.
    Tag(&'a str, String),
    /// A move, as it is spelled.
    Move(&'a str),
    /// A null move.
    Null,
    /// `$1`, or a sign that has such a number.
    Nag(u8),
    /// What stands in braces, or behind a semicolon.
    Comment(&'a str),
    /// The beginning of a variation.
    Open,
    /// The end of a variation.
    Close,
    /// How the game ended.
    Outcome(Outcome),
    /// A comment without an end: the next game begins within it.
    OpenComment,
}

/// Reads words; never fails.
#[derive(Clone, Debug)]
pub(crate) struct Tokens<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

/// Signs that stand alone, with their numbers.
const SIGNS: [(&str, u8); 22] = [
    ("!", 1),
    ("?", 2),
    ("!!", 3),
    ("??", 4),
    ("!?", 5),
    ("?!", 6),
    ("□", 7),
    ("=", 10),
    ("∞", 13),
    ("+=", 14),
    ("⩲", 14),
    ("=+", 15),
    ("⩱", 15),
    ("±", 16),
    ("+/-", 16),
    ("∓", 17),
    ("-/+", 17),
    ("+-", 18),
    ("-+", 19),
    ("⇆", 132),
    ("N", 146),
    ("TN", 146),
];

/// Words that say nothing which the move does not.
const SUPERFLUOUS: [&str; 9] = [",", "+", "++", "#", "ep", "e.p.", "ch", "mate", "dis"];

impl<'a> Tokens<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0, line: 1 }
    }

    /// The next word and the line that it begins on.
    pub(crate) fn next(&mut self) -> Option<(Token<'a>, usize)> {
        loop {
            self.skip_blanks();
            let line = self.line;
            let rest = &self.text[self.at..];
            let token = match rest.chars().next()? {
                '{' => self.comment(),
                ';' => {
                    self.advance(1);
                    Some(Token::Comment(self.rest_of_line().trim()))
                }
                '%' if self.at == 0 || self.text[..self.at].ends_with('\n') => {
                    self.rest_of_line();
                    None
                }
                '[' => self.tag(),
                '(' => {
                    self.advance(1);
                    Some(Token::Open)
                }
                ')' => {
                    self.advance(1);
                    Some(Token::Close)
                }
                ']' | '}' | '.' | '…' | '<' | '>' => {
                    self.advance(rest.chars().next().map_or(1, char::len_utf8));
                    None
                }
                '!' | '?' => {
                    let end = rest.find(|c| !matches!(c, '!' | '?')).unwrap_or(rest.len());
                    self.advance(end);
                    sign(&rest[..end])
                }
                _ => self.word(),
            };
            if let Some(token) = token {
                return Some((token, line));
            }
        }
    }

    fn advance(&mut self, bytes: usize) {
        let passed = &self.text[self.at..self.at + bytes];
        self.line += passed.bytes().filter(|&byte| byte == b'\n').count();
        self.at += bytes;
    }

    fn skip_blanks(&mut self) {
        let rest = &self.text[self.at..];
        let blank = |c: char| c.is_whitespace() || c == '\u{feff}';
        self.advance(rest.find(|c| !blank(c)).unwrap_or(rest.len()));
    }

    /// What is left of the line; the end of the line is left where it is.
    fn rest_of_line(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        let end = rest.find('\n').unwrap_or(rest.len());
        self.advance(end);
        &rest[..end]
    }

    fn comment(&mut self) -> Option<Token<'a>> {
        let inside = &self.text[self.at + 1..];
        // An unclosed brace would swallow the following games, each of which begins after an empty line.
        let next_game = |at: usize| {
            inside[at..].starts_with("\n[Event ")
                && inside[..at].trim_end_matches([' ', '\t', '\r']).ends_with('\n')
        };
        // In one pass: in a text without a closing brace every search for it would go to the end.
        let end = inside.match_indices(['}', '\n']).find(|&(at, sign)| sign == "}" || next_game(at));
        let (end, closed) = end.map_or((inside.len(), false), |(at, sign)| (at, sign == "}"));
        self.advance(1 + end + usize::from(closed));
        Some(if closed { Token::Comment(inside[..end].trim()) } else { Token::OpenComment })
    }

    /// A tag; the quote that ends its value is the one before a bracket, since not everybody escapes those within.
    ///
    /// Nothing is searched beyond the end of the tag, so that a line with many of them takes linear time.
    fn tag(&mut self) -> Option<Token<'a>> {
        let rest = &self.text[self.at..];
        let name_end =
            rest[1..].find(|c: char| c.is_whitespace() || matches!(c, '"' | ']')).map(|end| end + 1);
        let name = &rest[1..name_end.unwrap_or(rest.len())];
        let quote = match rest.find(['"', ']', '\n']) {
            Some(quote) if rest[quote..].starts_with('"') => quote,
            Some(bracket) if rest[bracket..].starts_with(']') => {
                self.advance(bracket + 1);
                return None;
            }
            end => {
                self.advance(end.unwrap_or(rest.len()));
                return None;
            }
        };
        let mut value = String::new();
        let mut signs = rest[quote + 1..].char_indices();
        let mut end = rest.len();
        while let Some((index, sign)) = signs.next() {
            let at = quote + 1 + index;
            let behind = &rest[at + sign.len_utf8()..];
            match sign {
                '\n' => {
                    end = at;
                    break;
                }
                '\\' if behind.starts_with(['\\', '"']) => value.extend(signs.next().map(|(_, sign)| sign)),
                '"' => {
                    let blanks =
                        behind.find(|c: char| c == '\n' || !c.is_whitespace()).unwrap_or(behind.len());
                    if behind[blanks..].starts_with(']') {
                        self.advance(at + 1 + blanks + 1);
                        return Some(Token::Tag(name, value));
                    }
                    value.push(sign);
                }
                _ => value.push(sign),
            }
        }
        self.advance(end);
        let value = value.trim_end().trim_end_matches(']').trim_end_matches('"').to_owned();
        Some(Token::Tag(name, value))
    }

    fn word(&mut self) -> Option<Token<'a>> {
        let rest = &self.text[self.at..];
        // `12.Nf3` and `12...Nf6`: the number alone is passed over, before the word is measured, which may be long.
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 && rest[digits..].starts_with('.') {
            self.advance(digits);
            return None;
        }
        let end = word_end(rest);
        let word = &rest[..end];
        if let Some(outcome) = Outcome::parse(word) {
            self.advance(end);
            return Some(Token::Outcome(outcome));
        }
        self.advance(end);
        if digits == word.len() && word != "0000" {
            return None;
        }
        if let Some(number) = word.strip_prefix('$') {
            return number.parse().ok().map(Token::Nag);
        }
        if matches!(word, "--" | "Z0" | "0000" | "null" | "@@@@") {
            return Some(Token::Null);
        }
        if SUPERFLUOUS.contains(&word) {
            return None;
        }
        sign(word).or(Some(Token::Move(word)))
    }
}

fn sign<'a>(word: &str) -> Option<Token<'a>> {
    SIGNS.iter().find(|(sign, _)| *sign == word).map(|&(_, number)| Token::Nag(number))
}

/// Where the word at the beginning of the text ends. A variation or a number may follow without a blank, but `e8(Q)` is
/// one word.
fn word_end(text: &str) -> usize {
    let mut promoting = false;
    for (index, sign) in text.char_indices() {
        let ends = match sign {
            '(' => {
                promoting = is_promotion_in_brackets(&text[index..]);
                !promoting
            }
            ')' => !std::mem::take(&mut promoting),
            '$' => index > 0,
            '{' | '}' | ';' | '[' | ']' | '!' | '?' | '…' => true,
            _ => sign.is_whitespace(),
        };
        if ends {
            return index;
        }
    }
    text.len()
}

fn is_promotion_in_brackets(text: &str) -> bool {
    let mut signs = text.chars().skip(1);
    signs.next().is_some_and(|piece| "QRBNqrbn".contains(piece)) && signs.next() == Some(')')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token<'_>> {
        let mut tokens = Tokens::new(text);
        std::iter::from_fn(|| tokens.next().map(|(token, _)| token)).collect()
    }

    #[test]
    fn moves_in_many_spellings() {
        use Token::{Move, Nag, Null};
        assert_eq!(tokens("1.e4 e5 2 . Nf3 2...Nc6 3. … a6"), ["e4", "e5", "Nf3", "Nc6", "a6"].map(Move));
        assert_eq!(tokens("0-0 0-0-0 12.O-O"), ["0-0", "0-0-0", "O-O"].map(Move));
        assert_eq!(
            tokens("exd6e.p. exd6 e.p. e8(Q)+ a8=Q ++"),
            ["exd6e.p.", "exd6", "e8(Q)+", "a8=Q"].map(Move)
        );
        assert_eq!(
            tokens("Nf3! Qh5?! $14 Kf1$2 +-"),
            [Move("Nf3"), Nag(1), Move("Qh5"), Nag(6), Nag(14), Move("Kf1"), Nag(2), Nag(18)]
        );
        assert_eq!(tokens("-- Z0 $999 $x"), [Null, Null]);
    }

    #[test]
    fn comments_variations_and_outcomes() {
        use Token::{Close, Comment, Move, Open};
        assert_eq!(
            tokens("1.e4(1.d4 d5){a ( ; b}; to the (end\n% not this\ne5 1-0"),
            [
                Move("e4"),
                Open,
                Move("d4"),
                Move("d5"),
                Close,
                Comment("a ( ; b"),
                Comment("to the (end"),
                Move("e5"),
                Token::Outcome(Outcome::White)
            ]
        );
        assert_eq!(tokens("½-½ * 0-1 1/2-1/2").len(), 4);
        assert_eq!(tokens("{never closed"), [Token::OpenComment]);
    }

    #[test]
    fn tags_with_quotes_and_brackets() {
        let tag = |name, value: &str| Token::Tag(name, value.to_owned());
        assert_eq!(
            tokens(
                "[Event \"The \"Big\" [A] Open\"][Site \"a \\\"b\\\" \\\\\"]\n[Round\"3\"]\n[Broken \"x\n[Empty]\n[A \"\"]"
            ),
            [
                tag("Event", "The \"Big\" [A] Open"),
                tag("Site", "a \"b\" \\"),
                tag("Round", "3"),
                tag("Broken", "x"),
                tag("A", "")
            ]
        );
    }

    #[test]
    fn a_tag_without_a_value_does_not_take_the_next_one_s() {
        let site = || Token::Tag("Site", "x".to_owned());
        assert_eq!(tokens("[Empty][Site \"x\"]"), [site()]);
        assert_eq!(tokens("[Empty] [Site \"x\" ]\n[Open\n[Site \"x\"\n]"), [site(), site()]);
    }

    /// Each of these took minutes when a token was looked for beyond its own end.
    #[test]
    fn long_texts_take_linear_time() {
        const COUNT: usize = 1 << 21;
        assert_eq!(tokens(&"[a]".repeat(COUNT)), []);
        assert_eq!(tokens(&"[a \"b\"]".repeat(COUNT)).len(), COUNT);
        assert_eq!(tokens(&"1.".repeat(COUNT)), []);
        let unclosed = "{\n\n[Event \"\"]\n".repeat(COUNT);
        assert_eq!(tokens(&unclosed).iter().filter(|&token| *token == Token::OpenComment).count(), COUNT);
    }

    #[test]
    fn lines_are_counted() {
        let mut tokens = Tokens::new("\u{feff}\r\n1. e4 {a\nb}\n; c\n  e5");
        let lines: Vec<usize> = std::iter::from_fn(|| tokens.next().map(|(_, line)| line)).collect();
        assert_eq!(lines, [2, 2, 4, 5]);
    }
}
