//! Commands at the wrong moment: too early, too late, twice, or while a search runs.

use std::time::{Duration, Instant};

use crate::check::rule::{Check, CheckResult, Finding, ensure, fail, must, not_applicable, practice, should};
use crate::check::session::{SearchOutput, Session, first_word};
use crate::check::test_position::{CHECKMATED, MIDDLE_GAME, STALEMATED, STARTPOS, TestPosition};

pub(super) const CHECKS: &[Check] = &[
    must("race.go-stop", "so for every go command a bestmove command is needed!", |session| {
        go_stop(session, 1)
    }),
    must("race.go-stop-many", "so for every go command a bestmove command is needed!", |session| {
        go_stop(session, 100)
    }),
    practice("race.stop-scored", "A search that is stopped at once has still reported a score.", stop_scored),
    should(
        "race.stop-idle",
        "if the engine receives a command which is not supposed to come, for example stop when the engine is not calculating, it should also just ignore it.",
        |session| ignored_when_idle(session, "stop"),
    ),
    should(
        "race.ponderhit-idle",
        "if the engine receives a command which is not supposed to come ... it should also just ignore it.",
        |session| ignored_when_idle(session, "ponderhit"),
    ),
    must("race.stop-twice", "so for every go command a bestmove command is needed!", stop_twice),
    must("race.stop-after-end", "it should also just ignore it.", stop_after_end),
    must("race.isready-flood", "This command must always be answered with readyok", isready_flood),
    must(
        "race.responsive",
        "the engine must always be able to process input from stdin, even while thinking.",
        |session| {
            session.begin()?;
            let started = session.go(&TestPosition::new(MIDDLE_GAME), "infinite")?;
            session.listen(Duration::from_millis(200))?;
            session.send_all(&["xyzzy", "debug off", "isready"])?;
            session
                .await_line("readyok", session.subject.prompt_limit, |text| first_word(text) == "readyok")?;
            session.stop(started).map(|_| ())
        },
    ),
    practice(
        "race.ponderhit-infinite",
        "'ponderhit' during 'go infinite' does not end the search.",
        |session| {
            session.begin()?;
            let started = session.go(&TestPosition::new(MIDDLE_GAME), "infinite")?;
            session.listen(Duration::from_millis(200))?;
            session.send("ponderhit")?;
            session.expect_no("bestmove", Duration::from_millis(500), "came before 'stop'")?;
            session.stop(started).map(|_| ())
        },
    ),
    practice("race.position-while-searching", "'position' during a search is for the next one.", |session| {
        while_searching(session, "position startpos moves e2e4")
    }),
    practice(
        "race.setoption-while-searching",
        "'setoption' during a search neither ends nor blocks it for good.",
        |session| while_searching(session, "setoption name Hash value 32"),
    ),
    practice(
        "race.ucinewgame-while-searching",
        "'ucinewgame' during a search does not block the engine for good.",
        |session| while_searching(session, "ucinewgame"),
    ),
    practice(
        "race.go-while-searching",
        "A second 'go' during a search does not block the engine for good.",
        |session| while_searching(session, "go depth 1"),
    ),
    practice("race.uci-while-searching", "'uci' during a search is answered.", |session| {
        session.begin()?;
        let started = session.go(&TestPosition::new(MIDDLE_GAME), "infinite")?;
        session.listen(Duration::from_millis(200))?;
        session.introduction()?;
        session.stop(started)?;
        session.expect_alive()
    }),
    must("end.checkmated", "so for every go command a bestmove command is needed!", |session| {
        game_over(session, CHECKMATED)
    }),
    must("end.stalemated", "so for every go command a bestmove command is needed!", |session| {
        game_over(session, STALEMATED)
    }),
    practice(
        "end.none",
        "Where there is no move the answer is 'bestmove (none)' or the null move 0000.",
        no_move,
    ),
    practice("idle.processor", "An engine that waits uses no processor.", idle_processor),
];

fn go_stop(session: &mut Session, cycles: usize) -> CheckResult {
    session.begin()?;
    let board = TestPosition::new(MIDDLE_GAME);
    for _ in 0..cycles {
        let started = Instant::now();
        session.send_all(&[board.command(), "go infinite", "stop"])?;
        session.finish(started)?.best_legal(&board)?;
    }
    session.expect_no("bestmove", Duration::from_millis(300), "is one too many")
}

