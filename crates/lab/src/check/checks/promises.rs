//! What users and scripts rely on beyond single commands: correct mate scores, no command lost, no needless waiting.

use std::time::{Duration, Instant};

use uci::{Info, ScoreValue};

use crate::check::pipe::pipe;
use crate::check::rule::{Check, CheckResult, Finding, ensure, fail, not_applicable, practice};
use crate::check::session::{SearchOutput, Session, first_word};
use crate::check::test_position::{
    MATE_IN_THREE, MATE_IN_TWO, MATED_IN_ONE, MIDDLE_GAME, ONE_REPLY, STARTPOS, TestPosition,
};

pub(super) const CHECKS: &[Check] = &[
    practice(
        "mate.ends",
        "'go mate N' ends by itself when a mate in N moves or fewer is known, for or against.",
        |session| {
            session.begin()?;
            for (fen, asked, mate) in [
                (MATE_IN_TWO, 2, 2),
                (MATE_IN_TWO, 5, 2),
                (MATE_IN_THREE, 3, 3),
                (MATE_IN_THREE, 4, 3),
                (MATED_IN_ONE, 2, -1),
            ] {
                proved_mate(session, fen, asked, mate).map_err(|finding| finding.about(fen))?;
            }
            Ok(())
        },
    ),
    practice(
        "mate.fifty-moves",
        "No mate is told that the fifty-move rule forestalls, whatever was found before.",
        fifty_moves,
    ),
    practice(
        "script.carried-out",
        "What comes before 'quit' in one piece is carried out: a script's last 'isready' is answered.",
        script,
    ),
    practice(
        "script.words-of-the-system",
        "A missing folder is not told in the words by which xboard knows an engine that could not be started.",
        words_of_the_system,
    ),
    practice(
        "perft.isready",
        "'isready' during 'go perft' is answered at once, as during a search.",
        perft_isready,
    ),
    practice(
        "ponderhit.enough",
        "What was enough while pondering is enough: with one legal move the hit ends the search.",
        ponderhit_enough,
    ),
    practice("info.no-repeat", "The last report is not sent a second time before 'bestmove'.", no_repeat),
    practice(
        "option.clear-hash-forgets",
        "After 'Clear Hash' a search takes the nodes that it takes in a new process.",
        clear_hash,
    ),
    practice(
        "position.bad-counters",
        "Counters of a FEN that are no numbers are no reason to end, nor to forget the position.",
        bad_counters,
    ),
];

/// Asks for a mate and wants it shown, soon.
fn proved_mate(session: &mut Session, fen: &str, asked: u64, mate: i64) -> CheckResult {
    let board = TestPosition::new(fen);
    let started = session.go(&board, &format!("mate {asked}"))?;
    let within = 2 * session.subject.prompt_limit;
    let lines = session
        .await_line("bestmove", within, |text| first_word(text) == "bestmove")
        .map_err(|finding| finding.about(&format!("go mate {asked}")))?;
    let search = SearchOutput { started, lines };
    search.best_legal(&board)?;
    let score = search.lines_of_play().filter_map(|(info, _)| info.score).next_back();
    ensure(score.is_some_and(|score| score.value == ScoreValue::Mate(mate)), || {
        format!("'go mate {asked}' ended without 'score mate {mate}'")
    })
}

/// A mate that needs some moves is found with all of them left, and asked for again with two left.
fn fifty_moves(session: &mut Session) -> CheckResult {
    const MEN: &str = "8/8/8/4k3/8/8/Q7/K7 w - -";
    session.begin()?;
    session.search(&TestPosition::new(&format!("{MEN} 0 1")), "movetime 1500")?;
    let search = session.search(&TestPosition::new(&format!("{MEN} 96 90")), "depth 8")?;
    let mate = search.lines_of_play().find(|(info, _)| {
        let exact = info.score.filter(|score| score.bound.is_none());
        exact.is_some_and(|score| matches!(score.value, ScoreValue::Mate(_)))
    });
    mate.map_or(Ok(()), |(_, line)| fail(format!("a mate in four plies is impossible here: '{line}'")))
}

