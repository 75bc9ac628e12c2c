//! `rufous-lab train`: makes networks from games, on processors alone.
//!
//! The data are whole games, and the trainer walks along them: see [`chain`] for why that is fast. A run is decided
//! by its arguments; the same data, arguments and number of threads give the same network, bit for bit, and a run
//! that was stopped goes on with `--resume` as if it had not been. In the output folder it keeps `checkpoint`,
//! `curves.csv` and `curves.svg`, and at the end the quantised network, named by its hash.
//!
//! ```text
//! rufous-lab train --data a.binpack b.binpack --valid c.binpack --out net --width 1024 --epochs 20
//! rufous-lab train --data walks.packed quiet:games.binpack,weight=2,lambda=0.8 --valid walks-valid.packed c.binpack \
//!     --start other.nnue --time 1.5
//! rufous-lab train --bench
//! ```
//!
//! The data are read from disk while they are learned from and may be larger than memory; held-out sets are kept in it.
//!
//! The scale of 400 is that of Stockfish's own trainer near equality (its curve, two logistic functions of scale 340
//! shifted by 270, has the slope there of one of scale 396). The results of the games would suggest 875, but games of
//! 150 nodes a move say more about blunders than about positions.

mod bench;
mod binpack;
mod buckets;
mod chain;
mod checkpoint;
mod data;
mod export;
mod games;
mod head;
mod kernel;
mod lanes;
mod layout;
mod loss;
mod optimiser;
mod report;
mod rng;
mod run;
mod sampler;
mod schedule;
mod source;
mod start;
mod stream;
#[cfg(test)]
mod tests;
mod trainer;

use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use nnue::{Architecture, HeadKind};

use crate::file;
use data::{Data, Part, Preparation};
use head::{Direct, Head, OUTPUT_BUCKETS, Pairwise};
use layout::Layout;
use loss::Loss;
use optimiser::Adam;
use run::{HeldOut, Length, Run};
use sampler::Feed;
use schedule::Schedule;
use source::{Positions, Source};
use trainer::{Judged, Rule, Settings, Stage, State, Trainer};

/// Train a network from Stockfish binpacks and packed positions.
#[derive(Parser, Debug, Clone)]
pub(crate) struct Args {
    /// Files to learn from: [quiet:|all:]PATH[,weight=W][,lambda=L][,foresight=F]. `quiet` counts the positions before
    /// quiet moves (for scores of a search), `all` all that are not in check (for static evaluations); binpacks are
    /// quiet and files ending in .packed all unless it is said
    #[arg(long, num_args = 1.., required_unless_present = "bench", value_name = "SOURCE")]
    data: Vec<Source>,
    /// Files to judge by, each for itself: [quiet:|all:]PATH; without any, one game in fifty is held out of the data
    #[arg(long, num_args = 1.., value_name = "SOURCE")]
    valid: Vec<Source>,
    /// Begin with the numbers of a network file or of another run's checkpoint; the new network may be wider, with
    /// more king buckets
    #[arg(long, value_name = "NETWORK|CHECKPOINT")]
    start: Option<PathBuf>,
    /// Train for so many hours instead of --epochs: the rate falls along the clock, and a network is written at each
    /// twentieth of the way
    #[arg(long, value_name = "HOURS")]
    time: Option<f64>,
    /// Folder for the network, the checkpoint and the curves
    #[arg(long, default_value = "training")]
    out: PathBuf,
    /// Go on from the checkpoint in the output folder, if there is one
    #[arg(long)]
    resume: bool,
    /// Only measure positions per second, on made-up games
    #[arg(long)]
    bench: bool,
    /// Numbers in an accumulator
    #[arg(long, default_value_t = 512)]
    width: usize,
    /// What follows the accumulators
    #[arg(long, value_parser = head_kinds(), default_value = "pairwise")]
    head: HeadKind,
    /// King buckets: 1, 4, 8 or 16
    #[arg(long, default_value_t = 1)]
    king_buckets: usize,
    /// Threats as inputs beside the pieces: which piece attacks which piece on which square
    #[arg(long)]
    threats: bool,
    /// Times to go through all data
    #[arg(long, default_value_t = 20)]
    epochs: usize,
    /// Positions in a batch
    #[arg(long, default_value_t = 1024)]
    batch: usize,
    /// Plies of a game that are taken together; 0 for whole games
    #[arg(long, default_value_t = 32)]
    window: usize,
    /// Highest learning rate
    #[arg(long, default_value_t = 0.001)]
    rate: f32,
    /// Last learning rate, as a share of the highest
    #[arg(long, default_value_t = 0.01)]
    last_rate: f32,
    /// Positions until the highest learning rate is reached
    #[arg(long, default_value_t = 2_000_000)]
    warm_up: u64,
    /// Share of the score in the target of quiet positions; the rest is the game's result
    #[arg(long, default_value_t = 1.0)]
    lambda: f32,
    /// Power of the error that is made small
    #[arg(long, default_value_t = 2.0)]
    power: f32,
    /// Score whose expected result is the logistic function of 1
    #[arg(long, default_value_t = 400.0)]
    scale: f32,
    /// Weight decay, in units of the learning rate
    #[arg(long, default_value_t = 0.01)]
    decay: f32,
    /// Rate of a king bucket's own rows, as a share of the shared rows' rate
    #[arg(long, default_value_t = 1.0)]
    own_rate: f32,
    /// Steps over which the network that is judged and written is averaged; 0 takes the last weights
    #[arg(long, default_value_t = 0)]
    average: usize,
    /// Share of what the rest of the game says in a quiet position's score
    #[arg(long, default_value_t = 0.0)]
    foresight: f32,
    /// How much of the mean squared gradient is kept from step to step
    #[arg(long, default_value_t = 0.999)]
    beta2: f32,
    /// Where the data come from, to be told in the network's description
    #[arg(long, default_value = "")]
    origin: String,
    /// Seed of all that is random
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads
    #[arg(long, default_value_t = 2)]
    threads: usize,
}

