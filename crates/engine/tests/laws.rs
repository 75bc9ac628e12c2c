//! Laws of every search, seen from outside.

use std::sync::{Arc, Mutex};

use chess::{KeyHistory, Move, Position};
use engine::{Bound, Engine, Limits, Report, Reporter, Score, SearchInfo};

/// What a search said.
#[derive(Clone, Default)]
struct Heard {
    lines: Vec<SearchInfo>,
    answers: Vec<(Option<Move>, Option<Move>)>,
}

struct Ear(Arc<Mutex<Heard>>);

impl Reporter for Ear {
    fn report(&mut self, report: &Report) {
        if let Report::Line(line) = report {
            self.0.lock().unwrap().lines.push(line.clone());
        }
    }

    fn best_move(&mut self, best: Option<Move>, ponder: Option<Move>) {
        self.0.lock().unwrap().answers.push((best, ponder));
    }
}

fn engine() -> Engine {
    Engine::new(engine::embedded_network().unwrap()).unwrap()
}

fn search(engine: &mut Engine, pos: Position, limits: Limits) -> Heard {
    let heard = Arc::new(Mutex::new(Heard::default()));
    engine.set_position(pos, &[]);
    engine.go(limits, Box::new(Ear(Arc::clone(&heard))));
    engine.wait();
    // The answer is given right after the search counts as ended.
    while heard.lock().unwrap().answers.is_empty() {
        std::thread::yield_now();
    }
    heard.lock().unwrap().clone()
}

/// Positions of random games, the same every time.
fn positions(count: usize) -> Vec<Position> {
    let mut state = 0x5eed_u64;
    let mut random = move |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut found = Vec::new();
    while found.len() < count {
        let mut pos = Position::startpos();
        for _ in 0..8 + random(80) {
            let moves = pos.legal_moves();
            if moves.is_empty() {
                break;
            }
            pos.play(moves[random(moves.len())]);
        }
        if pos.has_legal_move() {
            found.push(pos);
        }
    }
    found
}

/// Is the line legal to its end, and does it end where the game does?
fn check_line(root: &Position, line: &[Move]) {
    let mut pos = *root;
    let mut keys = KeyHistory::new();
    for (index, &mv) in line.iter().enumerate() {
        assert!(pos.is_legal(mv), "{mv:?} of {line:?} in {root}");
        if index > 0 {
            assert!(
                pos.halfmove_clock() < 100 && !pos.is_dead() && keys.occurrences(&pos) < 2,
                "{line:?} in {root}"
            );
        }
        keys.push(&pos);
        pos.play(mv);
    }
}

#[test]
fn engines_are_stopped_one_by_one() {
    let (mut first, mut second) = (engine(), engine());
    let heard = [0, 1].map(|_| Arc::new(Mutex::new(Heard::default())));
    let limits = || Limits { infinite: true, ..Limits::default() };
    for (engine, heard) in [&mut first, &mut second].into_iter().zip(&heard) {
        engine.set_position(Position::startpos(), &[]);
        engine.go(limits(), Box::new(Ear(Arc::clone(heard))));
    }
    second.control().stop();
    second.wait();
    assert!(first.control().searching() && heard[0].lock().unwrap().answers.is_empty());
    first.control().stop();
    first.wait();
    while heard.iter().any(|heard| heard.lock().unwrap().answers.is_empty()) {
        std::thread::yield_now();
    }
}

#[test]
fn every_line_is_legal_and_its_first_move_is_played() {
    let mut engine = engine();
    for pos in positions(2000) {
        let heard = search(&mut engine, pos, Limits::nodes(1500));
        for line in &heard.lines {
            assert!(!line.pv.is_empty());
            check_line(&pos, &line.pv);
            if let (Score::Mate(moves), None) = (line.score, line.bound) {
                let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
                let end = line.pv.iter().fold(pos, |pos, &mv| pos.after(mv));
                if line.pv.len() == plies as usize {
                    assert!(end.in_check() && !end.has_legal_move(), "mate in {moves}: {pos}");
                }
            }
        }
        let last = &heard.lines.last().unwrap().pv;
        let [(best, ponder)] = heard.answers[..] else { panic!("{:?}", heard.answers) };
        assert_eq!(best, Some(last[0]));
        assert!(last.get(1).is_none_or(|&second| ponder == Some(second)), "{pos}");
        assert!(ponder.is_none_or(|ponder| pos.after(last[0]).is_legal(ponder)), "{pos}");
    }
}

