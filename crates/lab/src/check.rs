//! `rufous-lab check`: a conformance test for UCI engines. Each check tests one rule and quotes it.
//!
//! Every check starts the engine anew, so that one failure does not cause another. Rules of good practice that the
//! specification does not state are never more than recommendations.

mod checks;
mod pipe;
mod report;
mod rule;
mod session;
mod test_position;

use std::error::Error;
use std::fmt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Parser;
use uci::client::EngineCommand;

use report::{Examined, Summary};
use rule::{Check, Finding};
use session::{Session, Subject};

use crate::file;

/// Check an engine against the UCI specification and what clients expect.
#[derive(Parser, Debug, Clone)]
pub(crate) struct Args {
    /// The engine
    #[arg(required_unless_present = "list")]
    engine: Option<PathBuf>,
    /// Arguments of the engine
    #[arg(last = true)]
    engine_args: Vec<String>,
    /// Set an option before every search, as NAME=VALUE
    #[arg(long, value_name = "NAME=VALUE")]
    option: Vec<String>,
    /// List all checks with their rules and exit
    #[arg(long)]
    list: bool,
    /// Run only the checks whose identifier starts with this
    #[arg(long, value_name = "PREFIX", num_args = 1..)]
    only: Vec<String>,
    /// Skip the checks whose identifier starts with this
    #[arg(long, value_name = "PREFIX", num_args = 1..)]
    skip: Vec<String>,
    /// Seconds to wait for an answer that has no time limit of its own
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    timeout: u64,
    /// Milliseconds within which an answer counts as immediate
    #[arg(long, value_name = "MS", default_value_t = 1000)]
    prompt: u64,
    /// Fail (exit code 1) on recommendations too
    #[arg(long)]
    strict: bool,
    /// Do not print the conversations of failed checks
    #[arg(long)]
    quiet: bool,
    /// Write the result to this file as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the result to this file as JUnit
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
}

/// Why the command ends with a failure.
#[derive(Debug, PartialEq, Eq)]
enum CheckError {
    NotAnOption(String),
    NoChecks,
    NotAnEngine(PathBuf, String),
    Failed(Summary),
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAnOption(text) => write!(f, "'{text}' is not of the form NAME=VALUE"),
            Self::NoChecks => f.write_str("no check has such an identifier; --list shows all"),
            Self::NotAnEngine(path, reason) => {
                write!(f, "{} does not answer 'uci', so nothing can be checked: {reason}", path.display())
            }
            Self::Failed(summary) => write!(f, "the engine failed: {}", summary.text()),
        }
    }
}

impl Error for CheckError {}

/// Runs the subcommand.
pub(crate) fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let begins =
        |check: &Check, prefixes: &[String]| prefixes.iter().any(|prefix| check.id.starts_with(prefix));
    let wanted =
        |check: &&Check| (args.only.is_empty() || begins(check, &args.only)) && !begins(check, &args.skip);
    let checks: Vec<&'static Check> = checks::all().filter(wanted).collect();
    if checks.is_empty() {
        return Err(CheckError::NoChecks.into());
    }
    let Some(engine) = args.engine.as_ref().filter(|_| !args.list) else {
        list(&checks);
        return Ok(());
    };
    let subject = subject(args, engine)?;
    // Fail before the checks run, not after.
    args.json.iter().chain(&args.junit).try_for_each(|path| file::can_be_written(path))?;
    if let Err(Finding::Fail(reason)) = Session::start(&subject)?.introduction() {
        return Err(CheckError::NotAnEngine(engine.clone(), reason).into());
    }
    let mut examined = Vec::new();
    for check in checks {
        let one = examine(&subject, check)?;
        println!("{}", one.text(!args.quiet));
        examined.push(one);
    }
    let summary = Summary::of(&examined);
    println!("\n{}: {}", engine.display(), summary.text());
    let name = engine.display().to_string();
    if let Some(path) = &args.json {
        file::write(path, format!("{:#}\n", report::json(&name, &examined)).as_bytes())?;
    }
    if let Some(path) = &args.junit {
        file::write(path, report::junit(&name, &examined, args.strict).as_bytes())?;
    }
    let failed = summary.failed_must > 0 || args.strict && summary.failed_should > 0;
    if failed { Err(CheckError::Failed(summary).into()) } else { Ok(()) }
}

fn list(checks: &[&Check]) {
    for check in checks {
        println!("{:6}  {:32}  {}", check.severity, check.id, check.rule);
    }
    println!("\n{} checks", checks.len());
}

fn subject(args: &Args, engine: &PathBuf) -> Result<Subject, CheckError> {
    let mut options = Vec::new();
    for text in &args.option {
        let (name, value) = text.split_once('=').ok_or_else(|| CheckError::NotAnOption(text.clone()))?;
        options.push((name.to_owned(), value.to_owned()));
    }
    Ok(Subject {
        command: EngineCommand { args: args.engine_args.clone(), ..EngineCommand::new(engine) },
        options,
        timeout: Duration::from_secs(args.timeout.max(1)),
        prompt_limit: Duration::from_millis(args.prompt.max(1)),
    })
}

/// Runs one check. An engine that cannot be started ends the run; it is not a failed check.
fn examine(subject: &Subject, check: &'static Check) -> Result<Examined, Box<dyn Error>> {
    let started = Instant::now();
    let mut session = Session::start(subject)?;
    let outcome = (check.run)(&mut session);
    let (transcript, time) = (session.transcript(), started.elapsed());
    Ok(Examined { check, outcome, transcript, time })
}
