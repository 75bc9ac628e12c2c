//! Tablebase probes in the search.

use chess::Position;

use super::{Searcher, SharedSearch};
use crate::params;
use crate::tablebase::{self, Ranking};
use crate::tt::{Entry, EntryBound};
use crate::value::{self, MAX_PLY, Value};

/// What the tablebases say about a node.
pub(super) enum TablebaseResult {
    /// Its value, as far as the window needs it.
    Value(Value),
    /// It lies between these.
    Within(Value, Value),
}

/// Nothing is known.
const ANYTHING: TablebaseResult = TablebaseResult::Within(-value::INFINITE, value::INFINITE);

impl SharedSearch {
    /// Men of the largest tables that may be asked.
    pub(super) fn tablebase_men(&self) -> usize {
        // Limited strength does not use tablebases.
        if self.level.is_some() { 0 } else { self.tablebases.men().min(self.settings.tablebase_men) }
    }

    /// What the tablebases say about the root moves, if anything.
    pub(super) fn ranking(&self) -> Option<&Ranking> {
        let rank = || {
            if self.root.occupied().count() > self.tablebase_men() {
                return None;
            }
            let fifty_move_rule = self.settings.fifty_move_rule;
            self.tablebases.rank(&self.root, &self.history, &self.root_moves, fifty_move_rule)
        };
        self.ranking.get_or_init(rank).as_ref()
    }
}

impl Searcher<'_> {
    /// Probes the WDL tables, only right after a capture or a pawn move: they do not know the halfmove clock. Every line into
    /// the tables passes such a node.
    #[inline]
    pub(super) fn probe_tablebases(
        &mut self,
        pos: &Position,
        alpha: Value,
        beta: Value,
        depth: i32,
        ply: usize,
        pv: bool,
    ) -> TablebaseResult {
        if pos.halfmove_clock() != 0 || pos.occupied().count() > self.tablebase_men {
            return ANYTHING;
        }
        self.probe_small_material(pos, alpha, beta, depth, ply, pv)
    }

    #[cold]
    fn probe_small_material(
        &mut self,
        pos: &Position,
        alpha: Value,
        beta: Value,
        depth: i32,
        ply: usize,
        pv: bool,
    ) -> TablebaseResult {
        let men = pos.occupied().count();
        let settings = &self.shared.settings;
        if pos.castling().any() || (men == settings.tablebase_men && depth < settings.tablebase_depth) {
            return ANYTHING;
        }
        let probed = self.shared.tablebases.wdl(pos);
        // A table may have been read from a slow disk.
        self.check_soon();
        let Some(wdl) = probed else { return ANYTHING };
        self.tablebase_hits += 1;
        let (value, bound) = tablebase::value_of(wdl, ply, self.shared.settings.fifty_move_rule);
        let enough = match bound {
            EntryBound::Lower => value >= beta,
            EntryBound::Upper => value <= alpha,
            EntryBound::Exact | EntryBound::None => true,
        };
        if enough {
            let depth = (depth + params::tablebase_depth_bonus()).min(MAX_PLY as i32 - 1);
            let entry = Entry { mv: None, value, eval: value::NONE, depth, bound, pv };
            self.table.store(pos, ply, entry);
            TablebaseResult::Value(value)
        } else if bound == EntryBound::Lower {
            TablebaseResult::Within(value, value::INFINITE)
        } else {
            TablebaseResult::Within(-value::INFINITE, value)
        }
    }
}
