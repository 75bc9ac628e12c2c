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
    entry("uci", "Print the engine's name and options, then uciok."),
    entry("isready", "Print readyok when all previous commands are done."),
    entry("setoption name NAME [value VALUE]", "Set an option."),
    entry("ucinewgame", "Start a new game: clear the hash table and the histories."),
    entry("position startpos|fen FEN [moves MOVE...]", "Set up a position."),
    entry("go [LIMIT...]", "Search; without a limit until stop."),
    entry("go perft N", "Count the leaf nodes of all legal move sequences of length N."),
    entry("stop", "Stop the search."),
    entry("ponderhit", "The expected move was played: continue the search on our own time."),
    entry("debug on|off", "Turn additional output on or off."),
    entry("register later|name NAME code CODE", "Always succeeds; Rufous needs no registration."),
    entry("quit", "Exit when all previous commands are done; a search is stopped."),
    entry("d", "Display the board, the FEN and the key."),
    entry("eval", "Show the static evaluation in detail."),
    entry("flip", "Flip the side to move and the colours."),
    entry(
        "bench [HASH] [THREADS] [LIMIT] [POSITIONS] [TYPE]",
        "Search a fixed set of positions and print the total of nodes.",
    ),
    entry("speedtest [THREADS] [HASH] [SECONDS]", "Measure the speed on the positions of whole games."),
    entry("compiler", "Show the compiler and the build settings."),
    entry("doctor", "Show what was detected on this computer and run a self-test."),
    entry("export_net [FILE]", "Save the network in use to a file."),
    entry("genfens N seed S book FILE|None", "Print N random openings."),
    entry("help", "Print this help."),
    entry("license", "Print the licence."),
];

/// The ways to start the program, and what each does.
pub(crate) const ARGUMENTS: [(&str, &str); 5] = [
    ("rufous", "run as a UCI engine on standard input and output"),
    ("rufous COMMAND...", "run one command and exit, as in: rufous go depth 12"),
    ("rufous \"COMMAND\"...", "run several commands, one for each argument that contains a space"),
    ("rufous perft DEPTH [FEN]", "count the sequences of legal moves"),
    ("rufous --help, --version", "print this help, or the version"),
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
        "\n{} is a chess engine. It is meant to be used from a graphical program by the\n\
         Universal Chess Interface (UCI), but commands can also be typed:\n\n{}\n\n\
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
