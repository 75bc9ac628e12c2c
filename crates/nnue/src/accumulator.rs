//! Accumulators along a line of play, computed only when they are needed.
//!
//! [`AccumulatorStack`] has one entry for each move from the root. A push only notes what changed; when an
//! evaluation asks for the top, the nearest entry below that is computed and has the same view of the board
//! is brought forward move by move. Where there is none, because the king crossed into another view, the
//! [`RefreshCache`] helps.
//!
//! Threats are not noted by moves: where the network has them, an evaluation finds what a move changed from the
//! [`Threats`] of the two positions. Those of the position on top follow from its board; for positions in between,
//! which were not evaluated, the moves are taken back from it.

mod cache;

use std::sync::Arc;

use chess::{Color, PieceType};

use self::cache::RefreshCache;
use crate::board::{Board, Changes};
use crate::features::{MAX_THREATS, ThreatChanges, ThreatInputs, Threats, View};
use crate::memory::ZeroedMemory;
use crate::network::{Inputs, Network};

/// Initial capacity, enough for the deepest line of most searches; the stack grows if needed.
const INITIAL_ENTRIES: usize = 128;

/// The state of one position on the line.
#[derive(Clone, Copy)]
struct Entry {
    /// What the move to this position changed.
    changes: Changes,
    /// How each side sees the board.
    views: [View; 2],
    /// The entry that holds the values: this one, or after null moves the one before them.
    holder: usize,
    /// Whether each side's accumulator is up to date.
    computed: [bool; 2],
    /// Whether the threats are. Those of a computed entry are.
    threats_known: bool,
}

/// The accumulators of a line of play.
///
/// The order of calls: [`reset`](Self::reset) with the root, [`push`](Self::push) with every move,
/// [`pop`](Self::pop) when it is taken back, [`evaluate`](Self::evaluate) with the position on top.
pub struct AccumulatorStack {
    network: Arc<Network>,
    entries: Vec<Entry>,
    /// The index of the position on top.
    top: usize,
    /// `[entry][color][width]`
    values: ZeroedMemory<i16>,
    /// Of each entry; empty where the network has no threats.
    threats: Vec<Threats>,
    changed: Box<ThreatChanges>,
    /// Buffers for the threat inputs of a perspective.
    inputs: Box<[ThreatInputs; 2]>,
    cache: RefreshCache,
}

impl AccumulatorStack {
    /// A stack for positions of `network`, with `root` on top.
    pub fn new(network: Arc<Network>, root: &impl Board) -> Self {
        let root = Entry::root(&network, root);
        let values = ZeroedMemory::new(INITIAL_ENTRIES * 2 * network.architecture().width);
        let threats = network.architecture().threats;
        Self {
            cache: RefreshCache::new(&network),
            network,
            entries: vec![root; INITIAL_ENTRIES],
            top: 0,
            values,
            threats: threats.map_or(Vec::new(), |form| vec![Threats::none(form); INITIAL_ENTRIES]),
            changed: Box::new(ThreatChanges::NONE),
            inputs: Box::new([[0; MAX_THREATS]; 2]),
        }
    }

    /// The network that evaluates.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Forgets the line and begins another one.
    pub fn reset(&mut self, root: &impl Board) {
        self.top = 0;
        self.entries[0] = Entry::root(&self.network, root);
    }

    /// A move was made.
    pub fn push(&mut self, changes: &Changes) {
        self.push_observed(|observer| *observer = *changes);
    }

    /// A move is made by `play`, which records the changes directly in the stack: copying bytes that were just written
    /// would stall on them.
    #[inline]
    pub fn push_observed(&mut self, play: impl FnOnce(&mut Changes)) {
        if self.top + 1 == self.entries.len() {
            self.grow();
        }
        let Entry { mut views, mut holder, .. } = self.entries[self.top];
        self.top += 1;
        let entry = &mut self.entries[self.top];
        entry.changes.clear();
        play(&mut entry.changes);
        for &(piece, square) in entry.changes.added() {
            if piece.kind() == PieceType::King {
                let color = piece.color();
                views[color.index()] = self.network.architecture().king_buckets.view(color, square);
            }
        }
        if !entry.changes.is_empty() {
            holder = self.top;
        }
        entry.views = views;
        entry.holder = holder;
        entry.computed = [false; 2];
        entry.threats_known = false;
    }

    /// The last move is taken back; at the root nothing happens.
    #[inline]
    pub fn pop(&mut self) {
        debug_assert!(self.top > 0, "more pops than pushes");
        self.top = self.top.saturating_sub(1);
    }

    /// The score in internal units for the side to move; `board` is the position on top.
    pub fn evaluate(&mut self, board: &impl Board) -> i32 {
        let top = self.entries[self.top].holder;
        if self.entries[top].computed != [true; 2] {
            self.bring_up_to_date(top, board);
        }
        let us = board.side_to_move();
        let width = self.network.architecture().width;
        let (white, black) = self.values[top * 2 * width..][..2 * width].split_at(width);
        let (us, them) = match us {
            Color::White => (white, black),
            Color::Black => (black, white),
        };
        self.network.score(us, them, self.network.bucket(board))
    }

    /// Computes the accumulators of the entry `top`, which is the position on top but for null moves.
    #[inline]
    fn bring_up_to_date(&mut self, top: usize, board: &impl Board) {
        if !self.threats.is_empty() {
            return self.bring_threats_up_to_date(top, board);
        }
        for perspective in Color::ALL {
            match self.nearest_computed(top, perspective, board) {
                Some(index) => self.advance_pieces(index, top, perspective.index()),
                None => self.refresh(top, perspective, board),
            }
        }
    }

