//! Chains of positions along the principal variations of the engine's own search.

use std::collections::HashSet;
use std::sync::mpsc::{SyncSender, sync_channel};

use chess::{Move, Position};
use engine::{CreateError, Engine, Limits, Report, Reporter};

use super::steps::{enter, record, valued};
use super::teacher::{Teacher, TeacherError, Teaching};
use crate::packed::Record;

/// Lines per search.
const MULTI_PV: usize = 4;
/// Megabytes of the hash table, which is cleared for every search.
const HASH_MIB: usize = 1;

/// An engine whose lines are wanted.
pub(super) struct Searcher {
    engine: Engine,
    nodes: u64,
}

impl Searcher {
    /// An engine with the teacher's network.
    pub(super) fn new(teaching: &Teaching, nodes: u64) -> Result<Self, CreateError> {
        let mut engine = Engine::new(teaching.network().clone())?;
        engine.set_hash(HASH_MIB)?;
        engine.settings_mut().multipv = MULTI_PV;
        Ok(Self { engine, nodes })
    }

    /// Appends the positions of a search from `base`, each once.
    pub(super) fn chain(
        &mut self,
        base: &Position,
        teacher: &mut dyn Teacher,
        records: &mut Vec<Record>,
    ) -> Result<(), TeacherError> {
        let lines = self.lines(base).ok_or_else(|| TeacherError::NoAnswer(Box::new(*base)))?;
        teacher.begin(base);
        records.push(record(base, valued(teacher, base)?, true));
        let mut seen = HashSet::from([base.key()]);
        for line in lines {
            let mut position = *base;
            for &mv in &line {
                position = enter(teacher, &position, mv);
                if seen.insert(position.key()) {
                    records.push(record(&position, valued(teacher, &position)?, false));
                }
            }
            line.iter().for_each(|_| teacher.leave());
        }
        Ok(())
    }

    /// All lines that a search reports.
    fn lines(&mut self, base: &Position) -> Option<Vec<Vec<Move>>> {
        let (sender, heard) = sync_channel(1);
        self.engine.new_game();
        self.engine.set_position(*base, &[]);
        self.engine.go(Limits::nodes(self.nodes), Box::new(LineCollector { lines: Vec::new(), sender }));
        heard.recv().ok()
    }
}

struct LineCollector {
    lines: Vec<Vec<Move>>,
    sender: SyncSender<Vec<Vec<Move>>>,
}

impl Reporter for LineCollector {
    fn report(&mut self, report: &Report) {
        if let Report::Line(line) = report {
            self.lines.push(line.pv.clone());
        }
    }

    fn best_move(&mut self, _: Option<Move>, _: Option<Move>) {
        // The receiver is gone if the run failed elsewhere.
        let _ = self.sender.send(std::mem::take(&mut self.lines));
    }
}
