//! Rufous, the program: the UCI loop over standard input and output, and the commands for people.
//!
//! As a library it has a [`UciSession`], for hosts that exchange UCI lines with an engine, the conversions between the
//! types of `engine` and `uci` ([`protocol`]), the [`Game`] of a `position` command, and the program itself as [`main`].

mod about;
mod arguments;
mod bench;
mod display;
mod doctor;
mod driver;
mod eval;
mod game;
mod genfens;
mod help;
mod identity;
mod job;
mod log;
mod manual;
#[cfg(test)]
mod markdown_tables;
mod network;
mod perft;
mod program_options;
pub mod protocol;
mod reader;
mod report;
mod speedtest;
mod uci_session;
mod watch;
mod writer;

use std::io::{self, IsTerminal};
use std::{env, panic, process};

pub use game::{Game, GameError};
pub use uci_session::UciSession;

use arguments::Request;
use driver::Driver;
use writer::{Audience, Writer};

/// The exit code for arguments that make no sense.
const BAD_USAGE: i32 = 2;

/// The program, from its arguments to its end.
pub fn main() -> ! {
    end_on_panic();
    let arguments: Vec<String> =
        env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
    let code = run(&arguments);
    // Threads that still run have nothing to print.
    process::exit(code);
}

/// A panic on any thread ends the program, in every profile: a client notices a dead engine, but
/// waits for ever for one that has lost a thread.
fn end_on_panic() {
    let report = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        report(panic);
        process::abort();
    }));
}

/// Runs the program with these arguments and returns the exit code.
pub fn run(arguments: &[String]) -> i32 {
    match arguments::read(arguments) {
        Ok(Request::Session) => session(),
        Ok(Request::Script(lines)) => {
            let out = Writer::new(Audience::Shell);
            Driver::new(out.clone()).run_script(lines);
            i32::from(out.failed())
        }
        Ok(Request::Help) => print(&help::usage()),
        Ok(Request::Version) => print(&about::version()),
        Ok(Request::Manual(folder)) => match manual::write(&folder) {
            Ok(()) => 0,
            Err(error) => {
                eprintln!("rufous: {folder}: {error}");
                1
            }
        },
        Err(problem) => {
            eprintln!("rufous: {problem}\nTry rufous --help.");
            BAD_USAGE
        }
    }
}

fn session() -> i32 {
    let person = io::stdin().is_terminal() && io::stdout().is_terminal();
    let out = Writer::new(if person { Audience::Person } else { Audience::Client });
    if person {
        out.line(about::banner());
    }
    let driver = Driver::new(out.clone());
    reader::start(driver.events(), out);
    driver.serve();
    0
}

fn print(text: &str) -> i32 {
    Writer::new(Audience::Person).line(text);
    0
}