fn stop_scored(session: &mut Session) -> CheckResult {
    session.begin()?;
    let board = TestPosition::new(MIDDLE_GAME);
    for _ in 0..10 {
        let started = Instant::now();
        session.send_all(&[board.command(), "go infinite", "stop"])?;
        let search: SearchOutput = session.finish(started)?;
        ensure(search.infos().any(|(info, _)| info.score.is_some()), || {
            "no score before bestmove".to_owned()
        })?;
    }
    Ok(())
}

fn ignored_when_idle(session: &mut Session, command: &str) -> CheckResult {
    session.begin()?;
    session.send(command)?;
    session.send(TestPosition::new(STARTPOS).command())?;
    session.send(command)?;
    session.expect_no("bestmove", Duration::from_millis(300), "without a 'go'")?;
    session.expect_alive()
}

fn stop_twice(session: &mut Session) -> CheckResult {
    session.begin()?;
    let started = session.go(&TestPosition::new(MIDDLE_GAME), "infinite")?;
    session.listen(Duration::from_millis(200))?;
    session.send_all(&["stop", "stop"])?;
    session.finish(started)?;
    session.expect_no("bestmove", Duration::from_millis(300), "is the answer to a second 'stop'")?;
    session.expect_alive()
}

fn stop_after_end(session: &mut Session) -> CheckResult {
    session.begin()?;
    session.search(&TestPosition::new(MIDDLE_GAME), "depth 2")?;
    session.send("stop")?;
    session.expect_no("bestmove", Duration::from_millis(300), "after the search had ended")?;
    session.expect_alive()
}

fn isready_flood(session: &mut Session) -> CheckResult {
    session.begin()?;
    let started = session.go(&TestPosition::new(MIDDLE_GAME), "infinite")?;
    session.send_all(&["isready"; 50])?;
    for _ in 0..50 {
        session.await_line("readyok", session.subject.timeout, |text| first_word(text) == "readyok")?;
    }
    session.stop(started).map(|_| ())
}

/// After a command that does not belong there, `stop` ends whatever runs and the engine is as good as before. How many
/// searches that were is left to the engine.
fn while_searching(session: &mut Session, command: &str) -> CheckResult {
    session.begin()?;
    let started = session.go(&TestPosition::new(MIDDLE_GAME), "infinite")?;
    session.listen(Duration::from_millis(200))?;
    session.send_all(&[command, "stop"])?;
    session.finish(started)?;
    session.listen(Duration::from_millis(300))?;
    session.send("stop")?;
    session.ready()?;
    session.listen(Duration::from_millis(100))?;
    session.expect_alive()
}

fn game_over(session: &mut Session, fen: &str) -> CheckResult {
    session.begin()?;
    let started = session.go(&TestPosition::new(fen), "depth 2")?;
    session.finish(started)?;
    session.expect_alive()
}

fn no_move(session: &mut Session) -> CheckResult {
    session.begin()?;
    for fen in [CHECKMATED, STALEMATED] {
        let started = session.go(&TestPosition::new(fen), "depth 2")?;
        let search = session.finish(started)?;
        let best = search.best_text();
        ensure(matches!(best, "(none)" | "0000"), || format!("'bestmove {best}' in '{fen}'"))?;
    }
    Ok(())
}

fn idle_processor(session: &mut Session) -> CheckResult {
    session.begin()?;
    session.search(&TestPosition::new(MIDDLE_GAME), "depth 6")?;
    session.listen(Duration::from_millis(200))?;
    let id = session.client()?.process_id();
    let before = processor_ticks(id)?;
    session.listen(Duration::from_millis(1000))?;
    let used = processor_ticks(id)?.saturating_sub(before);
    // A tick is a hundredth of a second on every Linux.
    ensure(used <= 20, || format!("{used} % of a processor while waiting"))
}

/// User and system time of a process: the 14th and 15th field of its `stat`, counted behind the name in parentheses.
fn processor_ticks(id: u32) -> Result<u64, Finding> {
    let Ok(text) = std::fs::read_to_string(format!("/proc/{id}/stat")) else {
        return not_applicable("this system does not tell how much processor a process uses");
    };
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let field = |index: usize| fields.get(index).and_then(|text| text.parse::<u64>().ok());
    match (field(11), field(12)) {
        (Some(user), Some(system)) => Ok(user + system),
        _ => fail("the system's process table was not understood"),
    }
}