fn script(session: &mut Session) -> CheckResult {
    const SCRIPT: &str = "uci\nsetoption name Hash value 64\nposition startpos\nisready\nquit\n";
    for _ in 0..20 {
        let piped = pipe(&session.subject.command, SCRIPT.as_bytes(), session.subject.timeout)?;
        for answer in ["uciok", "readyok"] {
            ensure(piped.output.lines().any(|line| first_word(line) == answer), || {
                format!("no {answer} in the answer to a script that ends with 'quit'")
            })?;
        }
    }
    Ok(())
}

fn words_of_the_system(session: &mut Session) -> CheckResult {
    session.begin_with("SyzygyPath")?;
    session.send("setoption name SyzygyPath value /no/such/folder")?;
    session.ready()?;
    const PHRASES: [&str; 4] = ["No such file", "not found", "Permission denied", "unknown host"];
    let said = session.transcript();
    let told = said.iter().find(|said| PHRASES.iter().any(|phrase| said.line.contains(phrase)));
    told.map_or(Ok(()), |said| fail(format!("'{}'", said.line)))
}

fn perft_isready(session: &mut Session) -> CheckResult {
    session.begin()?;
    session.send_all(&[TestPosition::new(STARTPOS).command(), "go perft 1"])?;
    let counted = session.await_line("count", session.subject.prompt_limit, |text| {
        first_word(text) != "info" && text.split(|c: char| !c.is_ascii_digit()).any(|number| number == "20")
    });
    if counted.is_err() {
        return not_applicable("the engine has no 'go perft'");
    }
    session.ready()?;
    session.send("go perft 9")?;
    session.listen(Duration::from_millis(200))?;
    session.send("isready")?;
    session
        .await_line("readyok", session.subject.prompt_limit, |text| first_word(text) == "readyok")
        .map(|_| ())
}

fn ponderhit_enough(session: &mut Session) -> CheckResult {
    session.begin_with("Ponder")?;
    let board = TestPosition::new(ONE_REPLY);
    session.go(&board, "ponder wtime 100000000 btime 100000000")?;
    session.expect_no("bestmove", Duration::from_millis(1500), "came while pondering")?;
    let hit = Instant::now();
    session.send("ponderhit")?;
    let search = session.finish(hit)?;
    search.best_legal(&board)?;
    search.expect_within(Duration::ZERO, session.subject.prompt_limit)
}

/// What a report says, without the counters that grow with time.
fn content(info: &Info) -> Info {
    Info { nodes: None, nps: None, time: None, hashfull: None, tbhits: None, cpuload: None, ..info.clone() }
}

fn no_repeat(session: &mut Session) -> CheckResult {
    session.begin()?;
    for depth in [1, 4, 7] {
        let search = session.search(&TestPosition::new(MIDDLE_GAME), &format!("depth {depth}"))?;
        let mut last: Option<Info> = None;
        for (info, line) in search.lines_of_play() {
            let info = content(&info);
            ensure(last.as_ref() != Some(&info), || format!("sent twice: '{line}'"))?;
            last = Some(info);
        }
    }
    Ok(())
}

fn clear_hash(session: &mut Session) -> CheckResult {
    session.begin_with("Clear Hash")?;
    let nodes = |session: &mut Session, board: &TestPosition| -> Result<u64, Finding> {
        let search = session.search(board, "depth 9")?;
        match search.infos().filter_map(|(info, _)| info.nodes).max() {
            Some(nodes) => Ok(nodes),
            None => not_applicable("the engine reports no nodes"),
        }
    };
    let board = TestPosition::new(MIDDLE_GAME);
    let first = nodes(session, &board)?;
    nodes(session, &TestPosition::new(STARTPOS))?;
    session.send("setoption name Clear Hash")?;
    session.ready()?;
    let again = nodes(session, &board)?;
    ensure(first == again, || format!("{first} nodes at first, {again} after 'Clear Hash'"))
}

fn bad_counters(session: &mut Session) -> CheckResult {
    session.begin()?;
    let board = TestPosition::new("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    for counters in ["?? 1", "0 ??", "x y"] {
        session.survive(&format!("position fen 4k3/8/8/8/8/8/4P3/4K3 w - - {counters}"))?;
        let started = Instant::now();
        session.send("go depth 2")?;
        session.finish(started)?.best_legal(&board).map_err(|finding| finding.about(counters))?;
    }
    Ok(())
}
