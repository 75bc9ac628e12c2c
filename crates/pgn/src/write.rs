//! Games as the standard writes them.

use std::fmt;

use chess::{Color, Position};

use crate::{Game, Line};

/// Lines of the movetext are broken before this column, as the standard asks for.
const COLUMNS: usize = 80;

/// A tag pair with its value escaped, without an end of line.
pub fn escaped_tag(name: &str, value: &str) -> String {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " ");
    format!("[{name} \"{value}\"]")
}

/// Words with blanks and ends of lines between them.
pub fn wrapped(words: &[String]) -> String {
    let mut text = String::new();
    let mut column = 0;
    for word in words {
        let width = word.chars().count();
        if column > 0 && column + 1 + width >= COLUMNS {
            text.push('\n');
            column = 0;
        }
        if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += width;
    }
    text
}

/// The game with all of its tags, and an empty line at its end.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.tags {
            writeln!(f, "{}", escaped_tag(name, value))?;
        }
        if !self.tags.is_empty() {
            writeln!(f)?;
        }
        let mut words = Vec::new();
        push_line(&self.main, self.start, &mut words);
        words.push(self.outcome.text().to_owned());
        writeln!(f, "{}\n", wrapped(&words))
    }
}

fn push_line(line: &Line, start: Position, words: &mut Vec<String>) {
    push_comments(&line.comments, words);
    let mut position = start;
    // Black's move has its number where something stands between it and White's.
    let mut numbered = true;
    for node in &line.moves {
        let number = position.fullmove_number();
        match position.side_to_move() {
            Color::White => words.push(format!("{number}.")),
            Color::Black if numbered => words.push(format!("{number}...")),
            Color::Black => {}
        }
        words.push(node.mv.map_or_else(|| "--".to_owned(), |mv| position.san(mv)));
        words.extend(node.nags.iter().map(|nag| format!("${nag}")));
        push_comments(&node.comments, words);
        for variation in &node.variations {
            let first = words.len();
            push_line(variation, position, words);
            if let Some(word) = words.get_mut(first) {
                word.insert(0, '(');
            }
            if let Some(word) = words.last_mut() {
                word.push(')');
            }
        }
        numbered = !node.comments.is_empty() || !node.variations.is_empty();
        match node.mv {
            Some(mv) => position.play(mv),
            None => position.play_null(),
        }
    }
}

/// Comments in braces, word by word; braces within are not allowed. A command such as `[%clk 0:01:00]` stays on one
/// line, since not every reader expects it otherwise.
fn push_comments(comments: &[String], words: &mut Vec<String>) {
    for comment in comments {
        let comment = comment.replace('{', "(").replace('}', ")");
        let mut in_command = false;
        for word in format!("{{{}}}", comment.trim()).split_whitespace() {
            match words.last_mut().filter(|_| in_command) {
                Some(last) => *last = format!("{last} {word}"),
                None => words.push(word.to_owned()),
            }
            in_command = (in_command || word.contains("[%")) && !word.contains(']');
        }
    }
}
