//! The plain settings of a search. The search sees only these; the option table maps option names to them.

use crate::level;

/// What can be set about searching.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How many lines are wanted.
    pub multipv: usize,
    /// Milliseconds that are lost on every move outside of the engine.
    pub move_overhead: u64,
    /// Nodes that stand for a millisecond, or 0 to go by the clock.
    pub nodes_time: u64,
    /// The client may let the engine ponder, so that more time can be used.
    pub ponder: bool,
    /// Reports carry chances to win, draw and lose.
    pub show_wdl: bool,
    /// Reports tell the line being searched.
    pub show_current_line: bool,
    /// Reports tell what refutes each root move.
    pub show_refutations: bool,
    /// Analysis: no book moves and no limited strength.
    pub analyse_mode: bool,
    /// The strength is limited to `elo`.
    pub limit_strength: bool,
    /// The strength aimed at, on the scale of `UCI_Elo`.
    pub elo: u64,
    /// The strength from 0 to 20 (full strength); ignored if `limit_strength` is set.
    pub skill_level: u64,
    /// Moves of the book are played without a search.
    pub own_book: bool,
    /// The book is used up to this move of the game.
    pub book_depth: u64,
    /// How often others than the book's best moves are played: 0 is never, 100 as the book says.
    pub book_variety: u64,
    /// Tables with the most men of all are probed from this depth on.
    pub tablebase_depth: i32,
    /// Tables of more men are not probed.
    pub tablebase_men: usize,
    /// A win that takes more than fifty moves without progress is a draw.
    pub fifty_move_rule: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            multipv: 1,
            move_overhead: 10,
            nodes_time: 0,
            ponder: false,
            show_wdl: false,
            show_current_line: false,
            show_refutations: false,
            analyse_mode: false,
            limit_strength: false,
            elo: level::STRONGEST,
            skill_level: level::FULL_SKILL,
            own_book: false,
            book_depth: 100,
            book_variety: 100,
            tablebase_depth: 1,
            tablebase_men: 7,
            fifty_move_rule: true,
        }
    }
}
