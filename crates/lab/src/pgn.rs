//! The words of PGN games; variations and signs are left out.

/// What the text of a game consists of.
pub(crate) enum Token<'a> {
    /// `[Name "value"]`.
    Tag(&'a str, &'a str),
    /// A move of the main line.
    Move(&'a str),
    /// What stands in braces.
    Comment(&'a str),
    /// `1-0` and its kin, which end a game.
    Result(&'a str),
}

/// The next token that matters and the text behind it.
pub(crate) fn next_token(mut rest: &str) -> Option<(Token<'_>, &str)> {
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ')' | '}' | ']' | '.'));
        match rest.chars().next()? {
            '{' => {
                let (comment, behind) = rest[1..].split_once('}').unwrap_or((&rest[1..], ""));
                return Some((Token::Comment(comment.trim()), behind));
            }
            ';' | '%' => rest = rest.split_once('\n').map_or("", |(_, behind)| behind),
            '(' => rest = after_variation(rest),
            '[' => {
                let line = rest.split_once('\n').map_or(rest, |(line, _)| line);
                // A value may have brackets in it, so the last one ends the tag.
                let (line, behind) = rest.split_at(line.rfind(']').map_or(line.len(), |end| end + 1));
                let inside = line.trim_start_matches('[').trim_end_matches(']').trim();
                if let Some((name, value)) = inside.split_once(char::is_whitespace) {
                    return Some((Token::Tag(name, value.trim().trim_matches('"')), behind));
                }
                rest = behind;
            }
            _ => {
                let ends = |c: char| c.is_whitespace() || matches!(c, '{' | '(' | ')' | ';' | '[');
                let (word, behind) = rest.split_at(rest.find(ends).unwrap_or(rest.len()));
                rest = behind;
                if matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*") {
                    return Some((Token::Result(word), rest));
                }
                let text = without_number(word);
                // The signs that are called NAG begin with a dollar.
                if !text.is_empty() && !text.starts_with('$') {
                    return Some((Token::Move(text), rest));
                }
            }
        }
    }
}

/// `12.Nf3` and `12...Nf6` without their numbers; castling with zeros is not a number.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.is_empty() || rest.starts_with('.') { rest.trim_start_matches('.') } else { word }
}

/// The text behind a variation and all that is nested in it.
fn after_variation(text: &str) -> &str {
    let (mut depth, mut in_comment) = (0, false);
    for (index, c) in text.char_indices() {
        match c {
            '}' => in_comment = false,
            '{' => in_comment = true,
            '(' if !in_comment => depth += 1,
            ')' if !in_comment && depth == 1 => return &text[index + 1..],
            ')' if !in_comment => depth -= 1,
            _ => {}
        }
    }
    ""
}
