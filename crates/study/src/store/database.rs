//! The database. Every analysis is a transaction of its own in SQLite's write-ahead log, so that a program that is
//! killed loses nothing that was finished, and several programs may use one file at the same time.

use std::collections::HashMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, ErrorCode, OptionalExtension, Transaction, TransactionBehavior, params};

use super::record::{self, Reach, Record};
use crate::analyst::{Analysis, Identity, Limits, Request};

/// SQLite's application id of our databases: the letters `Rfus`.
const APPLICATION: i32 = 0x5266_7573;
/// The version of the tables.
const VERSION: i32 = 1;

/// How long another program may hold the file.
const TIMEOUT: Duration = Duration::from_secs(30);

const TABLES: &str = "
CREATE TABLE analyst (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    engine TEXT NOT NULL,
    network TEXT NOT NULL,
    options TEXT NOT NULL,
    UNIQUE (engine, network, options)
) STRICT;
CREATE TABLE analysis (
    position TEXT NOT NULL,
    analyst INTEGER NOT NULL REFERENCES analyst (id),
    multipv INTEGER NOT NULL,
    reach_nodes INTEGER NOT NULL,
    reach_depth INTEGER NOT NULL,
    reach_ms INTEGER NOT NULL,
    nodes INTEGER NOT NULL,
    ms INTEGER NOT NULL,
    written INTEGER NOT NULL,
    lines TEXT NOT NULL,
    PRIMARY KEY (position, analyst, multipv)
) STRICT, WITHOUT ROWID;
";

/// Why the store cannot be used, or not for this.
#[derive(Debug)]
pub(crate) struct StoreError {
    path: PathBuf,
    reason: String,
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the store '{}': {}", self.path.display(), self.reason)
    }
}

impl std::error::Error for StoreError {}

/// An error of SQLite, in plain words where the user can do something about it.
fn words(error: &rusqlite::Error) -> String {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => "the disk is full".to_owned(),
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
            "it is damaged, or no database of analyses".to_owned()
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            "it is locked by another program".to_owned()
        }
        Some(ErrorCode::CannotOpen) => "it cannot be opened".to_owned(),
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => "it cannot be written".to_owned(),
        _ => error.to_string(),
    }
}

/// The store; used by many threads at once.
pub(crate) struct Store {
    path: PathBuf,
    connection: Mutex<Connection>,
    /// The rows of the analysts that were met.
    analysts: Mutex<HashMap<Arc<Identity>, i64>>,
}

