//! The board as a drawing.

use std::fmt::Write;

use chess::{File, Position, Rank, Square};
use engine::TablebaseProbe;

const RULE: &str = "+---+---+---+---+---+---+---+---+";

/// The board with what cannot be seen on it: FEN, key, checkers, and what the tablebases say. As in Stockfish's drawing
/// a 1 in brackets says that they know it, and a 0 that the table is missing.
pub(crate) fn board(position: &Position, tablebases: Option<TablebaseProbe>) -> String {
    let mut text = format!("\n {RULE}\n");
    for rank in Rank::ALL.into_iter().rev() {
        for file in File::ALL {
            let letter = position.piece_on(Square::from_parts(file, rank)).map_or(' ', chess::Piece::letter);
            let _ = write!(text, " | {letter}");
        }
        let _ = write!(text, " | {}\n {RULE}\n", rank.digit());
    }
    let checkers: Vec<String> = position.checkers().into_iter().map(|sq| sq.to_string()).collect();
    let _ = write!(
        text,
        "   a   b   c   d   e   f   g   h\n\nFen: {position}\nKey: {:016X}\nCheckers: {}",
        position.key(),
        checkers.join(" "),
    );
    if let Some(TablebaseProbe { wdl, dtz }) = tablebases {
        for (name, number) in [("WDL", wdl), ("DTZ", dtz)] {
            let known = u8::from(number.is_some());
            let _ = write!(text, "\nTablebases {name}: {:>4} ({known})", number.unwrap_or(0));
        }
    }
    text.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_drawing_shows_pieces_fen_and_checkers() {
        let position = Position::from_fen("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1").unwrap();
        let text = board(&position, None);
        assert!(text.contains(" |   |   |   |   | k |   |   |   | 8\n"), "{text}");
        assert!(text.contains(&format!("Fen: {position}\n")) && text.ends_with("Checkers: e2"), "{text}");
        let text = board(&position, Some(TablebaseProbe { wdl: Some(2), dtz: None }));
        assert!(text.ends_with("Checkers: e2\nTablebases WDL:    2 (1)\nTablebases DTZ:    0 (0)"), "{text}");
    }
}
