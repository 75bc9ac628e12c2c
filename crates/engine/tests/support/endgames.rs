//! Endgames of the lists beside the project, searched and played out with the tables.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};

use chess::{Move, Position};
use engine::{Engine, Limits, Report, Reporter, Score, SearchInfo};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess};
use shakmaty_syzygy::Tablebase;

pub(crate) fn shared(folder: &str) -> Option<PathBuf> {
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
pub(crate) fn search(engine: &mut Engine, limits: Limits) -> (SearchInfo, Vec<String>, Option<Move>) {
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

pub(crate) fn engine(tables: &Path) -> Engine {
    let mut engine = Engine::new(engine::embedded_network().unwrap()).unwrap();
    let notes = engine.set_tablebases(tables.to_str().unwrap());
    assert_eq!(notes, ["78 Syzygy tables found, up to 5 men"]);
    engine
}

pub(crate) fn set(engine: &mut Engine, fen: &str) -> Position {
    let pos = Position::from_fen(fen).unwrap();
    engine.set_position(pos, &[]);
    pos
}

/// The positions of a list: FEN, and whether the side to move wins.
pub(crate) fn endgames() -> Option<Vec<(String, bool)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(shared("suites/endgame")?).unwrap() {
        for line in fs::read_to_string(entry.unwrap().path()).unwrap().lines() {
            let (fen, operations) = line.split_once(" bm #").unwrap();
            found.push((format!("{fen} 0 1"), !operations.starts_with('-')));
        }
    }
    Some(found)
}

pub(crate) fn wins(score: Score) -> Option<bool> {
    match score {
        Score::Mate(moves) => Some(moves > 0),
        Score::Centipawns(cp) if cp.abs() >= 19_000 => Some(cp > 0),
        Score::Centipawns(_) => None,
    }
}

/// Plays against a defender that holds out as long as the tables say is possible. The fifty-move rule
/// ends what is not won in time; a capture on the way may start it anew, once.
pub(crate) fn converts(
    engine: &mut Engine,
    defender: &Tablebase<Chess>,
    fen: &str,
    mut our_turn: bool,
    nodes: u64,
) -> bool {
    let start = Position::from_fen(fen).unwrap();
    // Only the move is wanted: in a hurry the line is not shown to its end, which would take longest.
    let limits = Limits { move_time: Some(20), ..Limits::nodes(nodes) };
    let (mut pos, mut moves) = (start, Vec::new());
    while pos.has_legal_move() && pos.halfmove_clock() < 100 && moves.len() <= 200 {
        let mv = if our_turn {
            engine.set_position(start, &moves);
            search(engine, limits.clone()).2.unwrap()
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
