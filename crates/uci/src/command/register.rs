//! `register later`, or `register name X code Y`.

use std::fmt;

use crate::tokens::{Words, write_text};

/// How the user answers an engine that wants to be registered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Register {
    /// Not now.
    Later,
    /// With this name and this code, as far as they were given.
    Now {
        /// The user's name.
        name: Option<String>,
        /// The code that the user bought.
        code: Option<String>,
    },
}

impl Register {
    pub(super) fn parse(mut words: Words<'_>) -> Self {
        let (mut name, mut code) = (None, None);
        let is_keyword = |word: &str| matches!(word, "name" | "code");
        while let Some(word) = words.next() {
            let slot = match word {
                "later" => return Self::Later,
                "name" => &mut name,
                "code" => &mut code,
                _ => continue,
            };
            *slot = Some(words.join_until(is_keyword)).filter(|text| !text.is_empty());
        }
        Self::Now { name, code }
    }
}

impl Register {
    pub(super) fn print(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Later => f.write_str(" later"),
            Self::Now { name, code } => {
                name.as_ref().map_or(Ok(()), |name| write_text(f, "name", name))?;
                code.as_ref().map_or(Ok(()), |code| write_text(f, "code", code))
            }
        }
    }
}
