//! `go` and its limits.

use std::time::Duration;

use uci::ScoreValue;

use super::wire::deepest_within;
use crate::check::rule::{Check, CheckResult, ensure, fail, must, not_applicable, practice, should};
use crate::check::session::Session;
use crate::check::test_position::{MATE_IN_ONE, MATE_IN_TWO, MIDDLE_GAME, ONE_REPLY, STARTPOS, TestPosition};

pub(super) const CHECKS: &[Check] = &[
    must("go.depth", "depth x: search x plies only.", |session| {
        session.begin()?;
        let search = session.search(&TestPosition::new(MIDDLE_GAME), "depth 5")?;
        deepest_within(&search, 5)
    }),
    should("go.depth-reached", "depth x: search x plies only.", depth_reached),
    must("go.nodes", "nodes x: search x nodes only,", nodes),
    must("go.movetime", "movetime x: search exactly x mseconds", |session| movetime(session, 500)),
    should("go.movetime-used", "movetime x: search exactly x mseconds", movetime_used),
    must(
        "go.infinite",
        "search until the stop command. Do not exit the search without being told so in this mode!",
        |session| until_stop(session, MIDDLE_GAME, "infinite", 1500),
    ),
    must("go.infinite-mate", "Do not exit the search without being told so in this mode!", |session| {
        until_stop(session, MATE_IN_ONE, "infinite", 1500)
    }),
    must("go.infinite-one-reply", "Do not exit the search without being told so in this mode!", |session| {
        until_stop(session, ONE_REPLY, "infinite", 1500)
    }),
    must("go.stop", "stop calculating as soon as possible,", prompt_stop),
    should("go.mate", "mate x: search for a mate in x moves", mate),
    must("go.searchmoves", "searchmoves move1 ... movei: restrict search to this moves only", |session| {
        searchmoves(session, "depth 4 searchmoves a2a3 h2h3")
    }),
    should(
        "go.searchmoves-first",
        "There are a number of commands that can follow this command, all will be sent in the same string.",
        |session| searchmoves(session, "searchmoves a2a3 h2h3 depth 4"),
    ),
    must("go.clock", "white has x msec left on the clock", |session| {
        clock(session, "wtime 1000 btime 1000", 1000)
    }),
    must("go.clock-increment", "white increment per move in mseconds if x > 0", |session| {
        clock(session, "wtime 1000 btime 1000 winc 100 binc 100", 1000)
    }),
    practice("go.clock-small", "A large increment is not spent before it has been earned.", |session| {
        clock(session, "wtime 300 btime 300 winc 5000 binc 5000", 300)
    }),
    must("go.movestogo", "there are x moves to the next time control", |session| {
        clock(session, "wtime 1500 btime 1500 movestogo 1", 1500)
    }),
    should("go.own-clock", "white has x msec left on the clock", |session| {
        clock(session, "wtime 500 btime 600000", 500)
    }),
    practice("go.two-limits", "Of several limits the first one met ends the search.", |session| {
        session.begin()?;
        let search = session.search(&TestPosition::new(MIDDLE_GAME), "depth 100 movetime 300")?;
        search.expect_within(Duration::from_millis(300), session.subject.prompt_limit)?;
        let search = session.search(&TestPosition::new(MIDDLE_GAME), "depth 2 movetime 60000")?;
        search.expect_within(Duration::ZERO, 2 * session.subject.prompt_limit)
    }),
    must("go.ponder", "Do not exit the search in ponder mode, even if it's mate!", |session| {
        session.begin_with("Ponder")?;
        until_stop(session, MIDDLE_GAME, "ponder wtime 500 btime 500", 1500)
    }),
    must("go.ponder-mate", "Do not exit the search in ponder mode, even if it's mate!", |session| {
        session.begin_with("Ponder")?;
        until_stop(session, MATE_IN_ONE, "ponder wtime 500 btime 500", 1500)
    }),
    must(
        "go.ponderhit",
        "The engine should continue searching but switch from pondering to normal search.",
        ponderhit,
    ),
    must("go.ponderhit-late", "switch from pondering to normal search", ponderhit_after_mate),
    must("go.again", "for every go command a bestmove command is needed!", |session| {
        session.begin()?;
        for _ in 0..5 {
            session.search(&TestPosition::new(STARTPOS), "depth 3")?;
        }
        Ok(())
    }),
    practice(
        "go.bare",
        "'go' without limits is a search until 'stop'; it may end at the largest depth.",
        |session| {
            session.begin()?;
            let board = TestPosition::new(MIDDLE_GAME);
            let started = session.go(&board, "")?;
            session.listen(Duration::from_millis(200))?;
            session.stop(started)?.best_legal(&board).map(|_| ())
        },
    ),
    practice("go.smallest", "depth 1 and nodes 1 give a legal move.", |session| {
        session.begin()?;
        session.search(&TestPosition::new(MIDDLE_GAME), "nodes 1")?;
        session.search(&TestPosition::new(MIDDLE_GAME), "depth 1").map(|_| ())
    }),
    practice("go.no-time", "An empty clock and no time for the move give a legal move at once.", |session| {
        session.begin()?;
        for limits in
            ["movetime 1", "wtime 1 btime 1", "wtime 0 btime 0", "movetime 0", "wtime -50 btime 1000"]
        {
            let search = session.search(&TestPosition::new(MIDDLE_GAME), limits)?;
            search.expect_within(Duration::ZERO, session.subject.prompt_limit)?;
        }
        Ok(())
    }),
    practice(
        "go.bad-number",
        "A limit without its number, or with one that is none, is no reason to end.",
        |session| {
            session.begin()?;
            for limits in ["depth", "depth x", "nodes", "movetime abc", "wtime"] {
                start_and_stop(session, limits).map_err(|finding| finding.about(&format!("go {limits}")))?;
            }
            session.expect_alive()
        },
    ),
    practice("go.huge-depth", "A depth beyond all bounds is a search that can be stopped.", |session| {
        session.begin()?;
        let board = TestPosition::new(MIDDLE_GAME);
        let started = session.go(&board, "depth 100000")?;
        session.listen(Duration::from_millis(200))?;
        session.stop(started)?.best_legal(&board).map(|_| ())
    }),
];

