//! `rufous-lab train`: trains networks on the CPU.
//!
//! The data are whole games, and the trainer walks along them: see [`tree`] for why that is fast. The same data,
//! arguments and number of threads give the same network, bit for bit, and `--resume` continues a run that was stopped
//! as if it had not been. The output folder has `checkpoint`, `curves.csv` and `curves.svg`, and at the end the
//! quantised network, named by its hash.
//!
//! ```text
//! rufous-lab train --data a.binpack b.binpack --valid c.binpack --out net --width 1024 --epochs 20
//! rufous-lab train --data walks.packed quiet:games.binpack,weight=2,lambda=0.8 --valid walks-valid.packed c.binpack \
//!     --start other.nnue --time 1.5
//! rufous-lab train --bench
//! rufous-lab train --reorder other.nnue --valid walks-valid.packed --out net
//! ```
//!
//! The data are streamed from disk and may be larger than memory; held-out sets are kept in memory.
//!
//! The scale of 400 is that of Stockfish's own trainer near equality (its curve, two logistic functions of scale 340
//! shifted by 270, has the slope there of one of scale 396). The results of the games would suggest 875, but games of
//! 150 nodes a move say more about blunders than about positions.

mod bench;
mod binpack;
mod buckets;
mod checkpoint;
mod data;
mod export;
mod games;
mod gradient;
mod head;
mod kernel;
mod lanes;
mod layout;
mod loss;
mod optimiser;
mod pair_order;
mod report;
mod rng;
mod rows;
mod run;
mod sampler;
mod schedule;
mod source;
mod start;
mod stream;
#[cfg(test)]
mod tests;
mod trainer;
mod tree;
mod walker;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Parser;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use nnue::{Architecture, HeadKind, ThreatForm};

use crate::file::{self, FileError};
use data::{Data, Part, Preparation};
use head::{Direct, Head, OUTPUT_BUCKETS, Pairwise};
use layout::Layout;
use loss::Loss;
use optimiser::Adam;
use run::{HeldOut, Length, Run};
use sampler::Feed;
use schedule::Schedule;
use source::{Positions, Source};
use trainer::{HeldOutLoss, Rule, Settings, Stage, State, Trainer};

/// Train a network from Stockfish binpacks and packed positions.
#[derive(Parser, Debug, Clone)]
pub(crate) struct Args {
    /// Training files: `[quiet:|all:]PATH[,weight=W][,lambda=L][,foresight=F]`. `quiet` uses the positions whose move is
    /// quiet (for scores of a search), `all` every position not in check (for static evaluations); the default is `quiet`
    /// for binpacks and `all` for .packed files
    #[arg(long, num_args = 1.., required_unless_present_any = ["bench", "reorder"], value_name = "SOURCE")]
    data: Vec<Source>,
    /// Validation files, reported separately: `[quiet:|all:]PATH` [default: one game in fifty of the data is held out]
    #[arg(long, num_args = 1.., value_name = "SOURCE")]
    valid: Vec<Source>,
    /// Initialise from a network file or another run's checkpoint; the new network may be wider and have more king buckets
    #[arg(long, value_name = "NETWORK|CHECKPOINT")]
    start: Option<PathBuf>,
    /// Train for this many hours instead of --epochs: the learning rate falls with the time, and a network is written after
    /// each twentieth of it
    #[arg(long, value_name = "HOURS")]
    time: Option<f64>,
    /// Output folder for the network, the checkpoint and the curves
    #[arg(long, default_value = "training")]
    out: PathBuf,
    /// Resume from the checkpoint in the output folder, if there is one
    #[arg(long)]
    resume: bool,
    /// Only measure the speed in positions per second, on random games
    #[arg(long)]
    bench: bool,
    /// Only put the neurons of this network into the order that is fastest to evaluate, found on the first set of --valid.
    /// It evaluates as before; networks that are trained get theirs at the end
    #[arg(long, value_name = "NETWORK", requires = "valid", conflicts_with_all = ["data", "bench"])]
    reorder: Option<PathBuf>,
    /// Width of the accumulator
    #[arg(long, default_value_t = 512)]
    width: usize,
    /// Layers after the accumulators
    #[arg(long, value_parser = head_kinds(), default_value = "pairwise")]
    head: HeadKind,
    /// King buckets: 1, 4, 8 or 16
    #[arg(long, default_value_t = 1)]
    king_buckets: usize,
    /// Use threats as inputs too: which piece attacks which piece on which square
    #[arg(long, value_parser = threat_forms(), value_name = "FORM", num_args = 0..=1, default_missing_value = "small")]
    threats: Option<ThreatForm>,
    /// Number of epochs
    #[arg(long, default_value_t = 20)]
    epochs: usize,
    /// Positions per batch
    #[arg(long, default_value_t = 1024)]
    batch: usize,
    /// Consecutive plies of a game in a batch; 0 for whole games
    #[arg(long, default_value_t = 32)]
    window: usize,
    /// Peak learning rate
    #[arg(long, default_value_t = 0.001)]
    rate: f32,
    /// Final learning rate, as a fraction of the peak
    #[arg(long, default_value_t = 0.01)]
    last_rate: f32,
    /// Positions of the linear warm-up
    #[arg(long, default_value_t = 2_000_000)]
    warm_up: u64,
    /// Weight of the score in the target of quiet positions; the rest is the game's result
    #[arg(long, default_value_t = 1.0)]
    lambda: f32,
    /// Exponent of the error in the loss
    #[arg(long, default_value_t = 2.0)]
    power: f32,
    /// Score that the logistic function maps from 1
    #[arg(long, default_value_t = 400.0)]
    scale: f32,
    /// Decoupled weight decay, multiplied by the learning rate
    #[arg(long, default_value_t = 0.01)]
    decay: f32,
    /// Learning rate of a king bucket's own rows, as a fraction of the shared rows' rate
    #[arg(long, default_value_t = 1.0)]
    own_rate: f32,
    /// Steps over which the weights that are validated and written are averaged; 0 for the last weights
    #[arg(long, default_value_t = 0)]
    average: usize,
    /// Weight of the later scores of the game in a quiet position's score
    #[arg(long, default_value_t = 0.0)]
    foresight: f32,
    /// Adam's beta2
    #[arg(long, default_value_t = 0.999)]
    beta2: f32,
    /// Origin of the data, for the network's description
    #[arg(long, default_value = "")]
    origin: String,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads
    #[arg(long, default_value_t = 2)]
    threads: usize,
}

