//! `info` and `bestmove`: what an engine says about its search, and whether it is true.

use std::time::Duration;

use uci::{Info, ScoreValue};

use crate::check::rule::{Check, CheckResult, Finding, ensure, fail, must, not_applicable, practice, should};
use crate::check::session::{SearchOutput, Session, first_word};
use crate::check::test_position::{
    MATE_IN_ONE, MATE_IN_TWO, MATED_IN_ONE, MIDDLE_GAME, STARTPOS, TestPosition,
};

pub(super) const CHECKS: &[Check] = &[
    must(
        "bestmove.format",
        "Examples: e2e4, e7e5, e1g1 (white short castling), e7e8q (for promotion)",
        format,
    ),
    must("bestmove.once", "so for every go command a bestmove command is needed!", once),
    must("bestmove.ponder-legal", "the engine can send the move it likes to ponder on.", ponder_legal),
    practice(
        "bestmove.is-pv",
        "The best move is the first move of the last line that was reported.",
        best_is_pv,
    ),
    should(
        "info.final",
        "Directly before that the engine should send a final info command with the final search information",
        final_info,
    ),
    practice("info.scored", "Every search reports at least one line with depth, score and pv.", scored),
    must("info.pv-legal", "pv move1 ... movei: the best line found", pv_legal),
    practice("info.pv-end", "No line goes on past mate, stalemate or a draw by the rules.", pv_end),
    must(
        "info.seldepth",
        "if the engine sends seldepth there must also be a depth present in the same string.",
        seldepth,
    ),
    must("info.score-cp", "the score from the engine's point of view in centipawns.", score_side),
    must("info.mate", "mate in y moves, not plies.", mate_in_moves),
    must("info.mated", "If the engine is getting mated use negative values for y.", mated),
    practice("info.mate-pv", "The line of a mate in N has 2N-1 plies and ends in mate.", mate_line),
    should("info.time", "the time searched in ms, this should be sent together with the pv.", time_with_pv),
    practice("info.time-true", "The reported time is not longer than the time that has passed.", time_true),
    should("info.nodes", "x nodes searched, the engine should send this info regularly", |session| {
        reported(session, "nodes", |info| info.nodes)
    }),
    should(
        "info.nps",
        "x nodes per second searched, the engine should send this info regularly",
        |session| reported(session, "nps", |info| info.nps),
    ),
    should(
        "info.hashfull",
        "the hash is x permill full, the engine should send this info regularly",
        hashfull,
    ),
    must(
        "info.currmovenumber",
        "currently searching move number x, for the first move x should be 1 not 0.",
        currmovenumber,
    ),
    should(
        "info.delay",
        "I suggest to start sending currmove, currmovenumber, currline and refutation only after one second to avoid too much traffic.",
        delay,
    ),
    should(
        "info.currline",
        "The engine should only send this if the option UCI_ShowCurrLine is set to true.",
        |session| unwanted(session, "currline", |info| info.currline.is_some()),
    ),
    should(
        "info.refutation",
        "The engine should only send this if the option UCI_ShowRefutations is set to true.",
        |session| unwanted(session, "refutation", |info| !info.refutation.is_empty()),
    ),
    practice("info.depth-grows", "The depth of the reports does not fall during a search.", depth_grows),
    practice("info.numbers", "Every field of a report is one of the protocol and has a value.", known_fields),
    must(
        "idle.forced-mode",
        "it should never start calculating or pondering without receiving a go command first",
        forced_mode,
    ),
    must("idle.no-ponder", "The engine must not start pondering automatically.", no_pondering),
];

/// A search of a middle game that takes a moment.
fn sample(session: &mut Session) -> Result<(TestPosition, SearchOutput), Finding> {
    session.begin()?;
    let board = TestPosition::new(MIDDLE_GAME);
    let search = session.search(&board, "movetime 700")?;
    Ok((board, search))
}

fn format(session: &mut Session) -> CheckResult {
    let (_, search) = sample(session)?;
    let line = search.lines.last().map_or("", |line| &line.text);
    let is_move = |word: &str| {
        let bytes = word.as_bytes();
        let square = |at: usize| {
            bytes[at].is_ascii_lowercase() && bytes[at] <= b'h' && (b'1'..=b'8').contains(&bytes[at + 1])
        };
        (bytes.len() == 4 || bytes.len() == 5 && b"nbrq".contains(&bytes[4])) && square(0) && square(2)
    };
    let words: Vec<&str> = line.split_whitespace().collect();
    let good = match words.as_slice() {
        ["bestmove", best] => is_move(best),
        ["bestmove", best, "ponder", ponder] => is_move(best) && is_move(ponder),
        _ => false,
    };
    ensure(good, || format!("'{line}'"))
}

fn once(session: &mut Session) -> CheckResult {
    session.begin()?;
    session.search(&TestPosition::new(MIDDLE_GAME), "depth 4")?;
    session.expect_no("bestmove", Duration::from_millis(400), "is the second answer to one 'go'")
}

