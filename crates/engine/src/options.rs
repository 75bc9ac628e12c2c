//! UCI options: their declarations, values and changes.
//!
//! From the declarations come the answer to `uci`, the reading and checking of `setoption`, and the table in
//! docs/uci.md. To add an option is to add a line to `options/table.rs`. The search never sees a name: an option
//! changes the [`Engine`]. A program around the engine may add options of its own ([`Options::new`]).

mod error;
mod hash_file;
mod network;
mod table;

pub use error::OptionError;
pub use table::all_options;

use crate::engine::Engine;

/// What an option can be set to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// True or false.
    Check {
        /// The value at the start.
        default: bool,
    },
    /// An integer in a range.
    Spin {
        /// The value at the start.
        default: i64,
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// Something to do.
    Button,
    /// Any text.
    Text {
        /// The value at the start.
        default: &'static str,
    },
    /// The file of a network; at the start the one inside the program.
    Network,
}

/// A checked value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionValue {
    /// Of a check.
    Check(bool),
    /// Of a spin, within its range.
    Spin(i64),
    /// A button has been pressed.
    Pressed,
    /// Of a text or a file.
    Text(String),
}

impl OptionValue {
    /// Is it true? Only a check can be.
    pub fn is_true(&self) -> bool {
        *self == Self::Check(true)
    }

    /// The number of a spin, which only a tunable lets be negative; 0 then, and for the other kinds.
    pub fn number(&self) -> u64 {
        u64::try_from(self.integer()).unwrap_or(0)
    }

    /// The number of a spin with its sign; 0 for the other kinds.
    pub fn integer(&self) -> i64 {
        match self {
            Self::Spin(number) => *number,
            _ => 0,
        }
    }

    /// The text; empty for the other kinds.
    pub fn text(&self) -> &str {
        match self {
            Self::Text(text) => text,
            _ => "",
        }
    }
}

/// What setting an option does.
#[derive(Clone, Copy, Debug)]
pub enum Effect {
    /// Changes the engine while it is idle.
    Engine(fn(&mut Engine, &OptionValue) -> Result<(), OptionError>),
    /// Lets the idle engine read files, and returns messages about them.
    Files(fn(&mut Engine, &OptionValue) -> Result<Vec<String>, OptionError>),
    /// Sets a tunable of the search, in builds with the feature `tune`.
    Tunable(fn(i32)),
    /// How castling is written, for the program that prints moves.
    Notation,
    /// An option that the program around the engine adds, and carries out itself.
    Program,
}

/// The declaration of an option.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// Its name, which may have spaces in it.
    pub name: &'static str,
    /// Its type with default and range.
    pub kind: OptionKind,
    /// What it is for, in a sentence.
    pub about: &'static str,
    /// What setting it does.
    pub effect: Effect,
}

impl OptionSpec {
    /// Can it be set during a search? Other options wait for its end.
    pub fn at_once(&self) -> bool {
        matches!(self.effect, Effect::Program)
    }

    /// The value at the start.
    pub fn default(&self) -> OptionValue {
        match self.kind {
            OptionKind::Check { default } => OptionValue::Check(default),
            OptionKind::Spin { default, .. } => OptionValue::Spin(default),
            OptionKind::Button => OptionValue::Pressed,
            OptionKind::Text { default } => OptionValue::Text(default.to_owned()),
            OptionKind::Network => OptionValue::Text(crate::EMBEDDED_NAME.to_owned()),
        }
    }

    /// Reads a value; an empty text is `Some("")` or `None`.
    fn read(&self, text: Option<&str>) -> Result<OptionValue, OptionError> {
        match self.kind {
            OptionKind::Button => Ok(OptionValue::Pressed),
            OptionKind::Text { .. } => Ok(OptionValue::Text(text.unwrap_or_default().to_owned())),
            OptionKind::Network => match text.unwrap_or_default() {
                "" => Ok(self.default()),
                name => Ok(OptionValue::Text(name.to_owned())),
            },
            OptionKind::Check { .. } => match text.unwrap_or_default().to_ascii_lowercase().as_str() {
                "true" => Ok(OptionValue::Check(true)),
                "false" => Ok(OptionValue::Check(false)),
                _ => Err(OptionError::NotABool(self.name)),
            },
            OptionKind::Spin { min, max, .. } => {
                let not_a_number = OptionError::NotANumber { name: self.name, min, max };
                let number = text.and_then(|text| text.parse().ok()).ok_or(not_a_number)?;
                if (min..=max).contains(&number) {
                    Ok(OptionValue::Spin(number))
                } else {
                    Err(OptionError::OutOfRange { name: self.name, min, max })
                }
            }
        }
    }
}

impl OptionSpec {
    /// Is this the option's name, in any case and with any blanks between its words?
    pub fn is_named(&self, name: &str) -> bool {
        self.name
            .split(' ')
            .map(str::to_ascii_lowercase)
            .eq(name.split_whitespace().map(str::to_ascii_lowercase))
    }
}

/// A checked request to set an option.
#[derive(Clone, Debug)]
pub struct OptionChange {
    spec: &'static OptionSpec,
    value: OptionValue,
}

