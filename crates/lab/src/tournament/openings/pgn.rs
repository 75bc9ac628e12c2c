//! Reading the main lines of PGN games, as far as openings need them.

use chess::Position;

use super::{Opening, Parsed};

/// The games of a text, each cut to its first `plies`.
pub(super) fn games(text: &str, plies: Option<usize>) -> Parsed {
    let mut reader = Reader { rest: text };
    let mut openings = Vec::new();
    while let Some(game) = reader.game(plies) {
        openings.push(game.map_err(|reason| (openings.len() + 1, reason))?);
    }
    Ok(openings)
}

/// What the text of a game consists of, as far as it matters here.
enum Token<'a> {
    /// `[Name "value"]`.
    Tag(&'a str, &'a str),
    /// A move of the main line.
    Move(&'a str),
    /// `1-0` and its kin.
    Result,
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn game(&mut self, plies: Option<usize>) -> Option<Result<Opening, String>> {
        let mut opening: Option<(Opening, Position)> = None;
        let mut fault = None;
        while let Some(token) = self.peek_token() {
            let (token, rest) = token;
            if matches!(token, Token::Tag(..))
                && opening.as_ref().is_some_and(|(game, _)| !game.moves.is_empty())
            {
                break;
            }
            self.rest = rest;
            let (game, position) = opening.get_or_insert_with(|| {
                let start = Position::startpos();
                (Opening { start, moves: Vec::new() }, start)
            });
            match token {
                Token::Tag("FEN", fen) => match Position::from_fen(fen) {
                    Ok(start) => (game.start, *position) = (start, start),
                    Err(error) => fault = fault.or(Some(error.to_string())),
                },
                Token::Tag(..) => {}
                Token::Result => break,
                Token::Move(_) if fault.is_some() || plies.is_some_and(|plies| game.moves.len() >= plies) => {
                }
                Token::Move(text) => match position.parse_san(text) {
                    Ok(mv) => {
                        position.play(mv);
                        game.moves.push(mv);
                    }
                    Err(error) => fault = Some(format!("'{text}': {error}")),
                },
            }
        }
        let (game, position) = opening?;
        if fault.is_none() && !position.has_legal_move() {
            fault = Some("the game is over at the end of the opening".to_owned());
        }
        Some(fault.map_or(Ok(game), Err))
    }

    /// The next token and the text behind it.
    fn peek_token(&self) -> Option<(Token<'a>, &'a str)> {
        let mut rest = self.rest;
        loop {
            rest = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ')' | '}' | ']' | '.'));
            match rest.chars().next()? {
                '{' => rest = after(rest, '}'),
                ';' | '%' => rest = after(rest, '\n'),
                '(' => rest = after_variation(rest),
                '[' => {
                    let line = rest.split_once('\n').map_or(rest, |(line, _)| line);
                    let end = line.rfind(']').map_or(line.len(), |end| end + 1);
                    if let Some((name, value)) = tag(&line[..end]) {
                        return Some((Token::Tag(name, value), &rest[end..]));
                    }
                    rest = &rest[end..];
                }
                _ => {
                    let ends = |c: char| c.is_whitespace() || matches!(c, '{' | '(' | ')' | ';' | '[');
                    let end = rest.find(ends).unwrap_or(rest.len()).max(1);
                    let (word, behind) = rest.split_at(end);
                    if matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*") {
                        return Some((Token::Result, behind));
                    }
                    let text = without_number(word);
                    rest = behind;
                    if !text.is_empty() && !text.starts_with('$') {
                        return Some((Token::Move(text), rest));
                    }
                }
            }
        }
    }
}

fn after(text: &str, end: char) -> &str {
    text.split_once(end).map_or("", |(_, rest)| rest)
}

/// Skips a variation with all that is nested in it.
fn after_variation(text: &str) -> &str {
    let (mut depth, mut in_comment) = (0, false);
    for (index, c) in text.char_indices() {
        match c {
            '{' => in_comment = true,
            '}' => in_comment = false,
            '(' if !in_comment => depth += 1,
            ')' if !in_comment => {
                depth -= 1;
                if depth == 0 {
                    return &text[index + 1..];
                }
            }
            _ => {}
        }
    }
    ""
}

fn tag(line: &str) -> Option<(&str, &str)> {
    let inside = line.strip_prefix('[')?.strip_suffix(']')?;
    let (name, value) = inside.trim().split_once(char::is_whitespace)?;
    Some((name, value.trim().trim_matches('"')))
}

/// `12.Nf3` and `12...Nf6` without their numbers; castling with zeros is not a number.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.is_empty() {
        rest
    } else {
        rest.strip_prefix('.').map_or(word, |rest| rest.trim_start_matches('.'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(text: &str, plies: Option<usize>) -> Vec<usize> {
        games(text, plies).unwrap().iter().map(|game| game.moves.len()).collect()
    }

    #[test]
    fn main_lines_without_the_rest() {
        let text = "[Event \"a ] b\"]\n[Result \"*\"]\n\n1.e4 {best (by test)} e5 2. Nf3 (2. f4 {x ) } (2. d4) exf4) \
                    2... Nc6 $1 3.Bb5! a6 ; rest 4. Ba4\n4. 0-0 *\n\n[Event \"second\"]\n\
                    [FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O 1-0\n";
        assert_eq!(lengths(text, None), [7, 1]);
        assert_eq!(lengths(text, Some(4)), [4, 1]);
    }

    #[test]
    fn games_without_results_end_at_the_next_tag() {
        assert_eq!(lengths("[Event \"x\"]\n\n1. e4\n\n[Event \"y\"]\n\n1. d4 d5\n", None), [1, 2]);
        assert_eq!(lengths("", None), [0; 0]);
    }

    #[test]
    fn a_bad_move_is_named_with_its_game() {
        let (number, reason) = games("1. e4 *\n1. e5 *", None).unwrap_err();
        assert_eq!((number, reason.as_str()), (2, "'e5': not a legal move"));
    }
}
