//! Several best lines at once.

use uci::Info;

use crate::check::rule::{Check, CheckResult, Finding, ensure, fail, must, practice};
use crate::check::session::Session;
use crate::check::test_position::{MIDDLE_GAME, TestPosition};

pub(super) const CHECKS: &[Check] = &[
    must(
        "multipv.lines",
        "in k-best mode always send all k variants in k strings together.",
        multipv_together,
    ),
    must(
        "multipv.first",
        "for the best move/pv add multipv 1 in the string when you send the pv.",
        multipv_first,
    ),
    practice("multipv.distinct", "The lines of one depth begin with different moves.", multipv_distinct),
    practice(
        "multipv.more-than-moves",
        "A MultiPV above the number of legal moves shows as many lines as there are moves.",
        multipv_many,
    ),
];

/// The lines of a search with three best moves, grouped by depth.
fn three_best(session: &mut Session) -> Result<Vec<(u64, Vec<Info>)>, Finding> {
    session.begin_with("MultiPV")?;
    session.send("setoption name MultiPV value 3")?;
    session.ready()?;
    let board = TestPosition::new(MIDDLE_GAME);
    let search = session.search(&board, "depth 8")?;
    let mut groups: Vec<(u64, Vec<Info>)> = Vec::new();
    for (info, _) in search.infos() {
        let is_exact = info.score.is_some_and(|score| score.bound.is_none());
        let (Some(rank), Some(depth), true) = (info.multipv, info.depth, is_exact && !info.pv.is_empty())
        else {
            continue;
        };
        if rank == 1 || groups.is_empty() {
            groups.push((depth, Vec::new()));
        }
        if let Some((_, group)) = groups.last_mut() {
            group.push(info);
        }
    }
    if groups.is_empty() { fail("no line had a multipv") } else { Ok(groups) }
}

fn multipv_together(session: &mut Session) -> CheckResult {
    let groups = three_best(session)?;
    // Within a depth an engine may show an unfinished list; the last list of the search is to be whole.
    let ranks: Vec<u64> =
        groups.last().map_or(Vec::new(), |(_, group)| group.iter().filter_map(|info| info.multipv).collect());
    ensure(ranks == [1, 2, 3], || format!("the last lines have the numbers {ranks:?}"))
}

fn multipv_first(session: &mut Session) -> CheckResult {
    let groups = three_best(session)?;
    ensure(groups.iter().all(|(_, group)| group[0].multipv == Some(1)), || {
        "a list does not begin with multipv 1".to_owned()
    })
}

/// Lists that an engine shows within an iteration may still hold lines of the one before; these do not count.
fn multipv_distinct(session: &mut Session) -> CheckResult {
    for (depth, group) in three_best(session)? {
        let whole = group.iter().filter(|info| info.depth == Some(depth));
        let mut moves: Vec<&str> = whole.map(|info| info.pv[0].as_str()).collect();
        moves.sort_unstable();
        ensure(moves.windows(2).all(|pair| pair[0] != pair[1]), || {
            format!("a move comes twice at depth {depth}: {moves:?}")
        })?;
    }
    Ok(())
}

fn multipv_many(session: &mut Session) -> CheckResult {
    session.begin_with("MultiPV")?;
    session.send("setoption name MultiPV value 10")?;
    session.ready()?;
    let board = TestPosition::new("7k/8/8/8/8/8/3q4/7K w - - 0 1");
    let legal = board.position.legal_moves().len() as u64;
    let search = session.search(&board, "depth 6")?;
    let most = search.infos().filter_map(|(info, _)| info.multipv).max().unwrap_or(0);
    ensure(most <= legal, || format!("{most} lines for {legal} moves"))
}
