//! What the results of pairs of games say: Elo, normalised Elo, their errors, and the likelihood of superiority.
//!
//! Both games of a pair begin with the same opening, so that their results depend on each other; the pair is the unit
//! of the statistics, with five possible scores (pentanomial), and its variance is smaller than that of two games.

/// Points of a pair for the first engine, as a part of the two that can be had.
pub(super) const PAIR_SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The half width of a 95 % interval in standard deviations.
const Z95: f64 = 1.959_963_984_540_054;

/// Elo points for one standard deviation of a game: the slope of the Elo curve at equality is `ln 10 / 400` times
/// 1/4, and normalised Elo is so scaled that both agree where the deviation is 1/2, as it is without draws.
pub(super) const NORMALISED_ELO: f64 = 800.0 / std::f64::consts::LN_10;

/// A number with the half width of its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Estimate {
    pub(super) value: f64,
    pub(super) error: f64,
}

/// How many pairs gave 0, 1/2, 1, 3/2 and 2 points to the first engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pentanomial(pub(super) [u64; 5]);

impl Pentanomial {
    pub(super) fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Mean and variance of the score of a pair; `None` without pairs.
    fn moments(&self) -> Option<(f64, f64)> {
        let pairs = self.pairs() as f64;
        let expect = |f: &dyn Fn(f64) -> f64| {
            self.0.iter().zip(PAIR_SCORES).map(|(count, score)| *count as f64 * f(score)).sum::<f64>() / pairs
        };
        let mean = expect(&|score| score);
        let variance = expect(&|score| (score - mean).powi(2));
        (pairs > 0.0).then_some((mean, variance))
    }

    /// The deviation of the mean.
    fn standard_error(&self) -> Option<f64> {
        let (_, variance) = self.moments()?;
        Some((variance / self.pairs() as f64).sqrt())
    }

    /// The difference in Elo; `None` where one side has scored everything, so that there is no finite estimate. The
    /// error is half of the interval between the Elo values of the ends of the score's interval.
    pub(super) fn elo(&self) -> Option<Estimate> {
        let (mean, _) = self.moments()?;
        let width = Z95 * self.standard_error()?;
        let value = elo_of_score(mean)?;
        let bounds = (elo_of_score(mean - width), elo_of_score(mean + width));
        let error = match bounds {
            (Some(low), Some(high)) => (high - low) / 2.0,
            _ => f64::INFINITY,
        };
        Some(Estimate { value, error })
    }

    /// The difference in normalised Elo: the score's distance from equality in deviations of a game. A pair's score is
    /// the mean of two games, so that a game's deviation is the root of two times that of the pair.
    pub(super) fn normalised_elo(&self) -> Option<Estimate> {
        let (mean, variance) = self.moments()?;
        let deviation = (2.0 * variance).sqrt();
        let value = NORMALISED_ELO * (mean - 0.5) / deviation;
        let error = NORMALISED_ELO * Z95 * self.standard_error()? / deviation;
        (deviation > 0.0).then_some(Estimate { value, error })
    }

    /// The likelihood that the first engine is the stronger one.
    pub(super) fn superiority(&self) -> Option<f64> {
        let (mean, _) = self.moments()?;
        let error = self.standard_error()?;
        if error > 0.0 {
            Some(normal_distribution((mean - 0.5) / error))
        } else {
            Some(if mean > 0.5 {
                1.0
            } else if mean < 0.5 {
                0.0
            } else {
                0.5
            })
        }
    }

    /// The same pairs seen by the second engine.
    pub(super) fn reversed(mut self) -> Self {
        self.0.reverse();
        self
    }

    pub(super) fn add(&mut self, other: Self) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine += theirs;
        }
    }
}

/// The logistic curve turned around; `None` at its ends.
fn elo_of_score(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| 400.0 * (score / (1.0 - score)).log10())
}

/// The share of the standard normal distribution below `x`, by the continued fraction or the series of the error
/// function, whichever converges there; exact to about 14 digits.
fn normal_distribution(x: f64) -> f64 {
    let z = x.abs();
    let density = (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    let above = if z < 3.0 {
        let (mut term, mut sum, mut n) = (z, z, 1.0);
        while term > 1e-17 * sum {
            n += 2.0;
            term *= z * z / n;
            sum += term;
        }
        0.5 - density * sum
    } else {
        density / (1..=60).rev().fold(z, |tail, k| z + f64::from(k) / tail)
    };
    if x > 0.0 { 1.0 - above } else { above }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(got: f64, expected: f64) {
        assert!((got - expected).abs() < 1e-6 * expected.abs().max(1.0), "{got} instead of {expected}");
    }

    /// The expected numbers are from a separate calculation in Python (floats, `statistics.NormalDist`), with
    /// m = sum(n*s)/N, v = sum(n*(s-m)^2)/N, se = sqrt(v/N), elo(x) = -400*log10(1/x-1),
    /// error = (elo(m+z*se)-elo(m-z*se))/2, nelo = 800/ln(10)*(m-1/2)/sqrt(2*v), its error 800/ln(10)*z/sqrt(2*N),
    /// los = cdf((m-1/2)/se).
    #[test]
    fn a_worked_example() {
        let pairs = Pentanomial([12, 145, 420, 180, 21]);
        let elo = pairs.elo().unwrap();
        close(elo.value, 11.838_825_404_848_587);
        close(elo.error, 9.331_628_572_988_352);
        let normalised = pairs.normalised_elo().unwrap();
        close(normalised.value, 21.923_488_533_034_515);
        close(normalised.error, 17.263_052_566_870_087);
        close(pairs.superiority().unwrap(), 0.993_596_427_500_641_9);
    }

    #[test]
    fn the_other_side_sees_the_opposite() {
        let pairs = Pentanomial([3, 10, 20, 7, 9]);
        close(pairs.reversed().elo().unwrap().value, -pairs.elo().unwrap().value);
        close(pairs.reversed().superiority().unwrap(), 1.0 - pairs.superiority().unwrap());
    }

    #[test]
    fn the_ends_have_no_estimate() {
        assert_eq!(Pentanomial::default().elo(), None);
        assert_eq!(Pentanomial([0, 0, 0, 0, 5]).elo(), None);
        assert_eq!(Pentanomial([0, 0, 0, 0, 5]).superiority(), Some(1.0));
        assert_eq!(Pentanomial([0, 0, 5, 0, 0]).elo(), Some(Estimate { value: 0.0, error: 0.0 }));
        assert_eq!(Pentanomial([0, 0, 5, 0, 0]).normalised_elo(), None);
    }

    #[test]
    fn the_normal_distribution_at_known_points() {
        close(normal_distribution(0.0), 0.5);
        close(normal_distribution(Z95), 0.975);
        close(normal_distribution(-1.0), 0.158_655_253_931_457_05);
        close(normal_distribution(3.5), 0.999_767_370_920_964_5);
        assert!((normal_distribution(2.999_999) - normal_distribution(3.0)).abs() < 1e-7);
    }
}
