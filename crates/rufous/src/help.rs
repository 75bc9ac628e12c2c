//! The commands, each with a line of explanation: the source of `help` and of the table in docs/uci.md.

use crate::about;

/// A command as it is typed, and what it does.
pub(crate) struct Entry {
    /// The command with its arguments.
    pub(crate) usage: &'static str,
    /// What it does, in a sentence.
    pub(crate) about: &'static str,
}

const fn entry(usage: &'static str, about: &'static str) -> Entry {
    Entry { usage, about }
}

/// Every command.
pub(crate) const COMMANDS: &[Entry] = &[
    entry("uci", "Introduces the engine and its options."),
    entry("isready", "Answers readyok when everything before is done."),
    entry("setoption name NAME [value VALUE]", "Sets an option."),
    entry("ucinewgame", "What follows is another game: everything learned is forgotten."),
    entry("position startpos|fen FEN [moves MOVE...]", "Sets up a position."),
    entry("go [LIMIT...]", "Searches; without a limit until stop."),
    entry("go perft N", "Counts the sequences of N legal moves."),
    entry("stop", "Ends the search."),
    entry("ponderhit", "The expected move was played: the search goes on, on the own clock."),
    entry("debug on|off", "Tells more, or less."),
    entry("register later|name NAME code CODE", "Always succeeds: Rufous is free."),
    entry("quit", "Leaves when everything before is done; a search ends at once."),
    entry("d", "Shows the board."),
    entry("eval", "Explains the evaluation of the position."),
    entry("flip", "Exchanges the colours."),
    entry(
        "bench [HASH] [THREADS] [LIMIT] [POSITIONS] [TYPE]",
        "Searches a set of positions and counts nodes.",
    ),
    entry("speedtest [THREADS] [HASH] [SECONDS]", "Measures the speed on the positions of whole games."),
    entry("compiler", "Tells how the program was built."),
    entry("doctor", "Tells what was found on this computer and tests the program on it."),
    entry("export_net [FILE]", "Writes the network in use to a file."),
    entry("genfens N seed S book FILE|None", "Prints N random openings."),
    entry("help", "Prints this."),
    entry("license", "Prints the terms of use."),
];

/// The ways to start the program, and what each does.
pub(crate) const ARGUMENTS: [(&str, &str); 5] = [
    ("rufous", "speak UCI on standard input and output"),
    ("rufous COMMAND...", "carry out a command and leave, as in: rufous go depth 12"),
    ("rufous \"COMMAND\"...", "carry out several commands, one for each argument with a space"),
    ("rufous perft DEPTH [FEN]", "count the sequences of legal moves"),
    ("rufous --help, --version", "tell how to use it, or which version it is"),
];

/// The limits of `go`.
pub(crate) const LIMITS: &str = "depth N, nodes N, movetime MS, mate N, wtime MS, btime MS, winc MS, binc MS, \
                      movestogo N, infinite, ponder, searchmoves MOVE...";

/// The text of `help`.
pub(crate) fn text() -> String {
    let width = COMMANDS.iter().map(|entry| entry.usage.len()).max().unwrap_or(0);
    let lines: Vec<String> =
        COMMANDS.iter().map(|entry| format!("  {:width$}  {}", entry.usage, entry.about)).collect();
    format!(
        "\n{} is a chess engine. It speaks UCI, the Universal Chess Interface, and is meant to be\n\
         used from a graphical program; but it can be talked to by hand:\n\n{}\n\n\
         Limits of go: {LIMITS}\n\n\
         Try: position startpos moves e2e4, then go movetime 1000.\n",
        about::NAME_AND_VERSION,
        lines.join("\n"),
    )
}

/// The text of `--help`.
pub(crate) fn usage() -> String {
    let ways: Vec<String> = ARGUMENTS.iter().map(|(usage, about)| format!("  {usage:26} {about}")).collect();
    format!(
        "{}\n\nUsage:\n{}\n\n\
         Arguments without a space in them belong together and make up one command. Commands:\n{}",
        about::banner(),
        ways.join("\n"),
        text(),
    )
}
