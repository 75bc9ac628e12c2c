//! `rufous-study store stats|export|import|prune`.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Subcommand;
use rusqlite::{Connection, Row, params};

use super::args::default_path;
use super::database::Store;
use super::record::{Reach, Record};
use crate::CommandResult;
use crate::output::{say, warn};

/// Manage the store of analyses.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// File of the store [default: a file in the user's data directory]
    #[arg(long, value_name = "FILE", global = true)]
    store: Option<PathBuf>,
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Print statistics
    Stats,
    /// Write all analyses as JSON lines
    Export {
        /// Output file [default: standard output]
        file: Option<PathBuf>,
    },
    /// Read exported analyses and keep those that searched further than the stored ones
    Import {
        /// Input file [default: standard input]
        file: Option<PathBuf>,
    },
    /// Remove the analyses that meet all of the conditions, and shrink the file
    Prune(Prune),
}

#[derive(clap::Args)]
struct Prune {
    /// Stored more than this many days ago
    #[arg(long, value_name = "DAYS")]
    older_than: Option<u32>,
    /// Searched with fewer nodes than this
    #[arg(long, value_name = "COUNT")]
    nodes_below: Option<u64>,
    /// By an engine whose name contains this
    #[arg(long, value_name = "TEXT")]
    engine: Option<String>,
    /// With a network whose name contains this
    #[arg(long, value_name = "TEXT")]
    network: Option<String>,
    /// Only print how many there are
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: &Args) -> CommandResult {
    let path =
        args.store.clone().or_else(default_path).ok_or("no home directory; name a file with --store")?;
    // Only an import creates a new store.
    if !matches!(args.action, Action::Import { .. }) && !path.exists() {
        return Err(format!("the store '{}' does not exist", path.display()).into());
    }
    let store = Store::open(&path)?;
    match &args.action {
        Action::Stats => stats(&store, &mut io::stdout().lock()),
        Action::Export { file: None } => export(&store, &mut BufWriter::new(io::stdout().lock())),
        Action::Export { file: Some(file) } => export(&store, &mut BufWriter::new(create(file)?)),
        Action::Import { file: None } => import(&store, io::stdin().lock()),
        Action::Import { file: Some(file) } => import(&store, BufReader::new(open(file)?)),
        Action::Prune(conditions) => prune(&store, conditions),
    }
}

