//! What leaves the program: the lines, their order and their fields.

use std::time::{Duration, Instant};

use chess::Position;
use uci::{Message, OptionKind, ScoreValue};

use crate::session::{Session, after, game};

#[test]
fn the_introduction_is_whole_and_nothing_else() {
    let mut session = Session::start();
    session.send("uci");
    let lines = session.until("uciok");
    assert!(lines[0].starts_with("id name Rufous "), "{}", lines[0]);
    assert!(lines[1].starts_with("id author "));
    assert!(lines[2..lines.len() - 1].iter().all(|line| line.starts_with("option name ")), "{lines:?}");
    assert_eq!(lines.last().unwrap(), "uciok");
    for line in &lines {
        assert!(line.is_ascii() && line.trim() == line && !line.contains("  "), "{line:?}");
        assert_eq!(Message::parse(line).map(|message| message.to_string()).as_ref(), Some(line));
    }
    // What clients look for.
    assert!(lines.iter().any(|line| line.starts_with("option name UCI_Chess960 ")));
    for name in ["Move Overhead", "Threads", "Hash", "SyzygyPath", "UCI_ShowWDL"] {
        assert!(lines.iter().any(|line| line.starts_with(&format!("option name {name} type "))), "{name}");
    }
    assert_eq!(session.say("uci"), lines, "twice works");
    session.quit();
}

/// The options whose name, type and default the specification fixes, as far as they are listed.
#[test]
fn fixed_options_are_declared_as_they_must_be() {
    let mut session = Session::start();
    session.send("uci");
    let lines = session.until("uciok");
    let listed = |name: &str| lines.iter().any(|line| line.starts_with(&format!("option name {name} type ")));
    for declaration in [
        "Hash type spin default 16 min 1 ",
        "Ponder type check default false",
        "OwnBook type check default false",
        "MultiPV type spin default 1 min 1 ",
        "UCI_ShowCurrLine type check default false",
        "UCI_ShowRefutations type check default false",
        "UCI_LimitStrength type check default false",
        "UCI_Elo type spin default ",
        "UCI_AnalyseMode type check default false",
        "UCI_Opponent type string default <empty>",
        "UCI_EngineAbout type string default Rufous",
        "UCI_SetPositionValue type string default <empty>",
        "Threads type spin default 1 min 1 ",
        "Clear Hash type button",
        "Move Overhead type spin default 10 min 0 max 5000",
        "SyzygyPath type string default <empty>",
    ] {
        let name = declaration.split(" type ").next().unwrap();
        let declared = lines.iter().any(|line| line.starts_with(&format!("option name {declaration}")));
        assert!(declared || !listed(name), "{declaration}");
    }
    assert_eq!(listed("UCI_LimitStrength"), listed("UCI_Elo"), "one makes no sense without the other");
    let mut names = Vec::new();
    for line in &lines {
        let Some(Message::Option(option)) = Message::parse(line) else { continue };
        if let OptionKind::Spin { default, min, max } = option.kind {
            assert!((min..=max).contains(&default) && i32::try_from(min).is_ok(), "{line}");
            assert!(i32::try_from(max).is_ok(), "{line}");
        }
        assert!(!names.contains(&option.name), "{line} comes twice");
        names.push(option.name);
    }
    session.quit();
}

#[test]
fn lines_stay_whole_however_many_threads_there_are() {
    let mut session = Session::start();
    session.send("setoption name Threads value 4\nsetoption name MultiPV value 3\ngo infinite");
    let mut answers = 0;
    while answers < 300 {
        session.send("isready\nregister later");
        let line = session.next_line().unwrap();
        let message = Message::parse(&line).unwrap_or_else(|| panic!("{line:?} is no message"));
        assert_eq!(message.to_string(), line);
        answers += usize::from(line == "readyok");
    }
    session.send("stop");
    session.found();
    session.quit();
}

