//! What both parsers promise, each law for one random value. Tests try some thousands, the example `fuzz_parsers` as
//! many as there is time for.

use uci::{Command, Message};

use crate::random::Random;
use crate::values::{command, message, rubbish};

/// A line is one line, and has nothing around it.
fn assert_strict(line: &str) {
    assert!(!line.contains(char::is_control), "a control character in {line:?}");
    assert_eq!(line.trim(), line, "blanks around {line:?}");
}

/// A command is printed strictly, and read back as the same; gives its word.
pub(crate) fn command_comes_back(random: &mut Random) -> &'static str {
    let value = command(random);
    let line = value.to_string();
    assert_strict(&line);
    assert_eq!(line.split(' ').next(), Some(value.word()));
    let parsed = Command::parse(&line);
    assert_eq!(parsed.problems, [], "{line}");
    assert_eq!(parsed.command.as_ref(), Some(&value), "{line}");
    value.word()
}

/// A message is printed strictly, and read back as the same.
pub(crate) fn message_comes_back(random: &mut Random) {
    let value = message(random);
    let line = value.to_string();
    assert_strict(&line);
    assert_eq!(Message::parse(&line), Some(value), "{line}");
}

/// Whatever command is seen in rubbish has a canonical form without a problem. Was one seen?
pub(crate) fn command_from_rubbish_comes_back(random: &mut Random) -> bool {
    let bytes = rubbish(random, |random| command(random).to_string());
    let parsed = Command::parse(&bytes);
    for problem in &parsed.problems {
        assert!(problem.to_string().len() < 300, "a report may not repeat a whole line: {problem}");
    }
    let Some(command) = parsed.command else { return false };
    let line = command.to_string();
    assert_strict(&line);
    let again = Command::parse(&line);
    assert_eq!(again.command, Some(command), "{:?} -> {line}", String::from_utf8_lossy(&bytes));
    assert_eq!(again.problems, [], "the canonical form of a command has no problem: {line}");
    true
}

/// Whatever message is seen in rubbish comes back. Was one seen?
pub(crate) fn message_from_rubbish_comes_back(random: &mut Random) -> bool {
    let bytes = rubbish(random, |random| message(random).to_string());
    let Some(message) = Message::parse(&bytes) else { return false };
    let line = message.to_string();
    assert_strict(&line);
    assert_eq!(Message::parse(&line), Some(message), "{:?} -> {line}", String::from_utf8_lossy(&bytes));
    true
}
