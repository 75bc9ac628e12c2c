//! Simultaneous perturbation stochastic approximation (J. C. Spall, 1992): all parameters are perturbed at once, each up
//! or down at random, and two sides with opposite perturbations play. Every parameter moves a little towards the winner.
//! Over many pairs perturbations without influence on the results cancel out.

use rng::Random;

use super::parameter::Parameter;

/// The perturbation of one pair of games.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Trial {
    /// 1 or -1 for each parameter.
    signs: Vec<f64>,
    /// The values of the two sides: perturbed along the signs, and against them.
    pub(super) sides: [Vec<i32>; 2],
}

/// The learning rate, which falls geometrically over the run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rates {
    pub(super) first: f64,
    pub(super) last: f64,
}

impl Rates {
    /// The rate after `done` pairs of `planned`.
    pub(super) fn at(self, done: usize, planned: usize) -> f64 {
        let progress = done as f64 / planned.saturating_sub(1).max(1) as f64;
        self.first * (self.last / self.first).powf(progress.min(1.0))
    }
}

impl Trial {
    /// Moves every parameter by its step.
    pub(super) fn new(parameters: &[Parameter], random: &mut Random) -> Self {
        let mut trial = Self { signs: Vec::new(), sides: [Vec::new(), Vec::new()] };
        for parameter in parameters {
            let sign = if random.below(2) == 0 { 1.0 } else { -1.0 };
            trial.signs.push(sign);
            for (side, direction) in trial.sides.iter_mut().zip([sign, -sign]) {
                let value = parameter.bounded(parameter.value + direction * parameter.step);
                side.push(round(value, random));
            }
        }
        trial
    }

    /// Moves the parameters towards the winner. `gain` is wins less losses of the first side, from -2 to 2.
    pub(super) fn teach(&self, parameters: &mut [Parameter], gain: i32, rate: f64) {
        for (parameter, sign) in parameters.iter_mut().zip(&self.signs) {
            let change = rate * parameter.step * f64::from(gain) * sign;
            parameter.value = parameter.bounded(parameter.value + change);
        }
    }
}

impl Parameter {
    fn bounded(&self, value: f64) -> f64 {
        value.clamp(self.min.into(), self.max.into())
    }
}

/// Stochastic rounding, which is unbiased: a value between two whole numbers is tried as both, and a step below one
/// still has an effect.
fn round(value: f64, random: &mut Random) -> i32 {
    const UNIT: f64 = (1_u64 << 53) as f64;
    let below = value.floor();
    let up = ((random.bits() >> 11) as f64 / UNIT) < value - below;
    below as i32 + i32::from(up)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters(lines: &[&str]) -> Vec<Parameter> {
        lines.iter().map(|line| line.parse().unwrap()).collect()
    }

    #[test]
    fn the_sides_move_in_opposite_directions() {
        let parameters = parameters(&["a 50 4 0 100", "b -7 3 -100 100"]);
        let mut random = Random::new(1);
        let mut seen = [false; 4];
        for _ in 0..100 {
            let Trial { sides: [along, against], .. } = Trial::new(&parameters, &mut random);
            assert_eq!((along[0] + against[0], along[1] + against[1]), (100, -14));
            assert_eq!(((along[0] - 50).abs(), (along[1] + 7).abs()), (4, 3));
            seen[usize::from(along[0] > 50) + 2 * usize::from(along[1] > -7)] = true;
        }
        assert_eq!(seen, [true; 4], "every combination is tried");
    }

    #[test]
    fn rounding_is_unbiased() {
        let mut random = Random::new(2);
        for value in [2.3, -2.3, 0.5, 7.0] {
            let rounded: Vec<i32> = (0..20_000).map(|_| round(value, &mut random)).collect();
            assert!(rounded.iter().all(|number| (f64::from(*number) - value).abs() < 1.0));
            let mean = rounded.iter().map(|number| f64::from(*number)).sum::<f64>() / 20_000.0;
            assert!((mean - value).abs() < 0.02, "{value} became {mean}");
        }
    }

    #[test]
    fn bounds_hold() {
        let mut parameters = parameters(&["a 99.5 4 0 100", "b 1 30 0 3"]);
        let mut random = Random::new(3);
        for _ in 0..1000 {
            let trial = Trial::new(&parameters, &mut random);
            assert!(
                trial.sides.iter().all(|side| (0..=100).contains(&side[0]) && (0..=3).contains(&side[1]))
            );
            trial.teach(&mut parameters, random.within(2), 0.5);
            assert!(
                (0.0..=100.0).contains(&parameters[0].value) && (0.0..=3.0).contains(&parameters[1].value)
            );
        }
    }

    #[test]
    fn a_win_moves_the_values_towards_the_winner() {
        let before = parameters(&["a 50 4 0 100"]);
        let trial = Trial { signs: vec![-1.0], sides: [vec![46], vec![54]] };
        let after = |gain| {
            let mut parameters = before.clone();
            trial.teach(&mut parameters, gain, 0.25);
            parameters[0].value
        };
        assert_eq!([-2, -1, 0, 1, 2].map(after), [52.0, 51.0, 50.0, 49.0, 48.0]);
    }

    #[test]
    fn the_rate_falls_geometrically() {
        let rates = Rates { first: 0.09, last: 0.01 };
        let at = [0, 50, 100, 101].map(|done| (rates.at(done, 101) * 1e6).round());
        assert_eq!(at, [90_000.0, 30_000.0, 10_000.0, 10_000.0]);
        assert_eq!(rates.at(0, 1), 0.09);
    }

    #[test]
    fn noisy_games_lead_to_the_optimum() {
        // The strength falls with the square of the distance from (70, -20); results are drawn from a logistic.
        let strength = |side: &[i32]| {
            let [a, b] = [f64::from(side[0]) - 70.0, f64::from(side[1]) + 20.0];
            -(a * a + 4.0 * b * b) / 2000.0
        };
        let mut parameters = parameters(&["a 30 8 0 100", "b 15 4 -50 50"]);
        let rates = Rates { first: 0.05, last: 0.01 };
        let planned = 20_000;
        for done in 0..planned {
            let mut random = Random::of_number(4, done as u64);
            let trial = Trial::new(&parameters, &mut random);
            let [along, against] = &trial.sides;
            let win = 1.0 / (1.0 + (strength(against) - strength(along)).exp());
            let game = |random: &mut Random| if (random.below(10_000) as f64) < win * 1e4 { 1 } else { -1 };
            let gain = game(&mut random) + game(&mut random);
            trial.teach(&mut parameters, gain, rates.at(done, planned));
        }
        assert!((parameters[0].value - 70.0).abs() < 5.0, "{parameters:?}");
        assert!((parameters[1].value + 20.0).abs() < 2.5, "{parameters:?}");
    }
}