impl Store {
    /// Opens the database of this file, which is made where there is none.
    pub(crate) fn open(path: &Path) -> Result<Self, StoreError> {
        let failed = |reason| StoreError { path: path.to_owned(), reason };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| failed(error.to_string()))?;
        }
        let connection = Connection::open(path).map_err(|error| failed(words(&error)))?;
        let store =
            Self { path: path.to_owned(), connection: Mutex::new(connection), analysts: Mutex::default() };
        store.prepare()?;
        Ok(store)
    }

    /// Makes the tables of a new database and refuses that of another program.
    fn prepare(&self) -> Result<(), StoreError> {
        let foreign = self.run(|connection| {
            connection.busy_timeout(TIMEOUT)?;
            // The log survives a program that is killed; what a power cut may take is the last moments, never the rest.
            connection.pragma_update(None, "synchronous", "NORMAL")?;
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let number = |name| transaction.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
            let tables: i64 =
                transaction.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
            match (number("application_id")?, number("user_version")?) {
                (APPLICATION, VERSION) => {}
                (APPLICATION, version) => {
                    return Ok(Some(format!(
                        "it has version {version}, but this program supports {VERSION}"
                    )));
                }
                (0, 0) if tables == 0 => {
                    transaction.execute_batch(TABLES)?;
                    transaction.pragma_update(None, "application_id", APPLICATION)?;
                    transaction.pragma_update(None, "user_version", VERSION)?;
                }
                _ => return Ok(Some("it is a database of another program".to_owned())),
            }
            transaction.commit()?;
            // Fails while another program opens the file for the first time; the next one to open it will succeed.
            let _ = connection.pragma_update(None, "journal_mode", "WAL");
            Ok(None)
        })?;
        foreign.map_or(Ok(()), |reason| Err(self.error(reason)))
    }

    /// The file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    fn error(&self, reason: String) -> StoreError {
        StoreError { path: self.path.clone(), reason }
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something with the database.
    pub(super) fn run<T>(
        &self,
        action: impl FnOnce(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        action(&mut self.lock()).map_err(|error| self.error(words(&error)))
    }

    /// The row of an analyst, if it ever kept anything.
    fn analyst(&self, by: &Arc<Identity>) -> Result<Option<i64>, StoreError> {
        let mut known = self.analysts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&id) = known.get(by) {
            return Ok(Some(id));
        }
        let id = self.run(|connection| find_analyst(connection, &by.engine, &by.network, &by.options))?;
        if let Some(id) = id {
            known.insert(Arc::clone(by), id);
        }
        Ok(id)
    }

    /// The analysis of a position by the same engine that went as far as this request asks for, with as many lines or
    /// more. The request has to be [`Request::reduced`].
    pub(crate) fn find(&self, by: &Arc<Identity>, request: &Request) -> Result<Option<Analysis>, StoreError> {
        const FIND: &str = "SELECT lines, nodes, ms FROM analysis
            WHERE position = ?1 AND analyst = ?2 AND multipv >= ?3
              AND (reach_nodes >= ?4 OR reach_depth >= ?5 OR reach_ms >= ?6)
            ORDER BY multipv LIMIT 1";
        let Some(analyst) = self.analyst(by)? else { return Ok(None) };
        let Limits { nodes, depth, movetime } = request.limits;
        let (nodes, depth) = (nodes.map_or(i64::MAX, int), depth.map_or(i64::MAX, int));
        let time = movetime.map_or(i64::MAX, milliseconds);
        let row = self.run(|connection| {
            connection
                .prepare_cached(FIND)?
                .query_row(
                    params![request.key(), analyst, request.multipv as i64, nodes, depth, time],
                    |row| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?, row.get::<_, i64>(2)?)),
                )
                .optional()
        })?;
        Ok(row.and_then(|(lines, nodes, ms)| {
            let lines = record::read_lines(&request.position(), &lines, request.multipv)?;
            Some(record::analysis(by, lines, nodes.cast_unsigned(), ms.cast_unsigned()))
        }))
    }

    /// Keeps the answer to a request, unless a better one is there. The request has to be [`Request::reduced`]. When
    /// this has returned, a program that is killed does not lose it.
    pub(crate) fn keep(&self, request: &Request, analysis: &Analysis) -> Result<(), StoreError> {
        let row = Row {
            position: &request.key(),
            multipv: int(request.multipv as u64),
            reach: reach(&request.limits, analysis),
            nodes: int(analysis.nodes),
            milliseconds: milliseconds(analysis.time),
            written: now(),
            lines: &record::write_lines(&request.position(), &analysis.lines),
        };
        let by = &analysis.by;
        self.run(|connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let analyst = make_analyst(&transaction, &by.engine, &by.network, &by.options)?;
            row.keep(&transaction, analyst)?;
            transaction.commit()
        })
    }

    /// Imports records in one transaction; returns how many were better than the stored ones.
    pub(super) fn import(&self, records: &[Record]) -> Result<usize, StoreError> {
        self.run(|connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let mut kept = 0;
            for record in records {
                let analyst = make_analyst(&transaction, &record.engine, &record.network, &record.options)?;
                let row = Row {
                    position: &record.position,
                    multipv: int(record.multipv),
                    reach: record.reach,
                    nodes: int(record.nodes),
                    milliseconds: int(record.milliseconds),
                    written: int(record.written),
                    lines: &serde_json::to_string(&record.lines).unwrap_or_default(),
                };
                kept += usize::from(row.keep(&transaction, analyst)?);
            }
            transaction.commit()?;
            Ok(kept)
        })
    }
}

