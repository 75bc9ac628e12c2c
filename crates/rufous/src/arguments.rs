//! The command line.

use uci::{Command, Parsed, Start};

/// What to do.
#[derive(Debug, PartialEq)]
pub(crate) enum Request {
    /// Talk to a client.
    Session,
    /// Carry out these commands and leave.
    Script(Vec<Parsed>),
    /// Print how to use the program.
    Help,
    /// Print the version.
    Version,
    /// Write the manual page and the shell completions into this folder.
    Manual(String),
}

/// Reads the arguments: those with a blank in them are a command each, the others belong together.
pub(crate) fn read(arguments: &[String]) -> Result<Request, String> {
    match arguments {
        [] => Ok(Request::Session),
        [help, ..] if matches!(help.as_str(), "--help" | "-h") => Ok(Request::Help),
        [version, ..] if matches!(version.as_str(), "--version" | "-V") => Ok(Request::Version),
        [manual, folder] if manual == "--manual" => Ok(Request::Manual(folder.clone())),
        [perft, depth, fen @ ..] if perft == "perft" && !fen.is_empty() => {
            Ok(Request::Script(vec![position(&fen.join(" ")), command(&format!("perft {depth}"))?]))
        }
        _ => lines(arguments).iter().map(|line| command(line)).collect::<Result<_, _>>().map(Request::Script),
    }
}

fn lines(arguments: &[String]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut joining = false;
    for argument in arguments {
        let whole = argument.contains(char::is_whitespace);
        match lines.last_mut() {
            Some(line) if joining && !whole => {
                line.push(' ');
                line.push_str(argument);
            }
            _ => lines.push(argument.clone()),
        }
        joining = !whole;
    }
    lines
}

fn command(line: &str) -> Result<Parsed, String> {
    let parsed = Command::parse(line);
    // Unlike in a session, an unknown word is an error too.
    match (&parsed.command, parsed.problems.first()) {
        (Some(_), None) => Ok(parsed),
        (_, Some(problem)) => Err(format!("{problem} in '{line}'")),
        (None, None) => Err(format!("'{line}' is not a command")),
    }
}

fn position(fen: &str) -> Parsed {
    let start = Start::Fen(fen.to_owned());
    Parsed { command: Some(Command::Position { start, moves: Vec::new() }), problems: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_words(arguments: &[&str]) -> Result<Request, String> {
        read(&arguments.iter().map(|&argument| argument.to_owned()).collect::<Vec<_>>())
    }

    fn script(arguments: &[&str]) -> Vec<String> {
        match read_words(arguments) {
            Ok(Request::Script(lines)) => {
                lines.into_iter().map(|line| line.command.unwrap().to_string()).collect()
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn arguments_make_commands() {
        assert_eq!(script(&["bench"]), ["bench"]);
        assert_eq!(script(&["bench", "16", "1", "5"]), ["bench 16 1 5"]);
        assert_eq!(script(&["go", "depth", "5"]), ["go depth 5"]);
        assert_eq!(script(&["go depth 5"]), ["go depth 5"]);
        assert_eq!(script(&["genfens 3 seed 7 book None", "quit"]), ["genfens 3 seed 7 book None", "quit"]);
        assert_eq!(script(&["position startpos", "go depth 5"]), ["position startpos", "go depth 5"]);
        assert_eq!(script(&["uci", "go depth 5"]), ["uci", "go depth 5"]);
        assert_eq!(script(&["perft", "3"]), ["go perft 3"]);
        assert_eq!(script(&["perft", "3", "8/8 w - -"]), ["position fen 8/8 w - -", "go perft 3"]);
    }

    #[test]
    fn what_is_no_command_is_refused() {
        assert_eq!(read_words(&["--Bench"]), Err("unknown command '--Bench' in '--Bench'".to_owned()));
        assert!(read_words(&["go", "depth", "x"]).is_err());
        assert!(read_words(&["go", "depth", "2", "wonder"]).is_err());
        assert!(read_words(&["wonder", "go", "depth", "2"]).is_err());
        assert!(read_words(&[""]).is_err());
    }
}
