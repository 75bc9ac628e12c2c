//! The sequential probability ratio test: how likely the results are under two hypotheses, and when that is enough.
//!
//! The ratio is the generalised one for the five scores of a pair. Each hypothesis fixes one number (the mean score
//! for logistic Elo, the mean's distance from equality in deviations for normalised Elo) and leaves the rest of the
//! distribution open; that rest is chosen so that the results are as likely as the hypothesis allows.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use super::statistics::{NORMALISED_ELO, PAIR_SCORES, Pentanomial};

/// In which Elo the hypotheses are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Model {
    Normalized,
    Logistic,
}

/// The test: H0 says `elo0` or less, H1 `elo1` or more; `alpha` and `beta` bound the two kinds of error.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: Model,
}

/// The largest normalised Elo of a hypothesis. A little further on, the tangent of [`likeliest_with_distance`] at its
/// first distribution has no zero.
const MAX_NORMALISED: f64 = 200.0;

/// How the test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) enum Verdict {
    /// `elo0`: the change has failed.
    H0,
    /// `elo1`: the change has passed.
    H1,
}

/// The words of `--sprt` that make no test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct InvalidSprt(String);

impl fmt::Display for InvalidSprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let example = "elo0=0 elo1=5 alpha=0.05 beta=0.05 model=normalized|logistic";
        write!(f, "--sprt: {}; the form is {example}", self.0)
    }
}

impl std::error::Error for InvalidSprt {}

impl Sprt {
    pub(super) fn from_words(words: &[String]) -> Result<Self, InvalidSprt> {
        let mut test = Self { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: Model::Normalized };
        for word in words {
            let bad = || InvalidSprt(format!("'{word}' is not understood"));
            let (key, value) = word.split_once('=').ok_or_else(bad)?;
            let number = || f64::from_str(value).ok().filter(|number| number.is_finite()).ok_or_else(bad);
            match key {
                "elo0" => test.elo0 = number()?,
                "elo1" => test.elo1 = number()?,
                "alpha" => test.alpha = number()?,
                "beta" => test.beta = number()?,
                "model" => {
                    test.model = match value {
                        "normalized" | "normalised" => Model::Normalized,
                        "logistic" => Model::Logistic,
                        _ => return Err(bad()),
                    }
                }
                _ => return Err(bad()),
            }
        }
        let is_error = |rate: f64| rate > 0.0 && rate < 0.5;
        let is_far = |elo: f64| test.model == Model::Normalized && elo.abs() > MAX_NORMALISED;
        match test {
            _ if test.elo0 >= test.elo1 => Err(InvalidSprt("elo0 must be below elo1".to_owned())),
            _ if is_far(test.elo0) || is_far(test.elo1) => {
                Err(InvalidSprt(format!("normalised Elo is at most {MAX_NORMALISED} to either side")))
            }
            _ if !is_error(test.alpha) || !is_error(test.beta) => {
                Err(InvalidSprt("alpha and beta must be between 0 and 0.5".to_owned()))
            }
            _ => Ok(test),
        }
    }

    /// The bounds of the log-likelihood ratio at which the test ends.
    pub(super) fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of H1 to H0.
    pub(super) fn ratio(&self, pairs: &Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        // A score that never came has a small weight, so that no hypothesis is impossible after a few pairs.
        let counts = pairs.0.map(|count| (count as f64).max(1e-3));
        let total: f64 = counts.iter().sum();
        let observed = counts.map(|count| count / total);
        let likeliest = |elo: f64| match self.model {
            Model::Logistic => likeliest_with_mean(&observed, 1.0 / (1.0 + 10f64.powf(-elo / 400.0))),
            // The deviation of a pair's score is that of a game divided by the root of two.
            Model::Normalized => {
                likeliest_with_distance(&observed, elo / NORMALISED_ELO * std::f64::consts::SQRT_2)
            }
        };
        let (under0, under1) = (likeliest(self.elo0), likeliest(self.elo1));
        total * (0..5).map(|i| observed[i] * (under1[i] / under0[i]).ln()).sum::<f64>()
    }

    pub(super) fn verdict(&self, pairs: &Pentanomial) -> Option<Verdict> {
        let (ratio, (lower, upper)) = (self.ratio(pairs), self.bounds());
        if ratio >= upper {
            Some(Verdict::H1)
        } else if ratio <= lower {
            Some(Verdict::H0)
        } else {
            None
        }
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let model = if self.model == Model::Normalized { "nElo" } else { "Elo" };
        write!(f, "[{}, {}] {model}, alpha {}, beta {}", self.elo0, self.elo1, self.alpha, self.beta)
    }
}

type Distribution = [f64; 5];

