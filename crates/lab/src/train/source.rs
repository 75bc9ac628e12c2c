//! The values of `--data` and `--valid`: a file, which of its positions count, and their weight and target.

use std::path::PathBuf;
use std::str::FromStr;

/// Which positions of a file count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Positions {
    /// Those that are not in check and whose recorded move is no capture or promotion: for scores of a search, which
    /// otherwise include the outcome of an exchange.
    Quiet,
    /// All that are not in check: for scores of a static evaluation.
    All,
}

/// A file of positions with the rule that it is learned by.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Source {
    pub(super) path: PathBuf,
    pub(super) positions: Positions,
    /// How much a position's loss counts.
    pub(super) weight: f32,
    /// Weight of the score in the target, if given.
    pub(super) lambda: Option<f32>,
    /// Weight of the later scores of the game, if given.
    pub(super) foresight: Option<f32>,
}

impl Source {
    /// Are these packed positions rather than a binpack?
    pub(super) fn is_packed(&self) -> bool {
        self.path.extension().is_some_and(|ending| ending == "packed")
    }
}

impl FromStr for Source {
    type Err = String;

    /// `[quiet:|all:]PATH[,weight=W][,lambda=L][,foresight=F]`
    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts = text.split(',');
        let named = parts.next().unwrap_or_default();
        let kinds = [("quiet:", Positions::Quiet), ("all:", Positions::All)];
        let kind = kinds.iter().find_map(|(kind, positions)| Some((named.strip_prefix(kind)?, *positions)));
        let (path, said) = kind.map_or((named, None), |(path, positions)| (path, Some(positions)));
        let mut source = Self {
            path: path.into(),
            positions: Positions::Quiet,
            weight: 1.0,
            lambda: None,
            foresight: None,
        };
        let packed = source.is_packed();
        source.positions = said.unwrap_or(if packed { Positions::All } else { Positions::Quiet });
        for part in parts {
            let (name, value) = part.split_once('=').ok_or_else(|| format!("'{part}' is not NAME=VALUE"))?;
            let value: f32 = value.parse().map_err(|_| format!("'{value}' is no number"))?;
            match name {
                "weight" if value > 0.0 && value.is_finite() => source.weight = value,
                "lambda" if (0.0..=1.0).contains(&value) => source.lambda = Some(value),
                "foresight" if (0.0..1.0).contains(&value) => source.foresight = Some(value),
                "weight" => return Err("weight must be above 0".into()),
                "lambda" => return Err("lambda must be within 0..1".into()),
                "foresight" => return Err("foresight must be at least 0 and below 1".into()),
                _ => return Err(format!("unknown key '{name}'; the keys are weight, lambda and foresight")),
            }
        }
        if packed && source.positions == Positions::Quiet {
            return Err("packed positions have no moves, so quiet ones cannot be selected".into());
        }
        if packed && source.foresight.is_some_and(|share| share > 0.0) {
            return Err("packed positions are not games, so foresight cannot be used".into());
        }
        Ok(source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_read() {
        let source = |text: &str| text.parse::<Source>().expect("well formed");
        let plain = source("games/a.binpack");
        assert_eq!((plain.positions, plain.weight, plain.lambda), (Positions::Quiet, 1.0, None));
        assert_eq!(source("walk.packed").positions, Positions::All);
        let full = source("all:C:\\data\\s.binpack,weight=0.5,lambda=0.75,foresight=0.25");
        assert_eq!(full.path, PathBuf::from("C:\\data\\s.binpack"));
        assert_eq!((full.positions, full.weight), (Positions::All, 0.5));
        assert_eq!((full.lambda, full.foresight), (Some(0.75), Some(0.25)));
    }

    #[test]
    fn mistakes_are_named() {
        let mistakes = [
            ("a.binpack,heavy=1", "unknown key 'heavy'"),
            ("a.binpack,weight", "not NAME=VALUE"),
            ("a.binpack,weight=x", "no number"),
            ("a.binpack,weight=0", "above 0"),
            ("a.binpack,lambda=2", "within 0..1"),
            ("a.binpack,foresight=1", "below 1"),
            ("quiet:a.packed", "have no moves"),
            ("a.packed,foresight=0.5", "foresight cannot be used"),
        ];
        for (text, reason) in mistakes {
            let error = text.parse::<Source>().expect_err(text);
            assert!(error.contains(reason), "{text}: {error}");
        }
    }
}
