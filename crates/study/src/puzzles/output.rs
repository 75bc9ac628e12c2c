//! Puzzles as PGN, EPD and CSV.

use chess::{CastlingNotation, FenStyle, Position};
use pgn::{Game, Line, Node, Outcome};

use super::search::Puzzle;
use super::themes::themes;

/// The columns of the Lichess puzzle database.
pub(crate) const CSV_COLUMNS: &str =
    "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags";

/// Rating, deviation, popularity and plays of a new puzzle on Lichess.
const UNRATED: &str = "1500,500,0,0";

/// A puzzle with where it comes from.
pub(crate) struct Entry<'a> {
    pub(crate) puzzle: &'a Puzzle,
    pub(crate) game: &'a Game,
}

impl Entry<'_> {
    /// Five letters and digits, made from the position: the same puzzle always has the same name.
    pub(crate) fn id(&self) -> String {
        const SIGNS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        // Any bits of the key do.
        let mut key = self.puzzle.position().key();
        let mut sign = || {
            let sign = SIGNS[(key % 62) as usize];
            key /= 62;
            char::from(sign)
        };
        (0..5).map(|_| sign()).collect()
    }

    fn style(&self) -> (FenStyle, CastlingNotation) {
        if self.game.chess960 || self.puzzle.before.needs_chess960() {
            (FenStyle::Shredder, CastlingNotation::KingTakesRook)
        } else {
            (FenStyle::Standard, CastlingNotation::KingMove)
        }
    }

    /// A line of the table: the position before the opponent's move, which is the first of the moves.
    pub(crate) fn csv(&self) -> String {
        let (fen, castling) = self.style();
        let moves: Vec<_> =
            std::iter::once(self.puzzle.mistake).chain(self.puzzle.solution.iter().copied()).collect();
        let url = self.game.tag("Site").filter(|site| site.starts_with("http")).unwrap_or_default();
        format!(
            "{},{},{},{UNRATED},{},{},",
            self.id(),
            self.puzzle.before.fen(fen),
            self.puzzle.before.uci_line(&moves, castling).join(" "),
            themes(self.puzzle).join(" "),
            quoted(url)
        )
    }

    /// The position to solve with its best move, the whole solution and the themes.
    pub(crate) fn epd(&self) -> String {
        let position = self.puzzle.position();
        let fen = position.fen(self.style().0);
        let fields = fen.split(' ').take(4).collect::<Vec<_>>().join(" ");
        let solution = position.san_line(&self.puzzle.solution);
        format!(
            "{fields} bm {}; id \"{}\"; pv {}; c0 \"{}\";",
            solution.first().map_or("", String::as_str),
            self.id(),
            solution.join(" "),
            themes(self.puzzle).join(" ")
        )
    }

    /// A game that begins with the position to solve and has the solution as its moves.
    pub(crate) fn pgn(&self) -> Game {
        let position: Position = self.puzzle.position();
        let from = |name: &str| self.game.tag(name).unwrap_or("?").to_owned();
        let mut tags = vec![
            ("Event".to_owned(), format!("Puzzle {}", self.id())),
            ("Site".to_owned(), from("Site")),
            ("Date".to_owned(), from("Date")),
            ("Round".to_owned(), "-".to_owned()),
            ("White".to_owned(), from("White")),
            ("Black".to_owned(), from("Black")),
            ("Result".to_owned(), "*".to_owned()),
            ("SetUp".to_owned(), "1".to_owned()),
            ("FEN".to_owned(), position.fen(self.style().0)),
            ("Themes".to_owned(), themes(self.puzzle).join(" ")),
        ];
        if self.game.chess960 {
            tags.push(("Variant".to_owned(), "Chess960".to_owned()));
        }
        Game {
            number: 0,
            first_line: 0,
            tags,
            start: position,
            chess960: self.game.chess960,
            main: Line {
                comments: Vec::new(),
                moves: self.puzzle.solution.iter().map(|&mv| Node::new(mv)).collect(),
            },
            outcome: Outcome::Unknown,
            left_out: Vec::new(),
        }
    }
}

/// A field of a CSV file: in quotes where it must be.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyst::{Score, read_line};
    use crate::puzzles::search::Goal;

    #[test]
    fn a_puzzle_in_three_formats() {
        let text = "[Site \"https://example.org/a,b\"]\n[White \"A\"]\n\n1. e4 *";
        let game = pgn::Games::new(text).next().unwrap().unwrap();
        let before = Position::from_fen("6k1/5ppp/2n5/8/8/8/5PPP/R5K1 b - - 3 20").unwrap();
        let moves = read_line(&before, ["c6d4", "a1a8"]);
        let (mistake, solution) = (moves[0], moves[1..].to_vec());
        let puzzle = Puzzle { game: 1, before, mistake, solution, goal: Goal::Win, score: Score::Mate(1) };
        let entry = Entry { puzzle: &puzzle, game: &game };
        let id = entry.id();
        assert_eq!(id.len(), 5);
        let themes = "backRankMate endgame mate mateIn1 oneMove";
        assert_eq!(
            entry.csv(),
            format!(
                "{id},6k1/5ppp/2n5/8/8/8/5PPP/R5K1 b - - 3 20,c6d4 a1a8,1500,500,0,0,{themes},\"https://example.org/a,b\","
            )
        );
        assert_eq!(
            entry.csv().replace("\"https://example.org/a,b\"", "").split(',').count(),
            CSV_COLUMNS.split(',').count()
        );
        assert_eq!(
            entry.epd(),
            format!("6k1/5ppp/8/8/3n4/8/5PPP/R5K1 w - - bm Ra8#; id \"{id}\"; pv Ra8#; c0 \"{themes}\";")
        );
        let text = entry.pgn().to_string();
        assert!(text.contains("[FEN \"6k1/5ppp/8/8/3n4/8/5PPP/R5K1 w - - 4 21\"]"), "{text}");
        assert!(text.ends_with("21. Ra8# *\n\n"), "{text}");
    }
}