    /// The same for a network with threats.
    fn bring_threats_up_to_date(&mut self, top: usize, board: &impl Board) {
        if !self.entries[top].threats_known {
            self.threats[top].set(board, self.network.kernels());
            self.entries[top].threats_known = true;
        }
        let mut from = [top; 2];
        for perspective in Color::ALL {
            match self.nearest_computed(top, perspective, board) {
                Some(index) => from[perspective.index()] = index,
                None => self.refresh(top, perspective, board),
            }
        }
        let first = from[0].min(from[1]);
        self.recall_threats(first, top);
        let mut source = first;
        for index in first + 1..=top {
            if self.entries[index].holder != index {
                continue;
            }
            self.network.threat_changes(&self.threats[source], &self.threats[index], &mut self.changed);
            for (side, from) in from.into_iter().enumerate() {
                if from < index {
                    self.advance(source, index, side);
                }
            }
            source = index;
        }
    }

    /// Computes the accumulators of a side from one entry to another, whose view is the same, without threats.
    #[inline]
    fn advance_pieces(&mut self, from: usize, top: usize, side: usize) {
        let view = self.entries[top].views[side];
        let mut source = from;
        for index in from + 1..=top {
            let entry = &mut self.entries[index];
            if entry.holder != index {
                continue;
            }
            let mut room = [[0; Changes::CAPACITY]; 2];
            let (added, removed) = entry.changes.features(view, &mut room);
            entry.computed[side] = true;
            let (source_values, target) =
                two_accumulators(&mut self.values, &self.network, source, index, side);
            let added = Inputs { pieces: added, threats: &[] };
            let removed = Inputs { pieces: removed, threats: &[] };
            self.network.update(source_values, target, &added, &removed);
            source = index;
        }
    }

    /// The nearest entry at or below `top` that has the accumulator of a side with the view that `top` has.
    #[inline]
    fn nearest_computed(&self, top: usize, perspective: Color, board: &impl Board) -> Option<usize> {
        let side = perspective.index();
        let view = self.entries[top].views[side];
        debug_assert_eq!(view, self.network.view(perspective, board), "the board is not the one on top");
        let mut index = top;
        while !self.entries[index].computed[side] {
            let below = &self.entries[index.checked_sub(1)?];
            if below.views[side] != view {
                return None;
            }
            index = below.holder;
        }
        Some(index)
    }

    /// Finds the threats of the entries between two, of which the upper one's are known, by taking moves back.
    #[inline]
    fn recall_threats(&mut self, first: usize, top: usize) {
        let mut above = top;
        for index in (first + 1..top).rev() {
            let Entry { holder, threats_known, .. } = self.entries[index];
            if holder != index {
                continue;
            }
            if !threats_known {
                let (before, after) = self.threats.split_at_mut(above);
                let changes = &self.entries[above].changes;
                before[index].set_before(&after[0], changes, self.network.kernels());
                self.entries[index].threats_known = true;
            }
            above = index;
        }
    }

    /// Computes an entry from the last one before it that has values.
    #[inline]
    fn advance(&mut self, source: usize, index: usize, side: usize) {
        let Entry { changes, views, computed, .. } = &mut self.entries[index];
        let view = views[side];
        let mut room = [[0; Changes::CAPACITY]; 2];
        let (added, removed) = changes.features(view, &mut room);
        computed[side] = true;
        let (source, target) = two_accumulators(&mut self.values, &self.network, source, index, side);
        let (entered, left) = self.changed.inputs(self.network.threat_table(), view, &mut self.inputs);
        let added = Inputs { pieces: added, threats: entered };
        let removed = Inputs { pieces: removed, threats: left };
        self.network.update(source, target, &added, &removed);
    }

    /// Computes the entry on top with the help of the cache.
    #[cold]
    fn refresh(&mut self, top: usize, perspective: Color, board: &impl Board) {
        let side = perspective.index();
        let width = self.network.architecture().width;
        let entry = &mut self.entries[top];
        let target = &mut self.values[(top * 2 + side) * width..][..width];
        let view = entry.views[side];
        self.cache.refresh(
            &self.network,
            (perspective, view),
            board,
            self.threats.get(top),
            (&mut self.changed, &mut self.inputs),
            target,
        );
        entry.computed[side] = true;
    }

    #[cold]
    fn grow(&mut self) {
        let mut values = ZeroedMemory::new(2 * self.values.len());
        values[..self.values.len()].copy_from_slice(&self.values);
        self.values = values;
        self.entries.resize(2 * self.entries.len(), self.entries[0]);
        self.threats.extend_from_within(..);
    }
}

/// A side's accumulator of an earlier entry, to read, and of a later one, to write.
#[inline]
fn two_accumulators<'a>(
    values: &'a mut [i16],
    network: &Network,
    source: usize,
    target: usize,
    side: usize,
) -> (&'a [i16], &'a mut [i16]) {
    let width = network.architecture().width;
    let (below, here) = values.split_at_mut(target * 2 * width);
    (&below[(source * 2 + side) * width..][..width], &mut here[side * width..][..width])
}

impl Entry {
    fn root(network: &Network, board: &impl Board) -> Self {
        Self {
            changes: Changes::NONE,
            views: Color::ALL.map(|perspective| network.view(perspective, board)),
            holder: 0,
            computed: [false; 2],
            threats_known: false,
        }
    }
}
