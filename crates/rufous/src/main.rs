//! Rufous, the program: the UCI loop over standard input and output, and the commands for people.

mod about;
mod arguments;
mod bench;
mod board;
mod display;
mod driver;
mod eval;
mod genfens;
mod help;
mod identity;
mod job;
mod log;
mod network;
mod perft;
mod reader;
mod report;
mod speedtest;
#[cfg(test)]
mod tables;
mod watch;
mod writer;

use std::io::{self, IsTerminal};
use std::{env, panic, process};

use arguments::Request;
use driver::Driver;
use writer::{Audience, Writer};

/// The exit code for arguments that make no sense.
const BAD_USAGE: i32 = 2;

fn main() {
    end_on_panic();
    let arguments: Vec<String> =
        env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
    let code = match arguments::read(&arguments) {
        Ok(Request::Session) => session(),
        Ok(Request::Script(lines)) => {
            let out = Writer::new(Audience::Person);
            Driver::new(out.clone()).run_script(lines);
            i32::from(out.failed())
        }
        Ok(Request::Help) => print(&help::usage()),
        Ok(Request::Version) => print(about::NAME_AND_VERSION),
        Err(problem) => {
            eprintln!("rufous: {problem}\nTry rufous --help.");
            BAD_USAGE
        }
    };
    // Threads that still run have nothing left to say.
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
