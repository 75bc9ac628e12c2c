//! From values to centipawns and to chances of winning, by a model fitted on self-play.

use chess::{PieceType, Position};

use crate::report::Wdl;
use crate::value::{self, Value};

/// The material that counts as one in the model's polynomials.
const UNIT: f64 = 58.0;

/// A win-rate model. A side whose position is worth `v` wins with the chance `1 / (1 + exp((a - v) / b))`, where the
/// middle `a` (the value of an even chance to win) and the width `b` are cubic polynomials in the material on the
/// board over 58, with the highest power first.
#[derive(Clone, Copy, PartialEq, Debug)]
#[allow(missing_docs, reason = "the description above names them")]
pub struct Model {
    pub middle: [f64; 4],
    pub width: [f64; 4],
}

/// The model of this engine.
///
/// Fitted on 18 November 2026 by `rufous-lab wdl`, with games as `scripts/fit-wdl` plays them: 22,207 positions, those with
/// values up to 1,200, of 194 games against itself at 50,000 nodes a move, 104 from balanced and 90 from unbalanced openings
/// (network 91c9955598cc, `Bench: 2450050`). All games were played to their end, so that no score had a part in a result;
/// 74.5 % of the positions are of drawn games. Log loss 0.33228 nats a position (0.74469 without looking at it; 0.35113
/// by the model before, which was not fitted to these games as this one is); in this sample the chances to win are right to 1.43 % (root of the mean square
/// over ten classes). The chances are those of games as deep as these: with less time decisions are more frequent.
pub const MODEL: Model = Model {
    middle: [141.1472, -218.8288, -32.1942, 394.2238],
    width: [-98.6216, 249.5526, -150.9458, 106.5783],
};

/// The value of the material on the board as models count it, in pawns; outside of [`MATERIAL`] there is too little to
/// learn from.
pub fn material(pos: &Position) -> u32 {
    material_of(|kind| pos.of_kind(kind).count())
}

/// The same where pieces are counted in some other way.
pub fn material_of(count: impl Fn(PieceType) -> usize) -> u32 {
    const WORTH: [usize; 6] = [1, 3, 3, 5, 9, 0];
    let worth: usize = PieceType::ALL.iter().map(|&kind| WORTH[kind.index()] * count(kind)).sum();
    (worth as u32).clamp(*MATERIAL.start(), *MATERIAL.end())
}

/// The material that a model can tell apart.
pub const MATERIAL: std::ops::RangeInclusive<u32> = 17..=78;

impl Model {
    /// The powers of the material that the coefficients belong to.
    pub fn powers(material: u32) -> [f64; 4] {
        let m = f64::from(material) / UNIT;
        [m * m * m, m * m, m, 1.0]
    }

    /// The middle and the width of the curve.
    pub fn curve(&self, material: u32) -> (f64, f64) {
        let powers = Self::powers(material);
        let polynomial = |c: &[f64; 4]| c.iter().zip(&powers).map(|(c, power)| c * power).sum();
        (polynomial(&self.middle), polynomial(&self.width))
    }

    /// The chance to win.
    pub fn win_chance(&self, value: f64, material: u32) -> f64 {
        let (middle, width) = self.curve(material);
        1.0 / (1.0 + ((middle - value) / width).exp())
    }
}

/// The value in centipawns: 100 is an even chance to win.
pub fn centipawns(value: Value, pos: &Position) -> i32 {
    (f64::from(value) * 100.0 / MODEL.curve(material(pos)).0).round() as i32
}

/// The value of so many centipawns.
pub fn value(centipawns: i32, pos: &Position) -> Value {
    (f64::from(centipawns) * MODEL.curve(material(pos)).0 / 100.0).round() as Value
}

/// The chances that go with a value.
pub fn wdl(value: Value, pos: &Position) -> Wdl {
    let clamped = f64::from(value.clamp(-value::EVAL_LIMIT, value::EVAL_LIMIT));
    let chance = |value: f64| (1000.0 * MODEL.win_chance(value, material(pos))).round() as u16;
    let (win, loss) = (chance(clamped), chance(-clamped));
    Wdl { win, draw: 1000 - win - loss, loss }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positions from bare to full boards.
    fn positions() -> [Position; 4] {
        [
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
            "4k3/pppp4/8/8/8/8/PPPP4/R3K2R w - - 0 1",
            "r2qk2r/pppp4/8/8/8/8/PPPP4/R2QK2R b - - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
        ]
        .map(|fen| Position::from_fen(fen).unwrap())
    }

    #[test]
    fn material_is_counted_and_clamped() {
        assert_eq!(positions().map(|pos| material(&pos)), [17, 18, 46, 78]);
    }

    #[test]
    fn chances_sum_to_one_are_symmetric_and_grow() {
        for pos in positions() {
            let mut last = wdl(-value::INFINITE, &pos);
            for value in (-6000..=6000).step_by(7) {
                let here = wdl(value, &pos);
                let there = wdl(-value, &pos);
                assert_eq!(here.win + here.draw + here.loss, 1000);
                assert_eq!((here.win, here.draw, here.loss), (there.loss, there.draw, there.win));
                assert!(here.win >= last.win && here.loss <= last.loss, "{value} in {pos}");
                last = here;
            }
            assert!(last.win > 990, "{last:?} in {pos}");
        }
    }

    #[test]
    fn a_hundred_centipawns_are_an_even_chance() {
        for pos in positions() {
            let (middle, width) = MODEL.curve(material(&pos));
            assert!(middle > 0.0 && width > 0.0, "{middle} and {width} in {pos}");
            let even = middle.round() as Value;
            assert!((99..=101).contains(&centipawns(even, &pos)), "{pos}");
            for cp in [-2500, -100, 0, 1, 31, 900] {
                assert_eq!(centipawns(value(cp, &pos), &pos), cp, "{pos}");
            }
            assert!((490..=510).contains(&wdl(even, &pos).win), "{pos}");
        }
    }
}
