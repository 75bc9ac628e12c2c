//! A line of output: a JSON object.

use chess::Position;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::analyst::{Analysis, Bound, Line, Score, Wdl};

/// The kind of result of an input line.
pub(super) enum Written {
    Searched,
    FromStore,
    Error,
}

/// A line of output with its end.
pub(super) struct Answer {
    pub(super) kind: Written,
    pub(super) text: String,
}

#[derive(Serialize)]
struct ErrorObject<'a> {
    line: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a RawValue>,
    error: &'a str,
}

#[derive(Serialize)]
struct AnalysisObject<'a> {
    line: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a RawValue>,
    fen: String,
    #[serde(flatten)]
    best: Value,
    depth: u64,
    seldepth: u64,
    nodes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stored: Option<bool>,
    lines: Vec<LineObject>,
    engine: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    network: &'a str,
}

/// The score of a line, for the side to move.
#[derive(Clone, Serialize)]
struct Value {
    score: Score,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<Bound>,
    /// In per cent, to two places.
    winning_chances: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    wdl: Option<Wdl>,
}

#[derive(Serialize)]
struct LineObject {
    #[serde(flatten)]
    value: Value,
    depth: u64,
    seldepth: u64,
    uci: Vec<String>,
    san: Vec<String>,
}

fn value(line: &Line) -> Value {
    let winning_chances = (line.score.winning_chances() * 100.0).round() / 100.0;
    Value { score: line.score, bound: line.bound, winning_chances, wdl: line.wdl }
}

fn to_line(object: &impl Serialize) -> String {
    // Only maps whose keys are not strings could fail, and there are none.
    serde_json::to_string(object).unwrap_or_default() + "\n"
}

pub(super) fn error(line: u64, id: Option<&RawValue>, error: &str) -> Answer {
    Answer { kind: Written::Error, text: to_line(&ErrorObject { line, id, error }) }
}

pub(super) fn analysis(
    line: u64,
    id: Option<&RawValue>,
    position: &Position,
    analysis: &Analysis,
    timing: bool,
) -> Answer {
    let castling = position.castling_notation(false);
    let object = |line: &Line| LineObject {
        value: value(line),
        depth: line.depth,
        seldepth: line.seldepth,
        uci: position.uci_line(&line.pv, castling),
        san: position.san_line(&line.pv),
    };
    let best = analysis.best();
    let text = to_line(&AnalysisObject {
        line,
        id,
        fen: position.to_string(),
        best: value(best),
        depth: best.depth,
        seldepth: best.seldepth,
        nodes: analysis.nodes,
        time_ms: timing.then_some(analysis.time.as_millis() as u64),
        stored: timing.then_some(analysis.from_store),
        lines: analysis.lines.iter().map(object).collect(),
        engine: &analysis.by.engine,
        network: &analysis.by.network,
    });
    let kind = if analysis.from_store { Written::FromStore } else { Written::Searched };
    Answer { kind, text }
}
