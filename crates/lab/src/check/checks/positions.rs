//! `position`: the start position, FENs, the special moves, long games, and what is no position.

use std::fmt::Write;

use crate::check::rule::{Check, CheckResult, ensure, must, practice};
use crate::check::session::Session;
use crate::check::test_position::{MIDDLE_GAME, STARTPOS, TestPosition};

/// Castling gives check, after which there is one legal move.
const CASTLING_CHECK: &str = "5k2/R7/p7/1B6/8/8/8/4K2R w K - 0 1";
/// Capturing in passing is the only legal move.
const EN_PASSANT_ONLY: &str = "8/4B3/8/4Q3/2pP4/2N5/5R2/2k1K3 b - d3 0 1";
/// Every legal move is a promotion.
const PROMOTION_ONLY: &str = "8/5P1k/8/8/8/1q6/8/K7 w - - 0 1";
/// Castling is the only mate in one.
const CASTLING_MATES: &str = "8/4p3/8/8/8/8/6Q1/k3K2R w K - 0 1";
/// The same with the names that Chess960 gives to the right.
const CASTLING_MATES_960: &str = "8/4p3/8/8/8/8/6Q1/k3K2R w H - 0 1";

pub(super) const CHECKS: &[Check] = &[
    must(
        "position.startpos",
        "if the game was played from the start position the string startpos will be sent",
        |session| legal(session, &TestPosition::new(STARTPOS)),
    ),
    must(
        "position.startpos-moves",
        "set up the position described in fenstring on the internal board and play the moves on the internal chess board",
        |session| legal(session, &TestPosition::after(STARTPOS, "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6")),
    ),
    must("position.fen", "set up the position described in fenstring on the internal board", |session| {
        legal(
            session,
            &TestPosition::new("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1"),
        )
    }),
    must(
        "position.fen-moves",
        "set up the position described in fenstring on the internal board and play the moves on the internal chess board",
        |session| legal(session, &TestPosition::after(MIDDLE_GAME, "d4c5 e7c5 e1g1 f8e8")),
    ),
    must("position.castling", "e1g1 (white short castling)", |session| {
        legal(session, &TestPosition::after(CASTLING_CHECK, "e1g1"))
    }),
    must(
        "position.en-passant",
        "set up the position described in fenstring on the internal board",
        |session| legal(session, &TestPosition::new(EN_PASSANT_ONLY)),
    ),
    must("position.promotion", "e7e8q (for promotion)", |session| {
        legal(session, &TestPosition::new(PROMOTION_ONLY))
    }),
    must("position.promotion-moves", "e7e8q (for promotion)", |session| {
        legal(session, &TestPosition::after(PROMOTION_ONLY, "f7f8n h7g7"))
    }),
    must("position.castling-answer", "e1g1 (white short castling)", castles),
    must("position.long-game", "play the moves on the internal chess board", long_game),
    must("position.repeated", "for every go command a bestmove command is needed!", |session| {
        legal(session, &TestPosition::after(STARTPOS, &["g1f3 g8f6 f3g1 f6g8"; 4].join(" ")))
    }),
    must("position.fifty-moves", "for every go command a bestmove command is needed!", |session| {
        legal(session, &TestPosition::new("8/5k2/8/8/8/2K5/4R3/8 w - - 120 150"))
    }),
    must(
        "position.switch",
        "start calculating on the current position set up with the position command",
        switch,
    ),
    practice("position.short-fen", "A FEN without its counters is understood, as in EPD files.", |session| {
        session.begin()?;
        session.send("position fen 8/5k2/8/8/8/2K5/4R3/8 b - -")?;
        let started = std::time::Instant::now();
        session.send("go depth 2")?;
        session.finish(started)?.best_legal(&TestPosition::new("8/5k2/8/8/8/2K5/4R3/8 b - - 0 1")).map(|_| ())
    }),
    practice(
        "position.empty-moves",
        "'moves' without any moves is no error; some clients send it.",
        |session| {
            session.begin()?;
            session.send("position startpos moves")?;
            let started = std::time::Instant::now();
            session.send("go depth 2")?;
            session.finish(started)?.best_legal(&TestPosition::new(STARTPOS)).map(|_| ())
        },
    ),
    practice("position.none", "'go' before any 'position' is a search from the start position.", |session| {
        session.begin()?;
        let started = std::time::Instant::now();
        session.send("go depth 2")?;
        session.finish(started)?.best_legal(&TestPosition::new(STARTPOS)).map(|_| ())
    }),
    practice("position.promoted-material", "A composed position with nine knights is analysed.", |session| {
        legal(session, &TestPosition::new("NNNNNNNN/8/8/8/8/N5k1/8/K7 w - - 0 1"))
    }),
    practice(
        "position.bad-fen",
        "A text that is no FEN, or no possible position, is no reason to end.",
        bad_fens,
    ),
    practice("position.illegal-move", "An illegal move in the list is no reason to end.", illegal_moves),
    practice(
        "chess960.castling-answer",
        "With UCI_Chess960 castling is written as the king taking its own rook.",
        castles_960,
    ),
    practice(
        "chess960.castling-read",
        "With UCI_Chess960 castling is read as the king taking its own rook.",
        |session| {
            session.begin_with("UCI_Chess960")?;
            session.send("setoption name UCI_Chess960 value true")?;
            let board = TestPosition::after("5k2/R7/p7/1B6/8/8/8/4K2R w H - 0 1", "e1h1");
            session.search(&board, "depth 2").map(|_| ())
        },
    ),
    practice("chess960.start", "With UCI_Chess960 a start position of Chess960 is searched.", |session| {
        session.begin_with("UCI_Chess960")?;
        session.send("setoption name UCI_Chess960 value true")?;
        let board = TestPosition::new("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9");
        session.search(&board, "depth 4").map(|_| ())
    }),
];

