//! The curves of a run: as CSV for programs, as SVG for people.

use std::fmt::Write;

use super::trainer::Stage;

/// One line a stage; `sets` names the held-out sets.
pub(super) fn csv(sets: &[String], history: &[Stage]) -> String {
    let mut text = String::from("stage,train");
    for set in sets {
        let _ = write!(text, ",{set},{set}_result");
    }
    text.push_str(",rate,seconds,positions_per_second\n");
    for (number, Stage { train, validation, rate, seconds, speed }) in history.iter().enumerate() {
        let _ = write!(text, "{},{train:.6}", number + 1);
        for validation in validation {
            let _ = write!(text, ",{:.6},{:.6}", validation.score, validation.result);
        }
        let _ = writeln!(text, ",{rate:.8},{seconds:.1},{speed:.0}");
    }
    text
}

const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 480.0;
const MARGIN: f64 = 60.0;

const COLOURS: [&str; 5] = ["#c0392b", "#2471a3", "#1e8449", "#b9770e", "#6c3483"];

/// Training and held-out losses over the stages. The first stage's training loss, taken from random numbers on, would
/// flatten all the rest; the scale therefore ignores it and the curve is cut off at the top.
pub(super) fn svg(title: &str, sets: &[String], history: &[Stage]) -> String {
    let train = history.iter().map(|stage| stage.train).collect::<Vec<f64>>();
    let of_set =
        |set: usize| history.iter().filter_map(|stage| Some(stage.validation.get(set)?.score)).collect();
    let mut curves = vec![("training", train)];
    curves.extend(sets.iter().enumerate().map(|(number, set)| (set.as_str(), of_set(number))));
    let scaled =
        curves.iter().enumerate().flat_map(|(place, (_, losses))| &losses[usize::from(place == 0)..]);
    let (low, high) = scaled.fold((f64::MAX, f64::MIN), |(low, high), &loss| (loss.min(low), loss.max(high)));
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
    for (place, (name, losses)) in curves.into_iter().enumerate() {
        let (colour, name) = (COLOURS[place % COLOURS.len()], escaped(name));
        let points: Vec<String> = losses
            .into_iter()
            .enumerate()
            .map(|(number, loss)| format!("{:.1},{:.1}", x(number), y(loss)))
            .collect();
        let _ = writeln!(
            text,
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" points=\"{}\"/>\
             <text x=\"{}\" y=\"{}\" fill=\"{colour}\">{name}</text>",
            points.join(" "),
            WIDTH - 3.0 * MARGIN,
            45 + 18 * place
        );
    }
    text.push_str("</svg>\n");
    text
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
