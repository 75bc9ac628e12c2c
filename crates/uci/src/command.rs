//! The commands of a client to an engine.

mod genfens;
mod go;
mod position;
mod register;
mod setoption;

use std::fmt;

pub use genfens::GenFens;
pub use go::Go;
pub use position::Start;
pub use register::Register;
pub use setoption::option_text;

use crate::problem::{Problem, shorten};
use crate::tokens::{Words, decode, write_words};

/// A line from the client.
///
/// Printing gives the canonical form, and parsing that gives the same command again. The texts inside must be ones
/// that the protocol can express: an option called `draw value` cannot be named, which is why the specification
/// forbids it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `uci`: introduce yourself.
    Uci,
    /// `debug on|off`.
    Debug(bool),
    /// `isready`: answer when everything before this has been done.
    IsReady,
    /// `setoption name X [value Y]`.
    SetOption {
        /// The option's name in the case in which it was sent; names are to be compared without regard to case.
        name: String,
        /// The value as it was sent, quotes and all; [`option_text`] takes those off. `Some("")` where the word
        /// `value` ends the line.
        value: Option<String>,
    },
    /// `register later`, or with a name and a code.
    Register(Register),
    /// `ucinewgame`: what follows belongs to another game.
    UciNewGame,
    /// `position startpos|fen F [moves ...]`.
    Position {
        /// Where the game starts.
        start: Start,
        /// The words of the move list, not yet read as moves, so that a bad one can be reported by its text.
        moves: Vec<String>,
    },
    /// `go` with its limits.
    Go(Go),
    /// `stop` the search.
    Stop,
    /// `ponderhit`: the expected move was played.
    PonderHit,
    /// `quit`.
    Quit,
    /// `bench [...]`: the words that follow.
    Bench(Vec<String>),
    /// `speedtest [...]`: the words that follow.
    SpeedTest(Vec<String>),
    /// `d`: show the board.
    Board,
    /// `eval`: explain the evaluation of the position.
    Eval,
    /// `compiler`: report how the program was built.
    Compiler,
    /// `doctor`: report the environment and run a self-test.
    Doctor,
    /// `export_net [FILE]`: the file names that follow, of which older engines take two.
    ExportNet(Vec<String>),
    /// `flip`: exchange the colours.
    Flip,
    /// `help`.
    Help,
    /// `license`.
    License,
    /// `genfens N seed S book B`: random openings for OpenBench.
    GenFens(GenFens),
}

/// The commands that are one word.
static BARE: [Command; 13] = [
    Command::Uci,
    Command::IsReady,
    Command::UciNewGame,
    Command::Stop,
    Command::PonderHit,
    Command::Quit,
    Command::Board,
    Command::Eval,
    Command::Compiler,
    Command::Doctor,
    Command::Flip,
    Command::Help,
    Command::License,
];

/// The commands of the specification, which are honoured behind unknown words too.
const STANDARD: [&str; 11] = [
    "uci",
    "debug",
    "isready",
    "setoption",
    "register",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
];

/// The commands for people and tools. They count only as the first word: the rule of the specification on unknown
/// words is not theirs, and `d`, `help` or `license` occur in any sentence that ends up in the input by mistake.
const EXTRA: [&str; 12] = [
    "bench",
    "speedtest",
    "d",
    "eval",
    "compiler",
    "doctor",
    "export_net",
    "flip",
    "help",
    "license",
    "genfens",
    "perft",
];

/// What a line was found to be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parsed {
    /// The command; `None` for a blank line, a comment, or a line that is none.
    pub command: Option<Command>,
    /// What could not be honoured, in the order of the line.
    pub problems: Vec<Problem>,
}

