//! The curves of a run: as CSV for programs, as SVG for people.

use std::fmt::Write;

use super::trainer::Epoch;

/// One line an epoch.
pub(super) fn csv(history: &[Epoch]) -> String {
    let mut text = String::from(
        "epoch,train,held_out,held_out_result,held_out_last,rate,seconds,positions_per_second\n",
    );
    for (number, epoch) in history.iter().enumerate() {
        let Epoch { train, held_out, held_out_result, held_out_last, rate, seconds, speed } = epoch;
        let _ = writeln!(
            text,
            "{},{train:.6},{held_out:.6},{held_out_result:.6},{held_out_last:.6},{rate:.8},{seconds:.1},{speed:.0}",
            number + 1
        );
    }
    text
}

const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 480.0;
const MARGIN: f64 = 60.0;

/// Training and held-out loss over the epochs. The first epoch's training loss, taken from random numbers on, would
/// flatten all the rest; the scale therefore ignores it and the curve is cut off at the top.
pub(super) fn svg(title: &str, history: &[Epoch]) -> String {
    let curves = [("training", "#c0392b", train as fn(&Epoch) -> f64), ("held out", "#2471a3", held_out)];
    let scaled = history.iter().map(held_out).chain(history.iter().skip(1).map(train));
    let (low, high) = scaled.fold((f64::MAX, f64::MIN), |(low, high), loss| (loss.min(low), loss.max(high)));
    let span = (high - low).max(1e-6);
    let x =
        |number: usize| MARGIN + (WIDTH - 2.0 * MARGIN) * number as f64 / (history.len().max(2) - 1) as f64;
    let y = |loss: f64| MARGIN + (HEIGHT - 2.0 * MARGIN) * (1.0 - (loss - low) / span).clamp(0.0, 1.0);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{MARGIN}\" y=\"25\">{}</text>\n",
        escaped(title)
    );
    for tick in 0..=4 {
        let loss = low + span * f64::from(tick) / 4.0;
        let height = y(loss);
        let _ = writeln!(
            text,
            "<line x1=\"{MARGIN}\" x2=\"{}\" y1=\"{height:.1}\" y2=\"{height:.1}\" stroke=\"#ddd\"/>\
             <text x=\"4\" y=\"{:.1}\">{loss:.5}</text>",
            WIDTH - MARGIN,
            height + 4.0
        );
    }
    for number in (0..history.len()).step_by(history.len().div_ceil(10).max(1)) {
        let _ = writeln!(
            text,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            x(number),
            HEIGHT - MARGIN + 20.0,
            number + 1
        );
    }
    for (place, (name, colour, value)) in curves.into_iter().enumerate() {
        let points: Vec<String> = history
            .iter()
            .enumerate()
            .map(|(number, epoch)| format!("{:.1},{:.1}", x(number), y(value(epoch))))
            .collect();
        let _ = writeln!(
            text,
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" points=\"{}\"/>\
             <text x=\"{}\" y=\"{}\" fill=\"{colour}\">{name} loss</text>",
            points.join(" "),
            WIDTH - 3.0 * MARGIN,
            45 + 18 * place
        );
    }
    text.push_str("</svg>\n");
    text
}

fn train(epoch: &Epoch) -> f64 {
    epoch.train
}

fn held_out(epoch: &Epoch) -> f64 {
    epoch.held_out
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
