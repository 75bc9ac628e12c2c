//! The laws of both parsers, over thousands of random values and over rubbish: what is printed is read back as the
//! same, and no bytes whatever make a parser fail or give a value that does not come back.

mod laws;
mod random;
mod values;

use std::collections::BTreeSet;

use laws::{
    command_comes_back, command_from_rubbish_comes_back, message_comes_back, message_from_rubbish_comes_back,
};
use random::Random;
use uci::{Command, Message};

const ROUNDS: usize = 20_000;

#[test]
fn every_command_comes_back() {
    let mut random = Random::new(1);
    let seen: BTreeSet<_> = (0..ROUNDS).map(|_| command_comes_back(&mut random)).collect();
    assert_eq!(seen.len(), values::COMMANDS, "some variant was never made: {seen:?}");
}

#[test]
fn every_message_comes_back() {
    let mut random = Random::new(2);
    (0..ROUNDS).for_each(|_| message_comes_back(&mut random));
}

/// Rubbish that is never understood would be too far from the language to test anything.
fn assert_often_understood(seed: u64, law: fn(&mut Random) -> bool) {
    let mut random = Random::new(seed);
    let understood = (0..ROUNDS).filter(|_| law(&mut random)).count();
    assert!(understood > ROUNDS / 10, "only {understood}");
}

#[test]
fn commands_from_rubbish_come_back() {
    assert_often_understood(3, command_from_rubbish_comes_back);
}

#[test]
fn messages_from_rubbish_come_back() {
    assert_often_understood(4, message_from_rubbish_comes_back);
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
