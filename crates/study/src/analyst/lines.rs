//! Collects the reports of a search and keeps the last one of each line.

use super::{Analysis, Error, Identity, Line};
use std::sync::Arc;
use std::time::Duration;

/// What a search has reported so far.
#[derive(Default)]
pub(crate) struct Lines {
    /// By rank, from 0.
    ranks: Vec<Option<Line>>,
    pub(crate) nodes: u64,
}

impl Lines {
    /// A report about the line of this rank, from 1; ranks beyond what was asked for are not kept.
    pub(crate) fn add(&mut self, rank: u64, wanted: usize, line: Line) {
        let Some(index) = rank.checked_sub(1).map(|index| index as usize).filter(|&index| index < wanted)
        else {
            return;
        };
        if index >= self.ranks.len() {
            self.ranks.resize(index + 1, None);
        }
        // A bound says less than the exact score of the same move of the previous iteration.
        let kept = self.ranks[index].as_ref();
        let worse = line.bound.is_some()
            && kept.is_some_and(|kept| kept.bound.is_none() && kept.pv.first() == line.pv.first());
        if !worse {
            self.ranks[index] = Some(line);
        }
    }

    /// The analysis; without a single line there is none.
    pub(crate) fn finish(self, by: &Arc<Identity>, time: Duration) -> Result<Analysis, Error> {
        let mut lines: Vec<Line> = Vec::new();
        for line in self.ranks.into_iter().map_while(|line| line) {
            // An engine that was stopped in between may have left a move in two ranks.
            if lines.iter().all(|better| better.pv.first() != line.pv.first()) {
                lines.push(line);
            }
        }
        if lines.is_empty() {
            return Err(Error::Engine("its search reported no line".to_owned()));
        }
        Ok(Analysis { by: Arc::clone(by), lines, nodes: self.nodes, time, from_store: false })
    }
}