/// The values of `--head`, each with its help text.
fn head_kinds() -> impl TypedValueParser<Value = HeadKind> {
    let value = |kind: HeadKind| {
        PossibleValue::new(kind.name()).help(match kind {
            HeadKind::Direct => "Squared clipped accumulators, straight to the output",
            HeadKind::Pairwise => "Products of the accumulators' halves, then two small hidden layers",
        })
    };
    PossibleValuesParser::new(HeadKind::ALL.map(value)).try_map(|name| {
        HeadKind::ALL.into_iter().find(|kind| kind.name() == name).ok_or("no head of this name")
    })
}

type Failure = Box<dyn Error>;

impl Args {
    fn architecture(&self) -> Result<Architecture, Failure> {
        let king_buckets = buckets::layout(self.king_buckets)
            .ok_or_else(|| format!("--king-buckets knows {:?} only", buckets::COUNTS))?;
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

    /// The rule of each source.
    fn rules(&self) -> Vec<Rule> {
        let rule = |source: &Source| {
            let usual = if source.positions == Positions::Quiet { self.lambda } else { 1.0 };
            Rule { weight: source.weight, lambda: source.lambda.unwrap_or(usual) }
        };
        self.data.iter().map(rule).collect()
    }

    /// The data to learn from and the games to judge by.
    fn data(&self) -> Result<(Data, Vec<HeldOut>), Failure> {
        if self.data.len() > 1 << u8::BITS {
            return Err("at most 256 files can be learned from".into());
        }
        let learn = Preparation {
            part: if self.valid.is_empty() { Part::Learn(self.seed) } else { Part::All },
            foresight: self.foresight,
            scale: self.scale,
        };
        let judge = Preparation { part: Part::All, foresight: 0.0, ..learn };
        let mut held_out = Vec::new();
        if self.valid.is_empty() {
            let games =
                Data::open(&self.data, Preparation { part: Part::Judge(self.seed), ..judge })?.read_all()?;
            held_out.push(HeldOut { name: "held_out".into(), games });
        }
        for source in &self.valid {
            let name = source.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let games = Data::open(std::slice::from_ref(source), judge)?.read_all()?;
            held_out.push(HeldOut { name, games });
        }
        Ok((Data::open(&self.data, learn)?, held_out))
    }
}

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    if args.bench {
        bench::run(args.threads.clamp(1, 64));
        return Ok(());
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
    println!("{} MB to learn from, in {} blocks", data.bytes() >> 20, data.blocks());
    for HeldOut { name, games } in &held_out {
        let (positions, scale) = (games.steps().len(), loss::fitted_scale(games));
        let scale =
            scale.map_or(String::new(), |scale| format!("; a scale of {scale:.0} fits the results best"));
        println!("{name}: {positions} positions of {} games to judge by{scale}", games.len());
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
    let mut trainer = Trainer::<H>::new(architecture, settings, rules);
    if state.history.is_empty() && args.start.is_some() {
        let judged: Vec<Judged> =
            held_out.iter().map(|set| trainer.judge(state.network(), &set.games).judged()).collect();
        println!("at the start:{}", losses(&held_out, &judged));
    }
    let schedule = Schedule { peak: settings.rate, last: settings.last_rate, warm_up: settings.warm_up };
    let feed = Feed::new(data, architecture, &settings, state.place);
    let mut run = Run { length, schedule, feed, held_out, started: length.started(state.history.len()) };
    let sets: Vec<String> = run.held_out.iter().map(|set| set.name.clone()).collect();
    while state.history.len() < length.stages() {
        run.stage(&mut trainer, &mut state)?;
        if let Some(Stage { train, judged, speed, .. }) = state.history.last() {
            println!(
                "stage {:2}: train {train:.6}{}  {:.3} M positions/s, {:.1} M in all",
                state.history.len(),
                losses(&run.held_out, judged),
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
    let bytes = network.to_bytes()?;
    let path = args.out.join(export::file_name(&bytes));
    file::replace(&path, &bytes)?;
    let network = nnue::Network::new(network)?;
    for HeldOut { name, games } in &run.held_out {
        let float = trainer.judge(state.network(), games).judged();
        let quantised = export::judge(&network, games, settings.loss, settings.threads).judged();
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
fn losses(held_out: &[HeldOut], judged: &[Judged]) -> String {
    let losses = held_out.iter().zip(judged);
    losses
        .map(|(set, judged)| format!("  {} {:.6} (results {:.5})", set.name, judged.score, judged.result))
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