fn ponder_legal(session: &mut Session) -> CheckResult {
    let (board, search) = sample(session)?;
    match search.ponder_text() {
        None => not_applicable("the engine named no move to ponder on"),
        Some(ponder) => {
            let mut position = board.position;
            position.play(board.expect_legal(search.best_text())?);
            ensure(position.parse_uci_move(ponder).is_ok(), || format!("'{ponder}' is not legal"))
        }
    }
}

fn best_is_pv(session: &mut Session) -> CheckResult {
    let (_, search) = sample(session)?;
    match search.lines_of_play().next_back() {
        None => not_applicable("the engine reports no pv"),
        Some((info, _)) => ensure(info.pv[0].as_str() == search.best_text(), || {
            format!("the last pv begins with {}, the bestmove is {}", info.pv[0], search.best_text())
        }),
    }
}

fn final_info(session: &mut Session) -> CheckResult {
    let (_, search) = sample(session)?;
    let before = search.lines.iter().rev().nth(1).map_or("", |line| &line.text);
    ensure(first_word(before) == "info", || format!("before bestmove came '{before}'"))
}

fn scored(session: &mut Session) -> CheckResult {
    let (_, search) = sample(session)?;
    let good = search.lines_of_play().any(|(info, _)| info.depth.is_some() && info.score.is_some());
    ensure(good, || "there was none".to_owned())
}

fn pv_legal(session: &mut Session) -> CheckResult {
    let (board, search) = sample(session)?;
    if search.lines_of_play().next().is_none() {
        return not_applicable("the engine reports no pv");
    }
    for (info, line) in search.infos() {
        let words = line.split_whitespace().skip_while(|word| *word != "pv").count();
        ensure(words == 0 || !info.pv.is_empty(), || format!("no move behind pv in '{line}'"))?;
        board.expect_line(&info.pv)?;
    }
    Ok(())
}

fn pv_end(session: &mut Session) -> CheckResult {
    session.begin()?;
    for (fen, limits) in [(MATE_IN_TWO, "depth 12"), ("8/5k2/8/8/8/2K5/4R3/8 w - - 90 150", "depth 12")] {
        let board = TestPosition::new(fen);
        let search = session.search(&board, limits)?;
        for (info, line) in search.lines_of_play() {
            if let Some(end) = board.end_within(&info.pv) {
                ensure(end == info.pv.len(), || format!("the game is over after {end} plies of '{line}'"))?;
            }
        }
    }
    Ok(())
}

fn seldepth(session: &mut Session) -> CheckResult {
    let (_, search) = sample(session)?;
    match search.infos().find(|(info, _)| info.seldepth.is_some() && info.depth.is_none()) {
        Some((_, line)) => fail(format!("'{line}'")),
        None => Ok(()),
    }
}

/// White is a queen up; both sides must say so from their own view.
fn score_side(session: &mut Session) -> CheckResult {
    session.begin()?;
    for (fen, good) in
        [("3qk3/8/8/8/8/8/8/QQQ1K3 w - - 0 1", true), ("3qk3/8/8/8/8/8/8/QQQ1K3 b - - 0 1", false)]
    {
        let search = session.search(&TestPosition::new(fen), "depth 4")?;
        let Some(score) = search.infos().filter_map(|(info, _)| info.score).next_back() else {
            return not_applicable("the engine reports no score");
        };
        let is_good = matches!(score.value, ScoreValue::Cp(1..) | ScoreValue::Mate(1..));
        ensure(is_good == good, || format!("'{score}' in '{fen}'"))?;
    }
    Ok(())
}

/// The last score of a search for mate; engines that speak only of centipawns are not concerned.
fn last_mate(session: &mut Session, fen: &str) -> Result<(TestPosition, Info, i64), Finding> {
    session.begin()?;
    let board = TestPosition::new(fen);
    let search = session.search(&board, "depth 10")?;
    let last = search.lines_of_play().rfind(|(info, _)| info.score.is_some());
    match last {
        Some((info, _)) => match info.score.map(|score| score.value) {
            Some(ScoreValue::Mate(moves)) => Ok((board, info, moves)),
            _ => not_applicable("the engine gives no mate score here"),
        },
        None => not_applicable("the engine reports no score with a pv"),
    }
}

fn mate_in_moves(session: &mut Session) -> CheckResult {
    let (_, _, moves) = last_mate(session, MATE_IN_TWO)?;
    ensure(moves == 2, || format!("mate {moves} was reported for a mate in two moves"))
}

fn mated(session: &mut Session) -> CheckResult {
    let (_, _, moves) = last_mate(session, MATED_IN_ONE)?;
    ensure(moves == -1, || format!("mate {moves} was reported by a side that is mated in one move"))
}