/// The values of `--head`.
fn head_kinds() -> impl TypedValueParser<Value = HeadKind> {
    choice(HeadKind::ALL, HeadKind::name, |kind| match kind {
        HeadKind::Direct => "Squared clipped accumulators, straight to the output",
        HeadKind::Pairwise => "Products of the accumulators' halves, then two small hidden layers",
    })
}

/// The values of `--threats`.
fn threat_forms() -> impl TypedValueParser<Value = ThreatForm> {
    choice(ThreatForm::ALL, ThreatForm::name, |form| match form {
        ThreatForm::Small => "Attackers by colour and kind (9,216 inputs)",
        ThreatForm::Large => "Pawns, knights, bishops and rooks by their squares, too (48,096 inputs)",
    })
}

/// One of these values by its name, each with its help text.
fn choice<T: Copy + Send + Sync + 'static, const N: usize>(
    all: [T; N],
    name: fn(T) -> &'static str,
    help: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let names = all.map(|value| PossibleValue::new(name(value)).help(help(value)));
    PossibleValuesParser::new(names)
        .try_map(move |text| all.into_iter().find(|&value| name(value) == text).ok_or("no such name"))
}

type Failure = Box<dyn Error>;

impl Args {
    fn architecture(&self) -> Result<Architecture, Failure> {
        let king_buckets = buckets::layout(self.king_buckets)
            .ok_or_else(|| format!("--king-buckets must be one of {:?}", buckets::COUNTS))?;
        if self.width == 0 || !self.width.is_multiple_of(nnue::format::WIDTH_STEP) {
            return Err(format!("--width must be a multiple of {}", nnue::format::WIDTH_STEP).into());
        }
        Ok(Architecture {
            king_buckets,
            threats: self.threats,
            width: self.width,
            head: self.head,
            output_buckets: OUTPUT_BUCKETS,
        })
    }

