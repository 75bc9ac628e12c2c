//! The laws of both parsers, over thousands of random values and over rubbish: what is printed is read back as the
//! same, and no bytes whatever make a parser fail or give a value that does not come back.

mod random;
mod values;

use random::Random;
use uci::{Command, Message};
use values::{command, message, rubbish};

const ROUNDS: u64 = 20_000;

fn assert_strict(line: &str) {
    assert!(!line.contains(char::is_control), "a control character in {line:?}");
    assert_eq!(line.trim(), line, "blanks around {line:?}");
}

#[test]
fn every_command_comes_back() {
    let mut random = Random::new(1);
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..ROUNDS {
        let value = command(&mut random);
        let line = value.to_string();
        assert_strict(&line);
        assert_eq!(line.split(' ').next(), Some(value.word()));
        let parsed = Command::parse(&line);
        assert_eq!(parsed.problems, [], "{line}");
        assert_eq!(parsed.command.as_ref(), Some(&value), "{line}");
        seen.insert(value.word());
    }
    assert_eq!(seen.len(), values::COMMANDS, "some variant was never made: {seen:?}");
}

#[test]
fn every_message_comes_back() {
    let mut random = Random::new(2);
    for _ in 0..ROUNDS {
        let value = message(&mut random);
        let line = value.to_string();
        assert_strict(&line);
        assert_eq!(Message::parse(&line), Some(value), "{line}");
    }
}

#[test]
fn commands_from_rubbish_come_back() {
    let mut random = Random::new(3);
    let mut understood = 0;
    for _ in 0..ROUNDS {
        let bytes = rubbish(&mut random, |random| command(random).to_string());
        let parsed = Command::parse(&bytes);
        let Some(command) = parsed.command else { continue };
        let line = command.to_string();
        assert_strict(&line);
        let again = Command::parse(&line);
        assert_eq!(again.command, Some(command), "{:?} -> {line}", String::from_utf8_lossy(&bytes));
        assert_eq!(again.problems, [], "the canonical form of a command has no problem: {line}");
        understood += 1;
    }
    assert!(
        understood > ROUNDS / 10,
        "the rubbish is too far from the language to test anything: {understood}"
    );
}

#[test]
fn messages_from_rubbish_come_back() {
    let mut random = Random::new(4);
    let mut understood = 0;
    for _ in 0..ROUNDS {
        let bytes = rubbish(&mut random, |random| message(random).to_string());
        let Some(message) = Message::parse(&bytes) else { continue };
        let line = message.to_string();
        assert_strict(&line);
        assert_eq!(Message::parse(&line), Some(message), "{:?} -> {line}", String::from_utf8_lossy(&bytes));
        understood += 1;
    }
    assert!(
        understood > ROUNDS / 10,
        "the rubbish is too far from the language to test anything: {understood}"
    );
}

#[test]
fn a_caller_cannot_smuggle_in_a_second_line() {
    let value = Some("a\nquit\r\n".to_owned());
    let command = Command::SetOption { name: "Path\nquit".to_owned(), value };
    assert_eq!(command.to_string(), "setoption name Path quit value a quit");
    let command = Command::Position { start: uci::Start::Startpos, moves: vec!["e2e4\nquit".to_owned()] };
    assert_eq!(command.to_string(), "position startpos moves e2e4 quit");
    let message = Message::from(uci::Info::text("one\ntwo"));
    assert_eq!(message.to_string(), "info string one two");
}

#[test]
fn a_line_of_a_megabyte_is_a_line() {
    let moves = " e2e4".repeat(200_000);
    let parsed = Command::parse(format!("position startpos moves{moves}"));
    let Some(Command::Position { moves, .. }) = parsed.command else { panic!("{:?}", parsed.problems) };
    assert_eq!(moves.len(), 200_000);

    let parsed = Command::parse("x".repeat(1 << 20));
    assert!(parsed.problems[0].to_string().len() < 100);
}
