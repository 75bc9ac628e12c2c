//! The curves of a model beside what happened in its sample, as a drawing in SVG.

use std::fmt::Write;

use engine::wdl::{MATERIAL, Model};

use super::sample::Cell;

/// Panels, each of so many pawns of material around its middle.
const PANELS: [u32; 6] = [22, 32, 42, 52, 62, 72];
const HALF_PANEL: u32 = 5;
/// Points of a panel.
const POINTS: usize = 24;
/// Positions below which a point says nothing.
const FEWEST: f64 = 30.0;

const WIDTH: f64 = 360.0;
const HEIGHT: f64 = 240.0;
const MARGIN: f64 = 40.0;
/// Win, draw, loss.
const COLOURS: [&str; 3] = ["#1a7f37", "#6e7781", "#cf222e"];

/// All panels: the chances by value with about this material, and at last the curves' middle and width by material.
pub(super) fn svg(cells: &[Cell], model: &Model, limit: i32, caption: &str) -> String {
    let (columns, rows) = (3, 3);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"{MARGIN}\" y=\"16\">{caption}</text>\n",
        f64::from(columns) * WIDTH,
        f64::from(rows) * HEIGHT + 20.0
    );
    for (index, material) in PANELS.into_iter().enumerate() {
        let (column, row) = ((index % 3) as f64, (index / 3) as f64);
        let panel = Panel { left: column * WIDTH, top: 20.0 + row * HEIGHT, limit: f64::from(limit) };
        panel.draw(&mut text, cells, model, material);
    }
    draw_coefficients(&mut text, model, 20.0 + 2.0 * HEIGHT);
    text.push_str("</svg>\n");
    text
}

/// The chances of positions with about the same material.
struct Panel {
    left: f64,
    top: f64,
    limit: f64,
}

impl Panel {
    fn x(&self, value: f64) -> f64 {
        self.left + MARGIN + (value / self.limit + 1.0) / 2.0 * (WIDTH - MARGIN - 10.0)
    }

    fn y(&self, chance: f64) -> f64 {
        self.top + HEIGHT - 24.0 - chance * (HEIGHT - 48.0)
    }

    fn draw(&self, text: &mut String, cells: &[Cell], model: &Model, material: u32) {
        let (left, right) = (self.x(-self.limit), self.x(self.limit));
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "<text x=\"{left:.0}\" y=\"{:.0}\">material {} to {}</text>",
            self.top + 18.0,
            material - HALF_PANEL,
            material + HALF_PANEL
        );
        for percent in [0, 50, 100] {
            let y = self.y(f64::from(percent) / 100.0);
            let _ = writeln!(
                text,
                "<path d=\"M{left:.1} {y:.1}H{right:.1}\" stroke=\"#d0d7de\"/><text x=\"{:.1}\" y=\"{:.1}\" \
                 text-anchor=\"end\">{percent} %</text>",
                left - 4.0,
                y + 4.0
            );
        }
        for value in [-self.limit, 0.0, self.limit] {
            let _ = writeln!(
                text,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{value:.0}</text>",
                self.x(value),
                self.top + HEIGHT - 8.0
            );
        }
        for (outcome, colour) in COLOURS.iter().enumerate() {
            let curve = (0..=96).map(|step| {
                let value = self.limit * (f64::from(step) / 48.0 - 1.0);
                (self.x(value), self.y(self.chance(model, outcome, value, material)))
            });
            let _ = writeln!(text, "<path d=\"{}\" fill=\"none\" stroke=\"{colour}\"/>", path(curve));
            for (value, share) in self.happened(cells, outcome, material) {
                let (x, y) = (self.x(value), self.y(share));
                let _ = writeln!(text, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2\" fill=\"{colour}\"/>");
            }
        }
    }

    fn chance(&self, model: &Model, outcome: usize, value: f64, material: u32) -> f64 {
        let (win, loss) = (model.win_chance(value, material), model.win_chance(-value, material));
        [win, 1.0 - win - loss, loss][outcome]
    }

    /// How often positions of about the same value ended so.
    fn happened(&self, cells: &[Cell], outcome: usize, material: u32) -> Vec<(f64, f64)> {
        let mut sums = [[0.0; 3]; POINTS];
        for cell in cells.iter().filter(|cell| cell.material.abs_diff(material) <= HALF_PANEL) {
            let at = ((cell.value / self.limit + 1.0) / 2.0 * POINTS as f64) as usize;
            let sum = &mut sums[at.min(POINTS - 1)];
            let total: f64 = cell.counts.iter().sum();
            for (sum, part) in sum.iter_mut().zip([total, total * cell.value, cell.counts[outcome]]) {
                *sum += part;
            }
        }
        let enough = sums.into_iter().filter(|[total, ..]| *total >= FEWEST);
        enough.map(|[total, values, count]| (values / total, count / total)).collect()
    }
}

