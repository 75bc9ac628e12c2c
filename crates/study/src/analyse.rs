//! `rufous-study analyse`: reads one position per line and writes one analysis per line.

mod input;
mod lines;
mod output;
#[cfg(test)]
mod tests;

use std::io::{self, LineWriter, Write};

use crate::CommandResult;
use crate::analyst::{Analyst, AnalystArgs, Cancel, LimitArgs, Limits, Request};
use crate::output::warn;
use crate::pool;
use input::Input;
use lines::{Lines, NumberedLine};
use output::Written;

/// Nodes per position if no limit is given.
const DEFAULT_NODES: u64 = 100_000;

/// Analyse positions from standard input and write one line of JSON for each.
///
/// An input line is a FEN, an EPD or a JSON object such as {"id": 7, "fen": "...", "moves": ["e2e4", "e7e5"]} with moves
/// in UCI or SAN; id and moves are optional, and the FEN defaults to the start position. The output has one JSON object
/// per input line, in the same order; for a line that cannot be read it has "error" with the reason. Scores and
/// probabilities are from the side to move.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Number of lines (MultiPV)
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    multipv: u16,
    /// With --nodes, output times and whether an answer came from the store too; without them the output is reproducible
    #[arg(long)]
    timing: bool,
    /// Print no summary on standard error
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    analyst: AnalystArgs,
}

pub(crate) fn run(args: &Args) -> CommandResult {
    let limits = args.limits.limits(DEFAULT_NODES);
    let mut analysts = args.analyst.analysts(&limits, &Cancel::default())?;
    let settings = Settings {
        limits,
        multipv: args.multipv.into(),
        timing: args.timing || limits.movetime.is_some() || limits.nodes.is_none(),
    };
    let out = LineWriter::new(io::stdout());
    let summary = match analyse(&mut analysts, io::stdin(), out, &settings) {
        Ok(summary) => summary,
        // The reader has closed the pipe.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    if !args.quiet {
        warn(format_args!("rufous-study: {summary}"));
    }
    Ok(())
}

/// The settings of all positions.
struct Settings {
    limits: Limits,
    multipv: usize,
    timing: bool,
}

/// Counts of the results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Summary {
    searched: u64,
    from_store: u64,
    errors: u64,
}

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { searched, from_store, errors } = self;
        write!(f, "{searched} searched, {from_store} from the store, {errors} with errors")
    }
}

fn analyse(
    analysts: &mut [Box<dyn Analyst>],
    input: impl io::Read + Send,
    mut out: impl Write,
    settings: &Settings,
) -> io::Result<Summary> {
    let mut summary = Summary::default();
    // A read error ends the input; it is reported after everything before it was written.
    let mut lines = Lines::new(io::BufReader::new(input));
    let items = std::iter::from_fn(|| lines.next());
    pool::in_order(
        analysts,
        items,
        |analyst, line| answer(analyst.as_mut(), &line, settings),
        |answer| {
            match answer.kind {
                Written::Searched => summary.searched += 1,
                Written::FromStore => summary.from_store += 1,
                Written::Error => summary.errors += 1,
            }
            out.write_all(answer.text.as_bytes())
        },
    )?;
    out.flush()?;
    lines.end()?;
    Ok(summary)
}

/// The line of output for a line of input.
fn answer(analyst: &mut dyn Analyst, line: &NumberedLine, settings: &Settings) -> output::Answer {
    let input = match Input::read(line) {
        Ok(input) => input,
        Err(error) => return output::error(line.number, error.id.as_deref(), &error.reason),
    };
    let Input { id, start, moves } = input;
    let request = Request { start, moves, limits: settings.limits, multipv: settings.multipv };
    match analyst.analyse(&request) {
        Ok(analysis) => {
            output::analysis(line.number, id.as_deref(), &request.position(), &analysis, settings.timing)
        }
        Err(error) => output::error(line.number, id.as_deref(), &error.to_string()),
    }
}
