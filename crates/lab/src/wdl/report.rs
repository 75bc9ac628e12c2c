//! The report of a fit: the constants as Rust source, the sample, and the goodness of fit.

use std::fmt::Write;

use engine::wdl::Model;

use super::fit::{chances, log_likelihood};
use super::sample::{Cell, Sample};
use crate::date;

/// The classes of predicted chances to win that are compared with what happened.
const CLASSES: usize = 10;

/// The whole report.
pub(super) fn text(sample: &Sample, model: &Model) -> String {
    let cells: Vec<Cell> = sample.cells().collect();
    let positions = sample.positions as f64;
    let totals: [f64; 3] = std::array::from_fn(|outcome| cells.iter().map(|cell| cell.counts[outcome]).sum());
    let blind: f64 =
        totals.iter().filter(|&&count| count > 0.0).map(|count| -count * (count / positions).ln()).sum();
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "/// {}\n/// {:.1} % of the positions were won, {:.1} % drawn, {:.1} % lost.\n\
         pub const MODEL: Model = Model {{\n    middle: {},\n    width: {},\n}};\n",
        caption(sample, &cells, model),
        100.0 * totals[0] / positions,
        100.0 * totals[1] / positions,
        100.0 * totals[2] / positions,
        array(&model.middle),
        array(&model.width)
    );
    if sample.games_left_out > 0 {
        let _ =
            writeln!(text, "games left out, since they did not end by the rules: {}", sample.games_left_out);
    }
    let _ = writeln!(
        text,
        "log loss {:.5} nats a position, {:.5} without looking at positions",
        -log_likelihood(&cells, model) / positions,
        blind / positions
    );
    text.push_str("material  middle   width\n");
    for material in [17, 25, 35, 45, 58, 68, 78] {
        let (middle, width) = model.curve(material);
        let _ = writeln!(text, "{material:8} {middle:7.1} {width:7.1}");
    }
    text.push_str(&Calibration::new(&cells, model).text());
    text
}

/// The sample, the date and the error of the fit.
pub(super) fn caption(sample: &Sample, cells: &[Cell], model: &Model) -> String {
    let (year, month, day) = date::today();
    format!(
        "Fitted on {year}-{month:02}-{day:02} to {} positions of {} games, values up to {}; log loss {:.5} nats a position, error of the \
         chances to win {:.2} %.",
        sample.positions,
        sample.games,
        sample.limit(),
        -log_likelihood(cells, model) / sample.positions as f64,
        100.0 * Calibration::new(cells, model).error()
    )
}

fn array(coefficients: &[f64; 4]) -> String {
    let [a, b, c, d] = coefficients;
    format!("[{a:.4}, {b:.4}, {c:.4}, {d:.4}]")
}

/// How often positions were won that the model gives such a chance: for each class of chances its positions, the wins
/// that were expected and those that came.
struct Calibration([[f64; 3]; CLASSES]);

impl Calibration {
    fn new(cells: &[Cell], model: &Model) -> Self {
        let mut classes = [[0.0; 3]; CLASSES];
        for cell in cells {
            let win = chances(model, cell)[0];
            let total: f64 = cell.counts.iter().sum();
            let class = &mut classes[((win * CLASSES as f64) as usize).min(CLASSES - 1)];
            for (sum, part) in class.iter_mut().zip([total, total * win, cell.counts[0]]) {
                *sum += part;
            }
        }
        Self(classes)
    }

    fn used(&self) -> impl Iterator<Item = [f64; 3]> {
        self.0.iter().copied().filter(|class| class[0] > 0.0)
    }

    /// The root of the mean square error of the classes.
    fn error(&self) -> f64 {
        let square: f64 = self.used().map(|[total, expected, won]| (expected - won).powi(2) / total).sum();
        let all: f64 = self.used().map(|[total, ..]| total).sum();
        (square / all).sqrt()
    }

    fn text(&self) -> String {
        let mut text = "positions  expected wins  wins\n".to_owned();
        for [total, expected, won] in self.used() {
            let (expected, won) = (100.0 * expected / total, 100.0 * won / total);
            let _ = writeln!(text, "{total:9} {expected:12.1} % {won:5.1} %");
        }
        let error = 100.0 * self.error();
        let _ = writeln!(text, "root of the mean square error of these classes: {error:.2} %");
        text
    }
}