fn mate_line(session: &mut Session) -> CheckResult {
    let (board, info, moves) = last_mate(session, MATE_IN_TWO)?;
    let plies = usize::try_from(2 * moves - 1).unwrap_or(0);
    ensure(info.pv.len() == plies && board.end_within(&info.pv) == Some(plies), || {
        format!("a mate in {moves} has a line of {} plies", info.pv.len())
    })
}

fn time_with_pv(session: &mut Session) -> CheckResult {
    let (_, search) = sample(session)?;
    match search.lines_of_play().find(|(info, _)| info.time.is_none()) {
        Some((_, line)) => fail(format!("no time in '{line}'")),
        None => Ok(()),
    }
}

fn time_true(session: &mut Session) -> CheckResult {
    let (_, search) = sample(session)?;
    let passed = search.elapsed().as_millis() as u64;
    match search.infos().filter_map(|(info, _)| info.time).max() {
        None => not_applicable("the engine reports no time"),
        Some(time) => ensure(time <= passed + 20, || format!("{time} ms reported, {passed} ms passed")),
    }
}

fn reported(session: &mut Session, what: &str, field: fn(&Info) -> Option<u64>) -> CheckResult {
    let (_, search) = sample(session)?;
    ensure(search.infos().any(|(info, _)| field(&info).is_some()), || format!("no {what} was reported"))
}

fn hashfull(session: &mut Session) -> CheckResult {
    let (_, search) = sample(session)?;
    match search.infos().filter_map(|(info, _)| info.hashfull).max() {
        None => fail("no hashfull was reported"),
        Some(permill) => ensure(permill <= 1000, || format!("hashfull {permill}")),
    }
}

fn currmovenumber(session: &mut Session) -> CheckResult {
    session.begin()?;
    let started = session.go(&TestPosition::new(MIDDLE_GAME), "infinite")?;
    let mut lines = session.listen(Duration::from_millis(2500))?;
    lines.extend(session.stop(started)?.lines);
    let search = SearchOutput { started, lines };
    match search.infos().filter_map(|(info, _)| info.currmovenumber).min() {
        None => not_applicable("the engine reports no move numbers"),
        Some(number) => ensure(number >= 1, || format!("currmovenumber {number}")),
    }
}

/// Only output of the first second counts, however long a busy machine made the search.
fn delay(session: &mut Session) -> CheckResult {
    let (_, mut search) = sample(session)?;
    let started = search.started;
    search.lines.retain(|line| line.at.saturating_duration_since(started) < Duration::from_millis(900));
    let early =
        |info: &Info| info.currmove.is_some() || info.currline.is_some() || !info.refutation.is_empty();
    let count = search.infos().filter(|(info, _)| early(info)).count();
    ensure(count == 0, || format!("{count} such lines in the first 900 ms"))
}

fn unwanted(session: &mut Session, what: &str, has: fn(&Info) -> bool) -> CheckResult {
    let (_, search) = sample(session)?;
    match search.infos().find(|(info, _)| has(info)) {
        Some((_, line)) => fail(format!("{what} was sent unasked: '{line}'")),
        None => Ok(()),
    }
}

fn depth_grows(session: &mut Session) -> CheckResult {
    let (_, search) = sample(session)?;
    let depths: Vec<u64> = search.lines_of_play().filter_map(|(info, _)| info.depth).collect();
    match depths.windows(2).find(|pair| pair[1] < pair[0]) {
        Some(pair) => fail(format!("depth {} after depth {}", pair[1], pair[0])),
        None => Ok(()),
    }
}

/// A report is read and printed again; what is missing then was no field of the protocol or had no value.
fn known_fields(session: &mut Session) -> CheckResult {
    let (_, search) = sample(session)?;
    for (info, line) in search.infos() {
        if info.string.is_some() {
            continue;
        }
        let printed = info.to_string();
        let lost: Vec<&str> = line
            .split_whitespace()
            .filter(|word| !printed.split_whitespace().any(|known| known == *word))
            .collect();
        // Some engines write a bare `multipv 1` or an empty pv; only words that say nothing to a client count here.
        let lost: Vec<&str> = lost.into_iter().filter(|word| *word != "pv").collect();
        ensure(lost.is_empty(), || format!("{lost:?} in '{line}'"))?;
    }
    Ok(())
}

fn forced_mode(session: &mut Session) -> CheckResult {
    session.begin()?;
    session.send(TestPosition::after(STARTPOS, "e2e4").command())?;
    session.expect_no("bestmove", Duration::from_millis(400), "without a 'go'")
}

fn no_pondering(session: &mut Session) -> CheckResult {
    session.begin()?;
    session.search(&TestPosition::new(MATE_IN_ONE), "depth 3")?;
    session.search(&TestPosition::new(MIDDLE_GAME), "depth 6")?;
    let lines = session.listen(Duration::from_millis(500))?;
    match lines.iter().find(|line| line.text.contains(" pv ") || line.text.contains(" depth ")) {
        Some(line) => fail(format!("'{}' after the bestmove", line.text)),
        None => Ok(()),
    }
}
