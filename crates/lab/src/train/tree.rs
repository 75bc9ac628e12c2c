//! The positions of a window as trees: the accumulators of each are computed from those of the nearest one among the
//! last few, so that it costs the few rows in which the two differ instead of all that it has.
//!
//! The nearest one is the position before it in a game, and the common parent where the data hold several moves of a
//! position. Each side has trees of its own: when its king has moved to another bucket or half of the board, all its
//! rows are others, and only positions with the same view of the board can be near.

use chess::{Color, Square};
use nnue::Architecture;
use nnue::features::{View, output_bucket};

use super::games::Games;
use super::head::OUTPUT_BUCKETS;
use super::rows::{Changes, Numbers, Position, view};
use super::sampler::Window;

/// So many of the last positions are looked at for the nearest: most trees in the data have four moves of a position.
const RECENT: usize = 8;

/// A capture takes two pieces away and sets one down; a position as near as that is taken at once.
const ONE_MOVE: usize = 3;

/// A position that counts.
#[derive(Clone, Copy)]
pub(super) struct Counted {
    pub(super) ply: u32,
    /// Its class by piece count.
    pub(super) bucket: usize,
}

/// How an accumulator follows from another.
pub(super) struct Edge<'a> {
    /// The number of the other accumulator; none where it is the bias alone.
    pub(super) from: Option<usize>,
    /// The numbers of the rows to take away.
    pub(super) leaving: &'a [u32],
    /// The numbers of the rows to add.
    pub(super) entering: &'a [u32],
}

/// An [`Edge`], whose rows are a part of a longer list.
struct Rows {
    from: Option<u32>,
    first: u32,
    leaving: u16,
    entering: u16,
}

/// One of the last positions.
struct Recent {
    position: Position,
    views: [View; 2],
}

/// See the module. The accumulators of the position with number `n` have the numbers `2 n` (White) and `2 n + 1` (Black).
pub(super) struct Tree {
    architecture: Architecture,
    numbers: Numbers,
    empty: Position,
    changes: Changes,
    /// A position has its place here by its number.
    recent: [Recent; RECENT],
    positions: Vec<Counted>,
    edges: Vec<Rows>,
    rows: Vec<u32>,
}

impl Tree {
    /// No positions yet.
    pub(super) fn new(architecture: &Architecture) -> Self {
        let empty = Position::empty(architecture);
        let recent = |_| Recent {
            position: empty.clone(),
            views: Color::ALL.map(|side| architecture.king_buckets.view(side, Square::A1)),
        };
        Self {
            architecture: *architecture,
            numbers: Numbers::new(architecture),
            changes: Changes::NONE,
            recent: std::array::from_fn(recent),
            empty,
            positions: Vec::new(),
            edges: Vec::new(),
            rows: Vec::new(),
        }
    }

    /// The positions that count, in their order.
    pub(super) fn positions(&self) -> &[Counted] {
        &self.positions
    }

    /// How each accumulator is computed, in an order in which every one comes after what it is computed from.
    pub(super) fn edges(&self) -> impl DoubleEndedIterator<Item = Edge<'_>> + ExactSizeIterator {
        self.edges.iter().map(|edge| {
            let rows = &self.rows[edge.first as usize..][..usize::from(edge.leaving + edge.entering)];
            let (leaving, entering) = rows.split_at(edge.leaving.into());
            Edge { from: edge.from.map(|from| from as usize), leaving, entering }
        })
    }

    /// Takes the positions of a window that count instead of those it had; the others need not be computed at all.
    pub(super) fn grow(&mut self, games: &Games, window: Window) {
        self.positions.clear();
        self.edges.clear();
        self.rows.clear();
        let Window { game, first, plies } = window;
        let mut board = games.board_at(game as usize, first as usize);
        let steps = games.steps_of(game as usize);
        for ply in first..first + plies {
            let step = &steps[ply as usize];
            if ply > first {
                board.apply(games.changes(step));
            }
            if step.counts() {
                self.add(Position::new(&self.architecture, board));
                let bucket = output_bucket(OUTPUT_BUCKETS, board.count());
                self.positions.push(Counted { ply, bucket });
            }
        }
    }

    /// Lists how the accumulators of the next position are computed.
    fn add(&mut self, position: Position) {
        let number = self.positions.len();
        let views = Color::ALL.map(|side| view(&self.architecture, side, &position.board));
        let origins = self.nearest(number, &position, &views);
        for side in 0..2 {
            if side == 0 || origins[1] != origins[0] {
                let from = origins[side].map_or(&self.empty, |from| &self.recent[from % RECENT].position);
                self.changes.find(from, &position);
            }
            let first = self.rows.len();
            self.numbers.list_leaving(views[side], &self.changes, &mut self.rows);
            let leaving = self.rows.len() - first;
            self.numbers.list_entering(views[side], &self.changes, &mut self.rows);
            let entering = self.rows.len() - first - leaving;
            self.edges.push(Rows {
                from: origins[side].map(|from| (2 * from + side) as u32),
                first: first as u32,
                leaving: leaving as u16,
                entering: entering as u16,
            });
        }
        self.recent[number % RECENT] = Recent { position, views };
    }

    /// For each side the number of the nearest of the last positions that it sees with the same rows.
    fn nearest(&self, number: usize, position: &Position, views: &[View; 2]) -> [Option<usize>; 2] {
        let mut found = [None; 2];
        let mut distances = [position.board.count(); 2];
        for from in (number.saturating_sub(RECENT)..number).rev() {
            let recent = &self.recent[from % RECENT];
            let distance = recent.position.board.distance(&position.board);
            for side in 0..2 {
                if recent.views[side] == views[side] && distance < distances[side] {
                    (found[side], distances[side]) = (Some(from), distance);
                }
            }
            if distances.iter().all(|&distance| distance <= ONE_MOVE) {
                break;
            }
        }
        found
    }
}
