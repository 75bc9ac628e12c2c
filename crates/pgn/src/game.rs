//! A game with all of its annotations.

use chess::{Color, Move, Position};

/// A game: its tags, its start position, and its moves with annotations.
#[derive(Clone, Debug)]
pub struct Game {
    /// Which game of its text it is, from 1.
    pub number: usize,
    /// The line of the text that it begins on, from 1.
    pub first_line: usize,
    /// Names and values in the order of the text.
    pub tags: Vec<(String, String)>,
    /// Where it began.
    pub start: Position,
    /// Do the tags say that it is a game of Chess960?
    pub chess960: bool,
    /// The moves that were played; none of them is a null move.
    pub main: Line,
    /// How it ended.
    pub outcome: Outcome,
    /// Parts of variations that were left out as invalid: the line of the text and the reason.
    pub left_out: Vec<(usize, String)>,
}

/// A row of moves: the game's own, or a variation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The comments before the first move.
    pub comments: Vec<String>,
    /// The moves.
    pub moves: Vec<Node>,
}

/// A move with its annotations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The move; `None` is a null move, as annotators write it to show a threat.
    pub mv: Option<Move>,
    /// Numeric annotation glyphs.
    pub nags: Vec<u8>,
    /// The comments after it.
    pub comments: Vec<String>,
    /// The alternatives to it.
    pub variations: Vec<Line>,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Outcome {
    /// White won.
    White,
    /// Black won.
    Black,
    /// A draw.
    Draw,
    /// Unknown or unfinished (`*`).
    #[default]
    Unknown,
}

impl Outcome {
    /// The outcome that a text names.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "1-0" | "1–0" => Some(Self::White),
            "0-1" | "0–1" => Some(Self::Black),
            "1/2-1/2" | "1/2–1/2" | "½-½" | "1/2" | "½" => Some(Self::Draw),
            "*" => Some(Self::Unknown),
            _ => None,
        }
    }

    /// The outcome as PGN writes it.
    pub fn text(self) -> &'static str {
        match self {
            Self::White => "1-0",
            Self::Black => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        }
    }

    /// Who won.
    pub fn winner(self) -> Option<Color> {
        match self {
            Self::White => Some(Color::White),
            Self::Black => Some(Color::Black),
            Self::Draw | Self::Unknown => None,
        }
    }
}

impl Node {
    /// A move without annotations.
    pub fn new(mv: Move) -> Self {
        Self { mv: Some(mv), nags: Vec::new(), comments: Vec::new(), variations: Vec::new() }
    }
}

impl Game {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The name of a player; `?` where the tags do not say.
    pub fn player(&self, color: Color) -> &str {
        let name = match color {
            Color::White => self.tag("White"),
            Color::Black => self.tag("Black"),
        };
        name.filter(|name| !name.trim().is_empty()).unwrap_or("?")
    }

    /// The moves that were played.
    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.main.moves.iter().filter_map(|node| node.mv)
    }

    /// The position before each move, and the last one.
    pub fn positions(&self) -> Vec<Position> {
        let mut positions = vec![self.start];
        let mut position = self.start;
        for mv in self.moves() {
            position.play(mv);
            positions.push(position);
        }
        positions
    }
}