#[test]
fn the_same_search_takes_the_same_nodes() {
    let mut engine = engine();
    let mut nodes = |pos| {
        engine.new_game();
        search(&mut engine, pos, Limits::depth(9)).lines.last().unwrap().nodes
    };
    for pos in positions(8) {
        assert_eq!(nodes(pos), nodes(pos), "{pos}");
    }
}

#[test]
fn a_limit_of_nodes_is_exact_on_one_thread() {
    let mut engine = engine();
    for pos in positions(20) {
        for limit in [1, 2, 10, 100, 1023, 1024, 1025, 5000] {
            let heard = search(&mut engine, pos, Limits::nodes(limit));
            let spent = heard.lines.last().unwrap().nodes;
            assert!(spent <= limit.max(1), "{spent} of {limit} nodes in {pos}");
            assert!(heard.answers[0].0.is_some());
        }
    }
}

#[test]
fn no_search_oversteps_what_the_clock_allows() {
    // Nodes stand for time, so that a busy machine makes no difference.
    const NODES_PER_MS: u64 = 200;
    // The clock is looked at every 1,024 nodes, and mates are shown to the end with 3,000 more.
    const LATE: u64 = 1_024 + 3_000;
    let mut engine = engine();
    engine.settings_mut().nodes_time = NODES_PER_MS;
    for pos in positions(40) {
        for ms in [1, 20, 100, 500] {
            engine.new_game();
            let limits = Limits { time: [Some(ms); 2], ..Limits::default() };
            let spent = search(&mut engine, pos, limits).lines.last().unwrap().nodes;
            let all = ms as u64 * NODES_PER_MS;
            assert!(spent <= all * 2 / 5 + LATE, "{spent} nodes with {all} left in {pos}");
        }
    }
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let mut engine = engine();
    let pos = Position::startpos();
    let wanted: Vec<Move> = ["a2a3", "h2h4"].iter().map(|mv| pos.parse_uci_move(mv).unwrap()).collect();
    let limits = Limits { search_moves: wanted.clone(), ..Limits::depth(6) };
    engine.settings_mut().multipv = 5;
    let heard = search(&mut engine, pos, limits);
    assert!(heard.lines.iter().all(|line| wanted.contains(&line.pv[0])));
    assert_eq!(
        heard.lines.iter().map(|line| line.multipv).max(),
        Some(2),
        "as many lines as there are moves"
    );
}

#[test]
fn lines_of_one_depth_are_ordered_and_differ() {
    let mut engine = engine();
    engine.settings_mut().multipv = 4;
    for pos in positions(10) {
        let lines = search(&mut engine, pos, Limits::depth(7)).lines;
        let width = pos.legal_moves().len().min(4);
        for group in lines.chunks(width) {
            assert!(group.iter().enumerate().all(|(index, line)| line.multipv == index + 1));
            let mut firsts: Vec<Move> = group.iter().map(|line| line.pv[0]).collect();
            firsts.sort_by_key(|mv| mv.bits());
            firsts.dedup();
            assert_eq!(firsts.len(), width, "{pos}");
        }
    }
}

#[test]
fn many_threads_agree_on_a_mate() {
    let mut engine = engine();
    engine.set_threads(4).unwrap();
    let pos = Position::from_fen("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1").unwrap();
    let heard = search(&mut engine, pos, Limits::depth(8));
    assert_eq!(heard.lines.last().unwrap().score, Score::Mate(1));
    assert_eq!(heard.answers.len(), 1);
}

#[test]
fn a_mate_that_was_asked_for_ends_the_search() {
    let mut engine = engine();
    let pos = Position::from_fen("7k/8/5K2/8/8/8/8/1R6 w - - 0 1").unwrap();
    let limits = Limits { mate: Some(2), nodes: Some(2_000_000), ..Limits::default() };
    let heard = search(&mut engine, pos, limits);
    let last = heard.lines.last().unwrap();
    assert_eq!(last.score, Score::Mate(2));
    assert_eq!(last.pv.len(), 3);
    assert!(last.nodes < 1_000_000);
}