fn start_and_stop(session: &mut Session, limits: &str) -> CheckResult {
    let started = session.go(&TestPosition::new(STARTPOS), limits)?;
    session.listen(Duration::from_millis(50))?;
    session.stop(started).map(|_| ())
}

fn depth_reached(session: &mut Session) -> CheckResult {
    session.begin()?;
    let search = session.search(&TestPosition::new(MIDDLE_GAME), "depth 5")?;
    let deepest = search.infos().filter_map(|(info, _)| info.depth).max();
    match deepest {
        None => not_applicable("the engine reports no depth"),
        Some(depth) => ensure(depth >= 5, || format!("depth {depth} was the last one reported")),
    }
}

/// Engines check their node counters only now and then, so up to twice the limit is accepted.
fn nodes(session: &mut Session) -> CheckResult {
    session.begin()?;
    let search = session.search(&TestPosition::new(MIDDLE_GAME), "nodes 50000")?;
    match search.infos().filter_map(|(info, _)| info.nodes).max() {
        None => not_applicable("the engine reports no nodes"),
        Some(nodes) => ensure(nodes <= 100_000, || format!("{nodes} nodes were searched instead of 50000")),
    }
}

fn movetime(session: &mut Session, milliseconds: u64) -> CheckResult {
    session.begin()?;
    let search = session.search(&TestPosition::new(MIDDLE_GAME), &format!("movetime {milliseconds}"))?;
    search.expect_within(Duration::from_millis(milliseconds), session.subject.prompt_limit)
}

fn movetime_used(session: &mut Session) -> CheckResult {
    session.begin()?;
    let search = session.search(&TestPosition::new(MIDDLE_GAME), "movetime 600")?;
    let elapsed = search.elapsed().as_millis();
    ensure(elapsed >= 500, || format!("the answer came after {elapsed} of 600 ms"))
}

fn until_stop(session: &mut Session, fen: &str, limits: &str, milliseconds: u64) -> CheckResult {
    if session.transcript().is_empty() {
        session.begin()?;
    }
    let board = TestPosition::new(fen);
    let started = session.go(&board, limits)?;
    session.expect_no("bestmove", Duration::from_millis(milliseconds), "came before 'stop'")?;
    session.stop(started)?.best_legal(&board).map(|_| ())
}

fn prompt_stop(session: &mut Session) -> CheckResult {
    session.begin()?;
    let board = TestPosition::new(MIDDLE_GAME);
    session.go(&board, "infinite")?;
    session.listen(Duration::from_millis(500))?;
    let stopped = std::time::Instant::now();
    let search = session.stop(stopped)?;
    search.best_legal(&board)?;
    search.expect_within(Duration::ZERO, session.subject.prompt_limit)
}

fn mate(session: &mut Session) -> CheckResult {
    session.begin()?;
    let board = TestPosition::new(MATE_IN_TWO);
    let started = session.go(&board, "mate 2")?;
    let search = session.finish(started)?;
    search.best_legal(&board)?;
    let found = search
        .infos()
        .any(|(info, _)| info.score.is_some_and(|score| matches!(score.value, ScoreValue::Mate(1..=2))));
    ensure(found, || "no mate in two was reported".to_owned())
}

fn searchmoves(session: &mut Session, limits: &str) -> CheckResult {
    session.begin()?;
    let search = session.search(&TestPosition::new(STARTPOS), limits)?;
    let allowed = ["a2a3", "h2h3"];
    ensure(allowed.contains(&search.best_text()), || {
        format!("'{}' is not among the moves", search.best_text())
    })?;
    let other = search.lines_of_play().find(|(info, _)| !allowed.contains(&info.pv[0].as_str()));
    other.map_or(Ok(()), |(_, line)| fail(format!("another move was searched: '{line}'")))
}

/// The answer must come within the time on the clock, with some tolerance for a busy machine.
fn clock(session: &mut Session, limits: &str, own_time: u64) -> CheckResult {
    session.begin()?;
    let search = session.search(&TestPosition::new(MIDDLE_GAME), limits)?;
    search.expect_within(Duration::from_millis(own_time), Duration::from_millis(50))
}

fn ponderhit(session: &mut Session) -> CheckResult {
    session.begin_with("Ponder")?;
    let board = TestPosition::new(MIDDLE_GAME);
    session.go(&board, "ponder wtime 2000 btime 2000")?;
    session.expect_no("bestmove", Duration::from_millis(300), "came while pondering")?;
    let hit = std::time::Instant::now();
    session.send("ponderhit")?;
    let search = session.finish(hit)?;
    search.best_legal(&board)?;
    search.expect_within(Duration::from_millis(2000), session.subject.prompt_limit)
}

fn ponderhit_after_mate(session: &mut Session) -> CheckResult {
    session.begin_with("Ponder")?;
    let board = TestPosition::new(MATE_IN_ONE);
    session.go(&board, "ponder wtime 1000 btime 1000")?;
    session.expect_no("bestmove", Duration::from_millis(1200), "came while pondering")?;
    let hit = std::time::Instant::now();
    session.send("ponderhit")?;
    let search = session.finish(hit)?;
    search.best_legal(&board)?;
    search.expect_within(Duration::from_millis(1000), session.subject.prompt_limit)
}
