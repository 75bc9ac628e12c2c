//! Beginning with another network.

use nnue::{Architecture, HeadKind, ThreatForm};

use super::super::bench::{Shape, walks};
use super::super::buckets;
use super::super::checkpoint;
use super::super::export;
use super::super::head::{Direct, Head, OUTPUT_BUCKETS, Pairwise};
use super::super::layout::Layout;
use super::super::loss::Loss;
use super::super::optimiser::Adam;
use super::super::rng::Rng;
use super::super::start;
use super::super::trainer::{Rule, Settings, State, Trainer};
use crate::folder::Folder;

const LOSS: Loss = Loss { scale: 400.0, lambda: 1.0, power: 2.0 };

const SETTINGS: Settings = Settings {
    loss: LOSS,
    adam: Adam { beta1: 0.9, beta2: 0.99, decay: 0.0, own_rate: 1.0 },
    rate: 0.001,
    last_rate: 0.1,
    warm_up: 0,
    batch: 500,
    window: 0,
    pool: 1000,
    average: 0,
    seed: 1,
    threads: 1,
};

fn architecture(king_buckets: usize, width: usize, head: HeadKind) -> Architecture {
    let king_buckets = buckets::layout(king_buckets).expect("on offer");
    Architecture { king_buckets, threats: None, width, head, output_buckets: OUTPUT_BUCKETS }
}

fn with_threats(of: Architecture) -> Architecture {
    Architecture { threats: Some(ThreatForm::Small), ..of }
}

fn with_large_threats(of: Architecture) -> Architecture {
    Architecture { threats: Some(ThreatForm::Large), ..of }
}

/// Numbers as a trained network has them, every king bucket with its own.
fn trained(architecture: &Architecture) -> Vec<f32> {
    let mut rng = Rng::new(5, 5);
    let mut numbers = architecture.initial(3).to_vec();
    numbers.iter_mut().for_each(|number| *number += rng.uniform(0.02));
    numbers
}

/// Where sums are added up in another order, a product may be rounded down to the step below.
const ROUNDING: f64 = 1e-4;

/// What it costs to begin with a network in one of another architecture, as a share of the loss.
fn cost<H: Head + Send>(of: Architecture, architecture: Architecture, name: &str) -> f64 {
    let games = walks(50, &Shape { lead: 40, positions: 40, siblings: 1 }, 8);
    let network = export::quantise(&of, &trained(&of), LOSS, String::new()).expect("within the ranges");
    let folder = Folder::new(name);
    let path = folder.0.join("begin.nnue");
    std::fs::write(&path, network.to_bytes().expect("checked")).expect("a temporary file");
    let begun = start::read(&path, &architecture, 7).expect("room for it");
    let mut validation =
        [(of, start::dequantise(&network).expect("known").1), (architecture, begun)].map(|(of, numbers)| {
            Trainer::<H>::new(of, SETTINGS, vec![]).unwrap().validate(&numbers, &games).mean()
        });
    validation.sort_by(f64::total_cmp);
    validation[1] / validation[0] - 1.0
}

#[test]
fn the_way_to_integers_and_back_loses_nothing() {
    let plain = [HeadKind::Direct, HeadKind::Pairwise].map(|head| architecture(4, 128, head));
    for architecture in plain.into_iter().chain(plain.map(with_threats)).chain(plain.map(with_large_threats))
    {
        let quantise = |numbers: &[f32]| {
            export::quantise(&architecture, numbers, LOSS, "test".into()).expect("within the ranges")
        };
        let network = quantise(&trained(&architecture));
        let (of, numbers) = start::dequantise(&network).expect("known");
        assert_eq!(of, architecture);
        assert_eq!(quantise(&numbers), network);
    }
}

#[test]
fn more_king_buckets_begin_alike() {
    use HeadKind::{Direct as D, Pairwise as P};
    assert!(cost::<Direct>(architecture(1, 128, D), architecture(8, 128, D), "buckets-d") < ROUNDING);
    assert!(cost::<Pairwise>(architecture(1, 128, P), architecture(8, 128, P), "buckets-p") < ROUNDING);
}

