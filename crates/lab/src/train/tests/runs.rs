//! Whole runs on random walks: they learn, they reproduce, they resume, they keep to their time, and quantising them
//! costs little.

use std::time::Duration;

use nnue::{Architecture, HeadKind, ThreatForm};

use super::super::bench::{Shape, walks};
use super::super::buckets;
use super::super::checkpoint::{self, CheckpointError};
use super::super::data::Data;
use super::super::export;
use super::super::head::{Direct, Head, OUTPUT_BUCKETS, Pairwise};
use super::super::loss::Loss;
use super::super::optimiser::Adam;
use super::super::run::{HeldOut, Length, Run};
use super::super::sampler::{self, Feed};
use super::super::schedule::Schedule;
use super::super::trainer::{HeldOutLoss, Rule, Settings, State, Trainer};
use super::folder::PLAIN;
use crate::folder::Folder;

const RULE: Rule = Rule { weight: 1.0, lambda: 0.9 };

const SETTINGS: Settings = Settings {
    loss: Loss { scale: 400.0, lambda: 0.9, power: 2.0 },
    adam: Adam { beta1: 0.9, beta2: 0.99, decay: 0.01, own_rate: 0.5 },
    rate: 0.005,
    last_rate: 0.05,
    warm_up: 1000,
    batch: 500,
    window: 16,
    pool: 4000,
    average: 100,
    seed: 11,
    threads: 2,
};

const GAME: Shape = Shape { lead: 0, positions: 100, siblings: 1 };

/// With threats where there are king buckets, so that runs with both inputs are tested, and those with neither.
fn architecture(king_buckets: usize, head: HeadKind) -> Architecture {
    let threats = (king_buckets > 1).then_some(ThreatForm::Small);
    let king_buckets = buckets::layout(king_buckets).expect("on offer");
    Architecture { king_buckets, threats, width: 128, head, output_buckets: OUTPUT_BUCKETS }
}

/// A run of three epochs over three files with a rule each; `state` decides where it goes on.
struct TestRun {
    folder: Folder,
    architecture: Architecture,
    settings: Settings,
}

impl TestRun {
    fn new(name: &str, architecture: Architecture) -> Self {
        let folder = Folder::new(name);
        for number in 0..3 {
            let shape = Shape { lead: 20, positions: 30, siblings: number + 1 };
            folder.write(&format!("{number}.packed"), &walks(120, &shape, number as u64));
        }
        Self { folder, architecture, settings: SETTINGS }
    }

    fn data(&self) -> Data {
        let source = |number| format!("{}", self.folder.0.join(format!("{number}.packed")).display());
        let sources = [0, 1, 2].map(|number| source(number).parse().expect("a source"));
        Data::open(&sources, PLAIN).expect("written")
    }

    /// Goes on for so many epochs.
    fn train_for<H: Head + Send>(&self, state: &mut State, epochs: usize) {
        let rules = [1.0, 0.5, 2.0].map(|weight| Rule { weight, lambda: weight / 2.0 });
        let mut trainer = Trainer::<H>::new(self.architecture, self.settings, rules.to_vec()).unwrap();
        let schedule = Schedule {
            peak: self.settings.rate,
            last: self.settings.last_rate,
            warm_up: self.settings.warm_up,
        };
        let feed = Feed::new(self.data(), self.architecture, &self.settings, state.place);
        let held_out = [5, 6].map(|seed| HeldOut { name: seed.to_string(), games: walks(10, &GAME, seed) });
        let length = Length::Epochs(3);
        let mut run = Run { length, schedule, feed, held_out: held_out.into(), started: length.started(0) };
        (0..epochs).for_each(|_| run.stage(&mut trainer, state).expect("undamaged data"));
    }

    fn state(&self) -> State {
        State::new(&self.architecture, &self.settings)
    }

    fn run<H: Head + Send>(&self, epochs: usize) -> State {
        let mut state = self.state();
        self.train_for::<H>(&mut state, epochs);
        state
    }
}

#[test]
fn the_same_seed_gives_the_same_bits() {
    let mut test_run = TestRun::new("seed", architecture(4, HeadKind::Pairwise));
    let first = test_run.run::<Pairwise>(2);
    let second = test_run.run::<Pairwise>(2);
    assert_eq!((&first.weights, &first.moments), (&second.weights, &second.moments));
    assert_eq!(first.seen, 2 * test_run.data().read_all().expect("undamaged").steps().len() as u64);
    test_run.settings.seed = 12;
    assert_ne!(first.weights, test_run.run::<Pairwise>(2).weights);
}

