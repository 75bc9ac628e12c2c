//! The engine with tablebases, seen from outside. The tables are those beside the project; without
//! them the tests are skipped.

use std::fs;
use std::path::Path;

use engine::{Engine, Limits, Score};
use shakmaty_syzygy::Tablebase;

#[path = "support/endgames.rs"]
mod endgames;

use endgames::{converts, endgames, engine, search, set, shared, wins};

/// A sample; the example `endgames` has them all.
#[test]
fn endgames_of_the_lists_have_their_values() {
    let (Some(tables), Some(endgames)) = (shared("syzygy"), endgames()) else { return };
    let mut engine = engine(&tables);
    assert_eq!(endgames.len(), 4000);
    for (fen, won) in endgames.iter().step_by(10) {
        set(&mut engine, fen);
        let (line, notes, _) = search(&mut engine, Limits::depth(1));
        assert_eq!(wins(line.score), Some(*won), "{fen}");
        assert!(line.tablebase_hits > 0 && notes.is_empty(), "{fen}");
    }
}

#[test]
fn won_endgames_are_won_within_fifty_moves() {
    let (Some(tables), Some(endgames)) = (shared("syzygy"), endgames()) else { return };
    let mut engine = engine(&tables);
    let mut defender = Tablebase::new();
    defender.add_directory(&tables).unwrap();
    for (fen, won) in endgames.iter().step_by(250) {
        engine.new_game();
        assert!(converts(&mut engine, &defender, fen, *won, 1500), "{fen}");
    }
}

#[test]
fn decided_lines_are_shown_to_the_mate() {
    let (Some(tables), Some(endgames)) = (shared("syzygy"), endgames()) else { return };
    let mut engine = engine(&tables);
    let pawns = ["8/8/8/8/8/7k/1PP5/1K6 w - - 0 1", "7k/8/8/8/8/8/RP6/K7 b - - 40 80"].map(str::to_owned);
    let fens = endgames.into_iter().step_by(400).map(|(fen, _)| fen).chain(pawns);
    for fen in fens {
        let root = set(&mut engine, &fen);
        let (line, ..) = search(&mut engine, Limits::depth(3));
        let (mut end, mut mates) = (root, false);
        for (index, &mv) in line.pv.iter().enumerate() {
            assert!(end.is_legal(mv) && end.halfmove_clock() < 100, "move {index} of {:?} in {fen}", line.pv);
            end.play(mv);
            mates = end.in_check() && !end.has_legal_move();
        }
        assert!(mates, "{:?} ends in {end}, begun in {fen}", line.pv);
        assert!(matches!(line.score, Score::Mate(_)) || line.pv.len() > 3);
    }
}

#[test]
fn a_decided_line_ends_where_the_tables_do() {
    let Some(tables) = shared("syzygy") else { return };
    let mut engine = engine(&tables);
    // A queen and two pawns are in none of them.
    let root = set(&mut engine, "8/8/8/8/8/4k3/PPP5/K7 w - - 0 1");
    let (line, ..) = search(&mut engine, Limits::depth(3));
    assert_eq!(wins(line.score), Some(true));
    let end = line.pv.iter().fold(root, |pos, &mv| pos.after(mv));
    assert!(end.to_string().split('/').any(|rank| rank.contains('P')) && line.pv.len() > 12, "{end}");
}

#[test]
fn the_fifty_move_rule_counts_what_is_left() {
    let Some(tables) = shared("syzygy") else { return };
    let mut engine = engine(&tables);
    // Bishop and knight need more moves than the rule leaves.
    for (clock, rule, won) in [(0, true, Some(true)), (70, true, None), (70, false, Some(true))] {
        engine.settings_mut().fifty_move_rule = rule;
        set(&mut engine, &format!("8/8/8/4k3/8/8/8/KBN5 w - - {clock} 90"));
        let (line, _, _) = search(&mut engine, Limits::depth(1));
        assert_eq!(wins(line.score), won, "clock {clock}, rule {rule}: {:?}", line.score);
    }
}

