//! Reading the main lines of PGN games, as far as openings need them.

use pgn::{Game, Games};

use super::{Opening, Parsed};

/// The games of a text, each cut to its first `plies`.
pub(super) fn games(text: &str, plies: Option<usize>) -> Parsed {
    Games::new(text)
        .map(|game| {
            let game =
                game.map_err(|fault| (fault.game, format!("line {}: {}", fault.line, fault.reason)))?;
            opening(&game, plies).map_err(|reason| (game.number, reason))
        })
        .collect()
}

fn opening(game: &Game, plies: Option<usize>) -> Result<Opening, String> {
    let opening =
        Opening { start: game.start, moves: game.moves().take(plies.unwrap_or(usize::MAX)).collect() };
    let mut position = opening.start;
    opening.moves.iter().for_each(|&mv| position.play(mv));
    if position.has_legal_move() {
        Ok(opening)
    } else {
        Err("the game is over at the end of the opening".to_owned())
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
        assert_eq!((number, reason.as_str()), (2, "line 2: 'e5': not a legal move"));
    }
}
