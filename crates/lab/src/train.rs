//! `rufous-lab train`: makes networks from games, on processors alone.
//!
//! The data are whole games, and the trainer walks along them: see [`chain`] for why that is fast. A run is decided
//! by its arguments; the same data, arguments and number of threads give the same network, bit for bit, and a run
//! that was stopped goes on with `--resume` as if it had not been. In the output folder it keeps `checkpoint`,
//! `curves.csv` and `curves.svg`, and at the end the quantised network, named by its hash.
//!
//! ```text
//! rufous-lab train --data a.binpack b.binpack --valid c.binpack --out net --width 1024 --epochs 20
//! rufous-lab train --bench
//! ```
//!
//! All data are decoded into memory, at 13 bytes a position: a billion positions need 13 GB.
//!
//! The scale of 400 is that of Stockfish's own trainer near equality (its curve, two logistic functions of scale 340
//! shifted by 270, has the slope there of one of scale 396). The results of the games would suggest 875, but games of
//! 150 nodes a move say more about blunders than about positions.

mod aligned;
mod bench;
mod binpack;
mod buckets;
mod chain;
mod checkpoint;
mod export;
mod games;
mod head;
mod kernel;
mod lanes;
mod loss;
mod network;
mod optimiser;
mod report;
mod rng;
mod sampler;
mod schedule;
#[cfg(test)]
mod tests;
mod trainer;

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use clap::Parser;

use crate::file;
use games::Games;
use head::{Direct, Head, HeadKind, Pairwise};
use loss::Loss;
use network::Architecture;
use optimiser::Adam;
use trainer::{Settings, State, Trainer};

/// Train a network from Stockfish binpacks.
#[derive(Parser, Debug, Clone)]
pub(crate) struct Args {
    /// Binpacks to learn from
    #[arg(long, num_args = 1.., required_unless_present = "bench")]
    data: Vec<PathBuf>,
    /// Binpacks to judge by; without any, one game in fifty is held out of the data
    #[arg(long, num_args = 1..)]
    valid: Vec<PathBuf>,
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
    #[arg(long, value_enum, default_value = "pairwise")]
    head: HeadKind,
    /// King buckets: 1, 4, 8 or 16
    #[arg(long, default_value_t = 1)]
    king_buckets: usize,
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
    /// Share of the score in the target; the rest is the game's result
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
    /// Share of what the rest of the game says in a position's score
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

type Failure = Box<dyn Error>;

impl Args {
    fn architecture(&self) -> Result<Architecture, Failure> {
        let king_buckets = buckets::layout(self.king_buckets)
            .ok_or_else(|| format!("--king-buckets knows {:?} only", buckets::COUNTS))?;
        if self.width == 0 || !self.width.is_multiple_of(nnue::format::WIDTH_STEP) {
            return Err(format!("--width must be a multiple of {}", nnue::format::WIDTH_STEP).into());
        }
        Ok(Architecture { king_buckets, width: self.width, head: self.head })
    }

    fn settings(&self) -> Result<Settings, Failure> {
        let sound = [self.rate, self.last_rate, self.power, self.scale].iter().all(|&number| number > 0.0)
            && (0.0..=1.0).contains(&self.lambda)
            && (0.0..1.0).contains(&self.beta2)
            && (0.0..1.0).contains(&self.foresight)
            && self.decay >= 0.0
            && self.own_rate >= 0.0;
        if !sound {
            return Err(
                "rates, power and scale must be above 0, --lambda within 0..1, --beta2 and --foresight below 1".into()
            );
        }
        Ok(Settings {
            loss: Loss { scale: self.scale, lambda: self.lambda, power: self.power },
            adam: Adam { beta1: 0.9, beta2: self.beta2, decay: self.decay, own_rate: self.own_rate },
            rate: self.rate,
            last_rate: self.last_rate,
            warm_up: self.warm_up,
            epochs: self.epochs,
            batch: self.batch.max(1),
            window: self.window,
            average: self.average,
            seed: self.seed,
            threads: self.threads.clamp(1, 64),
        })
    }

    /// The games to learn from and the games to judge by.
    fn games(&self, threads: usize) -> Result<(Games, Games), Failure> {
        let games = binpack::read_all(&self.data, threads)?;
        let (mut games, held_out) = if self.valid.is_empty() {
            let mut rng = rng::Rng::new(self.seed, u64::MAX);
            games.split(|_| rng.below(50) != 0)
        } else {
            (games, binpack::read_all(&self.valid, threads)?)
        };
        games.look_ahead(self.foresight, self.scale);
        Ok((games, held_out))
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
    let (games, held_out) = args.games(settings.threads)?;
    println!(
        "{} positions of {} games to learn from, {} of {} to judge by; a scale of {:.0} fits the results best",
        games.steps().len(),
        games.len(),
        held_out.steps().len(),
        held_out.len(),
        loss::fitted_scale(&games)
    );
    fs::create_dir_all(&args.out)?;
    let description = format!(
        "{architecture:?} {settings:?} foresight {} positions {}",
        args.foresight,
        games.steps().len()
    );
    let checkpoint = args.out.join("checkpoint");
    let mut state = State::new(&architecture, &settings);
    if args.resume && checkpoint.exists() {
        state = checkpoint::load(&checkpoint, &description, state)?;
    }
    let mut trainer = Trainer::<H>::new(architecture, settings);
    while state.history.len() < settings.epochs {
        trainer.epoch(&mut state, &games, &held_out);
        if let Some(epoch) = state.history.last() {
            println!(
                "epoch {:2}: train {:.6}  held out {:.6} ({:.6} before averaging)  against results {:.6}  {:.2} M positions/s",
                state.history.len(),
                epoch.train,
                epoch.held_out,
                epoch.held_out_last,
                epoch.held_out_result,
                epoch.speed / 1e6
            );
        }
        checkpoint::save(&checkpoint, &description, &state)?;
        fs::write(args.out.join("curves.csv"), report::csv(&state.history))?;
        fs::write(args.out.join("curves.svg"), report::svg(&title(args), &state.history))?;
    }
    let origin = format!("{}. {}", title(args), args.origin);
    let network = export::quantise(&architecture, state.network(), settings.loss, origin.trim_end().into())?;
    let bytes = network.to_bytes()?;
    let path = args.out.join(export::file_name(&bytes));
    file::replace(&path, &bytes)?;
    let float = trainer.judge(state.network(), &held_out);
    let quantised = export::judge(&nnue::Network::new(network)?, &held_out, settings.loss, settings.threads);
    println!(
        "held out {:.6} in floating point, {:.6} quantised ({:+.2} %); against results {:.6}; {}",
        float.mean(),
        quantised.mean(),
        100.0 * (quantised.mean() / float.mean() - 1.0),
        quantised.result_mean(),
        path.display()
    );
    Ok(())
}

/// A run in one line: what goes over the curves and, with the data's origin, into the network's description.
fn title(args: &Args) -> String {
    let head = format!("{:?}", args.head).to_lowercase();
    format!(
        "768 x {} king buckets -> 2 x {} {head}, {} epochs, batch {}, rate {}, lambda {}, power {}, decay {}, \
         averaged over {} steps, foresight {}, seed {}",
        args.king_buckets,
        args.width,
        args.epochs,
        args.batch,
        args.rate,
        args.lambda,
        args.power,
        args.decay,
        args.average,
        args.foresight,
        args.seed
    )
}
