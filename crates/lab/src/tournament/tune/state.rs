//! The two files of a run: the parameters, one per line, and the state, which is the number of pairs played followed by
//! the same lines with the current values. In both, `#` begins a comment.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::parameter::{Parameter, ParameterError};
use crate::file;

/// How far a run is.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct State {
    /// Pairs of games from which has been learned.
    pub(super) pairs: usize,
    pub(super) parameters: Vec<Parameter>,
}

/// What is wrong with one of the files.
#[derive(Debug)]
pub(super) enum StateError {
    Io { path: PathBuf, error: io::Error },
    Line { path: PathBuf, number: usize, mistake: ParameterError },
    NoParameters(PathBuf),
    OtherRun(PathBuf),
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { path, error } => write!(f, "{}: {error}", path.display()),
            Self::Line { path, number, mistake } => write!(f, "{}, line {number}: {mistake}", path.display()),
            Self::NoParameters(path) => write!(f, "{}: no parameters in this file", path.display()),
            Self::OtherRun(path) => write!(
                f,
                "{}: this state belongs to another run (names, steps or bounds of the parameters differ)",
                path.display()
            ),
        }
    }
}

impl std::error::Error for StateError {}

/// A line that cannot be read: its number and why.
type BadLine = (usize, ParameterError);

/// Reads the file of parameters, in whose state nothing has been played.
pub(super) fn read_parameters(path: &Path) -> Result<State, StateError> {
    let text = fs::read_to_string(path).map_err(|error| io_error(path, error))?;
    let parameters = parameters(lines(&text)).map_err(|bad| line_error(path, bad))?;
    if parameters.is_empty() {
        return Err(StateError::NoParameters(path.to_owned()));
    }
    Ok(State { pairs: 0, parameters })
}

impl State {
    /// The state from which a run goes on, or `self` where there is none yet.
    pub(super) fn resume(&self, path: &Path) -> Result<Self, StateError> {
        let text = match fs::read_to_string(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(self.clone()),
            other => other.map_err(|error| io_error(path, error))?,
        };
        let state = Self::parse(&text).map_err(|bad| line_error(path, bad))?;
        let alike =
            |(new, old): (&Parameter, &Parameter)| *new == Parameter { value: new.value, ..old.clone() };
        if state.parameters.len() == self.parameters.len()
            && self.parameters.iter().zip(&state.parameters).all(alike)
        {
            Ok(state)
        } else {
            Err(StateError::OtherRun(path.to_owned()))
        }
    }

    pub(super) fn write(&self, path: &Path) -> Result<(), StateError> {
        file::replace(path, self.to_string().as_bytes()).map_err(|error| io_error(path, error))
    }

    fn parse(text: &str) -> Result<Self, BadLine> {
        let mut lines = lines(text);
        let (number, first) = lines.next().ok_or((1, ParameterError::NoPairs))?;
        let pairs = first.strip_prefix("pairs ").and_then(|pairs| pairs.trim().parse().ok());
        let pairs = pairs.ok_or((number, ParameterError::NoPairs))?;
        Ok(Self { pairs, parameters: parameters(lines)? })
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "pairs {}", self.pairs)?;
        self.parameters.iter().try_for_each(|parameter| writeln!(f, "{parameter}"))
    }
}

/// The lines that say something, with their numbers.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    (1..).zip(lines).filter(|(_, line)| !line.is_empty())
}

fn parameters<'a>(lines: impl Iterator<Item = (usize, &'a str)>) -> Result<Vec<Parameter>, BadLine> {
    let mut parameters: Vec<Parameter> = Vec::new();
    for (number, line) in lines {
        let parameter: Parameter = line.parse().map_err(|mistake| (number, mistake))?;
        if parameters.iter().any(|other| other.name.eq_ignore_ascii_case(&parameter.name)) {
            return Err((number, ParameterError::Twice(parameter.name)));
        }
        parameters.push(parameter);
    }
    Ok(parameters)
}

fn io_error(path: &Path, error: io::Error) -> StateError {
    StateError::Io { path: path.to_owned(), error }
}

fn line_error(path: &Path, (number, mistake): BadLine) -> StateError {
    StateError::Line { path: path.to_owned(), number, mistake }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# the values of the moment\npairs 12\n\na 1 0.5 0 9 # slow\n  b c 0.1 1 -3 3\n";

    #[test]
    fn a_state_reads_back_what_it_prints() {
        let mut state = State::parse(TEXT).unwrap();
        assert_eq!((state.pairs, state.parameters.len()), (12, 2));
        assert_eq!(state.parameters[1].name, "b c");
        // No bit of a value is lost, or a run that was interrupted would differ from one that was not.
        state.parameters[0].value = 1.0 / 3.0;
        state.parameters[1].value = -1e-17;
        assert_eq!(State::parse(&state.to_string()).unwrap(), state);
    }

    #[test]
    fn mistakes_are_told_with_their_lines() {
        assert_eq!(State::parse(""), Err((1, ParameterError::NoPairs)));
        assert_eq!(State::parse("# x\na 1 0.5 0 9"), Err((2, ParameterError::NoPairs)));
        assert_eq!(
            State::parse(&format!("{TEXT}A 2 1 0 9")),
            Err((6, ParameterError::Twice("A".to_owned())))
        );
        assert_eq!(State::parse(&format!("{TEXT}d 2 1 0")), Err((6, ParameterError::Form)));
    }

    #[test]
    fn a_state_belongs_to_its_run() {
        let folder = std::env::temp_dir().join(format!("rufous-lab-tune-state-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (list, path) = (folder.join("list"), folder.join("state"));
        fs::write(&list, "a 5 0.5 0 9\nb 1 1 0 3\n").unwrap();
        let start = read_parameters(&list).unwrap();
        assert_eq!(start.resume(&path).unwrap(), start);
        let mut later = start.clone();
        (later.pairs, later.parameters[0].value) = (7, 5.25);
        later.write(&path).unwrap();
        assert_eq!(start.resume(&path).unwrap(), later);
        for other in ["a 5 0.5 0 9\n", "a 5 0.5 0 9\nb 1 2 0 3\n", "a 5 0.5 0 9\nc 1 1 0 3\n"] {
            fs::write(&list, other).unwrap();
            let result = read_parameters(&list).unwrap().resume(&path);
            assert!(matches!(result, Err(StateError::OtherRun(_))), "{other}");
        }
        fs::write(&list, "# nothing\n").unwrap();
        assert!(matches!(read_parameters(&list), Err(StateError::NoParameters(_))));
        fs::remove_dir_all(&folder).unwrap();
    }
}