impl Command {
    /// Reads a line, leniently: any blanks, any bytes, unknown words skipped. Lines that are blank or begin with `#`
    /// give neither a command nor a problem. `perft N` is understood as `go perft N`.
    ///
    /// ```
    /// use uci::{Command, Problem};
    /// assert_eq!(Command::parse("joho debug  on\r\n").command, Some(Command::Debug(true)));
    /// let parsed = Command::parse("go depth x nodes 5");
    /// assert_eq!(parsed.command.unwrap().to_string(), "go nodes 5");
    /// assert_eq!(parsed.problems[0].to_string(), "'depth' cannot take 'x'");
    /// ```
    pub fn parse(line: impl AsRef<[u8]>) -> Parsed {
        let line = decode(line.as_ref());
        let mut words = Words::new(&line);
        let mut problems = Vec::new();
        let Some(first) = words.peek().filter(|word| !word.starts_with('#')) else {
            return Parsed::default();
        };
        let known =
            if EXTRA.contains(&first) { words.next() } else { words.find(|word| STANDARD.contains(word)) };
        let Some(word) = known else {
            problems.push(Problem::UnknownCommand(shorten(first)));
            return Parsed { command: None, problems };
        };
        if word != first {
            problems.push(Problem::Skipped(shorten(first)));
        }
        let command = Self::parse_arguments(word, words, &mut problems);
        Parsed { command, problems }
    }

    /// The word that begins the line.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Uci => "uci",
            Self::Debug(_) => "debug",
            Self::IsReady => "isready",
            Self::SetOption { .. } => "setoption",
            Self::Register(_) => "register",
            Self::UciNewGame => "ucinewgame",
            Self::Position { .. } => "position",
            Self::Go(_) => "go",
            Self::Stop => "stop",
            Self::PonderHit => "ponderhit",
            Self::Quit => "quit",
            Self::Bench(_) => "bench",
            Self::SpeedTest(_) => "speedtest",
            Self::Board => "d",
            Self::Eval => "eval",
            Self::Compiler => "compiler",
            Self::Doctor => "doctor",
            Self::ExportNet(_) => "export_net",
            Self::Flip => "flip",
            Self::Help => "help",
            Self::License => "license",
            Self::GenFens(_) => "genfens",
        }
    }

    fn parse_arguments(word: &str, mut words: Words<'_>, problems: &mut Vec<Problem>) -> Option<Self> {
        match word {
            "debug" => parse_debug(words, problems),
            "setoption" => setoption::parse(words, problems),
            "register" => Some(Self::Register(Register::parse(words))),
            "position" => position::parse(words, problems),
            "go" => Some(Self::Go(Go::parse(words, problems))),
            "perft" => Go::parse_perft(words, problems).map(Self::Go),
            "bench" => Some(Self::Bench(rest_as_list(&mut words))),
            "speedtest" => Some(Self::SpeedTest(rest_as_list(&mut words))),
            "export_net" => Some(Self::ExportNet(rest_as_list(&mut words))),
            "genfens" => GenFens::parse(words, problems).map(Self::GenFens),
            bare => BARE.iter().find(|command| command.word() == bare).cloned(),
        }
    }
}

fn rest_as_list(words: &mut Words<'_>) -> Vec<String> {
    words.map(str::to_owned).collect()
}

fn parse_debug(mut words: Words<'_>, problems: &mut Vec<Problem>) -> Option<Command> {
    let switch = words.find_map(|word| match word {
        "on" => Some(Command::Debug(true)),
        "off" => Some(Command::Debug(false)),
        _ => None,
    });
    if switch.is_none() {
        problems.push(Problem::Missing { after: "debug", wanted: "'on' or 'off'" });
    }
    switch
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())?;
        match self {
            Self::Debug(on) => f.write_str(if *on { " on" } else { " off" }),
            Self::SetOption { name, value } => setoption::print(f, name, value.as_deref()),
            Self::Register(register) => register.print(f),
            Self::Position { start, moves } => position::print(f, start, moves),
            Self::Go(go) => go.print(f),
            Self::Bench(list) | Self::SpeedTest(list) | Self::ExportNet(list) => write_words(f, list),
            Self::GenFens(genfens) => genfens.print(f),
            _ => Ok(()),
        }
    }
}
