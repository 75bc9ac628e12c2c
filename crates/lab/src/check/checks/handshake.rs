//! `uci`, `isready`, `ucinewgame`, `debug`, `register` and `quit`: the commands around the game.

use std::time::Duration;

use crate::check::rule::{Check, CheckResult, ensure, fail, must, not_applicable, practice, should};
use crate::check::session::{Session, first_word};
use crate::check::test_position::{MIDDLE_GAME, STARTPOS, TestPosition};

pub(super) const CHECKS: &[Check] = &[
    must(
        "uci.uciok",
        "Must be sent after the id and optional options to tell the GUI that the engine has sent all infos and is ready in uci mode.",
        uciok,
    ),
    must(
        "uci.id-name",
        "name x: this must be sent after receiving the uci command to identify the engine",
        id_name,
    ),
    must(
        "uci.id-author",
        "author x: this must be sent after receiving the uci command to identify the engine",
        id_author,
    ),
    must(
        "uci.order",
        "Must be sent after the id and optional options to tell the GUI that the engine has sent all infos",
        nothing_after_uciok,
    ),
    should(
        "uci.id-before-options",
        "This should be sent once at engine startup after the uci and the id commands if any parameter can be changed in the engine.",
        id_before_options,
    ),
    practice("uci.twice", "A second 'uci' is answered as the first one was.", twice),
    practice(
        "uci.only-protocol",
        "Between 'uci' and 'uciok' there is nothing but messages of the protocol.",
        only_protocol,
    ),
    must("isready.answer", "This command must always be answered with readyok", |session| {
        session.begin().map(|_| ())
    }),
    must("isready.each", "This command must always be answered with readyok", each_isready),
    must(
        "isready.while-searching",
        "can be sent also when the engine is calculating in which case the engine should also immediately answer with readyok without stopping the search",
        while_searching,
    ),
    practice(
        "isready.before-uci",
        "'isready' is answered also before 'uci' was sent, as some clients do.",
        before_uci,
    ),
    must(
        "ucinewgame.isready",
        "As the engine's reaction to ucinewgame can take some time the GUI should always send isready after ucinewgame",
        new_game_ready,
    ),
    must(
        "ucinewgame.optional",
        "So the engine should not rely on this command even though all new GUIs should support it.",
        |session| {
            session.begin()?;
            session.search(&TestPosition::new(STARTPOS), "depth 2").map(|_| ())
        },
    ),
    practice(
        "ucinewgame.forgets",
        "After 'ucinewgame' the same search of one thread visits the same number of nodes again.",
        same_nodes,
    ),
    must(
        "debug.any-time",
        "This mode should be switched off by default and this command can be sent any time, also when the engine is thinking.",
        debug_while_searching,
    ),
    should(
        "register.later",
        "after every attempt to register the engine it should answer with registration checking and then either registration ok or registration error",
        register_later,
    ),
    must("quit.idle", "quit the program as soon as possible", quit_idle),
    must(
        "quit.after-uciok",
        "here the GUI can already send a quit command if it just wants to find out details about the engine",
        quit_after_uciok,
    ),
    must("quit.while-searching", "quit the program as soon as possible", quit_while_searching),
    practice("quit.status", "An engine that is told to quit ends with status 0.", quit_status),
];

fn uciok(session: &mut Session) -> CheckResult {
    session.introduction().map(|_| ())
}

fn id_name(session: &mut Session) -> CheckResult {
    let identity = session.identity()?;
    ensure(!identity.name.is_empty(), || "no 'id name' before uciok".to_owned())
}

fn id_author(session: &mut Session) -> CheckResult {
    let identity = session.identity()?;
    ensure(!identity.author.is_empty(), || "no 'id author' before uciok".to_owned())
}

fn nothing_after_uciok(session: &mut Session) -> CheckResult {
    session.introduction()?;
    let late = session.listen(Duration::from_millis(300))?;
    match late.iter().find(|line| matches!(first_word(&line.text), "id" | "option" | "uciok")) {
        Some(line) => fail(format!("'{}' after uciok", line.text)),
        None => Ok(()),
    }
}

fn id_before_options(session: &mut Session) -> CheckResult {
    let lines = session.introduction()?;
    let first_option = lines.iter().position(|line| first_word(&line.text) == "option");
    let last_id = lines.iter().rposition(|line| first_word(&line.text) == "id");
    match (last_id, first_option) {
        (_, None) => not_applicable("the engine has no options"),
        (Some(id), Some(option)) if id < option => Ok(()),
        _ => fail("an option comes before the last 'id'"),
    }
}

fn twice(session: &mut Session) -> CheckResult {
    let first = session.identity()?;
    let second = session.identity()?;
    ensure(first == second, || "the second introduction differs from the first".to_owned())
}

