//! The loss: the error against the expected result that a search's score and the game's result give.

use super::games::{Games, Step};

/// The loss and its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Loss {
    /// The score at which the expected result is the logistic function of 1.
    pub(super) scale: f32,
    /// The share of the score in the target; the rest is the result of the game.
    pub(super) lambda: f32,
    /// The power of the error; 2 is the squared error.
    pub(super) power: f32,
}

/// The logistic function.
pub(super) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The logistic function's inverse, as far as single precision can tell a chance from certainty.
pub(super) fn logit(chance: f32) -> f32 {
    let chance = chance.clamp(1e-6, 1.0 - 1e-6);
    (chance / (1.0 - chance)).ln()
}

impl Loss {
    /// The loss that all runs are compared by, however they were trained: the squared error against the score alone.
    pub(super) fn score_only(self) -> Self {
        Self { lambda: 1.0, power: 2.0, ..self }
    }

    /// The squared error against the result alone.
    pub(super) fn result_only(self) -> Self {
        Self { lambda: 0.0, power: 2.0, ..self }
    }

    /// The expected result that the network should output; from the score alone where the result is not known.
    #[inline]
    pub(super) fn target(self, step: &Step) -> f32 {
        let by_score = sigmoid(f32::from(step.score) / self.scale);
        step.result().map_or(by_score, |result| self.lambda * by_score + (1.0 - self.lambda) * result)
    }

    /// The loss of an output (in units of `scale`), and its derivative by the output.
    #[inline]
    pub(super) fn of(self, output: f32, step: &Step) -> (f32, f32) {
        let chance = sigmoid(output);
        let error = chance - self.target(step);
        let slope = chance * (1.0 - chance);
        if self.power == 2.0 {
            (error * error, 2.0 * error * slope)
        } else {
            let size = error.abs();
            let inner = size.powf(self.power - 1.0);
            (inner * size, self.power * inner.copysign(error) * slope)
        }
    }
}

/// The scale whose logistic curve fits the results of the games best, by squared error; `None` where no result is known.
/// The error has a single minimum, found by ternary search.
pub(super) fn fitted_scale(games: &Games) -> Option<f32> {
    // Positions by score, in steps of 16, with the sum of their results.
    let mut bins = vec![(0.0, 0.0); 1 << 12];
    let known =
        games.steps().iter().filter(|step| step.counts()).filter_map(|step| Some((step, step.result()?)));
    for (step, result) in known {
        let (count, results) = &mut bins[(i32::from(step.score) + (1 << 15)) as usize >> 4];
        *count += 1.0;
        *results += f64::from(result);
    }
    if bins.iter().all(|&(count, _)| count == 0.0) {
        return None;
    }
    let error = |scale: f64| -> f64 {
        let scores = (0..).map(|bin| f64::from((bin << 4) + 8 - (1 << 15)));
        let errors = bins.iter().zip(scores).map(|(&(count, results), score)| {
            let chance = 1.0 / (1.0 + (-score / scale).exp());
            chance * (count * chance - 2.0 * results)
        });
        errors.sum()
    };
    let (mut low, mut high) = (20.0, 5000.0);
    while high - low > 0.5 {
        let third = (high - low) / 3.0;
        if error(low + third) < error(high - third) {
            high -= third;
        } else {
            low += third;
        }
    }
    Some((low + high) as f32 / 2.0)
}

#[cfg(test)]
mod tests {
    use super::super::games::Label;
    use super::*;

    #[test]
    fn the_derivative_is_that_of_the_loss() {
        let step = Step::of(Label { score: 150, result: Some(1), black_to_move: false, counts: true });
        for power in [2.0, 2.5] {
            let loss = Loss { scale: 400.0, lambda: 0.7, power };
            for output in [-2.0, -0.3, 0.5, 3.0f32] {
                let (high, low) = (loss.of(output + 1e-2, &step).0, loss.of(output - 1e-2, &step).0);
                let (_, slope) = loss.of(output, &step);
                assert!(((high - low) / 2e-2 - slope).abs() < 1e-4, "{power} {output}");
            }
        }
    }
}