#[test]
fn threats_begin_with_nothing() {
    use HeadKind::{Direct as D, Pairwise as P};
    let direct = architecture(4, 128, D);
    assert!(cost::<Direct>(direct, with_threats(direct), "threats-d") < ROUNDING);
    assert!(
        cost::<Pairwise>(architecture(1, 128, P), with_threats(architecture(8, 128, P)), "threats-p")
            < ROUNDING
    );
    let begun = architecture(4, 128, P);
    assert!(cost::<Pairwise>(begun, with_large_threats(begun), "threats-large") < ROUNDING);
    assert!(cost::<Pairwise>(begun, with_threats(architecture(4, 256, P)), "threats-wider") < 0.02);
    assert!(
        cost::<Pairwise>(with_threats(begun), with_threats(architecture(4, 256, P)), "threats-both") < 0.02
    );
}

/// Only where two pieces of a kind attack the same square does the large form count more.
#[test]
fn large_threats_begin_with_small_ones() {
    let begun = architecture(4, 128, HeadKind::Pairwise);
    let cost = cost::<Pairwise>(with_threats(begun), with_large_threats(begun), "threats-small-large");
    assert!(cost > 0.0 && cost < 0.05, "{cost}");
}

#[test]
fn a_wider_network_begins_almost_alike() {
    use HeadKind::{Direct as D, Pairwise as P};
    assert!(cost::<Direct>(architecture(4, 128, D), architecture(4, 256, D), "wider-d") < 0.02);
    assert!(cost::<Pairwise>(architecture(4, 128, P), architecture(4, 256, P), "wider-p") < 0.02);
}

#[test]
fn what_has_no_room_is_refused() {
    let of = architecture(1, 256, HeadKind::Direct);
    let network = export::quantise(&of, &trained(&of), LOSS, String::new()).expect("within the ranges");
    let folder = Folder::new("no-room");
    let path = folder.0.join("begin.nnue");
    std::fs::write(&path, network.to_bytes().expect("checked")).expect("a temporary file");
    for other in [architecture(1, 128, HeadKind::Direct), architecture(1, 256, HeadKind::Pairwise)] {
        let error = start::read(&path, &other, 1).expect_err("no room").to_string();
        assert!(error.contains("cannot become"), "{error}");
    }
    let threats = with_threats(of);
    let network = export::quantise(&threats, &trained(&threats), LOSS, String::new()).expect("within ranges");
    std::fs::write(&path, network.to_bytes().expect("checked")).expect("writable");
    let error = start::read(&path, &of, 1).expect_err("no room for threats").to_string();
    assert!(error.contains("cannot become"), "{error}");
    std::fs::write(&path, "no network").expect("writable");
    let error = start::read(&path, &of, 1).expect_err("no network").to_string();
    assert!(error.contains("begin.nnue"), "{error}");
}

#[test]
fn a_run_begins_with_the_network_of_a_checkpoint() {
    let architecture = architecture(4, 128, HeadKind::Pairwise);
    let settings = Settings { average: 20, ..SETTINGS };
    let games = walks(30, &Shape { lead: 0, positions: 40, siblings: 1 }, 8);
    let mut state = State::new(&architecture, &settings);
    let mut trainer =
        Trainer::<Pairwise>::new(architecture, settings, vec![Rule { weight: 1.0, lambda: 1.0 }]).unwrap();
    let windows = super::super::sampler::windows(&games, 0, 1, 0);
    for _ in 0..16 {
        trainer.step(&mut state, &games, &windows, 0.001);
    }
    let folder = Folder::new("from-checkpoint");
    let path = folder.0.join("checkpoint");
    checkpoint::save(&path, &architecture, "settings", &state).expect("written");
    let begun = start::read(&path, &architecture, 1).expect("the same architecture");
    assert_eq!(&begun[..], state.network());
    assert_ne!(&begun[..], &state.weights[..]);
}
