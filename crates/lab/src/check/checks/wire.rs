//! The wire: white space, line ends, unknown words, odd bytes, and the end of the input.

use std::time::Duration;

use crate::check::pipe::pipe;
use crate::check::rule::{Check, CheckResult, ensure, fail, must, practice, should};
use crate::check::session::{Session, first_word};
use crate::check::test_position::{MIDDLE_GAME, STARTPOS, TestPosition};

pub(super) const CHECKS: &[Check] = &[
    must("wire.whitespace", "arbitrary white space between tokens is allowed", white_space),
    must("wire.tabs", "debug \\t  \\t\\ton\\t  \\n ... all set the debug mode of the engine on.", tabs),
    practice("wire.leading-space", "White space before the first word changes nothing.", leading_space),
    should(
        "wire.line-ends",
        "Note: \\n can be 0x0d or 0x0a0d or any combination depending on your OS.",
        carriage_return,
    ),
    practice("wire.blank-lines", "Blank lines are ignored.", blank_lines),
    should(
        "wire.unknown-command",
        "if the engine or the GUI receives an unknown command or token it should just ignore it",
        unknown_command,
    ),
    should(
        "wire.unknown-first-word",
        "and try to parse the rest of the string in this line",
        unknown_first_word,
    ),
    should(
        "wire.unknown-token",
        "if the engine or the GUI receives an unknown command or token it should just ignore it",
        unknown_token,
    ),
    practice(
        "wire.no-banner",
        "Nothing is said before the first command arrives, for a client may take it for an answer.",
        no_banner,
    ),
    practice(
        "wire.uciok-bare",
        "'uciok' stands alone on its line; some clients compare the whole line.",
        uciok_bare,
    ),
    practice(
        "wire.readyok-bare",
        "'readyok' stands alone on its line; some clients compare the whole line.",
        readyok_bare,
    ),
    practice("wire.ascii", "Everything that is said is printable ASCII.", ascii),
    practice("wire.trim", "Lines have no blanks at their ends and no two blanks in a row.", tidy_spaces),
    practice(
        "wire.search-lines",
        "During a search there are only 'info', 'bestmove' and 'readyok' lines; others are fatal to some clients.",
        search_lines,
    ),
    practice("wire.long-line", "A line of a megabyte is no reason to end.", long_line),
    practice("wire.odd-bytes", "Invalid UTF-8 and NUL bytes are no reason to end.", odd_bytes),
    practice("wire.end-of-input", "At the end of its input an idle engine ends.", end_of_input),
    practice(
        "wire.end-of-input-infinite",
        "At the end of its input an engine that searches for ever ends, so that no orphan burns a processor.",
        end_of_input_while_searching,
    ),
];

fn white_space(session: &mut Session) -> CheckResult {
    session.begin()?;
    session.send("position    startpos   moves    e2e4  ")?;
    let started = std::time::Instant::now();
    session.send("go     depth    2   ")?;
    session.finish(started)?.best_legal(&TestPosition::after(STARTPOS, "e2e4")).map(|_| ())
}

fn tabs(session: &mut Session) -> CheckResult {
    session.begin()?;
    session.send("position\tstartpos \t moves\te2e4\t")?;
    let started = std::time::Instant::now();
    session.send("go\tdepth \t 2\t")?;
    session.finish(started)?.best_legal(&TestPosition::after(STARTPOS, "e2e4")).map(|_| ())
}

fn leading_space(session: &mut Session) -> CheckResult {
    session.begin()?;
    session.send("  \t isready")?;
    session.await_line("readyok", session.subject.timeout, |text| first_word(text) == "readyok").map(|_| ())
}

fn carriage_return(session: &mut Session) -> CheckResult {
    session.begin()?;
    session.send("isready\r")?;
    session.await_line("readyok", session.subject.timeout, |text| first_word(text) == "readyok")?;
    session.send("position startpos moves e2e4\r")?;
    let started = std::time::Instant::now();
    session.send("go depth 2\r")?;
    session.finish(started)?.best_legal(&TestPosition::after(STARTPOS, "e2e4")).map(|_| ())
}

fn blank_lines(session: &mut Session) -> CheckResult {
    session.send_all(&["", "   ", "\t"])?;
    session.begin()?;
    session.send_all(&["", "   ", "\t"])?;
    session.expect_alive()
}

fn unknown_command(session: &mut Session) -> CheckResult {
    session.begin()?;
    session.send_all(&["xyzzy", "xyzzy plugh 17", "?!"])?;
    session.expect_alive()
}

