//! Accumulators along a line of play, computed only when they are needed.
//!
//! [`AccumulatorStack`] has one entry for each move from the root. A push only notes what changed; when an
//! evaluation asks for the top, the nearest entry below that is computed and has the same view of the board
//! is brought forward move by move. Where there is none, because the king crossed into another view, the
//! [`RefreshCache`] helps: it keeps the last accumulator of each view with the pieces it stands for, and as a
//! search stays in one region of the game, few pieces differ.

use std::sync::Arc;

use chess::{Bitboard, Color, Piece, PieceType};

use crate::aligned::Aligned;
use crate::board::{Board, Changes};
use crate::features::View;
use crate::network::Network;

/// Entries to begin with: the deepest line of most searches. The stack grows when it has to.
const INITIAL_ENTRIES: usize = 128;

/// What is known of one position on the line.
#[derive(Clone, Copy)]
struct Entry {
    /// What the move to this position changed.
    changes: Changes,
    /// How each side sees the board.
    views: [View; 2],
    /// Whether each side's accumulator is up to date.
    computed: [bool; 2],
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
    values: Aligned<i16>,
    cache: RefreshCache,
}

impl AccumulatorStack {
    /// A stack for positions of `network`, with `root` on top.
    pub fn new(network: Arc<Network>, root: &impl Board) -> Self {
        let root = Entry::root(&network, root);
        let values = Aligned::zero(INITIAL_ENTRIES * 2 * network.architecture().width);
        let cache = RefreshCache::new(&network);
        Self { network, entries: vec![root; INITIAL_ENTRIES], top: 0, values, cache }
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
    #[inline]
    pub fn push(&mut self, changes: &Changes) {
        if self.top + 1 == self.entries.len() {
            self.grow();
        }
        let mut views = self.entries[self.top].views;
        for &(piece, square) in changes.added() {
            if piece.kind() == PieceType::King {
                let color = piece.color();
                views[color.index()] = self.network.architecture().king_buckets.view(color, square);
            }
        }
        self.top += 1;
        self.entries[self.top] = Entry { changes: *changes, views, computed: [false; 2] };
    }

    /// The last move is taken back; at the root nothing happens.
    #[inline]
    pub fn pop(&mut self) {
        debug_assert!(self.top > 0, "more pops than pushes");
        self.top = self.top.saturating_sub(1);
    }

    /// The score in internal units for the side to move; `board` is the position on top.
    pub fn evaluate(&mut self, board: &impl Board) -> i32 {
        for perspective in Color::ALL {
            self.bring_up_to_date(perspective, board);
        }
        let us = board.side_to_move();
        let width = self.network.architecture().width;
        let (white, black) = self.values[self.top * 2 * width..][..2 * width].split_at(width);
        let (us, them) = match us {
            Color::White => (white, black),
            Color::Black => (black, white),
        };
        self.network.score(us, them, self.network.bucket(board))
    }

    /// Computes the accumulator on top for one side.
    #[inline]
    fn bring_up_to_date(&mut self, perspective: Color, board: &impl Board) {
        let side = perspective.index();
        let view = self.entries[self.top].views[side];
        debug_assert_eq!(view, self.network.view(perspective, board), "the board is not the one on top");
        let mut from = self.top;
        while !self.entries[from].computed[side] {
            if from == 0 || self.entries[from - 1].views[side] != view {
                return self.refresh(perspective, board);
            }
            from -= 1;
        }
        for index in from + 1..=self.top {
            self.advance(index, side);
        }
    }

    /// Computes an entry from the one below.
    #[inline]
    fn advance(&mut self, index: usize, side: usize) {
        let Entry { changes, views, computed } = &mut self.entries[index];
        let width = self.network.architecture().width;
        let (below, here) = self.values.split_at_mut(index * 2 * width);
        let source = &below[((index - 1) * 2 + side) * width..][..width];
        let target = &mut here[side * width..][..width];
        let (mut added, mut removed) = ([0; Changes::CAPACITY], [0; Changes::CAPACITY]);
        let view = views[side];
        for (feature, &(piece, square)) in added.iter_mut().zip(changes.added()) {
            *feature = view.feature(piece, square) as u16;
        }
        for (feature, &(piece, square)) in removed.iter_mut().zip(changes.removed()) {
            *feature = view.feature(piece, square) as u16;
        }
        let (added, removed) = (&added[..changes.added().len()], &removed[..changes.removed().len()]);
        self.network.update(source, target, added, removed);
        computed[side] = true;
    }

    /// Computes the entry on top with the help of the cache.
    #[cold]
    fn refresh(&mut self, perspective: Color, board: &impl Board) {
        let side = perspective.index();
        let width = self.network.architecture().width;
        let entry = &mut self.entries[self.top];
        let target = &mut self.values[(self.top * 2 + side) * width..][..width];
        self.cache.refresh(&self.network, perspective, entry.views[side], board, target);
        entry.computed[side] = true;
    }

    #[cold]
    fn grow(&mut self) {
        let mut values = Aligned::zero(2 * self.values.len());
        values[..self.values.len()].copy_from_slice(&self.values);
        self.values = values;
        self.entries.resize(2 * self.entries.len(), self.entries[0]);
    }
}

impl Entry {
    fn root(network: &Network, board: &impl Board) -> Self {
        Self {
            changes: Changes::NONE,
            views: Color::ALL.map(|perspective| network.view(perspective, board)),
            computed: [false; 2],
        }
    }
}

/// For each side and view, the last accumulator that was computed and the pieces that it stands for.
struct RefreshCache {
    /// `[color][view]`
    pieces: Vec<[Bitboard; 12]>,
    /// `[color][view][width]`
    values: Aligned<i16>,
}

impl RefreshCache {
    fn new(network: &Network) -> Self {
        let architecture = network.architecture();
        let slots = 2 * View::slots(&architecture.king_buckets);
        let mut values = Aligned::zero(slots * architecture.width);
        for accumulator in values.chunks_exact_mut(architecture.width) {
            accumulator.copy_from_slice(network.biases());
        }
        Self { pieces: vec![[Bitboard::EMPTY; 12]; slots], values }
    }

    /// Computes an accumulator into `target`, and remembers it.
    fn refresh(
        &mut self,
        network: &Network,
        side: Color,
        view: View,
        board: &impl Board,
        target: &mut [i16],
    ) {
        let slot = side.index() * (self.pieces.len() / 2) + view.slot();
        let (mut added, mut removed) = (FeatureList::new(), FeatureList::new());
        for (piece, known) in Piece::ALL.into_iter().zip(&mut self.pieces[slot]) {
            let now = board.pieces(piece);
            for square in now & !*known {
                added.push(view.feature(piece, square));
            }
            for square in *known & !now {
                removed.push(view.feature(piece, square));
            }
            *known = now;
        }
        let width = target.len();
        let source = &mut self.values[slot * width..][..width];
        network.refresh(source, target, added.as_slice(), removed.as_slice());
    }
}

/// Inputs of one side; there is at most one for each square.
struct FeatureList {
    features: [u16; 64],
    length: usize,
}

impl FeatureList {
    fn new() -> Self {
        Self { features: [0; 64], length: 0 }
    }

    #[inline]
    fn push(&mut self, feature: usize) {
        self.features[self.length] = feature as u16;
        self.length += 1;
    }

    fn as_slice(&self) -> &[u16] {
        &self.features[..self.length]
    }
}