impl OptionChange {
    /// What is to be set.
    pub fn spec(&self) -> &'static OptionSpec {
        self.spec
    }

    /// To what.
    pub fn value(&self) -> &OptionValue {
        &self.value
    }

    /// Changes the engine, where the option is the engine's; gives what there is to tell the user.
    pub fn apply(&self, engine: &mut Engine) -> Result<Vec<String>, OptionError> {
        match self.spec().effect {
            Effect::Engine(set) => set(engine, &self.value).map(|()| Vec::new()),
            Effect::Files(load) => load(engine, &self.value),
            Effect::Tunable(set) => {
                set(self.value.integer() as i32);
                Ok(Vec::new())
            }
            Effect::Notation | Effect::Program => Ok(Vec::new()),
        }
    }
}

/// The present values of all options.
#[derive(Clone, Debug)]
pub struct Options {
    values: Vec<(&'static OptionSpec, OptionValue)>,
}

/// The options of the engine.
impl Default for Options {
    fn default() -> Self {
        Self::new(all_options())
    }
}

impl Options {
    /// These options, at their defaults.
    pub fn new(specs: impl IntoIterator<Item = &'static OptionSpec>) -> Self {
        Self { values: specs.into_iter().map(|spec| (spec, spec.default())).collect() }
    }

    /// Checks a request; `None` where the option has this value already, so that nothing is to be done.
    pub fn check(&self, name: &str, value: Option<&str>) -> Result<Option<OptionChange>, OptionError> {
        let (spec, present) = self.find(name).ok_or_else(|| OptionError::unknown(name))?;
        let value = spec.read(value.map(str::trim))?;
        let same = value == *present && value != OptionValue::Pressed;
        Ok((!same).then_some(OptionChange { spec, value }))
    }

    /// Notes a change that has been carried out.
    pub fn record(&mut self, change: OptionChange) {
        if let Some((_, value)) = self.values.iter_mut().find(|(spec, _)| spec.is_named(change.spec.name)) {
            *value = change.value;
        }
    }

    fn find(&self, name: &str) -> Option<&(&'static OptionSpec, OptionValue)> {
        self.values.iter().find(|(spec, _)| spec.is_named(name))
    }

    /// Does the option of this name have its default value?
    pub fn is_default(&self, name: &str) -> bool {
        self.find(name).is_none_or(|(spec, value)| *value == spec.default())
    }

    /// The present value of the option of this name.
    pub fn get(&self, name: &str) -> Option<&OptionValue> {
        self.find(name).map(|(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_defaults_avoid_the_words_of_the_protocol() {
        const WORDS: [&str; 7] = ["name", "type", "default", "min", "max", "var", "value"];
        for spec in all_options() {
            let mut texts = vec![spec.name];
            if let OptionKind::Text { default } = spec.kind {
                texts.push(default);
            }
            for word in texts.iter().flat_map(|text| text.split_whitespace()) {
                assert!(!WORDS.contains(&word.to_ascii_lowercase().as_str()), "{}: {word}", spec.name);
            }
        }
    }

    #[test]
    fn names_are_unique_and_ranges_fit_32_bits() {
        for (index, spec) in all_options().iter().enumerate() {
            let upper = spec.name.to_uppercase();
            assert_eq!(all_options().iter().position(|other| other.is_named(&upper)), Some(index));
            assert!(spec.about.ends_with('.'), "{}", spec.name);
            if let OptionKind::Spin { default, min, max } = spec.kind {
                assert!(
                    0 <= min && min <= default && default <= max && max <= i64::from(i32::MAX),
                    "{}",
                    spec.name
                );
            }
        }
    }

    #[test]
    fn defaults_are_accepted_and_change_nothing() {
        let options = Options::default();
        for spec in all_options().iter().filter(|spec| spec.kind != OptionKind::Button) {
            let text = match spec.default() {
                OptionValue::Check(on) => on.to_string(),
                OptionValue::Spin(number) => number.to_string(),
                OptionValue::Text(text) => text,
                OptionValue::Pressed => unreachable!(),
            };
            assert!(matches!(options.check(spec.name, Some(&text)), Ok(None)), "{}", spec.name);
        }
    }

    #[test]
    fn requests_are_checked() {
        let mut options = Options::default();
        let change = options.check("clear   HASH", None).unwrap().expect("a button can always be pressed");
        assert_eq!(change.value(), &OptionValue::Pressed);
        let change = options.check("ponder", Some("TRUE")).unwrap().unwrap();
        assert!(change.value().is_true());
        options.record(change);
        assert!(options.check("Ponder", Some("true")).unwrap().is_none());

        let error = |name, value| options.check(name, value).unwrap_err();
        assert_eq!(
            error("Hash", Some("0")),
            OptionError::OutOfRange { name: "Hash", min: 1, max: 33_554_432 }
        );
        assert!(matches!(error("Hash", Some("much")), OptionError::NotANumber { name: "Hash", .. }));
        for nothing in [None, Some(""), Some(" ")] {
            let expected = OptionError::NotANumber { name: "MultiPV", min: 1, max: 256 };
            assert_eq!(error("MultiPV", nothing), expected, "the range is told here too");
        }
        assert_eq!(error("Ponder", Some("yes")), OptionError::NotABool("Ponder"));
        assert_eq!(error("Wonder", None), OptionError::Unknown("Wonder".to_owned()));
        assert_eq!(error("nalimovpath", Some("/tb")), OptionError::ClosedFormat("NalimovPath"));
        assert_eq!(error("evalfilesmall", Some("x.nnue")), OptionError::OneNetwork);
    }
}
