//! The lines that real engines send, and what each must be understood as.

use uci::{Info, Message, OptionKind, Score, ScoreValue};

#[test]
fn canonical_lines_are_printed_as_they_came() {
    let lines = [
        "id name Shredder X.Y",
        "id author Stefan MK",
        "uciok",
        "readyok",
        "bestmove e2e4",
        "bestmove g1f3 ponder d8f6",
        "bestmove (none)",
        "bestmove 0000",
        "copyprotection checking",
        "registration error",
        "info",
        "info depth 18 seldepth 41 multipv 1 score cp 28 nodes 13490585 nps 10189263 hashfull 543 tbhits 0 time 1324 pv g1f3 b8c6",
        "info depth 7 score cp 54 upperbound wdl 22 974 4 nodes 1003",
        "info depth 0 score mate 0",
        "info score mate -2 lowerbound",
        "info currmove e2e4 currmovenumber 1",
        "info sbhits 3 cpuload 990",
        "info refutation d1h5 g6h5",
        "info refutation d1h5",
        "info currline 1 e2e4 e7e5",
        "info currline e2e4 e7e5",
        "info string NNUE evaluation using  score depth pv e2e4",
        "option name Nullmove type check default true",
        "option name Selectivity type spin default 2 min 0 max 4",
        "option name Style type combo default Normal var Solid var Normal var Risky",
        "option name NalimovPath type string default c:\\",
        "option name Clear Hash type button",
        "option name SyzygyPath type string default <empty>",
        "option name UCI_EngineAbout type string default by Stefan min max var, see www.shredderchess.com",
    ];
    for line in lines {
        assert_eq!(Message::parse(line).map(|message| message.to_string()).as_deref(), Some(line));
    }
}

#[test]
fn odd_lines_are_understood() {
    let cases = [
        (
            "info score cp 13  depth 1 nodes 13 time 15 pv f1b5\r\n",
            "info depth 1 score cp 13 nodes 13 time 15 pv f1b5",
        ),
        ("info score lowerbound cp 13 depth 2", "info depth 2 score cp 13 lowerbound"),
        ("info depth 3 wdl 1 2 3 score cp 5", "info depth 3 score cp 5 wdl 1 2 3"),
        ("info depth 12.5 nodes -1 nps 7", "info nps 7"),
        ("info depth 3 pv e2e4 e7e5 ebf 1.9 nodes 9", "info depth 3 nodes 9 pv e2e4 e7e5"),
        ("info currline 0000 e2e4", "info currline 0000 e2e4"),
        ("bestmove E2E4 PONDER", "bestmove e2e4"),
        ("bestmove e2e4 ponder (none)", "bestmove e2e4"),
        ("bestmove NULL", "bestmove (none)"),
        ("joho readyok", "readyok"),
        (
            "option name Debug Log File type string default",
            "option name Debug Log File type string default <empty>",
        ),
        ("option name A type string", "option name A type string default <empty>"),
        (
            "option name Some type of thing type check default True",
            "option name Some type of thing type check default true",
        ),
        (
            "option name H max 4 type spin max 9 min 1 default 3",
            "option name H max 4 type spin default 3 min 1 max 9",
        ),
    ];
    for (line, expected) in cases {
        assert_eq!(
            Message::parse(line).map(|message| message.to_string()).as_deref(),
            Some(expected),
            "{line}"
        );
    }
}

#[test]
fn other_lines_are_no_messages() {
    let lines = [
        "",
        "Stockfish 17 by the Stockfish developers",
        "bestmove",
        "bestmove x9",
        "id",
        "option name A",
        "option name type check",
        "copyprotection",
    ];
    for line in lines {
        assert_eq!(Message::parse(line), None, "{line}");
    }
}

#[test]
fn types_hold_what_was_sent() {
    let Some(Message::Info(info)) = Message::parse("info depth 4 score mate 3 pv e2e4") else { panic!() };
    let score = Some(Score::from(ScoreValue::Mate(3)));
    let pv = vec!["e2e4".parse().unwrap()];
    assert_eq!(*info, Info { depth: Some(4), score, pv, ..Info::default() });

    let Some(Message::Option(option)) = Message::parse("option name H type spin default 16") else {
        panic!()
    };
    assert_eq!(option.kind, OptionKind::Spin { default: 16, min: i64::MIN, max: i64::MAX });
}