#[test]
fn every_line_of_a_search_is_canonical() {
    let mut session = Session::start();
    session.send(
        "setoption name MultiPV value 3\nsetoption name UCI_ShowWDL value true\nposition startpos moves e2e4",
    );
    let found = session.search("go depth 8");
    found.check(&after("e2e4"));
    for line in &found.lines {
        assert_eq!(Message::parse(line).map(|message| message.to_string()).as_ref(), Some(line));
    }
    for info in &found.infos {
        assert!(info.score.unwrap().wdl.is_some_and(|wdl| wdl.win + wdl.draw + wdl.loss == 1000));
        assert!(info.depth <= Some(245) && info.nps < Some(1 << 32) && info.seldepth.is_some());
        assert!(info.hashfull <= Some(1000), "it is per mille: {info}");
        assert!(
            info.time.is_some() && info.nodes.is_some() && info.hashfull.is_some() && info.tbhits.is_some()
        );
    }
    session.quit();
}

#[test]
fn several_lines_come_together_in_order_and_differ() {
    let mut session = Session::start();
    session.send("setoption name MultiPV value 4\nposition startpos");
    let found = session.search("go depth 7");
    found.check(&Position::startpos());
    for block in found.infos.chunks(4) {
        let ranks: Vec<_> = block.iter().map(|info| info.multipv).collect();
        assert_eq!(ranks, [Some(1), Some(2), Some(3), Some(4)]);
        for (index, info) in block.iter().enumerate() {
            assert!(block[..index].iter().all(|other| other.pv[0] != info.pv[0]), "{:?}", found.lines);
        }
    }
    session.quit();
}

#[test]
fn the_last_lines_of_an_interrupted_search_are_in_order() {
    let mut session = Session::start();
    session.send("setoption name MultiPV value 3");
    let root = after("e2e4 e7e5 g1f3 b8c6");
    for nodes in (2_000..10_000).step_by(211) {
        session.send("ucinewgame\nposition startpos moves e2e4 e7e5 g1f3 b8c6");
        let found = session.search(&format!("go nodes {nodes}"));
        found.check(&root);
        let last = &found.infos[found.infos.len() - 3..];
        let ranks: Vec<_> = last.iter().map(|info| info.multipv).collect();
        assert_eq!(ranks, [Some(1), Some(2), Some(3)]);
        let values: Vec<_> = last
            .iter()
            .map(|info| match info.score.unwrap().value {
                ScoreValue::Cp(cp) => cp,
                ScoreValue::Mate(_) => panic!("no mate in sight"),
            })
            .collect();
        assert!(values.is_sorted_by(|a, b| a >= b), "{nodes} nodes: {:?}", found.lines);
    }
    session.quit();
}

#[test]
fn scores_are_of_the_side_to_move() {
    let mut session = Session::start();
    for (side, sign) in [("w", -1), ("b", 1)] {
        session.send(&format!("position fen q3k3/pp6/8/8/8/8/PP6/4K3 {side} - - 0 1"));
        let found = session.search("go depth 4");
        match found.last().score.unwrap().value {
            ScoreValue::Cp(cp) => assert!(cp * sign > 200, "{:?}", found.lines),
            ScoreValue::Mate(moves) => assert_eq!(moves.signum(), sign, "{:?}", found.lines),
        }
    }
    session.quit();
}

#[test]
fn more_lines_than_moves_are_as_many_as_there_are() {
    let mut session = Session::start();
    session.send("setoption name MultiPV value 200\nposition fen 7k/8/8/8/8/8/8/K7 w - - 0 1");
    let found = session.search("go depth 4");
    assert_eq!(found.infos.iter().filter_map(|info| info.multipv).max(), Some(3));
    session.quit();
}

#[test]
fn a_mate_has_its_whole_line() {
    let mut session = Session::start();
    for (fen, mates) in [
        ("7k/8/5K2/8/8/8/8/6R1 w - - 0 1", true),
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", true),
        ("k7/8/1K6/8/8/8/8/7R b - - 0 1", false),
    ] {
        let root = Position::from_fen(fen).unwrap();
        session.send(&format!("ucinewgame\nposition fen {fen}"));
        let found = session.search("go depth 12");
        found.check(&root);
        let info = found.last();
        let ScoreValue::Mate(moves) = info.score.unwrap().value else { panic!("{fen}: {:?}", found.lines) };
        assert_eq!(moves > 0, mates, "{fen}");
        let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
        assert_eq!(info.pv.len() as i64, plies, "{fen}: {:?}", found.lines);
        let mut end = root;
        for mv in &info.pv {
            end.play(end.parse_uci_move(mv.as_str()).unwrap());
        }
        assert!(end.in_check() && !end.has_legal_move(), "{fen}");
    }
    session.quit();
}

