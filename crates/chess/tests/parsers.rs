//! FEN with its dialects: what is understood, what is mended with a note, and what is refused.

use chess::{Color, FenError, FenStyle, Mend, Position, SetupError, Square};

#[path = "support/random.rs"]
mod random;

use random::{Random, RandomPlay};

fn mends(fen: &str) -> (String, Vec<Mend>) {
    let (pos, mends) = Position::from_fen_noting(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    (pos.to_string(), mends)
}

fn refusal(fen: &str) -> FenError {
    Position::from_fen(fen).map(|pos| pos.to_string()).expect_err(fen)
}

#[test]
fn two_to_six_fields() {
    let all = "4k2r/8/8/3pP3/8/8/8/4K3 w k d6 7 9".split(' ').collect::<Vec<_>>();
    let expected = [
        "4k2r/8/8/3pP3/8/8/8/4K3 w - - 0 1",
        "4k2r/8/8/3pP3/8/8/8/4K3 w k - 0 1",
        "4k2r/8/8/3pP3/8/8/8/4K3 w k d6 0 1",
        "4k2r/8/8/3pP3/8/8/8/4K3 w k d6 7 1",
        "4k2r/8/8/3pP3/8/8/8/4K3 w k d6 7 9",
    ];
    for (fields, expected) in (2..=6).zip(expected) {
        assert_eq!(mends(&all[..fields].join(" ")), (expected.to_owned(), vec![]));
    }
    assert_eq!(refusal(all[0]), FenError::NoSideToMove);
    assert_eq!(refusal(" \t "), FenError::Empty);
}

#[test]
fn opcodes_are_ignored() {
    let start = "4k3/8/8/8/8/8/8/4K2R w K -";
    for (opcodes, counters) in [
        (r#"bm Rh8+; id "a name; 12 34";"#, "0 1"),
        ("acd 20 ce 31", "0 1"),
        ("3 7; bm O-O;", "3 7"),
        ("3 bm 9;", "3 1"),
        ("0 1 ;D1 15 ;D2 66", "0 1"),
        ("hmvc 5; fmvn 9;", "0 1"),
        (";D1 15 ;D2 66", "0 1"),
    ] {
        assert_eq!(mends(&format!("{start} {opcodes}")), (format!("{start} {counters}"), vec![]));
    }
}

#[test]
fn odd_spelling_is_understood() {
    let plain = "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3";
    for odd in [
        "  rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR \t w\tKQkq  d6 0 3\r\n",
        "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR W qkQK D6 0 3",
        "rnbqkbnr/ppp1pppp/62/3pP3/44/1111112/PPPP1PPP/RNBQKBNR w HAha d6 0 3",
    ] {
        assert_eq!(mends(odd), (plain.to_owned(), vec![]));
    }
}

#[test]
fn dialects_of_castling() {
    for (fen, standard, shredder) in [
        // The outermost rook needs no file in X-FEN, an inner one does.
        ("4k3/8/8/8/8/8/8/RR2K1RR w KQ - 0 1", "KQ", "HA"),
        ("4k3/8/8/8/8/8/8/RR2K1RR w GB - 0 1", "GB", "GB"),
        ("4k3/8/8/8/8/8/8/RR2K1RR w GQ - 0 1", "GQ", "GA"),
        ("1rk1r3/8/8/8/8/8/8/R2K3R b HAeb - 0 1", "KQkq", "HAeb"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "KQkq", "HAha"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w AHah - 0 1", "KQkq", "HAha"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w Hq - 0 1", "Kq", "Ha"),
    ] {
        let (pos, mends) = Position::from_fen_noting(fen).unwrap();
        assert!(mends.is_empty(), "{fen}: {mends:?}");
        let field = |style| pos.fen(style).split(' ').nth(2).unwrap().to_owned();
        assert_eq!(field(FenStyle::Standard), standard, "{fen}");
        assert_eq!(field(FenStyle::Shredder), shredder, "{fen}");
    }
}

#[test]
fn both_styles_round_trip() {
    let mut random = Random::new(7);
    for _ in 0..200 {
        let mut pos = random.start();
        for _ in 0..100 {
            for style in [FenStyle::Standard, FenStyle::Shredder] {
                let (read, mends) = Position::from_fen_noting(&pos.fen(style)).unwrap();
                assert_eq!((read.fen(style), read.key(), mends), (pos.fen(style), pos.key(), vec![]));
            }
            let Some(mv) = random.legal_move(&pos) else { break };
            pos.play(mv);
        }
    }
}

#[test]
fn rights_without_king_or_rook_are_dropped() {
    let dropped = |color| Mend::CastlingDropped(color);
    for (fen, field, expected) in [
        // No rook; the king off its rank; the rook on the other side; a rook of the enemy.
        ("4k3/8/8/8/8/8/8/4K2R w KQ - 0 1", "K", vec![dropped(Color::White)]),
        ("r6r/4k3/8/8/8/8/8/R3K2R w KQkq - 0 1", "KQ", vec![dropped(Color::Black); 2]),
        ("4k3/8/8/8/8/8/8/R3K3 w K - 0 1", "-", vec![dropped(Color::White)]),
        ("4k3/8/8/8/8/8/8/4K2r w H - 0 1", "-", vec![dropped(Color::White)]),
        // A file without a rook, and a right claimed twice.
        ("4k3/8/8/8/8/8/8/4K2R w F - 0 1", "-", vec![dropped(Color::White)]),
        ("4k3/8/8/8/8/8/8/4K2R w KH - 0 1", "K", vec![dropped(Color::White)]),
    ] {
        let (text, notes) = mends(fen);
        assert_eq!((text.split(' ').nth(2).unwrap(), notes), (field, expected), "{fen}");
    }
}

#[test]
fn impossible_en_passant_is_dropped() {
    for (fen, square) in [
        // No pawn ahead; the wrong rank; the square or the one behind is taken; the own pawn.
        ("4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1", Square::D6),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d5 0 1", Square::D5),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d3 0 1", Square::D3),
        ("4k3/8/3n4/3pP3/8/8/8/4K3 w - d6 0 1", Square::D6),
        ("4k3/3n4/8/3pP3/8/8/8/4K3 w - d6 0 1", Square::D6),
        ("4k3/8/8/3PP3/8/8/8/4K3 w - d6 0 1", Square::D6),
        ("4k3/8/8/8/3pP3/8/8/4K3 w - e3 0 1", Square::E3),
    ] {
        let (text, notes) = mends(fen);
        assert_eq!(
            (text.split(' ').nth(3).unwrap(), notes),
            ("-", vec![Mend::EnPassantDropped(square)]),
            "{fen}"
        );
    }
    // A double step that nobody can answer is no mistake: many programs write it.
    for fen in
        ["rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "8/8/8/8/k1pP3R/8/8/3K4 b - d3 0 1"]
    {
        assert_eq!(mends(fen), (fen.replace("e3", "-").replace("d3", "-"), vec![]));
    }
}

#[test]
fn counters_that_are_no_numbers_are_noted() {
    let start = "4k3/8/8/8/8/8/8/4K2R w K -";
    for (given, counters, noted) in [
        ("?? 7", "0 7", vec![Mend::HalfmoveClockUnread]),
        ("3 ??", "3 1", vec![Mend::FullmoveNumberUnread]),
        ("- -", "0 1", vec![Mend::HalfmoveClockUnread, Mend::FullmoveNumberUnread]),
        ("0.5 1", "0 1", vec![Mend::HalfmoveClockUnread]),
        ("?? bm Rh8+;", "0 1", vec![Mend::HalfmoveClockUnread]),
    ] {
        assert_eq!(mends(&format!("{start} {given}")), (format!("{start} {counters}"), noted));
    }
}

#[test]
fn counters_out_of_range_are_mended() {
    for (given, kept, notes) in [
        ("-1 1", "0 1", vec![Mend::HalfmoveClock(-1)]),
        ("0 0", "0 1", vec![Mend::FullmoveNumber(0)]),
        ("150 9999", "150 9999", vec![]),
        ("10000 1", "9999 1", vec![Mend::HalfmoveClock(10_000)]),
        (
            "99999999999999999999 -99999999999999999999",
            "9999 1",
            vec![Mend::HalfmoveClock(i64::MAX), Mend::FullmoveNumber(i64::MIN)],
        ),
    ] {
        let board = "4k3/8/8/8/8/8/8/4K3 w - -";
        assert_eq!(mends(&format!("{board} {given}")), (format!("{board} {kept}"), notes));
    }
}

#[test]
fn what_cannot_be_a_position_is_refused_with_the_reason() {
    let queens = format!("{}/8/8/4k3/8/8/8/4K3", "qqqqqqqq");
    for (fen, error, message) in [
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", SetupError::Kings(Color::Black, 0), "Black has no king"),
        ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", SetupError::Kings(Color::White, 2), "White has 2 kings"),
        ("3Pk3/8/8/8/8/8/8/4K3 w - - 0 1", SetupError::PawnOn(Square::D8), "a pawn cannot stand on d8"),
        ("4k3/8/8/8/8/8/8/p3K3 w - - 0 1", SetupError::PawnOn(Square::A1), "a pawn cannot stand on a1"),
        (
            "4k3/8/8/8/8/8/8/4R1K1 w - - 0 1",
            SetupError::OpponentInCheck(Color::Black),
            "Black is in check but not to move",
        ),
        (
            "8/8/8/8/8/8/3kK3/8 w - - 0 1",
            SetupError::OpponentInCheck(Color::Black),
            "Black is in check but not to move",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/N7/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            SetupError::TooManyMen(33),
            "33 pieces are more than 32",
        ),
    ] {
        assert_eq!(refusal(fen), FenError::Setup(error), "{fen}");
        assert_eq!(refusal(fen).to_string(), format!("piece placement: {message}"));
    }
    assert!(Position::from_fen(&format!("{queens} w - - 0 1")).is_ok());
}

#[test]
fn unreadable_fields_are_refused_by_name() {
    for (fen, error, message) in [
        ("8/8/8/8/8/8/8 w - -", FenError::Ranks(7), "piece placement: 7 ranks, not 8"),
        ("8/8/8/8/8/8/8/8/8 w - -", FenError::Ranks(9), "piece placement: 9 ranks, not 8"),
        (
            "8/8/8/7/8/8/8/8 w - -",
            FenError::RankLength('5'),
            "piece placement: rank 5 does not have 8 squares",
        ),
        (
            "8/8/8/8k/8/8/8/8 w - -",
            FenError::RankLength('5'),
            "piece placement: rank 5 does not have 8 squares",
        ),
        (
            "8/8/8/8/8/8/8/88 w - -",
            FenError::RankLength('1'),
            "piece placement: rank 1 does not have 8 squares",
        ),
        ("8/8/x7/8/8/8/8/8 w - -", FenError::PlacementCharacter('x'), "piece placement: 'x' is no piece"),
        ("9/8/8/8/8/8/8/8 w - -", FenError::PlacementCharacter('9'), "piece placement: '9' is no piece"),
        ("4k3/8/8/8/8/8/8/4K3 x - -", FenError::SideToMove("x".into()), "side to move: 'x' is not w or b"),
        ("4k3/8/8/8/8/8/8/4K3 w X -", FenError::Castling('X'), "castling: 'X' is no right"),
        ("4k3/8/8/8/8/8/8/4K3 w - e9", FenError::EnPassant("e9".into()), "en passant: 'e9' is no square"),
    ] {
        assert_eq!(refusal(fen), error, "{fen}");
        assert_eq!(refusal(fen).to_string(), message);
    }
}

#[test]
fn composed_positions_are_accepted() {
    for fen in [
        "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1",
        "QQQQ4/QQQQ4/QQQQ4/8/8/7k/8/K7 b - - 0 1",
        "nnnnkbbb/8/8/8/8/8/8/NNNNKBBB w - - 0 1",
        "3R4/8/q4k2/2B5/1NK5/3b4/8/8 w - - 0 1",
    ] {
        assert_eq!(mends(fen), (fen.to_owned(), vec![]));
    }
}