fn legal(session: &mut Session, board: &TestPosition) -> CheckResult {
    session.begin()?;
    session.search(board, "depth 2").map(|_| ())
}

fn castles(session: &mut Session) -> CheckResult {
    session.begin()?;
    let search = session.search(&TestPosition::new(CASTLING_MATES), "depth 6")?;
    let best = search.best_text();
    ensure(best == "e1g1", || format!("the mate e1g1 was not played but '{best}'"))
}

fn castles_960(session: &mut Session) -> CheckResult {
    session.begin_with("UCI_Chess960")?;
    session.send("setoption name UCI_Chess960 value true")?;
    let search = session.search(&TestPosition::new(CASTLING_MATES_960), "depth 6")?;
    let best = search.best_text();
    ensure(best == "e1h1", || format!("the mate e1h1 was not played but '{best}'"))
}

/// The game has been drawn long before its end, but clients that analyse send whatever was played.
fn long_game(session: &mut Session) -> CheckResult {
    session.begin()?;
    let mut moves = String::from("e2e4 e7e5");
    for _ in 0..150 {
        // Writing to a string cannot fail.
        let _ = write!(moves, " g1f3 g8f6 f3g1 f6g8");
    }
    session.search(&TestPosition::after(STARTPOS, &moves), "depth 2").map(|_| ())
}

fn switch(session: &mut Session) -> CheckResult {
    session.begin()?;
    for fen in [MIDDLE_GAME, EN_PASSANT_ONLY, PROMOTION_ONLY, STARTPOS] {
        session.search(&TestPosition::new(fen), "depth 2")?;
    }
    Ok(())
}

fn bad_fens(session: &mut Session) -> CheckResult {
    session.begin()?;
    let fens = [
        "",
        "rubbish",
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "9/8/8/8/8/8/8/8 w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1",
        "kk6/8/8/8/8/8/8/KK6 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 x - - 0 1",
    ];
    for fen in fens {
        session.survive(format!("position fen {fen}").trim_end())?;
    }
    session.expect_alive()
}

fn illegal_moves(session: &mut Session) -> CheckResult {
    session.begin()?;
    for moves in ["e2e5", "e2e4 e2e4", "xyz", "e7e5", "e2e4 e7e5 e1e8"] {
        session.survive(&format!("position startpos moves {moves}"))?;
    }
    session.expect_alive()
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Position;

    fn legal_moves(board: &TestPosition) -> Vec<chess::Move> {
        board.position.legal_moves().iter().copied().collect()
    }

    #[test]
    fn the_positions_are_what_they_say() {
        assert_eq!(legal_moves(&TestPosition::after(CASTLING_CHECK, "e1g1")).len(), 1);
        let passing = legal_moves(&TestPosition::new(EN_PASSANT_ONLY));
        assert!(passing.len() == 1 && passing[0].is_en_passant());
        assert!(legal_moves(&TestPosition::new(PROMOTION_ONLY)).iter().all(|mv| mv.is_promotion()));
        for fen in [CASTLING_MATES, CASTLING_MATES_960] {
            let position = Position::from_fen(fen).unwrap();
            let moves = position.legal_moves();
            let mates: Vec<_> = moves
                .iter()
                .filter(|mv| !position.after(**mv).has_legal_move() && position.after(**mv).in_check())
                .collect();
            assert!(mates.len() == 1 && mates[0].is_castling());
        }
    }
}
