//! The engine with tablebases, seen from outside. The tables are those beside the project; without
//! them the tests are skipped.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};

use chess::{Move, Position};
use engine::{Engine, Limits, Report, Reporter, Score, SearchInfo, default_network};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess};
use shakmaty_syzygy::Tablebase;

fn shared(folder: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(folder);
    if path.is_dir() {
        return Some(path);
    }
    println!("skipped: there is no ../shared/{folder}");
    None
}

enum Said {
    Line(SearchInfo),
    Note(String),
    Best(Option<Move>),
}

struct Ear(Sender<Said>);

impl Reporter for Ear {
    fn report(&mut self, report: &Report) {
        let _ = match report {
            Report::Line(line) => self.0.send(Said::Line(line.clone())),
            Report::Note(note) => self.0.send(Said::Note(note.clone())),
            _ => Ok(()),
        };
    }

    fn best_move(&mut self, best: Option<Move>, _: Option<Move>) {
        let _ = self.0.send(Said::Best(best));
    }
}

/// What a search came to: its last line, its notes and its move.
fn search(engine: &mut Engine, limits: Limits) -> (SearchInfo, Vec<String>, Option<Move>) {
    let (sender, heard): (_, Receiver<Said>) = channel();
    engine.go(limits, Box::new(Ear(sender)));
    let (mut last, mut notes) = (None, Vec::new());
    for said in heard {
        match said {
            Said::Line(line) => last = Some(line),
            Said::Note(note) => notes.push(note),
            Said::Best(best) => {
                engine.wait();
                return (last.expect("a line before the move"), notes, best);
            }
        }
    }
    unreachable!("every search gives a move");
}

fn engine(tables: &Path) -> Engine {
    let mut engine = Engine::new(default_network()).unwrap();
    let notes = engine.set_tablebases(tables.to_str().unwrap());
    assert_eq!(notes, ["78 Syzygy tables found, up to 5 men"]);
    engine
}

fn set(engine: &mut Engine, fen: &str) -> Position {
    let pos = Position::from_fen(fen).unwrap();
    engine.set_position(pos, &[]);
    pos
}

/// The positions of a list: FEN, and whether the side to move wins.
fn endgames() -> Option<Vec<(String, bool)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(shared("suites/endgame")?).unwrap() {
        for line in fs::read_to_string(entry.unwrap().path()).unwrap().lines() {
            let (fen, operations) = line.split_once(" bm #").unwrap();
            found.push((format!("{fen} 0 1"), !operations.starts_with('-')));
        }
    }
    Some(found)
}

fn wins(score: Score) -> Option<bool> {
    match score {
        Score::Mate(moves) => Some(moves > 0),
        Score::Centipawns(cp) if cp.abs() >= 19_000 => Some(cp > 0),
        Score::Centipawns(_) => None,
    }
}

#[test]
fn every_endgame_of_the_lists_has_its_value() {
    let (Some(tables), Some(endgames)) = (shared("syzygy"), endgames()) else { return };
    let mut engine = engine(&tables);
    for (fen, won) in &endgames {
        set(&mut engine, fen);
        let (line, notes, _) = search(&mut engine, Limits::depth(1));
        assert_eq!(wins(line.score), Some(*won), "{fen}");
        assert!(line.tablebase_hits > 0 && notes.is_empty(), "{fen}");
    }
    assert_eq!(endgames.len(), 4000);
}

/// Plays against a defender that holds out as long as the tables say is possible. The fifty-move rule
/// ends what is not won in time; a capture on the way may start it anew, once.
fn converts(engine: &mut Engine, defender: &Tablebase<Chess>, fen: &str, mut our_turn: bool) -> bool {
    let start = Position::from_fen(fen).unwrap();
    let (mut pos, mut moves) = (start, Vec::new());
    while pos.has_legal_move() && pos.halfmove_clock() < 100 && moves.len() <= 200 {
        let mv = if our_turn {
            engine.set_position(start, &moves);
            search(engine, Limits::nodes(1500)).2.unwrap()
        } else {
            let board: Chess =
                pos.to_string().parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
            let (best, _) = defender.best_move(&board).unwrap().unwrap();
            pos.parse_uci_move(&UciMove::from_standard(best).to_string()).unwrap()
        };
        pos.play(mv);
        moves.push(mv);
        our_turn = !our_turn;
    }
    !pos.has_legal_move() && pos.in_check() && !our_turn
}

#[test]
fn won_endgames_are_won_within_fifty_moves() {
    let (Some(tables), Some(endgames)) = (shared("syzygy"), endgames()) else { return };
    let mut engine = engine(&tables);
    let mut defender = Tablebase::new();
    defender.add_directory(&tables).unwrap();
    for (fen, won) in endgames.iter().step_by(250) {
        engine.new_game();
        assert!(converts(&mut engine, &defender, fen, *won), "{fen}");
    }
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
    let mut engine = Engine::new(default_network()).unwrap();
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
    let mut engine = Engine::new(default_network()).unwrap();
    let notes = engine.set_tablebases("/no/such/directory");
    assert_eq!(notes[0], "no Syzygy tables found");
    assert!(notes[1].starts_with("skipped /no/such/directory: "), "{notes:?}");
    assert!(engine.set_tablebases("").is_empty());
}