#[test]
fn mates_are_proved_for_and_against() {
    let mut engine = engine();
    let problems = [
        // A key that no search for captures and checks would find.
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2, Score::Mate(2)),
        ("7k/R7/8/8/8/8/8/1R5K b - - 0 1", 3, Score::Mate(-1)),
    ];
    for threads in [1, 3] {
        engine.set_threads(threads).unwrap();
        for (fen, moves, score) in problems {
            let pos = Position::from_fen(fen).unwrap();
            let limits = Limits { mate: Some(moves), nodes: Some(2_000_000), ..Limits::default() };
            let heard = search(&mut engine, pos, limits);
            let last = heard.lines.last().unwrap();
            assert_eq!(last.score, score, "{fen}");
            let end = last.pv.iter().fold(pos, |pos, &mv| pos.after(mv));
            assert!(end.in_check() && !end.has_legal_move(), "{fen}: {:?}", last.pv);
            assert!(last.nodes < 1_000_000);
        }
    }
}

#[test]
fn a_proved_mate_is_told_at_the_depth_where_it_was_proved() {
    let mut engine = engine();
    // Mates in 2 and 3, also where more moves are asked for, and one that the first iteration sees.
    for (fen, asked, moves) in [
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2, 2),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 5, 2),
        ("8/8/8/8/1p1N4/1Bk1K3/3N4/b7 w - - 0 1", 3, 3),
        ("3K4/k7/8/8/2R5/8/8/8 w - - 0 1", 3, 3),
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 3, 1),
    ] {
        engine.new_game();
        let pos = Position::from_fen(fen).unwrap();
        let heard = search(&mut engine, pos, Limits { mate: Some(asked), ..Limits::default() });
        let last = heard.lines.last().unwrap();
        assert_eq!((last.score, last.depth), (Score::Mate(moves), 1), "{fen}");
    }
}

#[test]
fn no_line_is_sent_twice_unless_an_iteration_was_interrupted() {
    let mut engine = engine();
    for multipv in [1, 3] {
        engine.settings_mut().multipv = multipv;
        for pos in positions(30).into_iter().filter(|pos| pos.legal_moves().len() >= 5) {
            let lines = search(&mut engine, pos, Limits::depth(6)).lines;
            assert_eq!(lines.len(), 6 * multipv, "{pos}");
            let lines = search(&mut engine, pos, Limits::nodes(2_000)).lines;
            let (earlier, end) = lines.split_at(lines.len() - multipv);
            for (index, line) in end.iter().enumerate() {
                assert_eq!(
                    (line.multipv, line.nodes),
                    (index + 1, 2_000),
                    "it counts the interrupted iteration"
                );
                // Among several lines a move that has proved to be better than before is shown by its new bound.
                let better = |old: &SearchInfo| {
                    multipv > 1 && line.bound == Some(Bound::Lower) && line.value > old.value
                };
                let complete =
                    |old: &SearchInfo| old.pv[0] == line.pv[0] && old.depth + 1 == line.depth && !better(old);
                assert!(line.bound.is_none() || !earlier.iter().any(complete), "{pos}: {line:?}");
            }
        }
    }
}

#[test]
fn what_was_found_without_the_fifty_move_rule_is_no_mate_with_it() {
    let mut engine = engine();
    for fen in ["8/4k3/8/8/4K3/8/Q7/8", "8/8/2k5/8/8/8/1R6/KR6"] {
        let early = Position::from_fen(&format!("{fen} w - - 0 1")).unwrap();
        let heard = search(&mut engine, early, Limits::nodes(400_000));
        assert!(matches!(heard.lines.last().unwrap().score, Score::Mate(1..)), "{fen}");
        // In four plies nobody mates; the line may end with the draw, but not be called a mate.
        let late = Position::from_fen(&format!("{fen} w - - 96 80")).unwrap();
        for limits in [Limits::nodes(2_000), Limits::depth(8)] {
            for line in search(&mut engine, late, limits).lines {
                assert!(matches!(line.score, Score::Centipawns(-19_000..19_000)), "{fen}: {line:?}");
                check_line(&late, &line.pv);
            }
        }
    }
}

