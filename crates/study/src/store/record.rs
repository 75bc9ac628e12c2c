//! An analysis as text: the lines as a column of the database, and the whole as a line of an export.

use std::sync::Arc;
use std::time::Duration;

use chess::{CastlingNotation, Position};
use serde::{Deserialize, Serialize};

use crate::analyst::{Analysis, Bound, Identity, Line, Score, Wdl, read_line};

/// A line of play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct LineRecord {
    score: Score,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bound: Option<Bound>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    wdl: Option<Wdl>,
    depth: u64,
    seldepth: u64,
    /// Castling is king takes rook.
    pv: String,
}

impl LineRecord {
    fn new(position: &Position, line: &Line) -> Self {
        Self {
            score: line.score,
            bound: line.bound,
            wdl: line.wdl,
            depth: line.depth,
            seldepth: line.seldepth,
            pv: position.uci_line(&line.pv, CastlingNotation::KingTakesRook).join(" "),
        }
    }

    /// The line, if its moves are legal in this position.
    fn line(&self, position: &Position) -> Option<Line> {
        let pv = read_line(position, self.pv.split(' '));
        let Self { score, bound, wdl, depth, seldepth, .. } = *self;
        (!pv.is_empty()).then_some(Line { score, bound, wdl, depth, seldepth, pv })
    }
}

/// The lines as a column.
pub(super) fn write_lines(position: &Position, lines: &[Line]) -> String {
    let records: Vec<LineRecord> = lines.iter().map(|line| LineRecord::new(position, line)).collect();
    serde_json::to_string(&records).unwrap_or_default()
}

/// The best so many lines of a column; `None` where it is damaged.
pub(super) fn read_lines(position: &Position, column: &str, wanted: usize) -> Option<Vec<Line>> {
    let records: Vec<LineRecord> = serde_json::from_str(column).ok()?;
    let lines: Option<Vec<Line>> = records.iter().take(wanted).map(|record| record.line(position)).collect();
    lines.filter(|lines| !lines.is_empty())
}

/// How far a search went: its nodes, depth and time, or the limits where the search ended early with a final result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Reach {
    pub(super) nodes: u64,
    pub(super) depth: u64,
    pub(super) milliseconds: u64,
}

/// A row of the database, and a line of an export.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Record {
    /// FEN without the move number, and the moves that matter for repetitions.
    pub(super) position: String,
    pub(super) engine: String,
    pub(super) network: String,
    pub(super) options: String,
    pub(super) multipv: u64,
    pub(super) reach: Reach,
    pub(super) nodes: u64,
    pub(super) milliseconds: u64,
    /// Seconds since 1970.
    pub(super) written: u64,
    pub(super) lines: Vec<LineRecord>,
}

impl Record {
    /// Is it about a position, and are its lines legal there?
    pub(super) fn check(&self) -> Result<(), String> {
        let mut fields = self.position.split(' ');
        let fen: Vec<&str> = fields.by_ref().take(5).collect();
        let mut position = Position::from_fen(&fen.join(" ")).map_err(|error| error.to_string())?;
        for mv in fields {
            let mv = position.parse_uci_move(mv).map_err(|error| format!("'{mv}': {error}"))?;
            position.play(mv);
        }
        if self.lines.is_empty() || self.lines.iter().any(|line| line.line(&position).is_none()) {
            return Err("a line without a legal move".to_owned());
        }
        Ok(())
    }
}

/// An analysis from its parts.
pub(super) fn analysis(by: &Arc<Identity>, lines: Vec<Line>, nodes: u64, milliseconds: u64) -> Analysis {
    let time = Duration::from_millis(milliseconds);
    Analysis { by: Arc::clone(by), lines, nodes, time, from_store: true }
}
