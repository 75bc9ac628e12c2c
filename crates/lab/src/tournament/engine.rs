//! The engines of a match, from the command line (`name=X cmd=Y option.Hash=16 tc=2+0.02`) or a TOML file.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use uci::client::EngineCommand;

use super::limits::{InvalidTimeControl, Limits};

/// Everything needed to start an engine.
#[derive(Clone, Debug)]
pub(super) struct Engine {
    pub(super) name: String,
    pub(super) command: EngineCommand,
    pub(super) options: BTreeMap<String, String>,
    pub(super) limits: Limits,
}

/// The description of an engine, in either form; everything but the program is optional.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Entry {
    name: Option<String>,
    cmd: Option<PathBuf>,
    args: Vec<String>,
    dir: Option<PathBuf>,
    options: BTreeMap<String, Setting>,
    tc: Option<String>,
    movetime: Option<u64>,
    nodes: Option<u64>,
    depth: Option<u64>,
}

/// The value of an option: TOML users write numbers and booleans as such.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Setting {
    Bool(bool),
    Number(i64),
    Text(String),
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => value.fmt(f),
            Self::Number(value) => value.fmt(f),
            Self::Text(value) => value.fmt(f),
        }
    }
}

/// A TOML file: `[each]` for what all engines share, and `[[engine]]` for each of them.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct EngineFile {
    pub(super) each: Entry,
    pub(super) engine: Vec<Entry>,
}

/// What is wrong with the description of an engine.
#[derive(Debug)]
pub(super) enum EngineError {
    NotAPair(String),
    UnknownKey(String),
    BadNumber { key: String, value: String },
    NoCommand,
    NoLimits(String),
    TimeControl(InvalidTimeControl),
    File { path: PathBuf, error: std::io::Error },
    Toml { path: PathBuf, error: Box<toml::de::Error> },
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAPair(word) => write!(f, "'{word}' is not of the form key=value"),
            Self::UnknownKey(key) => write!(
                f,
                "unknown key '{key}'; the keys are name, cmd, args, dir, tc, movetime, nodes, depth and option.NAME"
            ),
            Self::BadNumber { key, value } => write!(f, "{key}={value} is not a number"),
            Self::NoCommand => f.write_str("an engine needs cmd=PROGRAM"),
            Self::NoLimits(name) => {
                write!(f, "{name} has no limit: give --tc, --movetime, --nodes or --depth")
            }
            Self::TimeControl(error) => error.fmt(f),
            Self::File { path, error } => write!(f, "{}: {error}", path.display()),
            Self::Toml { path, error } => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl std::error::Error for EngineError {}

impl Entry {
    /// Reads the words that follow `--engine`.
    pub(super) fn from_words(words: &[String]) -> Result<Self, EngineError> {
        let mut entry = Self::default();
        for word in words {
            let (key, value) = word.split_once('=').ok_or_else(|| EngineError::NotAPair(word.clone()))?;
            let number = || {
                let bad = |_| EngineError::BadNumber { key: key.to_owned(), value: value.to_owned() };
                value.parse().map(Some).map_err(bad)
            };
            match key {
                "name" => entry.name = Some(value.to_owned()),
                "cmd" => entry.cmd = Some(value.into()),
                "args" => entry.args = value.split_whitespace().map(str::to_owned).collect(),
                "dir" => entry.dir = Some(value.into()),
                "tc" => entry.tc = Some(value.to_owned()),
                "movetime" => entry.movetime = number()?,
                "nodes" => entry.nodes = number()?,
                "depth" => entry.depth = number()?,
                _ => {
                    let option = key.strip_prefix("option.");
                    let option = option.ok_or_else(|| EngineError::UnknownKey(key.to_owned()))?;
                    entry.options.insert(option.to_owned(), Setting::Text(value.to_owned()));
                }
            }
        }
        Ok(entry)
    }

    /// An entry of a program with its arguments and its options, each as `NAME=VALUE`.
    pub(super) fn from_program(
        program: &Path,
        args: &[String],
        options: &[String],
    ) -> Result<Self, EngineError> {
        let words: Vec<String> = options.iter().map(|option| format!("option.{option}")).collect();
        Ok(Self { cmd: Some(program.to_owned()), args: args.to_vec(), ..Self::from_words(&words)? })
    }

    /// An entry of which only the limits are known.
    pub(super) fn from_limits(
        tc: Option<String>,
        movetime: Option<u64>,
        nodes: Option<u64>,
        depth: Option<u64>,
    ) -> Self {
        Self { tc, movetime, nodes, depth, ..Self::default() }
    }

    fn limits(&self) -> Result<Limits, EngineError> {
        let clock = self.tc.as_deref().map(str::parse).transpose().map_err(EngineError::TimeControl)?;
        let movetime = self.movetime.map(Duration::from_millis);
        Ok(Limits { clock, movetime, nodes: self.nodes, depth: self.depth })
    }