    fn settings(&self) -> Result<Settings, Failure> {
        let sound = [self.rate, self.last_rate, self.power, self.scale].iter().all(|&number| number > 0.0)
            && (0.0..=1.0).contains(&self.lambda)
            && (0.0..1.0).contains(&self.beta2)
            && (0.0..1.0).contains(&self.foresight)
            && self.decay >= 0.0
            && self.own_rate >= 0.0
            && self.time.is_none_or(|hours| hours > 0.0 && hours < 10_000.0);
        if !sound {
            return Err("rates, power, scale and --time must be above 0, --lambda within 0..1, \
                        --beta2 and --foresight below 1"
                .into());
        }
        Ok(Settings {
            loss: Loss { scale: self.scale, lambda: self.lambda, power: self.power },
            adam: Adam { beta1: 0.9, beta2: self.beta2, decay: self.decay, own_rate: self.own_rate },
            rate: self.rate,
            last_rate: self.last_rate,
            warm_up: self.warm_up,
            pool: stream::POOL,
            batch: self.batch.max(1),
            window: self.window,
            average: self.average,
            seed: self.seed,
            threads: self.threads.clamp(1, 64),
        })
    }

    fn length(&self) -> Length {
        self.time.map_or(Length::Epochs(self.epochs), |hours| {
            Length::Time(Duration::from_secs_f64(3600.0 * hours))
        })
    }

    /// Weight and lambda of each source.
    fn rules(&self) -> Vec<Rule> {
        let rule = |source: &Source| {
            let usual = if source.positions == Positions::Quiet { self.lambda } else { 1.0 };
            Rule { weight: source.weight, lambda: source.lambda.unwrap_or(usual) }
        };
        self.data.iter().map(rule).collect()
    }

    /// The training data and the held-out games.
    fn data(&self) -> Result<(Data, Vec<HeldOut>), Failure> {
        if self.data.len() > 1 << u8::BITS {
            return Err("--data takes at most 256 files".into());
        }
        let training = Preparation {
            part: if self.valid.is_empty() { Part::Training(self.seed) } else { Part::All },
            foresight: self.foresight,
            scale: self.scale,
        };
        let mut held_out =
            self.valid.iter().map(|source| self.held_out(source)).collect::<Result<Vec<_>, _>>()?;
        if held_out.is_empty() {
            let part = Part::HeldOut(self.seed);
            let games =
                Data::open(&self.data, Preparation { part, foresight: 0.0, ..training })?.read_all()?;
            held_out.push(HeldOut { name: "held_out".into(), games });
        }
        Ok((Data::open(&self.data, training)?, held_out))
    }

    /// The held-out sets of `--valid`.
    fn held_out(&self, source: &Source) -> Result<HeldOut, Failure> {
        let preparation = Preparation { part: Part::All, foresight: 0.0, scale: self.scale };
        let name = source.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let games = Data::open(std::slice::from_ref(source), preparation)?.read_all()?;
        Ok(HeldOut { name, games })
    }
}

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    if args.bench {
        return Ok(bench::run(args.threads.clamp(1, 64))?);
    }
    if let Some(network) = &args.reorder {
        return reorder(args, network);
    }
    match args.head {
        HeadKind::Direct => train::<Direct>(args),
        HeadKind::Pairwise => train::<Pairwise>(args),
    }
}

