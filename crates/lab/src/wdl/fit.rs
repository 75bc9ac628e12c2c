//! The most likely model, found by Fisher's scoring with damped steps.
//!
//! A position is won with the chance `W = s((v - a) / b)`, lost with `L = s((-v - a) / b)` and drawn with what is left,
//! where `s` is the logistic function. The same two curves determine all three outcomes, so all of them are fitted.

use std::fmt;

use engine::wdl::{MATERIAL, Model};

use super::sample::{Cell, Sample};

/// Coefficients of both polynomials: first those of the middle, then those of the width.
const COUNT: usize = 8;
type Vector = [f64; COUNT];
type Matrix = [Vector; COUNT];

/// A fit that takes more steps than this does not converge.
const MOST_STEPS: usize = 500;
/// Converged when a step gains less than this, in nats per position.
const NO_GAIN: f64 = 1e-12;
/// Lower bound of probabilities, so that logarithms are finite.
const SMALLEST: f64 = 1e-300;

/// Why there is no model.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum FitError {
    Empty,
    OneSided,
}

impl fmt::Display for FitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "there are no positions to fit"),
            Self::OneSided => write!(f, "a model needs both decided and drawn games"),
        }
    }
}

impl std::error::Error for FitError {}

/// The model under which the sample is most likely.
pub(super) fn fit(sample: &Sample) -> Result<Model, FitError> {
    let cells: Vec<Cell> = sample.cells().collect();
    if cells.is_empty() {
        return Err(FitError::Empty);
    }
    let drawn: f64 = cells.iter().map(|cell| cell.counts[1]).sum();
    if drawn == 0.0 || drawn == sample.positions as f64 {
        return Err(FitError::OneSided);
    }
    let limit = f64::from(sample.limit());
    let mut parameters = [0.0, 0.0, 0.0, limit / 3.0, 0.0, 0.0, 0.0, limit / 8.0];
    let mut likelihood = log_likelihood(&cells, &model(&parameters));
    let mut damping = 1e-3;
    for _ in 0..MOST_STEPS {
        let (slope, information) = derivatives(&cells, &model(&parameters));
        let step = solve(damped(information, damping), slope);
        let next: Vector = std::array::from_fn(|index| parameters[index] + step[index]);
        let gained = if is_sound(&model(&next)) {
            log_likelihood(&cells, &model(&next)) - likelihood
        } else {
            f64::NEG_INFINITY
        };
        if gained > 0.0 {
            parameters = next;
            likelihood += gained;
            damping = (damping / 10.0).max(1e-12);
        } else {
            damping *= 10.0;
        }
        // Small gains of damped steps may yet become larger ones.
        if damping > 1e12 || gained >= 0.0 && damping < 1e-4 && gained < NO_GAIN * sample.positions as f64 {
            break;
        }
    }
    Ok(model(&parameters))
}

fn model(parameters: &Vector) -> Model {
    let part = |first: usize| std::array::from_fn(|index| parameters[first + index]);
    Model { middle: part(0), width: part(4) }
}

/// Are the curves proper ones with any material?
fn is_sound(model: &Model) -> bool {
    MATERIAL.map(|material| model.curve(material)).all(|(middle, width)| middle > 0.0 && width > 0.0)
}

/// The chances to win, draw and lose.
pub(super) fn chances(model: &Model, cell: &Cell) -> [f64; 3] {
    let win = model.win_chance(cell.value, cell.material);
    let loss = model.win_chance(-cell.value, cell.material);
    [win, 1.0 - win - loss, loss]
}

/// How likely the sample is, as a natural logarithm.
pub(super) fn log_likelihood(cells: &[Cell], model: &Model) -> f64 {
    let of_cell = |cell: &Cell| -> f64 {
        chances(model, cell)
            .iter()
            .zip(cell.counts)
            .map(|(chance, count)| count * chance.max(SMALLEST).ln())
            .sum()
    };
    cells.iter().map(of_cell).sum()
}

/// The slope of the likelihood by each coefficient, and Fisher's information, which stands for its curvature.
fn derivatives(cells: &[Cell], model: &Model) -> (Vector, Matrix) {
    let (mut slope, mut information) = ([0.0; COUNT], [[0.0; COUNT]; COUNT]);
    for cell in cells {
        let (middle, width) = model.curve(cell.material);
        let chances = chances(model, cell);
        // How a chance of the logistic kind changes with the middle and with the width.
        let by_curve = |chance: f64, value: f64| {
            let by_middle = -chance * (1.0 - chance) / width;
            [by_middle, by_middle * (value - middle) / width]
        };
        let (win, loss) = (by_curve(chances[0], cell.value), by_curve(chances[2], -cell.value));
        let changes = [win, [-win[0] - loss[0], -win[1] - loss[1]], loss];
        let total: f64 = cell.counts.iter().sum();
        let powers = Model::powers(cell.material);
        for ((change, chance), count) in changes.iter().zip(chances).zip(cell.counts) {
            let chance = chance.max(SMALLEST);
            let all: Vector = std::array::from_fn(|index| change[index / 4] * powers[index % 4]);
            for row in 0..COUNT {
                slope[row] += count / chance * all[row];
                for column in 0..COUNT {
                    information[row][column] += total * all[row] * all[column] / chance;
                }
            }
        }
    }
    (slope, information)
}