#[test]
fn a_table_that_was_cleared_is_a_new_one() {
    let fresh = |pos| search(&mut engine(), pos, Limits::depth(9)).lines.last().unwrap().nodes;
    let mut used = engine();
    for pos in positions(3) {
        for before in positions(6) {
            search(&mut used, before, Limits::depth(8));
        }
        used.clear_hash();
        assert_eq!(search(&mut used, pos, Limits::depth(9)).lines.last().unwrap().nodes, fresh(pos), "{pos}");
        search(&mut used, Position::startpos(), Limits::depth(8));
        let network = Arc::clone(used.network());
        used.set_network(network).unwrap();
        assert_eq!(search(&mut used, pos, Limits::depth(9)).lines.last().unwrap().nodes, fresh(pos), "{pos}");
    }
}

#[test]
fn without_moves_there_is_an_answer_too() {
    let mut engine = engine();
    let mated = Position::from_fen("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1").unwrap();
    let heard = search(&mut engine, mated, Limits::depth(3));
    assert_eq!((heard.lines[0].score, heard.answers[0]), (Score::Mate(0), (None, None)));
    let stalemated = Position::from_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").unwrap();
    let heard = search(&mut engine, stalemated, Limits::depth(3));
    assert_eq!((heard.lines[0].score, heard.answers[0]), (Score::Centipawns(0), (None, None)));
}

#[test]
fn every_start_is_answered_once_however_soon_it_is_stopped() {
    let mut engine = engine();
    engine.set_threads(2).unwrap();
    let heard = Arc::new(Mutex::new(Heard::default()));
    for round in 0..300 {
        let limits = Limits { infinite: round % 2 == 0, ponder: round % 3 == 0, ..Limits::default() };
        engine.go(limits, Box::new(Ear(Arc::clone(&heard))));
        let control = engine.control();
        if round % 3 == 0 {
            control.ponder_hit();
        }
        control.stop();
    }
    engine.wait();
    drop(engine);
    let heard = heard.lock().unwrap();
    assert_eq!(heard.answers.len(), 300);
    assert!(heard.answers.iter().all(|(best, _)| best.is_some()));
}

/// Hits the ponder move in the middle of the first iteration from this depth on.
struct PonderHit {
    control: engine::Control,
    from: usize,
    heard: Arc<Mutex<Heard>>,
    /// The depth of the iteration that was hit.
    hit: Arc<Mutex<Option<usize>>>,
}

impl Reporter for PonderHit {
    fn report(&mut self, report: &Report) {
        match report {
            Report::CurrentMove { depth, .. } if *depth >= self.from => {
                self.hit.lock().unwrap().get_or_insert(*depth);
                self.control.ponder_hit();
            }
            Report::Line(line) => self.heard.lock().unwrap().lines.push(line.clone()),
            _ => {}
        }
    }

    fn best_move(&mut self, best: Option<Move>, ponder: Option<Move>) {
        self.heard.lock().unwrap().answers.push((best, ponder));
    }
}

/// With a single legal move the soft limit is reached after the first iteration, whatever the clock. While pondering the search
/// goes on; the ponder hit has to end it at once, not at the end of the iteration or at the hard limit, hours away.
#[test]
fn a_ponder_hit_past_the_soft_limit_ends_the_search_at_once() {
    // The queen has just taken on d8, and the king has to take back.
    let pos = Position::from_fen("r1bQkb1r/ppp2ppp/2p5/4Pn2/8/5N2/PPP2PPP/RNB2RK1 b kq - 0 8").unwrap();
    assert_eq!(pos.legal_moves().len(), 1);
    let mut engine = engine();
    engine.set_position(pos, &[]);
    let (heard, hit) = (Arc::new(Mutex::new(Heard::default())), Arc::new(Mutex::new(None)));
    let reporter =
        PonderHit { control: engine.control(), from: 14, heard: Arc::clone(&heard), hit: Arc::clone(&hit) };
    let limits = Limits {
        ponder: true,
        time: [Some(100_000_000); 2],
        // Current moves are reported from the first second on.
        asked_at: std::time::Instant::now().checked_sub(std::time::Duration::from_secs(2)),
        ..Limits::default()
    };
    engine.go(limits, Box::new(reporter));
    engine.wait();
    while heard.lock().unwrap().answers.is_empty() {
        std::thread::yield_now();
    }
    let depth = hit.lock().unwrap().expect("the search came so far");
    let deepest = heard.lock().unwrap().lines.iter().map(|line| line.depth).max();
    assert_eq!(deepest, Some(depth - 1), "the iteration that was hit is not finished");
}
