//! The parser of games.

use std::fmt;

use chess::{Move, ParseMoveError, Position};

use crate::token::{Token, Tokens};
use crate::{Game, Line, Node, Outcome};

/// Variations within variations are read down to this depth; annotators need about ten.
const DEEPEST: usize = 100;

/// The games of a text, one after the other.
#[derive(Debug)]
pub struct Games<'a> {
    tokens: Tokens<'a>,
    number: usize,
}

/// The words of a game with their lines.
type Words<'a> = Vec<(Token<'a>, usize)>;

/// Why a game could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Which game of the text it is, from 1.
    pub game: usize,
    /// The line of the text, from 1.
    pub line: usize,
    /// What is wrong there.
    pub reason: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}, line {}: {}", self.game, self.line, self.reason)
    }
}

impl std::error::Error for Fault {}

impl<'a> Games<'a> {
    /// The games of a text; [`crate::decode`] makes one of a file's bytes.
    pub fn new(text: &'a str) -> Self {
        Self { tokens: Tokens::new(text), number: 0 }
    }

    /// The words of the next game, and its outcome.
    fn next_game(&mut self) -> Option<(Words<'a>, Option<Outcome>)> {
        let mut words = Vec::new();
        let (mut depth, mut in_moves) = (0usize, false);
        loop {
            let before = self.tokens.clone();
            let Some((token, line)) = self.tokens.next() else {
                return (!words.is_empty()).then_some((words, None));
            };
            match token {
                Token::Tag(..) if in_moves => {
                    self.tokens = before;
                    return Some((words, None));
                }
                Token::Outcome(outcome) if depth == 0 => {
                    self.comments_on_line(line, &mut words);
                    return Some((words, Some(outcome)));
                }
                // Some annotators end their variations with an outcome.
                Token::Outcome(_) => continue,
                Token::Open => depth += 1,
                Token::Close => depth = depth.saturating_sub(1),
                _ => {}
            }
            in_moves |= !matches!(token, Token::Tag(..) | Token::Comment(_));
            words.push((token, line));
        }
    }

    /// Comments behind the outcome, which are the game's if they stand on its line.
    fn comments_on_line(&mut self, line: usize, words: &mut Words<'a>) {
        let mut ahead = self.tokens.clone();
        while let Some((token @ Token::Comment(_), at)) = ahead.next()
            && at == line
        {
            words.push((token, at));
            self.tokens = ahead.clone();
        }
    }
}

impl Iterator for Games<'_> {
    type Item = Result<Game, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        let (words, outcome) = self.next_game()?;
        self.number += 1;
        let game = self.number;
        Some(build(game, words, outcome).map_err(|(line, reason)| Fault { game, line, reason }))
    }
}

/// Makes a game of its words.
fn build(number: usize, words: Words<'_>, outcome: Option<Outcome>) -> Result<Game, (usize, String)> {
    let first_line = words.first().map_or(0, |&(_, line)| line);
    let (mut tags, mut movetext, mut fen_line) = (Vec::new(), Vec::new(), first_line);
    for (token, line) in words {
        match token {
            Token::Tag(name, value) => {
                if name.eq_ignore_ascii_case("FEN") {
                    fen_line = line;
                }
                tags.push((name.to_owned(), value));
            }
            token => movetext.push((token, line)),
        }
    }
    let mut game = Game {
        number,
        first_line,
        tags,
        start: Position::startpos(),
        chess960: false,
        main: Line::default(),
        outcome: Outcome::Unknown,
        left_out: Vec::new(),
    };
    game.chess960 = is_chess960(game.tag("Variant")).map_err(|reason| (first_line, reason))?;
    if let Some(fen) = game.tag("FEN").filter(|fen| !fen.trim().is_empty()) {
        game.start = Position::from_fen(fen).map_err(|error| (fen_line, format!("FEN '{fen}': {error}")))?;
    }
    game.outcome =
        outcome.or_else(|| game.tag("Result").and_then(Outcome::parse)).unwrap_or(Outcome::Unknown);
    let mut builder = Builder { stack: vec![Open::new(game.start)], left_out: Vec::new() };
    for (token, line) in movetext {
        builder.take(token, line).map_err(|reason| (line, reason))?;
    }
    // Unclosed variations end with the game.
    while builder.stack.len() > 1 {
        builder.close();
    }
    game.left_out = builder.left_out;
    game.main = builder.stack.pop().map(|open| open.line).unwrap_or_default();
    Ok(game)
}

