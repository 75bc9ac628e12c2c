//! `setoption name X [value Y]`.

use std::fmt;

use super::Command;
use crate::message::EMPTY;
use crate::problem::Problem;
use crate::tokens::{Words, write_text};

/// Reads what follows `setoption`. The name ends at the first word `value` in lower case, so that an option called
/// `Pawn Value` can be named; without the word `name` the name begins at once.
pub(super) fn parse(mut words: Words<'_>, problems: &mut Vec<Problem>) -> Option<Command> {
    let marked = words.clone().take_while(|word| *word != "value").any(|word| word == "name");
    if marked {
        words.find(|word| *word == "name");
    }
    let name = words.join_until(|word| word == "value");
    if name.is_empty() {
        problems.push(Problem::Missing { after: "setoption", wanted: "the name of an option" });
        return None;
    }
    let value = words.next().map(|_| words.rest().to_owned());
    Some(Command::SetOption { name, value })
}

pub(super) fn print(f: &mut fmt::Formatter<'_>, name: &str, value: Option<&str>) -> fmt::Result {
    write_text(f, "name", name)?;
    value.map_or(Ok(()), |value| write_text(f, "value", value))
}

/// What the value of a string option stands for: `<empty>`, in any case and with the blanks that some documents print
/// in it, is the empty string, and one pair of quotes around the whole is taken off, since people quote paths that have
/// spaces in them.
///
/// ```
/// use uci::option_text;
/// assert_eq!(option_text("<empty>"), "");
/// assert_eq!(option_text("< Empty >"), "");
/// assert_eq!(option_text("\"\""), "");
/// assert_eq!(option_text("\"/my tables\""), "/my tables");
/// assert_eq!(option_text("plain"), "plain");
/// ```
pub fn option_text(value: &str) -> &str {
    let value = value.trim();
    let inner = ['"', '\''].iter().find_map(|quote| value.strip_prefix(*quote)?.strip_suffix(*quote));
    match inner {
        Some(inner) => inner,
        None if value.split_whitespace().collect::<String>().eq_ignore_ascii_case(EMPTY) => "",
        None => value,
    }
}