    /// Completes this entry with the settings of all engines. An engine's own limits replace the common ones as a whole, so
    /// that one engine can play by nodes against another one with a clock.
    pub(super) fn complete(self, each: &Entry) -> Result<Engine, EngineError> {
        let program = self.cmd.clone().or_else(|| each.cmd.clone()).ok_or(EngineError::NoCommand)?;
        let name = self.name.clone().unwrap_or_else(|| file_name(&program));
        let own = self.limits()?;
        let limits = if own.is_empty() { each.limits()? } else { own };
        if limits.is_empty() {
            return Err(EngineError::NoLimits(name));
        }
        let mut options = each.options.clone();
        options.extend(self.options);
        let options = options.into_iter().map(|(name, value)| (name, value.to_string())).collect();
        let args = if self.args.is_empty() { each.args.clone() } else { self.args };
        let dir = self.dir.or_else(|| each.dir.clone());
        Ok(Engine { name, command: EngineCommand { program, args, dir }, options, limits })
    }

    /// Overrides the settings of a file by those of the command line.
    pub(super) fn overlay(&mut self, over: Self) {
        if over.tc.is_some() || over.movetime.is_some() || over.nodes.is_some() || over.depth.is_some() {
            (self.tc, self.movetime, self.nodes, self.depth) =
                (over.tc, over.movetime, over.nodes, over.depth);
        }
        self.cmd = over.cmd.or(self.cmd.take());
        self.dir = over.dir.or(self.dir.take());
        if !over.args.is_empty() {
            self.args = over.args;
        }
        self.options.extend(over.options);
    }
}

impl EngineFile {
    pub(super) fn read(path: &Path) -> Result<Self, EngineError> {
        let file = |error| EngineError::File { path: path.to_owned(), error };
        let text = std::fs::read_to_string(path).map_err(file)?;
        toml::from_str(&text)
            .map_err(|error| EngineError::Toml { path: path.to_owned(), error: Box::new(error) })
    }
}

fn file_name(program: &Path) -> String {
    program
        .file_name()
        .map_or_else(|| program.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// Gives each engine a name of its own: the second `x` becomes `x-2`.
pub(super) fn make_names_unique(engines: &mut [Engine]) {
    for index in 1..engines.len() {
        let (before, rest) = engines.split_at_mut(index);
        let taken = |name: &str| before.iter().any(|engine| engine.name == name);
        let base = rest[0].name.clone();
        let mut number = 2;
        while taken(&rest[0].name) {
            rest[0].name = format!("{base}-{number}");
            number += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn both_forms_mean_the_same() {
        let file: EngineFile = toml::from_str(
            "[each]\ntc = '2+0.02'\noptions = { Hash = 16 }\n\
             [[engine]]\ncmd = 'bin/a'\nargs = ['x', 'y']\noptions = { Ponder = false, Hash = 32 }\nnodes = 5",
        )
        .unwrap();
        let from_file = file.engine[0].clone().complete(&file.each).unwrap();
        let each = Entry::from_words(&words("tc=2+0.02 option.Hash=16")).unwrap();
        let mut line = words("cmd=bin/a option.Ponder=false option.Hash=32 nodes=5");
        line.push("args=x y".to_owned());
        let from_line = Entry::from_words(&line).unwrap().complete(&each).unwrap();
        assert_eq!(format!("{from_file:?}"), format!("{from_line:?}"));
        assert_eq!(from_file.name, "a");
        assert_eq!(from_file.limits.to_string(), "5 nodes");
    }

    #[test]
    fn mistakes_are_named() {
        let message = |text: &str| {
            let entry = Entry::from_words(&words(text));
            entry.and_then(|entry| entry.complete(&Entry::default())).unwrap_err().to_string()
        };
        assert_eq!(message("cmd"), "'cmd' is not of the form key=value");
        assert!(message("path=x").starts_with("unknown key 'path'"));
        assert_eq!(message("cmd=x nodes=many"), "nodes=many is not a number");
        assert_eq!(message("name=x"), "an engine needs cmd=PROGRAM");
        assert!(message("cmd=x").starts_with("x has no limit"));
        assert!(message("cmd=x tc=fast").starts_with("'fast' is not a time control"));
    }

    #[test]
    fn names_become_unique() {
        let each = Entry::from_words(&words("tc=1")).unwrap();
        let engine =
            |name: &str| Entry::from_words(&[format!("cmd={name}")]).unwrap().complete(&each).unwrap();
        let mut engines = [engine("a"), engine("b"), engine("a"), engine("a")];
        make_names_unique(&mut engines);
        assert_eq!(engines.map(|engine| engine.name), ["a", "b", "a-2", "a-3"]);
    }
}
