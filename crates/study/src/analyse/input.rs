//! A line of input: FEN, EPD or JSON.

use chess::{Move, Position, Setup};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::lines::{MAX_LINE, NumberedLine};

/// A position to analyse.
#[derive(Debug)]
pub(super) struct Input {
    /// Any JSON, repeated in the output.
    pub(super) id: Option<Box<RawValue>>,
    pub(super) start: Position,
    pub(super) moves: Vec<Move>,
}

/// What is wrong with a line, and its id as far as that could be read.
#[derive(Debug)]
pub(super) struct BadInput {
    pub(super) id: Option<Box<RawValue>>,
    pub(super) reason: String,
}

impl BadInput {
    fn new(reason: impl ToString) -> Self {
        Self { id: None, reason: reason.to_string() }
    }
}

/// The members of the JSON object; others are ignored. The FEN may be an EPD.
#[derive(Deserialize)]
struct Object {
    id: Option<Box<RawValue>>,
    fen: Option<String>,
    #[serde(default)]
    moves: Moves,
}

/// The id of an object whose other members are invalid.
#[derive(Deserialize)]
struct OnlyId {
    id: Option<Box<RawValue>>,
}

/// Moves as a list, or as a text with blanks between them.
#[derive(Deserialize)]
#[serde(untagged)]
enum Moves {
    List(Vec<String>),
    Text(String),
}

impl Default for Moves {
    fn default() -> Self {
        Self::List(Vec::new())
    }
}

impl Input {
    pub(super) fn read(line: &NumberedLine) -> Result<Self, BadInput> {
        let text =
            line.text.as_ref().ok_or_else(|| BadInput::new(format!("longer than {MAX_LINE} bytes")))?;
        let text = std::str::from_utf8(text).map_err(|_| BadInput::new("not UTF-8"))?;
        match text.trim() {
            "" => Err(BadInput::new("empty line")),
            text if text.starts_with('{') => read_json(text),
            text => read_epd(text),
        }
    }
}

fn read_json(text: &str) -> Result<Input, BadInput> {
    let Object { id, fen, moves } = serde_json::from_str(text).map_err(|error| {
        let id = serde_json::from_str::<OnlyId>(text).ok().and_then(|object| object.id);
        BadInput { id, reason: format!("JSON: {error}") }
    })?;
    let read = || {
        let start = match fen.as_deref() {
            None | Some("startpos") => Position::startpos(),
            Some(fen) => read_epd(fen).map_err(|bad| bad.reason)?.start,
        };
        let moves: Vec<&str> = match &moves {
            Moves::List(list) => list.iter().map(String::as_str).collect(),
            Moves::Text(text) => text.split_whitespace().collect(),
        };
        Ok((start, read_moves(&start, &moves)?))
    };
    match read() {
        Ok((start, moves)) => Ok(Input { id, start, moves }),
        Err(reason) => Err(BadInput { id, reason }),
    }
}

fn read_moves(start: &Position, texts: &[&str]) -> Result<Vec<Move>, String> {
    let mut position = *start;
    let mut moves = Vec::with_capacity(texts.len());
    for (index, text) in texts.iter().enumerate() {
        let mv = position.parse_uci_move(text).or_else(|_| position.parse_san(text)).map_err(|error| {
            let shown: String = text.chars().take(20).collect();
            format!("move {} '{}': {error}", index + 1, shown.escape_default())
        })?;
        position.play(mv);
        moves.push(mv);
    }
    Ok(moves)
}

/// Reads a FEN, or an EPD of which the operations `id`, `hmvc` and `fmvn` count.
fn read_epd(text: &str) -> Result<Input, BadInput> {
    let mut setup: Setup = text.parse().map_err(BadInput::new)?;
    let behind_fields = text.split_whitespace().nth(4).and_then(|word| {
        // The words are parts of the text, so this is where the fifth begins.
        text.get(word.as_ptr().addr() - text.as_ptr().addr()..)
    });
    let mut id = None;
    for operation in operations(behind_fields.unwrap_or_default()) {
        let (opcode, operand) = operation.split_once(char::is_whitespace).unwrap_or((operation, ""));
        let operand = operand.trim();
        match opcode {
            "id" => id = serde_json::value::to_raw_value(operand.trim_matches('"')).ok(),
            "hmvc" => setup.halfmove_clock = operand.parse().unwrap_or(setup.halfmove_clock),
            "fmvn" => setup.fullmove_number = operand.parse().unwrap_or(setup.fullmove_number),
            _ => {}
        }
    }
    match setup.position() {
        Ok((start, _)) => Ok(Input { id, start, moves: Vec::new() }),
        Err(error) => Err(BadInput { id, reason: error.to_string() }),
    }
}

/// The operations of an EPD; semicolons between quotes do not end one.
fn operations(text: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    let ends = move |c| {
        quoted ^= c == '"';
        c == ';' && !quoted
    };
    text.split(ends).map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Input, BadInput> {
        Input::read(&NumberedLine { number: 1, text: Some(text.as_bytes().to_vec()) })
    }

    fn id(id: Option<&RawValue>) -> &str {
        id.map_or("", RawValue::get)
    }

    #[test]
    fn fen_epd_and_json_are_read() {
        let fen = read("4k3/8/8/8/8/8/8/4K2R w K - 3 40\r").unwrap();
        assert_eq!(fen.start.to_string(), "4k3/8/8/8/8/8/8/4K2R w K - 3 40");
        let epd = read(r#"4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id "a;b \ c"; hmvc 5; fmvn 9;"#).unwrap();
        assert_eq!(epd.start.to_string(), "4k3/8/8/8/8/8/8/4K2R w K - 5 9");
        assert_eq!(id(epd.id.as_deref()), r#""a;b \\ c""#);
        let json =
            read(r#"{"id": 12345678901234567890123, "moves": ["e2e4", "e5", "Nf3"], "x": []}"#).unwrap();
        assert_eq!(id(json.id.as_deref()), "12345678901234567890123");
        assert_eq!(json.moves.len(), 3);
        let json = read(r#"{"fen": "4k3/8/8/8/8/8/8/4K2R w K -", "moves": "O-O Kd7"}"#).unwrap();
        assert_eq!((json.moves.len(), json.id.is_none()), (2, true));
    }

    #[test]
    fn mistakes_are_named() {
        let reason = |text: &str| read(text).unwrap_err().reason;
        assert_eq!(reason(""), "empty line");
        assert_eq!(reason("hello"), "piece placement: 1 ranks, not 8");
        assert_eq!(reason("8/8/8/8/8/8/8/4K3 w - -"), "Black has no king");
        let bad = read(r#"{"fen": 3, "id": 7}"#).unwrap_err();
        assert!(bad.reason.starts_with("JSON: ") && id(bad.id.as_deref()) == "7");
        assert!(reason("{").starts_with("JSON: "));
        let bad = read(r#"{"id": "x", "moves": ["e2e4", "e2e4"]}"#).unwrap_err();
        assert_eq!(
            (id(bad.id.as_deref()), bad.reason.as_str()),
            (r#""x""#, "move 2 'e2e4': not a legal move")
        );
        let line = NumberedLine { number: 1, text: None };
        assert_eq!(Input::read(&line).unwrap_err().reason, "longer than 262144 bytes");
        let line = NumberedLine { number: 1, text: Some(vec![0xff]) };
        assert_eq!(Input::read(&line).unwrap_err().reason, "not UTF-8");
    }
}
