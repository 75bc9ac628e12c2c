//! A parameter: the line of text that describes it, and whether an engine has an option for it.

use std::fmt;
use std::str::FromStr;

use uci::OptionKind;
use uci::client::Identity;

/// A number that is to be tuned.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Parameter {
    /// The engine's option.
    pub(super) name: String,
    pub(super) value: f64,
    /// How far the two sides of a pair move away from the value.
    pub(super) step: f64,
    /// Bounds are whole numbers, so that a value within them stays there when it is rounded.
    pub(super) min: i32,
    pub(super) max: i32,
}

/// What is wrong with a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ParameterError {
    Form,
    NotANumber(String),
    NotAWholeNumber(String),
    NoStep,
    OutOfBounds,
    Twice(String),
    NoPairs,
}

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form => f.write_str("the form is: name start step min max"),
            Self::NotANumber(word) => write!(f, "'{word}' is not a number"),
            Self::NotAWholeNumber(word) => write!(f, "'{word}' is not a whole number of 32 bits"),
            Self::NoStep => f.write_str("the step has to be above 0"),
            Self::OutOfBounds => f.write_str("the start is not between min and max"),
            Self::Twice(name) => write!(f, "'{name}' stands here for the second time"),
            Self::NoPairs => f.write_str("a state begins with: pairs NUMBER"),
        }
    }
}

impl std::error::Error for ParameterError {}

impl FromStr for Parameter {
    type Err = ParameterError;

    /// The names of options may have spaces, so the numbers are the last four words.
    fn from_str(line: &str) -> Result<Self, ParameterError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (name, [value, step, min, max]) = words.split_last_chunk::<4>().ok_or(ParameterError::Form)?;
        if name.is_empty() {
            return Err(ParameterError::Form);
        }
        let parameter = Self {
            name: name.join(" "),
            value: number(value)?,
            step: number(step)?,
            min: whole(min)?,
            max: whole(max)?,
        };
        if parameter.step <= 0.0 {
            return Err(ParameterError::NoStep);
        }
        let bounds = f64::from(parameter.min)..=f64::from(parameter.max);
        if bounds.contains(&parameter.value) { Ok(parameter) } else { Err(ParameterError::OutOfBounds) }
    }
}

fn number(word: &str) -> Result<f64, ParameterError> {
    let number = word.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| ParameterError::NotANumber(word.to_owned()))
}

fn whole(word: &str) -> Result<i32, ParameterError> {
    word.parse().map_err(|_| ParameterError::NotAWholeNumber(word.to_owned()))
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, value, step, min, max } = self;
        write!(f, "{name} {value} {step} {min} {max}")
    }
}

/// Why an engine has no place for a parameter.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum OptionMismatch {
    NoOption(String),
    NotSpin { name: String, kind: &'static str },
    TooWide { name: String, min: i64, max: i64 },
}

impl fmt::Display for OptionMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoOption(name) => write!(f, "the engine has no option '{name}'"),
            Self::NotSpin { name, kind } => write!(f, "the option '{name}' is a {kind}, not a spin"),
            Self::TooWide { name, min, max } => {
                write!(f, "the option '{name}' allows only values from {min} to {max}")
            }
        }
    }
}

impl std::error::Error for OptionMismatch {}

impl Parameter {
    /// Every value that the parameter may take has to be one that the engine allows.
    pub(super) fn check(&self, engine: &Identity) -> Result<(), OptionMismatch> {
        let name = || self.name.clone();
        let option = engine.option(&self.name).ok_or_else(|| OptionMismatch::NoOption(name()))?;
        match option.kind {
            OptionKind::Spin { min, max, .. } if min <= self.min.into() && i64::from(self.max) <= max => {
                Ok(())
            }
            OptionKind::Spin { min, max, .. } => Err(OptionMismatch::TooWide { name: name(), min, max }),
            ref other => Err(OptionMismatch::NotSpin { name: name(), kind: other.word() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_read_and_print() {
        for line in ["lmr_base 640.125 40 0 1400", "Skill Level 10 1.5 -3 20"] {
            assert_eq!(line.parse::<Parameter>().unwrap().to_string(), line);
        }
        assert_eq!("Skill  Level 10 1.5 -3 20".parse::<Parameter>().unwrap().name, "Skill Level");
    }

    #[test]
    fn mistakes_are_named() {
        let mistake = |line: &str| line.parse::<Parameter>().unwrap_err();
        assert_eq!(mistake("640 40 0 1400"), ParameterError::Form);
        assert_eq!(mistake("x nan 40 0 1400"), ParameterError::NotANumber("nan".to_owned()));
        assert_eq!(mistake("x 640 40 0.5 1400"), ParameterError::NotAWholeNumber("0.5".to_owned()));
        assert_eq!(mistake("x 640 0 0 1400"), ParameterError::NoStep);
        assert_eq!(mistake("x 640 40 641 1400"), ParameterError::OutOfBounds);
        assert_eq!(mistake("x 640 40 1400 0"), ParameterError::OutOfBounds);
    }

    #[test]
    fn the_engine_needs_a_spin_with_room() {
        let declaration = |line: &str| match uci::Message::parse(line) {
            Some(uci::Message::Option(option)) => option,
            other => panic!("{other:?}"),
        };
        let engine = Identity {
            options: vec![
                declaration("option name Ponder type check default false"),
                declaration("option name Hash type spin default 16 min 1 max 64"),
            ],
            ..Identity::default()
        };
        let check = |line: &str| line.parse::<Parameter>().unwrap().check(&engine);
        assert_eq!(check("hash 16 4 1 64"), Ok(()));
        let too_wide = || Err(OptionMismatch::TooWide { name: "Hash".to_owned(), min: 1, max: 64 });
        assert_eq!(check("Hash 16 4 0 64"), too_wide());
        assert_eq!(check("Hash 16 4 1 65"), too_wide());
        assert_eq!(
            check("Ponder 1 1 0 1"),
            Err(OptionMismatch::NotSpin { name: "Ponder".to_owned(), kind: "check" })
        );
        assert_eq!(check("Depth 1 1 0 1"), Err(OptionMismatch::NoOption("Depth".to_owned())));
    }
}