fn train<H: Head + Send>(args: &Args) -> Result<(), Failure> {
    let (architecture, settings) = (args.architecture()?, args.settings()?);
    let mut state = State::new(&architecture, &settings);
    if let Some(start) = &args.start {
        state.begin_with(start::read(start, &architecture, settings.seed)?);
    }
    let (data, held_out) = args.data()?;
    println!("training data: {} MB in {} blocks", data.bytes() >> 20, data.blocks());
    for HeldOut { name, games } in &held_out {
        let (positions, scale) = (games.steps().len(), loss::fitted_scale(games));
        let scale =
            scale.map_or(String::new(), |scale| format!("; a scale of {scale:.0} fits the results best"));
        println!("{name}: {positions} held-out positions of {} games{scale}", games.len());
    }
    fs::create_dir_all(&args.out)?;
    let (length, rules) = (args.length(), args.rules());
    let description = format!(
        "{} {settings:?} {length:?} {rules:?} foresight {} bytes {}",
        architecture.settings_text(),
        args.foresight,
        data.bytes()
    );
    let checkpoint = args.out.join("checkpoint");
    if args.resume && checkpoint.exists() {
        state = checkpoint::load(&checkpoint, &description, state)?;
    }
    let mut trainer = Trainer::<H>::new(architecture, settings, rules)?;
    if state.history.is_empty() && args.start.is_some() {
        let validation: Vec<HeldOutLoss> =
            held_out.iter().map(|set| trainer.validate(state.network(), &set.games).validation()).collect();
        println!("at the start:{}", losses(&held_out, &validation));
    }
    let schedule = Schedule { peak: settings.rate, last: settings.last_rate, warm_up: settings.warm_up };
    let feed = Feed::new(data, architecture, &settings, state.place);
    let mut run = Run { length, schedule, feed, held_out, started: length.started(state.history.len()) };
    let sets: Vec<String> = run.held_out.iter().map(|set| set.name.clone()).collect();
    while state.history.len() < length.stages() {
        run.stage(&mut trainer, &mut state)?;
        if let Some(Stage { train, validation, speed, .. }) = state.history.last() {
            println!(
                "stage {:2}: train {train:.6}{}  {:.3} M positions/s, {:.1} M in all",
                state.history.len(),
                losses(&run.held_out, validation),
                speed / 1e6,
                state.seen as f64 / 1e6
            );
        }
        checkpoint::save(&checkpoint, &architecture, &description, &state)?;
        fs::write(args.out.join("curves.csv"), report::csv(&sets, &state.history))?;
        fs::write(
            args.out.join("curves.svg"),
            report::svg(&title(args, &architecture), &sets, &state.history),
        )?;
        if matches!(length, Length::Time(_)) {
            let network = quantised(args, &architecture, &settings, &state)?;
            file::replace(&args.out.join("latest.nnue"), &network.to_bytes()?)?;
        }
    }
    let network = quantised(args, &architecture, &settings, &state)?;
    let (network, path) = write_in_order(args, network, run.held_out.first())?;
    let network = nnue::Network::new(network)?;
    for HeldOut { name, games } in &run.held_out {
        let float = trainer.validate(state.network(), games).validation();
        let quantised = export::validate(&network, games, settings.loss, settings.threads).validation();
        println!(
            "{name} {:.6} in floating point, {:.6} quantised ({:+.2} %); against results {:.6}",
            float.score,
            quantised.score,
            100.0 * (quantised.score / float.score - 1.0),
            quantised.result,
        );
    }
    println!("{}", path.display());
    Ok(())
}

/// `--reorder`.
fn reorder(args: &Args, path: &Path) -> Result<(), Failure> {
    let bytes = fs::read(path).map_err(FileError::of(path))?;
    let network =
        nnue::Parameters::from_bytes(&bytes).map_err(|error| format!("{}: {error}", path.display()))?;
    fs::create_dir_all(&args.out)?;
    let positions = args.valid.first().map(|source| args.held_out(source)).transpose()?;
    let (_, path) = write_in_order(args, network, positions.as_ref())?;
    println!("{}", path.display());
    Ok(())
}

/// Writes a network with its neurons in the order that is fastest on these positions.
fn write_in_order(
    args: &Args,
    network: nnue::Parameters,
    positions: Option<&HeldOut>,
) -> Result<(nnue::Parameters, PathBuf), Failure> {
    let mut network = network;
    if let Some(HeldOut { games, .. }) = positions {
        let shares;
        (network, shares) = pair_order::improve(network, games)?;
        if let Some([before, after]) = shares {
            println!("groups of products that are not zero: {before:.3}, in the new order {after:.3}");
        }
    }
    let bytes = network.to_bytes()?;
    let path = args.out.join(export::file_name(&bytes));
    file::replace(&path, &bytes)?;
    Ok((network, path))
}

/// The network of a run so far.
fn quantised(
    args: &Args,
    architecture: &Architecture,
    settings: &Settings,
    state: &State,
) -> Result<nnue::Parameters, nnue::FormatError> {
    let origin = format!("{}. {}", title(args, architecture), args.origin);
    export::quantise(architecture, state.network(), settings.loss, origin.trim_end().into())
}

/// The losses of all held-out sets, as part of a line.
fn losses(held_out: &[HeldOut], validation: &[HeldOutLoss]) -> String {
    let losses = held_out.iter().zip(validation);
    losses
        .map(|(set, validation)| {
            format!("  {} {:.6} (results {:.5})", set.name, validation.score, validation.result)
        })
        .collect()
}

/// A run in one line: what goes over the curves and, with the data's origin, into the network's description.
fn title(args: &Args, architecture: &Architecture) -> String {
    let length = args.time.map_or(format!("{} epochs", args.epochs), |hours| format!("{hours} hours"));
    format!(
        "{architecture}, {length}, batch {}, rate {}, lambda {}, power {}, decay {}, averaged over {} steps, \
         foresight {}, seed {}",
        args.batch, args.rate, args.lambda, args.power, args.decay, args.average, args.foresight, args.seed
    )
}