#[test]
fn a_resumed_run_ends_in_the_same_bits() {
    let test_run = TestRun::new("resume", architecture(4, HeadKind::Direct));
    let path = test_run.folder.0.join("checkpoint");
    let whole = test_run.run::<Direct>(3);
    let mut part = test_run.run::<Direct>(1);
    checkpoint::save(&path, &test_run.architecture, "settings", &part).expect("written");
    part = checkpoint::load(&path, "settings", test_run.state()).expect("read back");
    test_run.train_for::<Direct>(&mut part, 2);
    assert_eq!((&whole.weights, &whole.moments, whole.steps), (&part.weights, &part.moments, part.steps));
    assert_eq!((&whole.average, whole.place), (&part.average, part.place));
    assert_ne!(whole.average, whole.weights);
    let losses = |state: &State| -> Vec<(f64, Vec<HeldOutLoss>)> {
        state.history.iter().map(|stage| (stage.train, stage.validation.clone())).collect()
    };
    assert_eq!(losses(&whole), losses(&part));
    assert_eq!(whole.history[2].validation.len(), 2);
}

#[test]
fn wrong_checkpoints_are_refused() {
    let folder = Folder::new("refuse");
    let path = folder.0.join("checkpoint");
    let architecture = architecture(1, HeadKind::Direct);
    let state = State::new(&architecture, &SETTINGS);
    checkpoint::save(&path, &architecture, "these settings", &state).expect("written");
    let load = || checkpoint::load(&path, "these settings", State::new(&architecture, &SETTINGS));
    assert_eq!(load().expect("undamaged"), state);
    let other = checkpoint::load(&path, "others", State::new(&architecture, &SETTINGS));
    assert!(matches!(other, Err(CheckpointError::OtherRun(settings)) if settings == "these settings"));
    let mut bytes = std::fs::read(&path).expect("written above");
    bytes[5000] ^= 1;
    std::fs::write(&path, &bytes).expect("writable");
    assert!(matches!(load(), Err(CheckpointError::Damaged)));
    std::fs::write(&path, &bytes[..20]).expect("writable");
    assert!(matches!(load(), Err(CheckpointError::Damaged)));
}

#[test]
fn a_run_by_the_clock_ends_with_it() {
    let test_run = TestRun::new("clock", architecture(1, HeadKind::Direct));
    let mut trainer = Trainer::<Direct>::new(test_run.architecture, SETTINGS, vec![RULE; 3]).unwrap();
    let mut state = test_run.state();
    let length = Length::Time(Duration::from_millis(40));
    let schedule = Schedule { peak: 0.001, last: 0.01, warm_up: 0 };
    let feed = Feed::new(test_run.data(), test_run.architecture, &SETTINGS, state.place);
    let mut run = Run { length, schedule, feed, held_out: Vec::new(), started: length.started(0) };
    (0..length.stages()).for_each(|_| run.stage(&mut trainer, &mut state).expect("undamaged data"));
    assert!(run.started.elapsed() >= Duration::from_millis(40));
    // Each stage learns from a batch at least, and the rate has fallen to its end.
    assert!(state.steps >= length.stages());
    // On a busy machine the last step may begin with the last stage, where 1.62 times the last rate is left.
    assert!((state.history[19].rate / 0.00001 - 1.0).abs() < 0.65, "{}", state.history[19].rate);
    // Half of the way is behind a run that goes on with ten stages.
    assert!(length.started(10).elapsed() >= Duration::from_millis(20));
}

/// The worst that quantising may add to the held-out loss of the small networks here; measured: a fifth of it.
const QUANTISATION_COST: f64 = 6e-5;

fn learns<H: Head + Send>(head: HeadKind, threats: Option<ThreatForm>) {
    let architecture = Architecture { threats, ..architecture(1, head) };
    let mut state = State::new(&architecture, &SETTINGS);
    let held_out = walks(20, &GAME, 2);
    let mut trainer = Trainer::<H>::new(architecture, SETTINGS, vec![RULE]).unwrap();
    let untrained = trainer.validate(&State::new(&architecture, &SETTINGS).weights, &held_out).mean();
    let games = walks(1000, &GAME, 1);
    for epoch in 0..3 {
        let windows = sampler::windows(&games, SETTINGS.window, SETTINGS.seed, epoch);
        for batch in sampler::batches(&windows, SETTINGS.batch) {
            trainer.step(&mut state, &games, &windows[batch], SETTINGS.rate / (1 << (2 * epoch)) as f32);
        }
    }
    let trained = trainer.validate(&state.weights, &held_out).mean();
    assert!(trained < 0.5 * untrained, "{head:?}: {untrained} {trained}");
    let parameters = export::quantise(&architecture, &state.weights, SETTINGS.loss, "test".into())
        .expect("the trainer keeps to the ranges");
    let network = nnue::Network::new(parameters).expect("checked");
    let quantised = export::validate(&network, &held_out, SETTINGS.loss, 2);
    let cost = quantised.mean() - trained;
    assert!(cost.abs() < QUANTISATION_COST, "{head:?}: {} for {}", quantised.mean(), trained);
}

#[test]
fn direct_heads_learn_and_quantise() {
    learns::<Direct>(HeadKind::Direct, None);
}

#[test]
fn pairwise_heads_learn_and_quantise() {
    learns::<Pairwise>(HeadKind::Pairwise, None);
}

#[test]
fn threats_are_learned_and_quantised() {
    for form in ThreatForm::ALL {
        learns::<Pairwise>(HeadKind::Pairwise, Some(form));
    }
}
