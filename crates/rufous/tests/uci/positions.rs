//! Positions, good and bad.

use chess::Position;
use uci::ScoreValue;

use crate::session::{Session, after, game, only_note, shown_fen};

#[test]
fn bad_positions_are_refused_with_the_reason_and_the_last_one_stays() {
    let mut session = Session::start();
    session.send("position startpos moves e2e4");
    let good = after("e2e4").to_string();
    for (bad, word) in [
        ("position startpos moves e2e4 e7e4", "'e7e4'"),
        ("position startpos moves e2e4 wonder", "'wonder'"),
        ("position fen wonder", "FEN"),
        ("position fen 8/8/8/8/8/8/8 w - - 0 1", "ranks"),
        ("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNX w KQkq - 0 1", "'X'"),
        ("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1", "side to move"),
        ("position fen 8/8/8/8/8/8/8/K7 w - - 0 1", "no king"),
        ("position fen kk6/8/8/8/8/8/8/K7 w - - 0 1", "2 kings"),
        ("position fen k6P/8/8/8/8/8/8/K7 w - - 0 1", "pawn"),
        ("position fen k7/8/8/8/8/8/8/R3K3 w - - 0 1", "check"),
        ("position fen k7/pppppppp/pppppppp/pppppppp/PPPPPPPP/8/8/K7 w - - 0 1", "men"),
        ("position", "'position' needs"),
        ("position fen moves e7e5", "'position' needs"),
    ] {
        let lines = session.say(bad);
        let note = only_note(&lines);
        assert!(note.starts_with("ERROR ") && note.contains(word), "{bad}: {note}");
        assert_eq!(shown_fen(&mut session), good, "{bad}");
    }
    session.search("go depth 2").check(&after("e2e4"));
    session.quit();
}

#[test]
fn dialects_are_understood() {
    let mut session = Session::start();
    let start = Position::START_FEN;
    for (command, fen) in [
        ("position fen startpos", start),
        ("position startpos e2e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"),
        ("position moves e2e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"),
        ("position moves", start),
        ("position startpos moves E2E4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"),
        ("position rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", start),
        ("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1", start),
        ("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq", start),
        ("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; id \"one\";", start),
        ("position fen 4k3/8/8/8/8/8/8/4K2R w", "4k3/8/8/8/8/8/8/4K2R w - - 0 1"),
        ("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"),
        ("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1h1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"),
        ("position fen 4k3/8/8/8/8/8/P7/QQQQKPPP w - - 0 1", ""),
        (
            "position fen rnbqkbnr/pppppppp/8/8/PPPPPPPP/P7/8/RNBQK3 w - - 0 1",
            "rnbqkbnr/pppppppp/8/8/PPPPPPPP/P7/8/RNBQK3 w - - 0 1",
        ),
    ] {
        let lines = session.say(command);
        if fen.is_empty() {
            assert!(only_note(&lines).starts_with("ERROR"), "{lines:?}");
        } else {
            assert_eq!(lines, [""; 0], "{command}");
            assert_eq!(shown_fen(&mut session), fen, "{command}");
        }
    }
    session.quit();
}

#[test]
fn what_can_be_mended_is_mended_with_a_note() {
    let mut session = Session::start();
    for (given, mended) in [
        ("4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("4k3/8/8/8/8/8/8/4K3 w - - -5 0", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("4k3/8/8/8/8/8/8/4K3 w - - ?? 7", "4k3/8/8/8/8/8/8/4K3 w - - 0 7"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 3 ??", "4k3/8/8/8/8/8/8/4K3 w - - 3 1"),
    ] {
        let lines = session.say(&format!("position fen {given}"));
        assert!(!lines.is_empty(), "{given}");
        assert!(lines.iter().all(|line| line.starts_with("info string FEN mended: ")), "{lines:?}");
        assert_eq!(shown_fen(&mut session), mended);
    }
    session.quit();
}

#[test]
fn chess960_castling_is_written_as_asked() {
    let mut session = Session::start();
    let standard = "position fen 4k3/8/8/8/8/8/5PPP/4K2R w K - 0 1";
    let only_castling = "go depth 2 searchmoves e1g1";
    session.send(standard);
    assert_eq!(session.search(only_castling).best, "e1g1");
    session.send("setoption name UCI_Chess960 value true");
    assert_eq!(session.search(only_castling).best, "e1h1");
    session.send("setoption name UCI_Chess960 value false\nposition fen 4k3/8/8/8/8/8/5PPP/5K1R w K - 0 1");
    let found = session.search("go depth 2 searchmoves f1h1");
    assert_eq!((found.best.as_str(), found.notes().len()), ("f1h1", 1));
    assert!(found.notes()[0].contains("UCI_Chess960"));
    let found = session.search("go depth 2 searchmoves f1h1");
    assert_eq!(found.notes(), [""; 0], "once is enough");
    session.quit();
}

#[test]
fn a_long_game_is_set_up() {
    let mut session = Session::start();
    let moves = "g1f3 g8f6 f3g1 f6g8 ".repeat(300);
    assert_eq!(session.say(&format!("position startpos moves {moves}")), [""; 0]);
    assert_eq!(shown_fen(&mut session), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 1200 601");
    session.search("go depth 3");
    session.quit();
}

/// A game of more than 1,200 plies, with a pawn move often enough that no position is drawn by the
/// fifty-move rule. The next move makes the third repetition.
#[test]
fn repetitions_at_the_end_of_a_long_game_are_seen() {
    const BACK_AND_FORTH: &str = "g1f3 g8f6 f3g1 f6g8 ";
    let mut moves = String::new();
    for (white, black) in [((2, 3), (7, 6)), ((3, 4), (6, 5))] {
        // The squares of the knights stay free.
        for file in "abcdegh".chars() {
            moves += &BACK_AND_FORTH.repeat(21);
            for (from, to) in [white, black] {
                moves += &format!("{file}{from}{file}{to} ");
            }
        }
    }
    moves += BACK_AND_FORTH;
    moves += "g1f3 g8f6 f3g1";
    assert!(moves.split_whitespace().count() > 1200);
    let (keys, position) = game(Position::startpos(), &moves);

    let mut session = Session::start();
    assert_eq!(session.say(&format!("position startpos moves {moves}")), [""; 0]);
    let found = session.search("go depth 8 searchmoves f6g8");
    found.check_after(&keys, &position);
    for info in &found.infos {
        assert_eq!(info.pv.len(), 1, "the game is over after it: {:?}", found.lines);
        assert_eq!(info.score.unwrap().value, ScoreValue::Cp(0), "{:?}", found.lines);
    }
    // Without the moves before it, the game goes on.
    session.send(&format!("position fen {position}"));
    let found = session.search("go depth 8 searchmoves f6g8");
    assert!(found.check(&position).last().pv.len() > 1, "{:?}", found.lines);
    session.quit();
}

#[test]
fn a_position_during_a_search_is_for_the_next() {
    let mut session = Session::start();
    session.send("position startpos\ngo infinite\nposition startpos moves e2e4 e7e5\nd");
    let lines = session.until("Fen: ");
    assert_eq!(lines.last().unwrap(), &format!("Fen: {}", after("e2e4 e7e5")));
    session.send("stop");
    session.found().check(&Position::startpos());
    session.search("go depth 3").check(&after("e2e4 e7e5"));
    session.quit();
}
