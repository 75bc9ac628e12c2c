//! Laws of single steps of the node search.

use std::sync::Arc;

use chess::{KeyHistory, Move, Position};

use super::super::history::piece_to;
use super::super::move_picker::{MoveFilter, MovePicker, OrderingContext};
use super::super::threats::Threats;
use super::super::{SearchRequest, Searcher, SharedSearch, ThreadData};
use super::context::MoveContext;
use super::move_pruning::Pruning;
use super::{NonPv, Pv};
use crate::embedded_network::embedded_network;
use crate::limits::Limits;
use crate::settings::Settings;
use crate::time::NodeClock;
use crate::tt::{Entry, EntryBound, TranspositionTable};
use crate::value;

/// Lets a test look at the node of a position as the search does.
fn in_search(fen: &str, test: impl FnOnce(&mut Searcher<'_>, &Position)) {
    let pos = Position::from_fen(fen).unwrap();
    let shared = SharedSearch::new(SearchRequest {
        root: pos,
        history: KeyHistory::new(),
        limits: Limits::default(),
        level: None,
        settings: Settings::default(),
        table: Arc::new(TranspositionTable::new(1).unwrap()),
        hash_loaded: false,
        signal: Arc::default(),
        tablebases: Arc::default(),
        assigned: Arc::default(),
        node_clock: NodeClock::default(),
        threads: 1,
        book_move: None,
        reporter: Box::new(()),
    });
    let mut data = ThreadData::new(embedded_network().unwrap());
    test(&mut Searcher::new(&shared, &mut data, 0), &pos);
}

const QUIET: &str = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
const IN_CHECK: &str = "rnb1kbnr/pppp1ppp/8/4p3/4PP1q/2N5/PPPP2PP/R1BQKBNR w KQkq - 1 3";

#[test]
fn in_check_hindsight_is_silent_and_a_reduction_counts_once() {
    in_search(IN_CHECK, |search, pos| {
        let tt = search.probe_table::<NonPv>(pos, 1);
        let node = search.evaluate_node(pos, 1, true, false, tt);
        assert_eq!(search.hindsight_depth(&node, 5, 4), 5, "nothing is known of the evaluation");
    });
    in_search(QUIET, |search, pos| {
        search.frame(0).static_eval = 0;
        search.frame(0).reduction = 4;
        search.root_depth = 4;
        search.node::<NonPv>(pos, -1, 0, 1, 1, true);
        assert_eq!(search.frame(0).reduction, 0, "the node has taken it");
    });
}

#[test]
fn a_node_in_check_teaches_only_the_last_two_moves() {
    in_search(QUIET, |search, pos| {
        let mv = pos.parse_uci_move("d2d3").unwrap();
        let target = piece_to(pos.piece_on(mv.from()).unwrap(), mv.to());
        for (in_check, taught) in [(true, 2), (false, 5)] {
            let ply = 6;
            for plies in 1..=6 {
                let frame = search.frame(ply - plies);
                frame.mv = Some(mv);
                frame.piece_to = plies + 100 * usize::from(in_check);
                // Whether an earlier node was in check does not matter.
                frame.in_check = !in_check;
            }
            search.frame(ply).in_check = in_check;
            search.update_continuations(target, ply, 1000);
            let rows = search.continuation_rows(ply);
            let changed =
                rows.iter().filter(|&&row| search.data.histories.continuation(row, target) != 0).count();
            assert_eq!(changed, taught);
        }
    });
}

#[test]
fn all_answers_to_a_check_come_in_order() {
    in_search(IN_CHECK, |search, pos| {
        let moves: Vec<Move> = pos.legal_moves().iter().copied().filter(|mv| mv.is_quiet()).collect();
        assert!(moves.len() >= 2);
        let threats = Threats::new(pos).all;
        // The last one is the least bad.
        for (rank, &mv) in moves.iter().enumerate() {
            let malus = 5000 - 1000 * rank as i32;
            search.data.histories.update_quiet(pos.side_to_move(), threats, mv, -malus);
        }
        let ordering = OrderingContext::new(pos, 0);
        let mut picker = MovePicker::new(search, pos, None, MoveFilter::All(&ordering));
        let first = std::iter::from_fn(|| picker.next(search, 0)).find(|mv| mv.is_quiet());
        assert_eq!(first, moves.last().copied());
    });
}

#[test]
fn a_quiet_check_is_not_judged_by_captures() {
    in_search(QUIET, |search, pos| {
        let quiet = pos.parse_uci_move("c4b5").unwrap();
        let tt = search.probe_table::<NonPv>(pos, 0);
        let node = search.evaluate_node(pos, 0, false, false, tt);
        let threats = Threats::new(pos);
        let current = MoveContext {
            mv: quiet,
            piece_to: piece_to(pos.piece_on(quiet.from()).unwrap(), quiet.to()),
            move_count: 2,
            is_quiet: true,
            gives_check: true,
        };
        search.data.histories.update_capture(pos, quiet, -1_000_000);
        let picker = MovePicker::new(search, pos, None, MoveFilter::Noisy);
        let window = (-value::INFINITE, -value::INFINITE, false);
        let worth = search.prune_move(&node, &current, &picker, &threats, window, 1, 0);
        assert!(matches!(worth, Pruning::Keep));
    });
}

#[test]
fn a_node_that_ends_by_a_repetition_to_come_leaves_no_line_of_a_sibling() {
    in_search("4k3/8/8/8/8/8/8/R3K3 w - - 10 20", |search, root| {
        let mut pos = *root;
        let line = ["a1a2", "e8e7", "a2a3", "e7d7", "a3a2"];
        for (ply, text) in line.iter().enumerate() {
            let mv = pos.parse_uci_move(text).unwrap();
            let before = pos;
            search.play(&before, &mut pos, mv, ply);
        }
        let ply = line.len();
        search.data.pv.set(ply, pos.legal_moves()[0]);
        let value = search.node::<Pv>(&pos, -500, -100, 3, ply, false);
        assert!(value.abs() <= 1, "the king goes back to e7, which is a draw: {value}");
        assert!(search.data.pv.line(ply).is_empty());
    });
}

#[test]
fn quiescence_plays_no_illegal_move_of_the_table() {
    // Another position with the same key may have stored it: here the knight is pinned.
    let pinned = "4r1k1/8/8/3q4/8/4N3/8/4K3 w - - 0 1";
    let capture = Position::from_fen("6k1/8/8/3q4/8/4N3/8/4K3 w - - 0 1").unwrap();
    let capture = capture.parse_uci_move("e3d5").unwrap();
    let value_with = |mv: Option<Move>| {
        let mut found = value::NONE;
        in_search(pinned, |search, pos| {
            let bound = EntryBound::None;
            let entry = Entry { mv, value: value::NONE, eval: value::NONE, depth: -1, bound, pv: false };
            search.table.store(pos, 1, entry);
            assert_eq!(search.table.probe(pos, 1).and_then(|entry| entry.mv), mv);
            found = search.quiescence::<NonPv>(pos, -value::INFINITE, value::INFINITE, 1);
        });
        found
    };
    assert_eq!(value_with(Some(capture)), value_with(None));
}

#[test]
fn the_clock_is_looked_at_after_a_slow_thing() {
    in_search(QUIET, |search, _| {
        search.nodes = 10;
        search.next_check = 1_000;
        search.in_sub_search = true;
        search.check_soon();
        assert_eq!(search.next_check, 1_000, "a small search within counts its own nodes only");
        search.in_sub_search = false;
        search.check_soon();
        assert!(search.next_check <= search.nodes);
        // The next look puts it off again.
        assert!(!search.should_stop() && search.next_check > search.nodes);
    });
}