/// The distribution of mean `mean` under which the observed one is likeliest.
fn likeliest_with_mean(observed: &Distribution, mean: f64) -> Distribution {
    likeliest_centred(observed, &PAIR_SCORES.map(|score| score - mean))
}

/// The distribution whose mean is `distance` of its own deviations above 1/2, under which the observed one is
/// likeliest. The condition is not linear; each step replaces it by its tangent at the present distribution
/// (the derivative of `mean - 1/2 - distance * deviation`), and a few steps suffice.
fn likeliest_with_distance(observed: &Distribution, distance: f64) -> Distribution {
    let mut present = [0.2; 5];
    for _ in 0..100 {
        let mean: f64 = (0..5).map(|i| present[i] * PAIR_SCORES[i]).sum();
        let variance: f64 = (0..5).map(|i| present[i] * (PAIR_SCORES[i] - mean).powi(2)).sum();
        let deviation = variance.sqrt();
        let tangent = PAIR_SCORES.map(|score| {
            score - 0.5 - distance * deviation * (1.0 + ((score - mean) / deviation).powi(2)) / 2.0
        });
        let next = likeliest_centred(observed, &tangent);
        let change = (0..5).map(|i| (next[i] - present[i]).abs()).fold(0.0, f64::max);
        present = next;
        if change < 1e-12 {
            break;
        }
    }
    present
}

/// The distribution with mean zero over `values` under which the observed one is likeliest: by Lagrange it is
/// `observed / (1 + x * value)` with the one `x` that makes the mean zero, which bisection finds between the poles.
fn likeliest_centred(observed: &Distribution, values: &[f64; 5]) -> Distribution {
    let highest = values.iter().copied().fold(f64::MIN, f64::max);
    let lowest = values.iter().copied().fold(f64::MAX, f64::min);
    let (mut low, mut high) = (-1.0 / highest, -1.0 / lowest);
    let weigh = |x: f64| -> Distribution { std::array::from_fn(|i| observed[i] / (1.0 + x * values[i])) };
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        let weights = weigh(middle);
        let mean: f64 = (0..5).map(|i| weights[i] * values[i]).sum();
        if mean > 0.0 { low = middle } else { high = middle }
    }
    weigh(f64::midpoint(low, high))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(words: &str) -> Sprt {
        Sprt::from_words(&words.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).unwrap()
    }

    fn close(got: f64, expected: f64) {
        assert!((got - expected).abs() < 1e-5, "{got} instead of {expected}");
    }

    /// The expected numbers are from separate calculations in Python, which agree: Newton's method on the seven Lagrange
    /// conditions (five probabilities, two multipliers), and a general optimiser with the hypothesis as a constraint.
    #[test]
    fn worked_examples() {
        let pairs = Pentanomial([12, 145, 420, 180, 21]);
        close(test("elo0=0 elo1=5 model=logistic").ratio(&pairs), 2.057_694_998_304_784);
        close(test("elo0=0 elo1=5").ratio(&pairs), 1.248_470_225_633_016_2);
        close(test("elo0=-3 elo1=1").ratio(&pairs), 1.178_462_652_292_022);
        close(test("elo0=0 elo1=5").ratio(&Pentanomial([1, 3, 5, 2, 0])), -0.075_118_941_129_950_89);
    }

    #[test]
    fn the_test_ends_at_its_bounds() {
        let sprt = test("elo0=0 elo1=10");
        // ln(0.05/0.95) and ln(0.95/0.05).
        close(sprt.bounds().0, -2.944_438_979_166_44);
        close(sprt.bounds().1, 2.944_438_979_166_44);
        assert_eq!(sprt.verdict(&Pentanomial::default()), None);
        assert_eq!(sprt.verdict(&Pentanomial([5, 20, 60, 30, 5])), None);
        assert_eq!(sprt.verdict(&Pentanomial([50, 200, 600, 400, 90])), Some(Verdict::H1));
        assert_eq!(sprt.verdict(&Pentanomial([90, 400, 600, 200, 50])), Some(Verdict::H0));
        assert_eq!(sprt.verdict(&Pentanomial([0, 0, 0, 0, 400])), Some(Verdict::H1));
        assert_eq!(test("elo0=-200 elo1=200").verdict(&Pentanomial([0, 0, 0, 0, 400])), Some(Verdict::H1));
        assert_eq!(test("elo0=-200 elo1=200").verdict(&Pentanomial([400, 0, 0, 0, 0])), Some(Verdict::H0));
    }

    #[test]
    fn mistakes_are_refused() {
        for words in
            ["elo0=5 elo1=0", "alpha=0.7", "beta=0", "elo0", "elo2=3", "model=x", "elo0=nan", "elo1=201"]
        {
            let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
            assert!(Sprt::from_words(&words).is_err(), "{words:?}");
        }
    }
}
