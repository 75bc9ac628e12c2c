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
        rest = rest.trim_start();
        let first = rest.chars().next()?;
        match first {
            '{' => {
                let (comment, behind) = rest[1..].split_once('}').unwrap_or((&rest[1..], ""));
                return Some((Token::Comment(comment.trim()), behind));
            }
            ';' | '%' => rest = rest.split_once('\n').map_or("", |(_, behind)| behind),
            '(' => rest = after_variation(rest),
            '[' => {
                let (line, behind) = rest.split_once('\n').unwrap_or((rest, ""));
                let inside = line.trim_end().trim_start_matches('[').trim_end_matches(']');
                if let Some((name, value)) = inside.trim().split_once(char::is_whitespace) {
                    return Some((Token::Tag(name, value.trim().trim_matches('"')), behind));
                }
                rest = behind;
            }
            _ => {
                let end = rest.find(|c: char| c.is_whitespace() || "{(;".contains(c)).unwrap_or(rest.len());
                let (word, behind) = rest.split_at(end.max(first.len_utf8()));
                rest = behind;
                if matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*") {
                    return Some((Token::Result(word), rest));
                }
                // Numbers of moves, alone or with the move behind them, and the signs that are called NAG.
                let digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
                let text = if digits.is_empty() || digits.starts_with('.') { digits } else { word };
                let text = text.trim_start_matches('.');
                if !text.is_empty() && !text.starts_with(['$', ')']) {
                    return Some((Token::Move(text), rest));
                }
            }
        }
    }
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
