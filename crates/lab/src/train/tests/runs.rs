//! Whole runs on made-up games: they learn, they reproduce, they resume, and quantising them costs little.

use std::path::PathBuf;

use super::super::bench::made_up_games;
use super::super::buckets;
use super::super::checkpoint::{self, CheckpointError};
use super::super::export;
use super::super::head::{Direct, Head, HeadKind, Pairwise};
use super::super::loss::Loss;
use super::super::network::Architecture;
use super::super::optimiser::Adam;
use super::super::trainer::{Settings, State, Trainer};

const SETTINGS: Settings = Settings {
    loss: Loss { scale: 400.0, lambda: 0.9, power: 2.0 },
    adam: Adam { beta1: 0.9, beta2: 0.99, decay: 0.01, own_rate: 0.5 },
    rate: 0.005,
    last_rate: 0.05,
    warm_up: 1000,
    epochs: 3,
    batch: 500,
    window: 16,
    average: 100,
    seed: 11,
    threads: 2,
};

fn architecture(king_buckets: usize, head: HeadKind) -> Architecture {
    Architecture { king_buckets: buckets::layout(king_buckets).expect("on offer"), width: 128, head }
}

fn run<H: Head + Send>(architecture: Architecture, settings: Settings, epochs: usize) -> State {
    let mut state = State::new(&architecture, &settings);
    go_on::<H>(architecture, settings, &mut state, epochs);
    state
}

fn go_on<H: Head + Send>(architecture: Architecture, settings: Settings, state: &mut State, epochs: usize) {
    let (games, held_out) = (made_up_games(150, 1), made_up_games(20, 2));
    let mut trainer = Trainer::<H>::new(architecture, settings);
    (0..epochs).for_each(|_| trainer.epoch(state, &games, &held_out));
}

#[test]
fn the_same_seed_gives_the_same_bits() {
    let architecture = architecture(4, HeadKind::Pairwise);
    let first = run::<Pairwise>(architecture, SETTINGS, 2);
    let second = run::<Pairwise>(architecture, SETTINGS, 2);
    assert_eq!((&first.weights, &first.moments), (&second.weights, &second.moments));
    let other = run::<Pairwise>(architecture, Settings { seed: 12, ..SETTINGS }, 2);
    assert_ne!(first.weights, other.weights);
}

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("rufous-lab-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder for temporary files");
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_resumed_run_ends_in_the_same_bits() {
    let folder = Folder::new("resume");
    let path = folder.0.join("checkpoint");
    let architecture = architecture(4, HeadKind::Direct);
    let whole = run::<Direct>(architecture, SETTINGS, 3);
    let mut part = run::<Direct>(architecture, SETTINGS, 1);
    checkpoint::save(&path, "settings", &part).expect("written");
    part = checkpoint::load(&path, "settings", State::new(&architecture, &SETTINGS)).expect("read back");
    go_on::<Direct>(architecture, SETTINGS, &mut part, 2);
    assert_eq!((&whole.weights, &whole.moments, whole.steps), (&part.weights, &part.moments, part.steps));
    assert_eq!(whole.average, part.average);
    assert_ne!(whole.average, whole.weights);
    let losses = |state: &State| -> Vec<(f64, f64)> {
        state.history.iter().map(|epoch| (epoch.train, epoch.held_out)).collect()
    };
    assert_eq!(losses(&whole), losses(&part));
}

#[test]
fn wrong_checkpoints_are_refused() {
    let folder = Folder::new("refuse");
    let path = folder.0.join("checkpoint");
    let architecture = architecture(1, HeadKind::Direct);
    let state = State::new(&architecture, &SETTINGS);
    checkpoint::save(&path, "these settings", &state).expect("written");
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

/// The worst that quantising may add to the held-out loss of the small networks here; measured: a tenth of it.
const QUANTISATION_COST: f64 = 0.02;

fn learns<H: Head + Send>(head: HeadKind) {
    let architecture = architecture(1, head);
    let mut state = State::new(&architecture, &SETTINGS);
    let held_out = made_up_games(20, 2);
    let mut trainer = Trainer::<H>::new(architecture, SETTINGS);
    let untrained = trainer.judge(&State::new(&architecture, &SETTINGS).weights, &held_out).mean();
    let games = made_up_games(1000, 1);
    (0..SETTINGS.epochs).for_each(|_| trainer.epoch(&mut state, &games, &held_out));
    let trained = trainer.judge(&state.weights, &held_out).mean();
    assert!(trained < 0.5 * untrained, "{head:?}: {untrained} {trained}");
    let parameters = export::quantise(&architecture, &state.weights, SETTINGS.loss, "test".into())
        .expect("the trainer keeps to the ranges");
    let network = nnue::Network::new(parameters).expect("checked");
    let quantised = export::judge(&network, &held_out, SETTINGS.loss, 2);
    let cost = quantised.mean() / trained - 1.0;
    assert!(cost.abs() < QUANTISATION_COST, "{head:?}: {} for {}", quantised.mean(), trained);
}

#[test]
fn direct_heads_learn_and_quantise() {
    learns::<Direct>(HeadKind::Direct);
}

#[test]
fn pairwise_heads_learn_and_quantise() {
    learns::<Pairwise>(HeadKind::Pairwise);
}