fn unknown_first_word(session: &mut Session) -> CheckResult {
    session.begin()?;
    session.send("joho isready")?;
    session
        .await_line("readyok to 'joho isready'", session.subject.prompt_limit, |text| {
            first_word(text) == "readyok"
        })
        .map(|_| ())
}

fn unknown_token(session: &mut Session) -> CheckResult {
    session.begin()?;
    let board = TestPosition::new(STARTPOS);
    let started = session.go(&board, "joho depth 2")?;
    let search = session.finish(started)?;
    search.best_legal(&board)?;
    deepest_within(&search, 2)
}

/// Fails where a report goes deeper than was asked for.
pub(super) fn deepest_within(search: &crate::check::session::SearchOutput, depth: u64) -> CheckResult {
    let deepest = search.infos().filter_map(|(info, _)| info.depth).max().unwrap_or(0);
    ensure(deepest <= depth, || format!("depth {deepest} was reported, {depth} asked for"))
}

fn no_banner(session: &mut Session) -> CheckResult {
    match session.listen(Duration::from_millis(500))?.first() {
        Some(line) => fail(format!("'{}' was said unasked", line.text)),
        None => Ok(()),
    }
}

fn uciok_bare(session: &mut Session) -> CheckResult {
    let lines = session.introduction()?;
    let last = lines.last().map_or("", |line| &line.text);
    ensure(last == "uciok", || format!("'{last}'"))
}

fn readyok_bare(session: &mut Session) -> CheckResult {
    session.begin()?;
    session.send("isready")?;
    let lines =
        session.await_line("readyok", session.subject.timeout, |text| first_word(text) == "readyok")?;
    let last = lines.last().map_or("", |line| &line.text);
    ensure(last == "readyok", || format!("'{last}'"))
}

/// Everything that an engine says in its introduction and a short search.
fn sample(session: &mut Session) -> Result<Vec<String>, crate::check::rule::Finding> {
    let mut lines = session.introduction()?;
    session.ready()?;
    lines.extend(session.search(&TestPosition::new(MIDDLE_GAME), "depth 6")?.lines);
    // Human readable banners have a check of their own.
    let from = lines.iter().position(|line| first_word(&line.text) == "id").unwrap_or(0);
    Ok(lines.drain(from..).map(|line| line.text).collect())
}

fn ascii(session: &mut Session) -> CheckResult {
    match sample(session)?.iter().find(|line| !line.chars().all(|c| c == ' ' || c.is_ascii_graphic())) {
        Some(line) => fail(format!("{line:?}")),
        None => Ok(()),
    }
}

fn tidy_spaces(session: &mut Session) -> CheckResult {
    match sample(session)?.iter().find(|line| line.trim() != line.as_str() || line.contains("  ")) {
        Some(line) => fail(format!("{line:?}")),
        None => Ok(()),
    }
}

fn search_lines(session: &mut Session) -> CheckResult {
    session.begin()?;
    session.send("ucinewgame")?;
    session.ready()?;
    let search = session.search(&TestPosition::new(MIDDLE_GAME), "movetime 300")?;
    match search.lines.iter().find(|line| !matches!(first_word(&line.text), "info" | "bestmove")) {
        Some(line) => fail(format!("{:?}", line.text)),
        None => Ok(()),
    }
}

fn long_line(session: &mut Session) -> CheckResult {
    session.begin()?;
    session.send(&"x".repeat(1 << 20))?;
    session.send(&format!("position startpos {}", "y ".repeat(1 << 19)))?;
    session.expect_alive()
}

fn odd_bytes(session: &mut Session) -> CheckResult {
    let mut input = b"uci\n\xff\xfe\x80\n\0\0\nxyz\0abc\nxyz\xc0\n\xe2\x28\xa1 xyz\n".to_vec();
    input.extend_from_slice(b"isready\n");
    let piped = pipe(&session.subject.command, &input, session.subject.timeout)?;
    ensure(piped.output.contains("readyok"), || "no readyok after the odd bytes".to_owned())
}

fn end_of_input(session: &mut Session) -> CheckResult {
    let piped = pipe(&session.subject.command, b"uci\nisready\n", session.subject.timeout)?;
    ensure(piped.output.contains("uciok"), || "no uciok".to_owned())?;
    let timeout = session.subject.timeout.as_millis();
    ensure(piped.status.is_some(), || format!("still running {timeout} ms after the end of its input"))
}

fn end_of_input_while_searching(session: &mut Session) -> CheckResult {
    let input = b"uci\nisready\nposition startpos\ngo infinite\n";
    let piped = pipe(&session.subject.command, input, session.subject.timeout)?;
    let timeout = session.subject.timeout.as_millis();
    ensure(piped.status.is_some(), || format!("still running {timeout} ms after the end of its input"))
}
