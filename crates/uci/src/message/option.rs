//! `option name X type T ...`: the declaration of what can be set.

use std::fmt;

use super::EMPTY;
use crate::tokens::{Words, signed, write_text};

/// An option as the engine declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionDeclaration {
    /// Its name.
    pub name: String,
    /// What it can be set to.
    pub kind: OptionKind,
}

/// The five types of options, with the values that belong to each.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// One of several words.
    Combo {
        /// The value at the start.
        default: String,
        /// All values.
        choices: Vec<String>,
    },
    /// Something to do.
    Button,
    /// Any text.
    String {
        /// The value at the start; an empty one is printed as `<empty>`.
        default: String,
    },
}

/// The words behind the type, of which none may occur in a default or a choice, except in a text, which is the last
/// thing on its line.
const KEYWORDS: [&str; 4] = ["default", "min", "max", "var"];

impl OptionKind {
    /// The word for the type.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Check { .. } => "check",
            Self::Spin { .. } => "spin",
            Self::Combo { .. } => "combo",
            Self::Button => "button",
            Self::String { .. } => "string",
        }
    }

    /// Whether an option of this type can be set to this value.
    ///
    /// ```
    /// let spin = uci::OptionKind::Spin { default: 16, min: 1, max: 64 };
    /// assert!(spin.accepts(Some("64")));
    /// assert!(!spin.accepts(Some("65")) && !spin.accepts(None));
    /// ```
    pub fn accepts(&self, value: Option<&str>) -> bool {
        match (self, value) {
            (Self::Check { .. }, Some(value)) => boolean(value).is_some(),
            (Self::Spin { min, max, .. }, Some(value)) => {
                signed(value).is_some_and(|number| (*min..=*max).contains(&number))
            }
            (Self::Combo { choices, .. }, Some(value)) => {
                choices.iter().any(|choice| to_empty(choice).eq_ignore_ascii_case(to_empty(value)))
            }
            (Self::String { .. }, Some(_)) | (Self::Button, None) => true,
            _ => false,
        }
    }

    /// The type for a word, with the values that stand where the engine names none.
    fn from_word(word: &str) -> Option<Self> {
        let kinds = [
            Self::Check { default: false },
            Self::Spin { default: 0, min: i64::MIN, max: i64::MAX },
            Self::Combo { default: String::new(), choices: Vec::new() },
            Self::Button,
            Self::String { default: String::new() },
        ];
        kinds.into_iter().find(|kind| kind.word() == word)
    }

    /// Reads the values that follow the type.
    fn read_values(&mut self, mut words: Words<'_>) {
        while let Some(keyword) = words.next() {
            let is_keyword = |word: &str| KEYWORDS.contains(&word);
            match (keyword, &mut *self) {
                ("default", Self::String { default }) => {
                    *default = from_empty(words.rest());
                    return;
                }
                ("default", Self::Check { default }) => {
                    *default = words.next_as(boolean).unwrap_or(*default);
                }
                ("default", Self::Spin { default: number, .. })
                | ("min", Self::Spin { min: number, .. })
                | ("max", Self::Spin { max: number, .. }) => {
                    *number = words.next_as(signed).unwrap_or(*number);
                }
                ("default", Self::Combo { default, .. }) => {
                    *default = from_empty(&words.join_until(is_keyword));
                }
                ("var", Self::Combo { choices, .. }) => {
                    choices.push(from_empty(&words.join_until(is_keyword)));
                }
                _ => {}
            }
        }
    }
}

impl OptionDeclaration {
    /// Reads what follows `option`. The name ends before the first word `type` behind which there is a type.
    pub(super) fn parse(mut words: Words<'_>) -> Option<Self> {
        words.find(|word| *word == "name")?;
        let mut name = Vec::new();
        let mut kind = loop {
            let word = words.next()?;
            let kind = (word == "type").then(|| words.next_as(OptionKind::from_word)).flatten();
            match kind {
                Some(kind) => break kind,
                None => name.push(word),
            }
        };
        kind.read_values(words);
        (!name.is_empty()).then(|| Self { name: name.join(" "), kind })
    }
}

fn boolean(word: &str) -> Option<bool> {
    word.to_ascii_lowercase().parse().ok()
}

fn from_empty(text: &str) -> String {
    if text == EMPTY { String::new() } else { text.to_owned() }
}

fn to_empty(text: &str) -> &str {
    if text.is_empty() { EMPTY } else { text }
}

impl fmt::Display for OptionDeclaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("option")?;
        write_text(f, "name", &self.name)?;
        write!(f, " type {}", self.kind.word())?;
        match &self.kind {
            OptionKind::Check { default } => write!(f, " default {default}"),
            OptionKind::Spin { default, min, max } => write!(f, " default {default} min {min} max {max}"),
            OptionKind::Combo { default, choices } => {
                write_text(f, "default", to_empty(default))?;
                choices.iter().try_for_each(|choice| write_text(f, "var", to_empty(choice)))
            }
            OptionKind::Button => Ok(()),
            OptionKind::String { default } => write_text(f, "default", to_empty(default)),
        }
    }
}
