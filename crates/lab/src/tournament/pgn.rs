//! Games as PGN, with score, depth and time of each move as comments: `{+0.35/18 0.123s}`, seen by the side that moved.

use std::fmt::Write;

use chess::{Color, FenStyle, Position};
use uci::ScoreValue;

use super::engine::Engine;
use super::game::{Game, Report};
use super::schedule::Assignment;
use crate::date;

/// What the tags of a game say beyond the game itself.
pub(super) struct Heading<'a> {
    pub(super) event: &'a str,
    pub(super) game: Assignment,
    pub(super) white: &'a Engine,
    pub(super) black: &'a Engine,
    pub(super) chess960: bool,
}

/// The text of a game, with an empty line at its end.
pub(super) fn text(heading: &Heading<'_>, game: &Game) -> String {
    format!("{}\n{}\n\n", tags(heading, game), pgn::wrapped(&movetext(game)))
}

fn tags(heading: &Heading<'_>, game: &Game) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", pgn::escaped_tag(name, value));
    };
    let assignment = heading.game;
    tag("Event", heading.event);
    tag("Site", "?");
    let (year, month, day) = date::today();
    tag("Date", &format!("{year:04}.{month:02}.{day:02}"));
    tag("Round", &format!("{}.{}", assignment.round + 1, 1 + usize::from(assignment.reversed)));
    tag("White", &heading.white.name);
    tag("Black", &heading.black.name);
    tag("Result", game.score.text());
    let fen = game.start.fen(if heading.chess960 { FenStyle::Shredder } else { FenStyle::Standard });
    if heading.chess960 {
        tag("Variant", "Chess960");
    }
    if heading.chess960 || game.start.fen(FenStyle::Standard) != Position::startpos().fen(FenStyle::Standard)
    {
        tag("SetUp", "1");
        tag("FEN", &fen);
    }
    tag("PlyCount", &game.moves.len().to_string());
    let controls = [heading.white, heading.black]
        .map(|engine| engine.limits.clock.map_or_else(|| "-".to_owned(), |clock| clock.to_string()));
    if controls[0] == controls[1] {
        tag("TimeControl", &controls[0]);
    } else {
        tag("WhiteTimeControl", &controls[0]);
        tag("BlackTimeControl", &controls[1]);
    }
    tag("Termination", game.termination());
    text
}

fn movetext(game: &Game) -> Vec<String> {
    let mut words = Vec::new();
    let mut position = game.start;
    for (index, played) in game.moves.iter().enumerate() {
        let number = position.fullmove_number();
        match position.side_to_move() {
            Color::White => words.push(format!("{number}.")),
            // A comment or the start may stand before Black's move, so that its number is repeated.
            Color::Black if index == 0 => words.push(format!("{number}...")),
            Color::Black => {}
        }
        words.push(position.san(played.mv));
        match &played.report {
            Some(report) => words.extend(comment(report)),
            None => words.push("{book}".to_owned()),
        }
        position.play(played.mv);
    }
    let reason = game.reason().replace(['{', '}'], " ");
    words.extend(format!("{{{reason}}}").split_whitespace().map(str::to_owned));
    words.push(game.score.text().to_owned());
    words
}

fn comment(report: &Report) -> Vec<String> {
    let time = format!("{:.3}s}}", report.time.as_secs_f64());
    let Some(score) = report.score else { return vec![format!("{{{time}")] };
    let score = match score {
        ScoreValue::Cp(value) => format!("{:+.2}", value as f64 / 100.0),
        ScoreValue::Mate(moves) if moves > 0 => format!("+M{moves}"),
        ScoreValue::Mate(moves) => format!("-M{}", -moves),
    };
    let depth = report.depth.map_or_else(String::new, |depth| format!("/{depth}"));
    vec![format!("{{{score}{depth}"), time]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::engine::Entry;
    use crate::tournament::game::{Ending, Played, Score};
    use std::time::Duration;

    #[test]
    fn a_game_is_written_as_the_standard_says() {
        let each = Entry::from_words(&["tc=2+0.02".to_owned(), "cmd=x".to_owned()]).unwrap();
        let engine =
            |name: &str| Entry::from_words(&[format!("name={name}")]).unwrap().complete(&each).unwrap();
        let start = Position::from_fen("4k3/8/8/8/8/8/q7/4K2R b - - 0 40").unwrap();
        let report = Report {
            score: Some(ScoreValue::Mate(-1)),
            depth: Some(5),
            time: Duration::from_millis(12),
            ..Report::default()
        };
        let mv = start.parse_uci_move("a2b3").unwrap();
        let moves = vec![
            Played { mv, report: None },
            Played { mv: start.after(mv).parse_uci_move("h1h8").unwrap(), report: Some(report) },
        ];
        let game =
            Game { start, moves, score: Score::White, ending: Ending::Adjudicated, failed_to_start: false };
        let game_number = Assignment { index: 3, encounter: 0, white: 1, black: 0, round: 1, reversed: true };
        let (white, black) = (engine("a \"b\""), engine("c"));
        let heading =
            Heading { event: "e", game: game_number, white: &white, black: &black, chess960: false };
        let text = text(&heading, &game);
        assert!(
            text.contains("[Round \"2.2\"]\n[White \"a \\\"b\\\"\"]\n[Black \"c\"]\n[Result \"1-0\"]\n"),
            "{text}"
        );
        assert!(text.contains("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/q7/4K2R b - - 0 40\"]\n"), "{text}");
        assert!(
            text.contains("[TimeControl \"2+0.02\"]\n[Termination \"adjudication\"]\n\n40... Qb3 {book} "),
            "{text}"
        );
        assert!(text.ends_with("41. Rh8+ {-M1/5 0.012s} {White wins by adjudication} 1-0\n\n"), "{text}");
    }
}
