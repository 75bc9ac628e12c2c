//! The lines that real clients and people send, and what each must be understood as.

use uci::{Command, Go, Problem, Register, Start, UciMove};

/// What a line means, in canonical form.
fn meaning(line: &str) -> Option<String> {
    Command::parse(line).command.map(|command| command.to_string())
}

#[test]
fn lines_have_their_canonical_meaning() {
    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let fen = format!("position fen {START}");
    let fen_moves = format!("position fen {START} moves e2e4");
    let cases = [
        ("uci", "uci"),
        ("  uci \r\n", "uci"),
        ("\u{feff}uci", "uci"),
        ("joho debug on", "debug on"),
        ("debug   joho\toff", "debug off"),
        ("hello go", "go"),
        ("isready\0", "isready"),
        ("setoption name Hash value 64", "setoption name Hash value 64"),
        ("setoption name  Clear   Hash", "setoption name Clear Hash"),
        ("setoption Hash value 64", "setoption name Hash value 64"),
        ("setoption joho name Hash value 64", "setoption name Hash value 64"),
        ("setoption name Pawn Value value 100", "setoption name Pawn Value value 100"),
        ("setoption name SyzygyPath value", "setoption name SyzygyPath value"),
        (
            "setoption name P value C:\\a  b;\"D:\\name value\" ",
            "setoption name P value C:\\a  b;\"D:\\name value\"",
        ),
        ("register later", "register later"),
        ("register code 4359874324 name Stefan MK", "register name Stefan MK code 4359874324"),
        ("position startpos", "position startpos"),
        ("position startpos moves", "position startpos"),
        ("position startpos e2e4 e7e5", "position startpos moves e2e4 e7e5"),
        ("position fen startpos moves e2e4", "position startpos moves e2e4"),
        ("position joho startpos joho moves e2e4", "position startpos moves e2e4"),
        ("position moves e2e4 e7e5", "position startpos moves e2e4 e7e5"),
        ("position joho moves e2e4", "position startpos moves e2e4"),
        ("position moves", "position startpos"),
        (&format!("position fen  {START}"), &fen),
        (&format!("position {START} moves e2e4"), &fen_moves),
        (&format!("position fen {START} moves"), &fen),
        ("position startpos moves E2E4 nonsense", "position startpos moves E2E4 nonsense"),
        ("go", "go"),
        ("go infinite searchmoves e2e4 D2D4", "go infinite searchmoves e2e4 d2d4"),
        ("go searchmoves e2e4 depth 5", "go depth 5 searchmoves e2e4"),
        ("go searchmoves 0000", "go searchmoves 0000"),
        ("go wtime -20 btime 0", "go wtime -20 btime 0"),
        ("go nodes 99999999999999999999999999", "go nodes 18446744073709551615"),
        ("go depth 5 depth 7", "go depth 7"),
        ("perft 5", "go perft 5"),
        ("bench 16 1 13 default depth", "bench 16 1 13 default depth"),
        ("speedtest 2 64 10", "speedtest 2 64 10"),
        ("export_net a.nnue b.nnue", "export_net a.nnue b.nnue"),
        ("genfens 10 seed 7 book None", "genfens 10 seed 7 book None"),
        ("genfens 10 seed 7 book b.epd dfrc 1", "genfens 10 seed 7 book b.epd dfrc 1"),
        ("quit now", "quit"),
    ];
    for (line, expected) in cases {
        assert_eq!(meaning(line).as_deref(), Some(expected), "{line:?}");
    }
}

#[test]
fn blank_lines_and_comments_are_nothing() {
    for line in ["", "   ", "\r\n", "\0\0", "# go infinite", "  #quit"] {
        assert_eq!(Command::parse(line), uci::Parsed::default(), "{line:?}");
    }
}

#[test]
fn what_is_not_understood_is_said_in_words() {
    let cases = [
        ("xyz", None, "unknown command 'xyz'"),
        ("what is d", None, "unknown command 'what'"),
        ("joho uci", Some("uci"), "unknown word 'joho' skipped"),
        ("debug", None, "'debug' needs 'on' or 'off'"),
        ("setoption", None, "'setoption' needs the name of an option"),
        ("setoption name value 3", None, "'setoption' needs the name of an option"),
        ("position", None, "'position' needs 'startpos' or 'fen' and a FEN"),
        ("position fen", None, "'position' needs 'startpos' or 'fen' and a FEN"),
        ("position fen moves e2e4", None, "'position' needs 'startpos' or 'fen' and a FEN"),
        ("go depth x nodes 5", Some("go nodes 5"), "'depth' cannot take 'x'"),
        ("go depth -1", Some("go"), "'depth' cannot take '-1'"),
        ("go mate", Some("go"), "'mate' needs a number"),
        ("go mate depth 3", Some("go depth 3"), "'mate' needs a number"),
        ("go movetime 100 joho", Some("go movetime 100"), "unknown word 'joho' skipped"),
        ("go searchmoves e2e4 e9e5", Some("go searchmoves e2e4"), "'e9e5' is not a move like e2e4 or e7e8q"),
        ("perft", None, "'perft' needs a number"),
        ("genfens x", None, "'genfens' cannot take 'x'"),
    ];
    for (line, command, problem) in cases {
        let parsed = Command::parse(line);
        assert_eq!(parsed.command.map(|command| command.to_string()).as_deref(), command, "{line}");
        assert_eq!(parsed.problems.len(), 1, "{line}");
        assert_eq!(parsed.problems[0].to_string(), problem, "{line}");
    }
}

#[test]
fn only_skipped_words_are_no_errors() {
    assert!(!Problem::Skipped("joho".to_owned()).is_error());
    assert!(Problem::UnknownCommand("joho".to_owned()).is_error());
}

#[test]
fn bytes_that_are_no_text_are_read_around() {
    assert_eq!(Command::parse(b"\xff\xfe go depth 3").command, Command::parse("go depth 3").command);
    let parsed = Command::parse(b"setoption name F value caf\xe9");
    let value = Some("caf\u{fffd}".to_owned());
    assert_eq!(parsed.command, Some(Command::SetOption { name: "F".to_owned(), value }));
}

#[test]
fn types_hold_what_was_sent() {
    let moves = vec!["e2e4".parse::<UciMove>().unwrap()];
    let go = Go { ponder: true, winc: Some(10), searchmoves: moves, ..Go::default() };
    assert_eq!(Command::parse("go ponder winc 10 searchmoves e2e4").command, Some(Command::Go(go)));
    let register = Register::Now { name: Some("A B".to_owned()), code: None };
    assert_eq!(Command::parse("register name A B").command, Some(Command::Register(register)));
    let start = Start::Fen("8/8 w".to_owned());
    assert_eq!(Command::parse("position 8/8 w").command, Some(Command::Position { start, moves: vec![] }));
}
