//! `rufous-lab wdl`: fits the win-rate model, which converts values to centipawns and win, draw and loss probabilities.
//!
//! The sample consists of positions with the value of a search and the result of the game, from binpacks of
//! `rufous-lab datagen` and from games of `rufous-lab match`. Games must have been played to their end: an adjudicated
//! result follows from the scores and proves nothing about them. Binpacks do not record adjudication, so make them with
//! `--played-out 100`; games of a match that did not end by the rules are left out.
//!
//! ```text
//! rufous-lab datagen --games 4000 --nodes 5000 --book book.epd --played-out 100 --out games.binpack
//! rufous-lab wdl games.binpack --svg curves.svg
//! ```
//!
//! `scripts/fit-wdl` plays the games of the engine's own model, and fits it.
//!
//! The comments of a match tell centipawns, which are values over the middle `a` of the model that the engine was built
//! with. They are multiplied by it again: it must be the model of this program, or be named by `--shown-by`.

mod binpack;
mod curves;
mod fit;
mod pgn;
mod report;
mod sample;

use std::error::Error;
use std::path::PathBuf;

use clap::Parser;
use engine::wdl::{MODEL, Model};

use pgn::Shown;
use sample::Sample;

use crate::file;

/// Fit the win-rate model from games that were played out.
#[derive(Parser, Debug, Clone)]
pub(crate) struct Args {
    /// Binpacks, and games whose names end with .pgn
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Leave out values further from zero than this, since every model agrees on them
    #[arg(long, default_value_t = 1200, value_parser = clap::value_parser!(i32).range(10..=20_000))]
    limit: i32,
    /// In PGN games, use only the moves of players whose names contain this
    #[arg(long)]
    player: Option<String>,
    /// Coefficients of `a` of the model that the PGN's centipawns were computed with [default: this program's]
    #[arg(long, num_args = 4, value_names = ["CUBIC", "SQUARE", "LINEAR", "CONSTANT"], allow_negative_numbers = true)]
    shown_by: Option<Vec<f64>>,
    /// Draw the curves and the observed frequencies into this SVG file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let model = match args.shown_by.as_deref() {
        Some(&[cubic, square, linear, constant]) => {
            Model { middle: [cubic, square, linear, constant], ..MODEL }
        }
        _ => MODEL,
    };
    args.svg.iter().try_for_each(|path| file::can_be_written(path))?;
    let shown = Shown { model, player: args.player.as_deref() };
    let mut sample = Sample::new(args.limit);
    for path in &args.files {
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn")) {
            pgn::read(path, &shown, &mut sample)?;
        } else {
            binpack::read(path, &mut sample)?;
        }
    }
    let model = fit::fit(&sample)?;
    print!("{}", report::text(&sample, &model));
    if let Some(path) = &args.svg {
        let cells: Vec<_> = sample.cells().collect();
        let caption = report::caption(&sample, &cells, &model);
        file::write(path, curves::svg(&cells, &model, sample.limit(), &caption).as_bytes())?;
    }
    Ok(())
}
