//! The walker's gradients against the reference's.

use nnue::memory::ZeroedMemory;
use nnue::{Architecture, HeadKind, ThreatForm};

use super::super::buckets;
use super::super::games::Games;
use super::super::gradient::Gradient;
use super::super::head::{Direct, Head, OUTPUT_BUCKETS, Pairwise};
use super::super::layout::Layout;
use super::super::loss::Loss;
use super::super::rng::Rng;
use super::super::sampler;
use super::super::walker::{Parts, Walker};
use super::reference::Reference;
use super::scripted;

const LOSS: Loss = Loss { scale: 400.0, lambda: 0.8, power: 2.0 };

fn walked_gradient<H: Head>(
    architecture: Architecture,
    weights: &[f32],
    games: &Games,
    window: usize,
) -> ZeroedMemory<f32> {
    let mut gradient = Gradient::new(&architecture);
    let mut parts = gradient.parts(&architecture);
    let mut walker = Walker::<H>::new(&architecture);
    walker.prepare(&Parts::of(&architecture, weights));
    for window in sampler::windows(games, window, 7, 0) {
        let slope_of = |output: f32, step: &_| LOSS.of(output, step).1;
        walker.walk(&Parts::of(&architecture, weights), Some(&mut parts), games, window, slope_of);
    }
    gradient.numbers
}

fn compare<H: Head>(head: HeadKind) {
    let games = scripted::games();
    let [small, large] = ThreatForm::ALL.map(Some);
    for (king_buckets, threats) in [(1, None), (8, None), (1, small), (8, small), (8, large)] {
        let king_buckets = buckets::layout(king_buckets).expect("on offer");
        let architecture =
            Architecture { king_buckets, threats, width: 128, head, output_buckets: OUTPUT_BUCKETS };
        // Wider than a network starts, so that values fall below 0, within 0..1 and above 1 alike.
        let mut weights = architecture.initial(3);
        let mut rng = Rng::new(9, 9);
        weights.iter_mut().for_each(|weight| *weight += rng.uniform(0.15));
        // Whole sixty-fourths add up without error in any order, so that both round the same products down.
        let transformer = (architecture.inputs() + 1) * architecture.width;
        weights[..transformer].iter_mut().for_each(|weight| *weight = (*weight * 64.0).round() / 64.0);
        let expected = Reference { architecture, weights: &weights, loss: LOSS }.gradient(&games);
        let largest = expected.iter().fold(0.0f64, |largest, value| largest.max(value.abs()));
        assert!(largest > 1e-3, "a gradient that is 0 would prove nothing");
        for window in [0, 5, 1] {
            let gradient = walked_gradient::<H>(architecture, &weights, &games, window);
            for (place, (&found, &expected)) in gradient.iter().zip(&expected).enumerate() {
                let error = (f64::from(found) - expected).abs();
                assert!(error <= 1e-5 * largest, "{head:?} place {place}: {found} for {expected}");
            }
        }
    }
}

#[test]
fn direct_head() {
    compare::<Direct>(HeadKind::Direct);
}

#[test]
fn pairwise_head() {
    compare::<Pairwise>(HeadKind::Pairwise);
}
