//! `rufous-study analyse`: positions in, analyses out, a line each.

mod input;
mod lines;
mod output;
#[cfg(test)]
mod tests;

use std::io::{self, LineWriter, Write};

use crate::Outcome;
use crate::analyst::{Analyst, AnalystArgs, Cancel, LimitArgs, Limits, Request};
use crate::pool;
use input::Input;
use lines::{Lines, NumberedLine};
use output::Written;

/// Nodes for each position where the user names no limit.
const DEFAULT_NODES: u64 = 100_000;

/// Analyses positions from standard input; writes a line of JSON for each.
///
/// A line of the input is a FEN, an EPD or a JSON object such as {"id": 7, "fen": "...", "moves": ["e2e4", "e7e5"]} with
/// moves in UCI or SAN; the id and the moves may be left out, and the FEN where the game began as usual. The output has
/// a JSON object for every line, in the same order; for a line that cannot be read it has "error" with the reason.
/// Scores and chances are those of the side to move.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How many of the best lines are wanted
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    multipv: u16,
    /// Tell times and which answers came from the store also with --nodes, where without them the output is always the same
    #[arg(long)]
    timing: bool,
    /// No summary on standard error
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    analyst: AnalystArgs,
}

pub(crate) fn run(args: &Args) -> Outcome {
    let limits = args.limits.limits(DEFAULT_NODES);
    let mut analysts = args.analyst.analysts(&limits, &Cancel::default())?;
    let terms = Terms {
        limits,
        multipv: args.multipv.into(),
        timing: args.timing || limits.movetime.is_some() || limits.nodes.is_none(),
    };
    let out = LineWriter::new(io::stdout());
    let summary = match analyse(&mut analysts, io::stdin(), out, &terms) {
        Ok(summary) => summary,
        // Whoever reads the output has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    if !args.quiet {
        eprintln!("rufous-study: {summary}");
    }
    Ok(())
}

/// What holds for all positions.
struct Terms {
    limits: Limits,
    multipv: usize,
    timing: bool,
}

/// How many lines came to which end.
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
    terms: &Terms,
) -> io::Result<Summary> {
    let mut summary = Summary::default();
    // A failure to read ends the input; it is told when everything before it is written.
    let mut lines = Lines::new(io::BufReader::new(input));
    let items = std::iter::from_fn(|| lines.next());
    pool::in_order(
        analysts,
        items,
        |analyst, line| answer(analyst.as_mut(), &line, terms),
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
fn answer(analyst: &mut dyn Analyst, line: &NumberedLine, terms: &Terms) -> output::Answer {
    let input = match Input::read(line) {
        Ok(input) => input,
        Err(error) => return output::error(line.number, error.id.as_deref(), &error.reason),
    };
    let Input { id, start, moves } = input;
    let request = Request { start, moves, limits: terms.limits, multipv: terms.multipv };
    match analyst.analyse(&request) {
        Ok(analysis) => {
            output::analysis(line.number, id.as_deref(), &request.position(), &analysis, terms.timing)
        }
        Err(error) => output::error(line.number, id.as_deref(), &error.to_string()),
    }
}
