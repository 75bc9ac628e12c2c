//! `genfens N seed S book B`, by which OpenBench asks an engine for random openings.

use std::fmt;

use crate::problem::{Problem, shorten};
use crate::tokens::{Words, unsigned, write_text, write_words};

/// The word that stands for no book.
const NO_BOOK: &str = "None";

/// A request for random openings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GenFens {
    /// How many positions.
    pub count: u64,
    /// The seed: the same seed gives the same positions.
    pub seed: u64,
    /// A file of positions to start from; `None` for the starting position.
    pub book: Option<String>,
    /// Further words, which are the engine's own.
    pub extra: Vec<String>,
}

impl GenFens {
    pub(super) fn parse(mut words: Words<'_>, problems: &mut Vec<Problem>) -> Option<Self> {
        let count = number("genfens", words.next(), problems)?;
        let mut genfens = Self { count, seed: 0, book: None, extra: Vec::new() };
        while let Some(word) = words.next() {
            match word {
                "seed" => genfens.seed = number("seed", words.next(), problems)?,
                "book" => genfens.book = words.next().filter(|book| *book != NO_BOOK).map(str::to_owned),
                // Whatever comes after the standard part is the engine's own and may use any words.
                other => {
                    genfens.extra = std::iter::once(other).chain(words.by_ref()).map(str::to_owned).collect();
                }
            }
        }
        Some(genfens)
    }
}

fn number(keyword: &'static str, word: Option<&str>, problems: &mut Vec<Problem>) -> Option<u64> {
    let problem = match word.map(|word| (word, unsigned(word))) {
        Some((_, Some(number))) => return Some(number),
        Some((text, None)) => Problem::BadNumber { keyword, text: shorten(text) },
        None => Problem::Missing { after: keyword, wanted: "a number" },
    };
    problems.push(problem);
    None
}

impl GenFens {
    pub(super) fn print(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let book = self.book.as_deref().unwrap_or(NO_BOOK);
        write!(f, " {} seed {}", self.count, self.seed)?;
        write_text(f, "book", book)?;
        write_words(f, &self.extra)
    }
}