fn damped(mut matrix: Matrix, damping: f64) -> Matrix {
    for (index, row) in matrix.iter_mut().enumerate() {
        row[index] += damping * row[index] + f64::MIN_POSITIVE;
    }
    matrix
}

/// Solves a system of linear equations by elimination with the largest pivots.
fn solve(mut matrix: Matrix, mut right: Vector) -> Vector {
    for column in 0..COUNT {
        let largest =
            (column..COUNT).max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()));
        let pivot = largest.unwrap_or(column);
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        let pivot_row = matrix[column];
        for row in column + 1..COUNT {
            let factor = matrix[row][column] / pivot_row[column];
            for (entry, above) in matrix[row].iter_mut().zip(pivot_row).skip(column) {
                *entry -= factor * above;
            }
            right[row] -= factor * right[column];
        }
    }
    let mut solution = [0.0; COUNT];
    for row in (0..COUNT).rev() {
        let known: f64 = (row + 1..COUNT).map(|column| matrix[row][column] * solution[column]).sum();
        solution[row] = (right[row] - known) / matrix[row][row];
    }
    solution
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wdl::sample::Outcome;
    use rng::Random;

    const TRUTH: Model = Model { middle: [-60.0, 150.0, -120.0, 380.0], width: [30.0, -70.0, 40.0, 85.0] };

    /// Games that are won and lost just as often as the model says.
    fn sample_of(model: &Model, positions: usize) -> Sample {
        let mut random = Random::new(11);
        let mut sample = Sample::new(1000);
        for _ in 0..positions {
            let value = random.within(1000);
            let material = MATERIAL.start() + random.below(MATERIAL.count()) as u32;
            let cell = Cell { value: f64::from(value), material, counts: [0.0; 3] };
            let [win, draw, _] = chances(model, &cell);
            let lot = random.below(1 << 30) as f64 / f64::from(1 << 30);
            let outcome = match lot {
                lot if lot < win => Outcome::Win,
                lot if lot < win + draw => Outcome::Draw,
                _ => Outcome::Loss,
            };
            sample.add(value, material, outcome);
        }
        sample
    }

    #[test]
    fn finds_the_model_that_made_the_sample() {
        let sample = sample_of(&TRUTH, 1_000_000);
        let found = fit(&sample).unwrap();
        for material in MATERIAL {
            let ((middle, width), (true_middle, true_width)) = (found.curve(material), TRUTH.curve(material));
            // Four standard errors and more: at the ends a few thousand positions decide about a curve.
            assert!((middle - true_middle).abs() < 6.0, "{middle} for {true_middle} at {material}");
            assert!((width - true_width).abs() < 5.0, "{width} for {true_width} at {material}");
        }
        let cells: Vec<Cell> = sample.cells().collect();
        assert!(log_likelihood(&cells, &found) >= log_likelihood(&cells, &TRUTH));
        let (slope, information) = derivatives(&cells, &found);
        for index in 0..COUNT {
            assert!(
                slope[index].abs() < 1e-2 * information[index][index].sqrt(),
                "not at the top: {slope:?}"
            );
        }
    }

    #[test]
    fn derivatives_are_those_of_the_likelihood() {
        let cells: Vec<Cell> = sample_of(&TRUTH, 2000).cells().collect();
        let parameters = [-50.0, 100.0, -100.0, 400.0, 20.0, -60.0, 50.0, 80.0];
        let (slope, _) = derivatives(&cells, &model(&parameters));
        for index in 0..COUNT {
            let moved = |by: f64| {
                let mut parameters = parameters;
                parameters[index] += by;
                log_likelihood(&cells, &model(&parameters))
            };
            let measured = (moved(1e-3) - moved(-1e-3)) / 2e-3;
            assert!((measured - slope[index]).abs() < 1e-5 * (1.0 + measured.abs()), "{measured} {slope:?}");
        }
    }

    #[test]
    fn what_cannot_be_fitted_is_refused() {
        let mut sample = Sample::new(100);
        assert_eq!(fit(&sample), Err(FitError::Empty));
        sample.add(101, 20, Outcome::Win);
        assert_eq!(fit(&sample), Err(FitError::Empty));
        sample.add(100, 20, Outcome::Win);
        assert_eq!(fit(&sample), Err(FitError::OneSided));
        sample.add(0, 20, Outcome::Draw);
        assert!(is_sound(&fit(&sample).unwrap()));
    }
}
