//! `rufous-lab data`: statistics, shuffling, merging and viewing of training data in Stockfish's binpack format.

mod shuffle;
mod stats;

use std::error::Error;
use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use clap::{Parser, Subcommand};

use crate::binpack::{self, BinpackError, Reader};

/// Inspect, shuffle and merge binpacks.
#[derive(Parser, Debug, Clone)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug, Clone)]
enum Command {
    /// Count positions by result, score, men and phase
    Stats {
        /// The binpacks
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Shuffle games as a whole
    Shuffle {
        /// The binpacks
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The new binpack
        #[arg(long)]
        out: PathBuf,
        /// The seed of the order
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Concatenate binpacks
    Merge {
        /// The binpacks
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The new binpack
        #[arg(long)]
        out: PathBuf,
    },
    /// Print FEN, move, score, ply and result of positions, from the side to move; a blank line separates games
    View {
        /// The binpack
        file: PathBuf,
        /// Positions to skip first
        #[arg(long, default_value_t = 0)]
        skip: u64,
        /// Positions to print
        #[arg(long, default_value_t = 20)]
        count: usize,
    },
}

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    match &args.command {
        Command::Stats { files } => {
            let mut statistics = stats::Statistics::default();
            for path in files {
                Reader::open(path)?.for_each(|entry, begins| statistics.add(entry, begins))?;
            }
            print!("{}", statistics.text());
        }
        Command::Shuffle { files, out, seed } => {
            let games = shuffle::shuffle(files, out, *seed)?;
            println!("{games} games in {}", out.display());
        }
        Command::Merge { files, out } => {
            refuse_overwriting(files, out)?;
            merge(files, out)?;
        }
        Command::View { file, skip, count } => match view(file, *skip, *count) {
            // The reader has closed the pipe, as in `| head`.
            Err(ViewError::Output(error)) if error.kind() == ErrorKind::BrokenPipe => {}
            Err(ViewError::Output(error)) => return Err(error.into()),
            Err(ViewError::Input(error)) => return Err(error.into()),
            Ok(()) => {}
        },
    }
    Ok(())
}

/// Creating the output would truncate an input of the same name.
fn refuse_overwriting(files: &[PathBuf], out: &Path) -> io::Result<()> {
    let Ok(target) = out.canonicalize() else { return Ok(()) };
    match files.iter().find(|file| file.canonicalize().is_ok_and(|file| file == target)) {
        Some(_) => Err(io::Error::other(format!("{} is both read and written", out.display()))),
        None => Ok(()),
    }
}

/// Copies the chunks. All inputs are read once before: one that cannot be read costs nothing that was there.
fn merge(files: &[PathBuf], out: &Path) -> Result<(), BinpackError> {
    for path in files {
        let mut reader = Reader::open(path)?;
        while reader.next_chunk()?.is_some() {}
    }
    let failed = |error| BinpackError::File(out.to_owned(), error);
    let mut output = BufWriter::new(File::create(out).map_err(failed)?);
    for path in files {
        let mut reader = Reader::open(path)?;
        while let Some(chunk) = reader.next_chunk()? {
            let header = binpack::header(chunk.len()).map_err(failed)?;
            output.write_all(&header).and_then(|()| output.write_all(chunk)).map_err(failed)?;
        }
    }
    output.flush().map_err(failed)
}

/// Which end failed.
enum ViewError {
    Input(BinpackError),
    Output(io::Error),
}

fn view(path: &Path, skip: u64, count: usize) -> Result<(), ViewError> {
    let mut output = io::stdout().lock();
    let mut seen = 0;
    let mut printed = 0;
    let mut result = Ok(());
    let mut reader = Reader::open(path).map_err(ViewError::Input)?;
    let read = reader.for_each_while(|entry, begins| {
        seen += 1;
        if seen > skip {
            let gap = if begins && printed > 0 { "\n" } else { "" };
            result = writeln!(output, "{gap}{entry}");
            printed += 1;
        }
        result.is_ok() && printed < count
    });
    result.map_err(ViewError::Output)?;
    read.map_err(ViewError::Input)
}
