//! The program; everything is in the library.

use std::{env, panic, process};

fn main() {
    end_on_panic();
    let arguments: Vec<String> =
        env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
    let code = rufous::run(&arguments);
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