/// Integers of SQLite have a sign.
fn int(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn milliseconds(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| int(time.as_secs()))
}

/// A single limit counts as reached even where the search ended earlier, as it does with a mate.
fn reach(limits: &Limits, analysis: &Analysis) -> Reach {
    let mut reach = Reach {
        nodes: analysis.nodes,
        depth: analysis.best().depth,
        milliseconds: milliseconds(analysis.time).cast_unsigned(),
    };
    match *limits {
        Limits { nodes: Some(nodes), depth: None, movetime: None } => reach.nodes = reach.nodes.max(nodes),
        Limits { nodes: None, depth: Some(depth), movetime: None } => reach.depth = reach.depth.max(depth),
        Limits { nodes: None, depth: None, movetime: Some(time) } => {
            reach.milliseconds = reach.milliseconds.max(milliseconds(time).cast_unsigned());
        }
        _ => {}
    }
    reach
}

fn find_analyst(
    connection: &Connection,
    engine: &str,
    network: &str,
    options: &str,
) -> rusqlite::Result<Option<i64>> {
    const FIND: &str = "SELECT id FROM analyst WHERE engine = ?1 AND network = ?2 AND options = ?3";
    connection.prepare_cached(FIND)?.query_row([engine, network, options], |row| row.get(0)).optional()
}

fn make_analyst(
    transaction: &Transaction<'_>,
    engine: &str,
    network: &str,
    options: &str,
) -> rusqlite::Result<i64> {
    const MAKE: &str = "INSERT INTO analyst (engine, network, options) VALUES (?1, ?2, ?3)";
    if let Some(id) = find_analyst(transaction, engine, network, options)? {
        return Ok(id);
    }
    transaction.prepare_cached(MAKE)?.insert([engine, network, options])
}

/// What is written of an analysis.
struct Row<'a> {
    position: &'a str,
    multipv: i64,
    reach: Reach,
    nodes: i64,
    milliseconds: i64,
    written: i64,
    lines: &'a str,
}

impl Row<'_> {
    /// Writes the row. If the stored one searched more nodes, only the time of this one is recorded there, so that a search
    /// of the same time is not repeated in vain.
    fn keep(&self, transaction: &Transaction<'_>, analyst: i64) -> rusqlite::Result<bool> {
        const OLD: &str = "SELECT reach_nodes, reach_depth FROM analysis
            WHERE position = ?1 AND analyst = ?2 AND multipv = ?3";
        const NOTE: &str = "UPDATE analysis SET reach_ms = max(reach_ms, ?4)
            WHERE position = ?1 AND analyst = ?2 AND multipv = ?3";
        const WRITE: &str = "INSERT OR REPLACE INTO analysis
            (position, analyst, multipv, reach_nodes, reach_depth, reach_ms, nodes, ms, written, lines)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
        let (nodes, depth) = (int(self.reach.nodes), int(self.reach.depth));
        let time = int(self.reach.milliseconds);
        let old = transaction
            .prepare_cached(OLD)?
            .query_row(params![self.position, analyst, self.multipv], |row| {
                Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?))
            })
            .optional()?;
        if old.is_some_and(|(old_nodes, old_depth)| nodes <= old_nodes && depth <= old_depth) {
            transaction.prepare_cached(NOTE)?.execute(params![self.position, analyst, self.multipv, time])?;
            return Ok(false);
        }
        transaction.prepare_cached(WRITE)?.execute(params![
            self.position,
            analyst,
            self.multipv,
            nodes,
            depth,
            time,
            self.nodes,
            self.milliseconds,
            self.written,
            self.lines,
        ])?;
        Ok(true)
    }
}
