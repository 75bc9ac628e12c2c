//! Reading the main lines of PGN games, as far as openings need them.

use chess::Position;

use super::{Opening, Parsed};
use crate::pgn::{Token, next_token};

/// The games of a text, each cut to its first `plies`.
pub(super) fn games(text: &str, plies: Option<usize>) -> Parsed {
    let mut reader = Reader { rest: text };
    let mut openings = Vec::new();
    while let Some(game) = reader.game(plies) {
        openings.push(game.map_err(|reason| (openings.len() + 1, reason))?);
    }
    Ok(openings)
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn game(&mut self, plies: Option<usize>) -> Option<Result<Opening, String>> {
        let mut opening: Option<(Opening, Position)> = None;
        let mut fault = None;
        while let Some((token, behind)) = next_token(self.rest) {
            if matches!(token, Token::Tag(..))
                && opening.as_ref().is_some_and(|(game, _)| !game.moves.is_empty())
            {
                break;
            }
            self.rest = behind;
            if matches!(token, Token::Comment(_)) {
                continue;
            }
            let (game, position) = opening.get_or_insert_with(|| {
                let start = Position::startpos();
                (Opening { start, moves: Vec::new() }, start)
            });
            match token {
                Token::Tag("FEN", fen) => match Position::from_fen(fen) {
                    Ok(start) => (game.start, *position) = (start, start),
                    Err(error) => fault = fault.or(Some(error.to_string())),
                },
                Token::Tag(..) | Token::Comment(_) => {}
                Token::Result(_) => break,
                Token::Move(_) if fault.is_some() || plies.is_some_and(|plies| game.moves.len() >= plies) => {
                }
                Token::Move(text) => match position.parse_san(text) {
                    Ok(mv) => {
                        position.play(mv);
                        game.moves.push(mv);
                    }
                    Err(error) => fault = Some(format!("'{text}': {error}")),
                },
            }
        }
        let (game, position) = opening?;
        if fault.is_none() && !position.has_legal_move() {
            fault = Some("the game is over at the end of the opening".to_owned());
        }
        Some(fault.map_or(Ok(game), Err))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(text: &str, plies: Option<usize>) -> Vec<usize> {
        games(text, plies).unwrap().iter().map(|game| game.moves.len()).collect()
    }

    #[test]
    fn main_lines_without_the_rest() {
        let text = "[Event \"a ] b\"]\n[Result \"*\"]\n\n1.e4 {best (by test)} e5 2. Nf3 (2. f4 {x ) } (2. d4) exf4) \
                    2... Nc6 $1 3.Bb5! a6 ; rest 4. Ba4\n4. 0-0 *\n\n[Event \"second\"]\n\
                    [FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O 1-0\n";
        assert_eq!(lengths(text, None), [7, 1]);
        assert_eq!(lengths(text, Some(4)), [4, 1]);
    }

    #[test]
    fn games_without_results_end_at_the_next_tag() {
        assert_eq!(lengths("[Event \"x\"]\n\n1. e4\n\n[Event \"y\"]\n\n1. d4 d5\n", None), [1, 2]);
        assert_eq!(lengths("", None), [0; 0]);
    }

    #[test]
    fn a_bad_move_is_named_with_its_game() {
        let (number, reason) = games("1. e4 *\n1. e5 *", None).unwrap_err();
        assert_eq!((number, reason.as_str()), (2, "'e5': not a legal move"));
    }
}