/// Does the tag name Chess960? Other games than chess are refused.
fn is_chess960(variant: Option<&str>) -> Result<bool, String> {
    let Some(variant) = variant else { return Ok(false) };
    let plain: String =
        variant.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    match plain.as_str() {
        "" | "standard" | "normal" | "chess" | "fromposition" | "classical" => Ok(false),
        "chess960" | "fischerandom" | "fischerrandom" | "fischerrandomchess" | "freestyle" | "frc"
        | "960" => Ok(true),
        _ => Err(format!("the variant '{variant}' is not chess")),
    }
}

/// A line that is being read.
struct Open {
    line: Line,
    /// Before and behind the last move.
    positions: [Position; 2],
    /// The rest of a variation is passed over once it makes no sense.
    lost: bool,
}

impl Open {
    fn new(start: Position) -> Self {
        Self { line: Line::default(), positions: [start, start], lost: false }
    }
}

struct Builder {
    /// The game itself, and the variations within variations that are open.
    stack: Vec<Open>,
    left_out: Vec<(usize, String)>,
}

impl Builder {
    fn take(&mut self, token: Token<'_>, line: usize) -> Result<(), String> {
        let depth = self.stack.len();
        let Some(open) = self.stack.last_mut() else { return Ok(()) };
        match token {
            Token::Open if depth > DEEPEST => {
                return Err(format!("variations within more than {DEEPEST} variations"));
            }
            Token::Open => {
                let (before, lost) = (open.positions[0], open.lost || open.line.moves.is_empty());
                let mut variation = Open::new(before);
                variation.lost = lost;
                self.stack.push(variation);
            }
            Token::Close if depth > 1 => self.close(),
            _ if open.lost => {}
            Token::Move(text) => match read_move(&open.positions[1], text) {
                Ok(mv) => open.play(Some(mv)),
                Err(error) if depth == 1 => return Err(format!("'{text}': {error}")),
                Err(error) => {
                    open.lost = true;
                    self.left_out.push((line, format!("the variation from '{text}' on: {error}")));
                }
            },
            Token::Null if depth == 1 => return Err("a null move in the game itself".to_owned()),
            Token::Null if open.positions[1].in_check() => {
                open.lost = true;
                self.left_out.push((line, "the variation from a null move in check on".to_owned()));
            }
            Token::Null => open.play(None),
            Token::Nag(nag) => {
                if let Some(node) = open.line.moves.last_mut().filter(|node| !node.nags.contains(&nag)) {
                    node.nags.push(nag);
                }
            }
            Token::Comment("") => {}
            Token::Comment(text) => {
                let line = &mut open.line;
                let comments = line.moves.last_mut().map_or(&mut line.comments, |node| &mut node.comments);
                // Where a line ends within a comment is a matter of its width.
                comments.push(text.split_whitespace().collect::<Vec<_>>().join(" "));
            }
            Token::OpenComment => return Err("a comment that is not closed".to_owned()),
            Token::Close | Token::Tag(..) | Token::Outcome(_) => {}
        }
        Ok(())
    }

    /// Hangs a finished variation on the move that it replaces.
    fn close(&mut self) {
        let Some(closed) = self.stack.pop() else { return };
        let node = self.stack.last_mut().and_then(|open| open.line.moves.last_mut());
        if let Some(node) = node.filter(|_| !closed.line.moves.is_empty()) {
            node.variations.push(closed.line);
        }
    }
}

impl Open {
    fn play(&mut self, mv: Option<Move>) {
        self.positions[0] = self.positions[1];
        match mv {
            Some(mv) => self.positions[1].play(mv),
            None => self.positions[1].play_null(),
        }
        self.line.moves.push(Node { mv, nags: Vec::new(), comments: Vec::new(), variations: Vec::new() });
    }
}

/// Reads a move that may be written with figurines.
fn read_move(position: &Position, text: &str) -> Result<Move, ParseMoveError> {
    if text.is_ascii() {
        return position.parse_san(text);
    }
    let letters = text.chars().filter_map(|sign| match sign {
        '♔' | '♚' => Some('K'),
        '♕' | '♛' => Some('Q'),
        '♖' | '♜' => Some('R'),
        '♗' | '♝' => Some('B'),
        '♘' | '♞' => Some('N'),
        '♙' | '♟' | '\u{fe0e}' | '\u{fe0f}' => None,
        '×' => Some('x'),
        '–' | '—' | '‑' => Some('-'),
        '†' => Some('+'),
        other => Some(other),
    });
    position.parse_san(&letters.collect::<String>())
}