#[test]
fn only_moves_that_keep_the_result_are_played() {
    let Some(tables) = shared("syzygy") else { return };
    let mut engine = engine(&tables);
    engine.settings_mut().multipv = 8;
    // One move holds, and the lines are in the order of their results.
    set(&mut engine, "8/8/8/8/5k2/5p2/8/5K2 w - - 0 1");
    let (line, _, best) = search(&mut engine, Limits::depth(4));
    assert_eq!(line.multipv, 3);
    assert_eq!(wins(line.score), Some(false), "the last line is the worst");
    let best = engine.position().uci_move(best.unwrap(), chess::CastlingNotation::KingMove);
    assert_eq!(best, "f1f2");
}

#[test]
fn the_search_looks_into_tables_it_can_reach() {
    let Some(tables) = shared("syzygy") else { return };
    let mut engine = engine(&tables);
    // Six men on the board, five in the tables after any capture.
    let fen = "8/1k6/8/2p5/3P4/1P6/1K1P4/8 w - - 0 1";
    set(&mut engine, fen);
    let (with, ..) = search(&mut engine, Limits::depth(12));
    assert!(with.tablebase_hits > 0);
    engine.settings_mut().tablebase_men = 0;
    engine.clear_hash();
    let (without, ..) = search(&mut engine, Limits::depth(12));
    assert_eq!(without.tablebase_hits, 0);
}

/// A way to damage a file.
fn damage(kind: usize, seed: usize, mut bytes: Vec<u8>, path: &Path) {
    let random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 7;
    match kind {
        0 => bytes.truncate(random % bytes.len()),
        1 => bytes.truncate(bytes.len() - 64),
        2 => {
            let at = 4 + random % (bytes.len() - 4);
            bytes[at] ^= 1 << (seed & 7);
        }
        3 => bytes[random % 4] ^= 0x55,
        4 => bytes.clear(),
        5 => return fs::create_dir(path).unwrap(),
        _ => bytes = vec![seed as u8; bytes.len()],
    }
    fs::write(path, bytes).unwrap();
}

#[test]
fn damaged_tables_are_reported_and_skipped() {
    let Some(tables) = shared("syzygy") else { return };
    let mut engine = Engine::new(engine::embedded_network().unwrap()).unwrap();
    let folder = std::env::temp_dir().join(format!("rufous-damaged-{}", std::process::id()));
    for seed in 0..210 {
        let (name, fen) = [
            ("KRvK.rtbw", "8/8/8/8/4k3/8/8/R3K3 w - - 0 1"),
            ("KPvK.rtbw", "8/8/8/8/4k3/8/4P3/4K3 w - - 0 1"),
            ("KRvK.rtbz", "8/8/8/8/4k3/8/8/R3K3 w - - 0 1"),
            ("KQvKR.rtbz", "8/8/8/8/4k3/2r5/8/Q3K3 w - - 3 1"),
            ("KNNvKB.rtbw", "8/8/8/3k4/8/2bN4/2N5/4K3 w - - 0 1"),
        ][seed / 7 % 5];
        fs::create_dir_all(folder.join("sub")).unwrap();
        let bytes = fs::read(tables.join(name)).unwrap();
        damage(seed % 7, seed, bytes, &folder.join("sub").join(name));
        // The damaged file comes first; where it is seen at once, the good one behind it is used.
        let directories = std::env::join_paths([&folder, &tables]).unwrap();
        let mut told = engine.set_tablebases(directories.to_str().unwrap());
        set(&mut engine, fen);
        let (_, notes, best) = search(&mut engine, Limits::depth(3));
        told.extend(notes);
        assert!(best.is_some());
        assert!(told.iter().any(|note| note.contains(name)), "{seed} {name}: {told:?}");
        fs::remove_dir_all(&folder).unwrap();
    }
}

#[test]
fn a_missing_directory_is_told() {
    let mut engine = Engine::new(engine::embedded_network().unwrap()).unwrap();
    let notes = engine.set_tablebases("/no/such/directory");
    assert_eq!(notes[0], "no Syzygy tables found");
    assert!(notes[1].starts_with("skipped /no/such/directory: "), "{notes:?}");
    assert!(engine.set_tablebases("").is_empty());
}