fn only_protocol(session: &mut Session) -> CheckResult {
    let lines = session.introduction()?;
    // A banner at the start has a check of its own.
    let from = lines.iter().position(|line| first_word(&line.text) == "id").unwrap_or(0);
    let known = ["id", "option", "info", "uciok", "copyprotection", "registration"];
    match lines[from..].iter().find(|line| !known.contains(&first_word(&line.text))) {
        Some(line) => fail(format!("'{}' is no message", line.text)),
        None => Ok(()),
    }
}

fn each_isready(session: &mut Session) -> CheckResult {
    session.begin()?;
    session.send_all(&["isready"; 5])?;
    for _ in 0..5 {
        session.await_line("readyok", session.subject.timeout, |text| first_word(text) == "readyok")?;
    }
    session.expect_no("readyok", Duration::from_millis(200), "was not asked for")
}

fn while_searching(session: &mut Session) -> CheckResult {
    session.begin()?;
    let started = session.go(&TestPosition::new(MIDDLE_GAME), "infinite")?;
    session.listen(Duration::from_millis(300))?;
    session.send("isready")?;
    let lines =
        session.await_line("readyok", session.subject.prompt_limit, |text| first_word(text) == "readyok")?;
    ensure(!lines.iter().any(|line| first_word(&line.text) == "bestmove"), || {
        "isready ended the search".to_owned()
    })?;
    session.expect_no("bestmove", Duration::from_millis(300), "although only isready was sent")?;
    session.stop(started).map(|_| ())
}

fn before_uci(session: &mut Session) -> CheckResult {
    session.ready()
}

fn new_game_ready(session: &mut Session) -> CheckResult {
    session.begin()?;
    for _ in 0..3 {
        session.send("ucinewgame")?;
        session.ready()?;
        session.search(&TestPosition::new(STARTPOS), "depth 2")?;
    }
    Ok(())
}

fn same_nodes(session: &mut Session) -> CheckResult {
    let identity = session.begin()?;
    if identity.option("Threads").is_some() {
        session.send("setoption name Threads value 1")?;
    }
    let mut counts = Vec::new();
    for _ in 0..2 {
        session.send("ucinewgame")?;
        session.ready()?;
        let search = session.search(&TestPosition::new(MIDDLE_GAME), "depth 8")?;
        counts.push(search.infos().filter_map(|(info, _)| info.nodes).next_back());
    }
    match counts.as_slice() {
        [Some(first), Some(second)] => {
            ensure(first == second, || format!("{first} nodes, and then {second}"))
        }
        _ => not_applicable("the engine reports no nodes"),
    }
}

fn debug_while_searching(session: &mut Session) -> CheckResult {
    session.begin()?;
    session.send("debug on")?;
    let started = session.go(&TestPosition::new(MIDDLE_GAME), "infinite")?;
    session.send_all(&["debug off", "debug on", "debug off"])?;
    session.expect_no("bestmove", Duration::from_millis(300), "although only debug was sent")?;
    session.stop(started)?;
    session.expect_alive()
}

fn register_later(session: &mut Session) -> CheckResult {
    let lines = session.introduction()?;
    session.send("register later")?;
    let answer = session.listen(Duration::from_millis(300))?;
    session.expect_alive()?;
    let speaks = |text: &str| first_word(text) == "registration";
    let registers = lines.iter().chain(&answer).any(|line| speaks(&line.text));
    if !registers {
        return not_applicable("the engine knows no registration, and ignored the command");
    }
    let states: Vec<&str> = answer
        .iter()
        .filter(|line| speaks(&line.text))
        .filter_map(|line| line.text.split(' ').nth(1))
        .collect();
    ensure(matches!(states.as_slice(), ["checking", "ok" | "error"]), || format!("answered with {states:?}"))
}

fn quit_idle(session: &mut Session) -> CheckResult {
    session.begin()?;
    prompt_quit(session)
}

fn quit_after_uciok(session: &mut Session) -> CheckResult {
    session.introduction()?;
    prompt_quit(session)
}

fn quit_while_searching(session: &mut Session) -> CheckResult {
    session.begin()?;
    session.go(&TestPosition::new(MIDDLE_GAME), "infinite")?;
    session.listen(Duration::from_millis(300))?;
    prompt_quit(session)
}

fn prompt_quit(session: &mut Session) -> CheckResult {
    let prompt_limit = session.subject.prompt_limit;
    let (_, time) = session.quit()?;
    ensure(time <= prompt_limit, || format!("it took {} ms", time.as_millis()))
}

fn quit_status(session: &mut Session) -> CheckResult {
    session.begin()?;
    let (status, _) = session.quit()?;
    ensure(status.success(), || status.to_string())
}
