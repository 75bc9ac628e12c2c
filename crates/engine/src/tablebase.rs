//! Syzygy endgame tablebases.
//!
//! `shakmaty-syzygy` decodes the tables; this module finds and checks the files and interprets the results. A probe that
//! fails for any reason counts as "not in the tables", so that a damaged file cannot lose a game.

mod checksum;
mod convert;
mod files;
mod root_ranking;

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use chess::Position;
use shakmaty::Chess;
use shakmaty_syzygy::{MaybeRounded, ProbeError, SyzygyError, Tablebase, Wdl};

pub(crate) use self::root_ranking::{MoveRank, Ranking};

use self::convert::convert;
use self::files::{Faults, Storage};
use crate::io_error_text::io_error_text;
use crate::platform;
use crate::tt::EntryBound;
use crate::value::{self, Value};

/// More faults than this are only counted.
const FAULTS_TOLD: usize = 5;

/// The value of a cursed win, which the fifty-move rule makes a draw: a little better than a plain draw.
const CURSED_WIN: Value = value::DRAW + 1;

/// Distance to zeroing (the next capture or pawn move) in plies; negative for the side that loses. A rounded
/// one may be a ply more in truth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Dtz {
    plies: i32,
    rounded: bool,
}

/// What the tables say about a position, `None` where the table is missing or damaged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TablebaseProbe {
    /// The result for the side to move, as if the last move had been a capture or a pawn move: 2 for a win, 1
    /// for one that the fifty-move rule takes away, 0 for a draw, and the same below zero.
    pub wdl: Option<i32>,
    /// Plies to the next capture or pawn move of the winner, negative for a loss; a ply less than the truth here
    /// and there, where the table rounds.
    pub dtz: Option<i32>,
}

/// The tables found in the directories of `SyzygyPath`; shared by all threads.
pub(crate) struct Tablebases {
    tables: Tablebase<Chess>,
    faults: Arc<Faults>,
}

impl Default for Tablebases {
    fn default() -> Self {
        let faults = Arc::<Faults>::default();
        let storage = Storage::new(Arc::clone(&faults));
        Self { tables: Tablebase::with_filesystem(Arc::new(storage)), faults }
    }
}

impl Tablebases {
    /// The tables of these directories and their subfolders, with what there is to tell about them.
    pub(crate) fn load(directories: &str) -> (Self, Vec<String>) {
        let mut tablebases = Self::default();
        if directories.is_empty() {
            return (tablebases, Vec::new());
        }
        let mut problems = Vec::new();
        let mut added = HashSet::new();
        // Separated by a colon, and on Windows by a semicolon.
        for path in files::find(platform::split_paths(directories), &mut problems) {
            let Some(name) = path.file_name().filter(|&name| !added.contains(name)) else { continue };
            match tablebases.add(&path) {
                Ok(()) => _ = added.insert(name.to_owned()),
                Err(reason) => problems.push(format!("{}: {reason}", path.display())),
            }
        }
        let mut notes = vec![match added.len() {
            0 => "no Syzygy tables found".to_owned(),
            1 => format!("1 Syzygy table found, of {} men", tablebases.men()),
            count => format!("{count} Syzygy tables found, up to {} men", tablebases.men()),
        }];
        let more = problems.len().saturating_sub(FAULTS_TOLD);
        notes.extend(problems.into_iter().take(FAULTS_TOLD).map(|problem| format!("skipped {problem}")));
        if more > 0 {
            notes.push(format!("skipped {more} more"));
        }
        (tablebases, notes)
    }

    fn add(&mut self, path: &Path) -> Result<(), String> {
        files::check(path)?;
        self.tables.add_file(path).map_err(|error| io_error_text(&error))
    }

    /// Men of the largest table, 0 without any.
    pub(crate) fn men(&self) -> usize {
        self.tables.max_pieces()
    }

    /// What went wrong since the last call, for the user.
    pub(crate) fn take_faults(&self) -> Vec<String> {
        self.faults.take()
    }

    /// The WDL result, valid if the last move was a capture or a pawn move.
    pub(crate) fn wdl(&self, pos: &Position) -> Option<Wdl> {
        let converted = convert(pos)?;
        self.known(self.tables.probe_wdl_after_zeroing(&converted))
    }

    /// What there is to tell about a position.
    pub(crate) fn probe(&self, pos: &Position) -> Option<TablebaseProbe> {
        if pos.occupied().count() > self.men() || pos.castling().any() {
            return None;
        }
        let wdl = convert(pos).and_then(|pos| self.known(self.tables.probe_wdl_after_zeroing(&pos)));
        let dtz = self.distance(pos).map(|distance| distance.plies);
        Some(TablebaseProbe { wdl: wdl.map(i32::from), dtz })
    }

    fn distance(&self, pos: &Position) -> Option<Dtz> {
        let converted = convert(pos)?;
        self.known(self.tables.probe_dtz(&converted)).map(|dtz| match dtz {
            MaybeRounded::Rounded(dtz) => Dtz { plies: dtz.into(), rounded: true },
            MaybeRounded::Precise(dtz) => Dtz { plies: dtz.into(), rounded: false },
        })
    }

    fn known<T>(&self, probe: Result<T, SyzygyError>) -> Option<T> {
        match probe {
            Ok(found) => Some(found),
            Err(SyzygyError::ProbeFailed { metric, material, error }) => {
                let reason = match *error {
                    ProbeError::Read { error } => io_error_text(&error),
                    ProbeError::Magic { .. } => "it does not begin as a table does".to_owned(),
                    ProbeError::CorruptedTable { .. } => "it is damaged".to_owned(),
                };
                self.faults.note(&format!("the {metric} table of {material}"), &reason);
                None
            }
            Err(_) => None,
        }
    }
}

/// The value of a WDL result `ply` plies from the root, and its bound: a win is a lower bound, since a mate is worth more.
pub(crate) fn value_of(wdl: Wdl, ply: usize, fifty_move_rule: bool) -> (Value, EntryBound) {
    let win = value::TABLEBASE_WIN - ply as Value;
    match wdl {
        Wdl::Win => (win, EntryBound::Lower),
        Wdl::Loss => (-win, EntryBound::Upper),
        Wdl::CursedWin if !fifty_move_rule => (win, EntryBound::Lower),
        Wdl::BlessedLoss if !fifty_move_rule => (-win, EntryBound::Upper),
        Wdl::CursedWin => (CURSED_WIN, EntryBound::Exact),
        Wdl::BlessedLoss => (-CURSED_WIN, EntryBound::Exact),
        Wdl::Draw => (value::DRAW, EntryBound::Exact),
    }
}

#[cfg(test)]
mod tests;