fn open(path: &Path) -> Result<File, String> {
    File::open(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn create(path: &Path) -> Result<File, String> {
    File::create(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn stats(store: &Store, out: &mut impl Write) -> CommandResult {
    type Counts = (String, String, String, i64, i64, i64);
    let (bytes, positions, analyses, analysts) = store.run(|connection| {
        let count = |query: &str| connection.query_row(query, [], |row| row.get::<_, i64>(0));
        let mut by_analyst = connection.prepare(
            "SELECT engine, network, options, count(*), sum(nodes), max(reach_depth)
             FROM analysis JOIN analyst ON analyst.id = analysis.analyst GROUP BY analyst.id ORDER BY 4 DESC, 1, 2, 3",
        )?;
        let read = |row: &Row<'_>| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?))
        };
        let analysts: Vec<Counts> = by_analyst.query_map([], read)?.collect::<Result<_, _>>()?;
        let positions = count("SELECT count(DISTINCT position) FROM analysis")?;
        let bytes = count("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")?;
        Ok((bytes, positions, count("SELECT count(*) FROM analysis")?, analysts))
    })?;
    writeln!(out, "file       {}", store.path().display())?;
    writeln!(out, "size       {:.1} MB", bytes as f64 / 1e6)?;
    writeln!(out, "positions  {positions}")?;
    writeln!(out, "analyses   {analyses}")?;
    for (engine, network, options, count, nodes, depth) in analysts {
        let words = [engine, network, options].into_iter().filter(|word| !word.is_empty());
        let name = words.collect::<Vec<_>>().join(", ");
        writeln!(out, "  {count} by {name}: {nodes} nodes, up to depth {depth}")?;
    }
    Ok(())
}

/// Rows that are read or written at a time, so that the store is free for others in between.
const BATCH: usize = 1000;

fn export(store: &Store, out: &mut impl Write) -> CommandResult {
    let mut last = (String::new(), -1, -1);
    loop {
        let rows = store.run(|connection| page(connection, &last))?;
        for (key, record) in &rows {
            last.clone_from(key);
            let Some(record) = record else { continue };
            serde_json::to_writer(&mut *out, record)?;
            writeln!(out)?;
        }
        if rows.len() < BATCH {
            return Ok(out.flush()?);
        }
    }
}

/// What a row is found by.
type Key = (String, i64, i64);

/// The rows behind a key; a row with damaged lines is none.
fn page(connection: &Connection, after: &Key) -> rusqlite::Result<Vec<(Key, Option<Record>)>> {
    let mut statement = connection.prepare_cached(
        "SELECT position, analyst, multipv, engine, network, options, reach_nodes, reach_depth, reach_ms, nodes, ms,
                written, lines
         FROM analysis JOIN analyst ON analyst.id = analysis.analyst
         WHERE (position, analyst, multipv) > (?1, ?2, ?3) ORDER BY position, analyst, multipv LIMIT ?4",
    )?;
    let read = |row: &Row<'_>| {
        let number = |column| row.get::<_, i64>(column).map(i64::cast_unsigned);
        let key: Key = (row.get(0)?, row.get(1)?, row.get(2)?);
        let lines = serde_json::from_str(&row.get::<_, String>(12)?).ok();
        let reach = Reach { nodes: number(6)?, depth: number(7)?, milliseconds: number(8)? };
        let record = Record {
            position: key.0.clone(),
            engine: row.get(3)?,
            network: row.get(4)?,
            options: row.get(5)?,
            multipv: number(2)?,
            reach,
            nodes: number(9)?,
            milliseconds: number(10)?,
            written: number(11)?,
            lines: Vec::new(),
        };
        Ok((key, lines.map(|lines| Record { lines, ..record })))
    };
    statement.query_map(params![after.0, after.1, after.2, BATCH as i64], read)?.collect()
}

fn import(store: &Store, input: impl BufRead) -> CommandResult {
    let (mut read, mut kept, mut bad) = (0, 0, 0);
    let mut batch = Vec::new();
    for (number, line) in input.split(b'\n').enumerate() {
        let line = line?;
        if line.trim_ascii().is_empty() {
            continue;
        }
        read += 1;
        let record = serde_json::from_slice::<Record>(&line).map_err(|error| error.to_string());
        match record.and_then(|record| record.check().map(|()| record)) {
            Ok(record) => batch.push(record),
            Err(reason) => {
                bad += 1;
                warn(format_args!("rufous-study: line {}: {reason}", number + 1));
            }
        }
        if batch.len() >= BATCH {
            kept += store.import(&batch)?;
            batch.clear();
        }
    }
    kept += store.import(&batch)?;
    let worse = read - kept - bad;
    say(format_args!("{read} read, {kept} kept, {worse} not better than what was there, {bad} bad"));
    Ok(())
}

fn prune(store: &Store, conditions: &Prune) -> CommandResult {
    let Prune { older_than, nodes_below, engine, network, dry_run } = conditions;
    if older_than.is_none() && nodes_below.is_none() && engine.is_none() && network.is_none() {
        return Err("give a condition: --older-than, --nodes-below, --engine or --network".into());
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let before = older_than.map(|days| now.saturating_sub(u64::from(days) * 86_400) as i64);
    let nodes = nodes_below.map(|nodes| i64::try_from(nodes).unwrap_or(i64::MAX));
    const WHERE: &str = "(?1 IS NULL OR written < ?1) AND (?2 IS NULL OR nodes < ?2) AND analyst IN
        (SELECT id FROM analyst WHERE instr(lower(engine), lower(?3)) > 0 AND instr(lower(network), lower(?4)) > 0)";
    let contains = |text: &Option<String>| text.clone().unwrap_or_default();
    let values = params![before, nodes, contains(engine), contains(network)];
    let count = store.run(|connection| {
        if *dry_run {
            let count = format!("SELECT count(*) FROM analysis WHERE {WHERE}");
            return connection.query_row(&count, values, |row| row.get::<_, i64>(0));
        }
        let removed = connection.execute(&format!("DELETE FROM analysis WHERE {WHERE}"), values)?;
        connection.execute("DELETE FROM analyst WHERE id NOT IN (SELECT analyst FROM analysis)", [])?;
        connection.execute_batch("VACUUM")?;
        Ok(removed as i64)
    });
    say(format_args!("{} {}", count?, if *dry_run { "would be removed" } else { "removed" }));
    Ok(())
}