/// [`Found::check_after`] asserts it of every line; here are positions in which the rules end the game
/// soon: fifty moves, a dead position, and a perpetual check that has begun in the game.
///
/// [`Found::check_after`]: crate::session::Found::check_after
#[test]
fn no_line_of_play_goes_on_past_a_draw() {
    let mut session = Session::start();
    for (fen, moves) in [
        ("8/8/8/8/8/2k5/2p5/2K4B w - - 96 90", ""),
        ("4k3/8/8/8/8/8/R7/4K3 w - - 97 100", ""),
        ("6k1/6p1/8/6Q1/8/8/1qr5/7K w - - 0 1", ""),
        ("6k1/6p1/8/6Q1/8/8/1qr5/7K w - - 0 1", "g5d8 g8h7 d8h4 h7g8 h4d8 g8h7 d8h4 h7g8"),
        ("6k1/6p1/8/6Q1/8/8/1qr5/7K w - - 0 1", "g5d8 g8h7 d8h4 h7g8 h4d8 g8h7 d8h4"),
    ] {
        let (keys, root) = game(Position::from_fen(fen).unwrap(), moves);
        session.send(&format!("ucinewgame\nposition fen {fen} moves {moves}"));
        session.search("go depth 14").check_after(&keys, &root);
    }
    session.quit();
}

#[test]
fn details_of_the_search_come_only_after_a_second_and_only_when_wanted() {
    let mut session = Session::start();
    session.send("setoption name UCI_ShowCurrLine value true\nsetoption name UCI_ShowRefutations value true");
    session.send("setoption name Threads value 2");
    session.settle();
    let begun = Instant::now();
    session.send("position startpos\ngo infinite");
    let (mut kinds, mut last_cpu) = ([false; 3], None);
    while kinds != [true; 3] {
        let line = session.next_line().unwrap();
        let Some(Message::Info(info)) = Message::parse(&line) else { panic!("{line} is no report") };
        let cpu = info.currline.as_ref().map(|line| line.cpu.expect("there are two"));
        assert!(cpu.is_none_or(|cpu| cpu == 1 || last_cpu == Some(cpu - 1)), "{line} stands alone");
        assert_eq!(
            info.currmove.is_some(),
            info.currmovenumber.is_some_and(|number| (1..=20).contains(&number))
        );
        // Both are moves that can be played one after the other.
        for moves in [info.currline.as_ref().map_or(&[][..], |line| &line.moves), &info.refutation] {
            after(&moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "));
        }
        let details = [info.currmove.is_some(), cpu.is_some(), !info.refutation.is_empty()];
        if details.contains(&true) {
            assert!(begun.elapsed() >= Duration::from_secs(1), "{line} came too early");
        }
        // Both are lines that can be played from the root.
        for line in info.currline.iter().map(|line| &line.moves).chain([&info.refutation]) {
            after(&line.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "));
        }
        last_cpu = cpu;
        kinds = [0, 1, 2].map(|kind| kinds[kind] || details[kind]);
    }
    session.search("stop");
    session
        .send("setoption name UCI_ShowCurrLine value false\nsetoption name UCI_ShowRefutations value false");
    let found = session.search("go movetime 1500");
    assert!(!found.lines.iter().any(|line| line.contains("currline") || line.contains("refutation")));
    session.quit();
}

#[test]
fn notes_hold_no_words_of_reports() {
    let mut session = Session::start();
    let mut lines = session.say("debug on\ngo depth x nodes 50\nposition fen depth score pv\nposition startpos moves e2e4 pv\nsetoption name depth value score\nsetoption name Debug Log File value /no/depth score/pv");
    lines.extend(session.say("go depth 1 searchmoves e2e5 score pv"));
    let notes: Vec<&String> = lines.iter().filter(|line| line.starts_with("info string")).collect();
    assert!(notes.len() >= 8, "{lines:?}");
    for note in notes {
        let words: Vec<&str> = note.split(' ').skip(2).collect();
        assert!(!words.iter().any(|word| matches!(*word, "score" | "depth" | "pv")), "{note}");
        assert!(words[0].parse::<uci::UciMove>().is_err(), "{note}");
    }
    session.quit();
}
