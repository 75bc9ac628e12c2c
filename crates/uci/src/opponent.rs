//! The value of `UCI_Opponent`: who plays against the engine.

use std::fmt;
use std::str::FromStr;

/// The opponent, as far as the client describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opponent {
    /// `GM`, `IM` and the like.
    pub title: Option<String>,
    /// The rating.
    pub elo: Option<u32>,
    /// A computer, or else a human.
    pub is_computer: bool,
    /// The name, which may have several words or none.
    pub name: String,
}

/// The text does not have the form that the specification gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAnOpponent;

impl fmt::Display for NotAnOpponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an opponent is a title or none, a rating or none, human or computer, and a name")
    }
}

impl std::error::Error for NotAnOpponent {}

/// The word, unless it is the one that stands for nothing.
fn known(word: &str) -> Option<&str> {
    Some(word).filter(|word| !word.eq_ignore_ascii_case("none"))
}

impl FromStr for Opponent {
    type Err = NotAnOpponent;

    /// Any title is taken, since there are more of them today than the specification lists.
    fn from_str(text: &str) -> Result<Self, NotAnOpponent> {
        let mut words = text.split_whitespace();
        let mut next = || words.next().ok_or(NotAnOpponent);
        let title = known(next()?).map(str::to_owned);
        let elo = known(next()?).map(str::parse).transpose().map_err(|_| NotAnOpponent)?;
        let is_computer = match next()?.to_ascii_lowercase().as_str() {
            "computer" => true,
            "human" => false,
            _ => return Err(NotAnOpponent),
        };
        Ok(Self { title, elo, is_computer, name: words.collect::<Vec<_>>().join(" ") })
    }
}

/// As the client writes it.
impl fmt::Display for Opponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.title.as_deref().unwrap_or("none"))?;
        match self.elo {
            Some(elo) => write!(f, " {elo}")?,
            None => f.write_str(" none")?,
        }
        f.write_str(if self.is_computer { " computer" } else { " human" })?;
        if self.name.is_empty() { Ok(()) } else { write!(f, " {}", self.name) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_the_specification_are_read_and_written() {
        for (text, title, elo, is_computer, name) in [
            ("GM 2800 human Gary Kasparov", Some("GM"), Some(2800), false, "Gary Kasparov"),
            ("none none computer Shredder", None, None, true, "Shredder"),
            ("BOT 3100 computer", Some("BOT"), Some(3100), true, ""),
        ] {
            let read: Opponent = text.parse().unwrap();
            let wanted =
                Opponent { title: title.map(str::to_owned), elo, is_computer, name: name.to_owned() };
            assert_eq!(read, wanted);
            assert_eq!(read.to_string(), text);
        }
        assert_eq!(
            "NONE  None\tHuman  A   B".parse::<Opponent>().unwrap().to_string(),
            "none none human A B"
        );
    }

    #[test]
    fn anything_else_is_refused() {
        for text in ["", "GM", "GM 2800", "GM strong human X", "GM 2800 cyborg X", "Gary Kasparov"] {
            assert_eq!(text.parse::<Opponent>(), Err(NotAnOpponent), "{text}");
        }
        assert!(NotAnOpponent.to_string().starts_with("an opponent is a title or none"));
    }
}