/// The value of an even chance to win, and the width of the curve, by material.
fn draw_coefficients(text: &mut String, model: &Model, top: f64) {
    let curves: Vec<(u32, (f64, f64))> = MATERIAL.map(|material| (material, model.curve(material))).collect();
    let highest = curves.iter().map(|(_, (middle, width))| middle.max(*width)).fold(1.0, f64::max);
    let (first, last) = (f64::from(*MATERIAL.start()), f64::from(*MATERIAL.end()));
    let x = |material: u32| MARGIN + (f64::from(material) - first) / (last - first) * (2.0 * WIDTH);
    let y = |value: f64| top + HEIGHT - 24.0 - value / highest * (HEIGHT - 60.0);
    let middles = curves.iter().map(|(material, curve)| (x(*material), y(curve.0)));
    let widths = curves.iter().map(|(material, curve)| (x(*material), y(curve.1)));
    for (index, (name, colour, curve)) in [
        ("middle: the value of an even chance to win", "#0969da", path(middles)),
        ("width", "#9a6700", path(widths)),
    ]
    .into_iter()
    .enumerate()
    {
        let _ = writeln!(
            text,
            "<path d=\"{curve}\" fill=\"none\" stroke=\"{colour}\"/>\n\
             <text x=\"{:.0}\" y=\"{:.0}\" fill=\"{colour}\">{name}</text>",
            MARGIN + 300.0 * index as f64,
            top + 18.0
        );
    }
    for material in [17, 30, 40, 50, 58, 70, 78] {
        let (x, bottom) = (x(material), top + HEIGHT - 8.0);
        let _ =
            writeln!(text, "<text x=\"{x:.0}\" y=\"{bottom:.0}\" text-anchor=\"middle\">{material}</text>");
    }
    for value in [0.0, highest] {
        let y = y(value) + 4.0;
        let _ = writeln!(
            text,
            "<text x=\"{:.0}\" y=\"{y:.0}\" text-anchor=\"end\">{value:.0}</text>",
            MARGIN - 4.0
        );
    }
}

fn path(points: impl Iterator<Item = (f64, f64)>) -> String {
    let mut text = String::new();
    for (index, (x, y)) in points.enumerate() {
        let _ = write!(text, "{}{x:.1} {y:.1}", if index == 0 { 'M' } else { 'L' });
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::wdl::MODEL;

    #[test]
    fn points_of_a_perfect_sample_lie_on_the_curves() {
        let cell = |value: f64, material| {
            let (win, loss) = (MODEL.win_chance(value, material), MODEL.win_chance(-value, material));
            Cell { value, material, counts: [win, 1.0 - win - loss, loss].map(|chance| 1000.0 * chance) }
        };
        let cells: Vec<Cell> = (-10..=10).map(|step| cell(f64::from(50 * step), 62)).collect();
        let panel = Panel { left: 0.0, top: 0.0, limit: 600.0 };
        for outcome in 0..3 {
            let points = panel.happened(&cells, outcome, 62);
            assert!(points.len() > 15);
            for (value, share) in points {
                let chance = panel.chance(&MODEL, outcome, value, 62);
                assert!((share - chance).abs() < 0.01, "{value}: {share} for {chance}");
            }
        }
        assert!(panel.happened(&cells, 0, 32).is_empty(), "none with so little material");
        let drawing = svg(&cells, &MODEL, 600, "a caption");
        assert!(
            drawing.starts_with("<svg ") && drawing.ends_with("</svg>\n") && drawing.contains("a caption")
        );
        assert!(!drawing.contains("NaN") && !drawing.contains("inf"), "{drawing}");
        assert_eq!(drawing.matches("<circle").count(), 3 * panel.happened(&cells, 0, 62).len());
    }
}
