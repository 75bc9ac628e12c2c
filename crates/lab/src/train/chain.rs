//! The chain: accumulators and their gradients carried along a game, so that a position costs the few rows that a
//! move changes instead of the thirty that it has.
//!
//! Forward is what an engine does. Backward is exact, too: let `P` be the sum of the accumulator's gradients over the
//! positions so far. The gradient of a feature that was active from position `a` to position `b` is the sum over just
//! those, which is `P` after `b` less `P` before `a`. So a row's gradient gets `-P` when its feature enters and `+P`
//! when it leaves, or when the chain ends. When a king moves to another bucket or half of the board, all features of its
//! perspective change; the chain then ends and starts again with `P = 0`.
//!
//! Threats are features like the pieces. Their rows stand behind those of the pieces, and what a step changes in them
//! follows from the [`Threats`] before and after it.

use chess::{Bitboard, Color, Piece, Square};
use nnue::features::{Threat, ThreatChanges, ThreatTable, Threats, View, output_bucket};
use nnue::memory::ZeroedMemory;
use nnue::{Architecture, ThreatForm};

use super::games::{Games, PieceSets, Placed, Step};
use super::gradient::GradientParts;
use super::head::{Head, OUTPUT_BUCKETS, Pair};
use super::kernel::{self, Table};
use super::layout::Layout;
use super::sampler::Window;

/// The numbers of a network, cut into parts to read.
pub(super) struct Parts<'a> {
    rows: &'a [f32],
    bias: &'a [f32],
    head: &'a [f32],
}

impl<'a> Parts<'a> {
    /// The parts of a flat vector of weights.
    pub(super) fn of(architecture: &Architecture, flat: &'a [f32]) -> Self {
        let (rows, rest) = flat.split_at(architecture.inputs() * architecture.width);
        let (bias, head) = rest.split_at(architecture.width);
        Self { rows, bias, head }
    }

    fn table(&self) -> Table<'a> {
        Table { rows: self.rows, width: self.bias.len() }
    }
}

/// A position of a chain: what all its features follow from.
#[derive(Clone, Copy)]
struct Position {
    board: PieceSets,
    /// None where the network has no inputs for them.
    threats: Option<Threats>,
}

impl Position {
    fn new(architecture: &Architecture, board: PieceSets) -> Self {
        let threats = architecture.threats.map(|form| Threats::of_pieces(form, board.0.map(Bitboard)));
        Self { board, threats }
    }
}

/// Rows by their numbers: those of the inputs that leave or are active, and those that enter.
struct Rows {
    numbers: ThreatNumbers,
    leaving: Vec<u32>,
    entering: Vec<u32>,
    /// The threats of a whole position: what has changed since the empty board.
    threats: ThreatChanges,
    empty: Option<Threats>,
}

/// How threats are numbered among the rows.
#[derive(Clone, Copy)]
struct ThreatNumbers {
    /// Where their rows begin.
    first: usize,
    /// None where the network has no inputs for them.
    table: Option<&'static ThreatTable>,
}

impl ThreatNumbers {
    fn rows(self, view: View, threats: &[Threat]) -> impl Iterator<Item = u32> + '_ {
        let row = move |&threat: &Threat| Some((self.first + self.table?.input(view, threat)) as u32);
        threats.iter().filter_map(row)
    }
}

impl Rows {
    fn new(architecture: &Architecture) -> Self {
        Self {
            numbers: ThreatNumbers {
                first: architecture.piece_inputs(),
                table: architecture.threats.map(ThreatForm::table),
            },
            leaving: Vec::new(),
            entering: Vec::new(),
            threats: ThreatChanges::NONE,
            empty: architecture.threats.map(Threats::none),
        }
    }

    /// All inputs of a position.
    fn active(&mut self, view: View, position: &Position) -> &[u32] {
        self.leaving.clear();
        self.leaving.extend(position.board.placed().map(|placed| feature(view, placed)));
        if let (Some(empty), Some(threats)) = (&self.empty, &position.threats) {
            self.threats.find(empty, threats);
            self.leaving.extend(self.numbers.rows(view, self.threats.entered()));
        }
        &self.leaving
    }

    /// The inputs that a step changes.
    fn changed(&mut self, view: View, (leaving, entering): (&[Placed], &[Placed]), threats: &ThreatChanges) {
        self.leaving.clear();
        self.entering.clear();
        self.leaving.extend(leaving.iter().map(|&gone| feature(view, gone)));
        self.leaving.extend(self.numbers.rows(view, threats.left()));
        self.entering.extend(entering.iter().map(|&come| feature(view, come)));
        self.entering.extend(self.numbers.rows(view, threats.entered()));
    }
}

/// One side's accumulator along a chain.
struct Side {
    perspective: Color,
    view: View,
    accumulator: ZeroedMemory<f32>,
    /// `P` of the module's description.
    sum: ZeroedMemory<f32>,
}

impl Side {
    /// Sums the accumulator of a board up from nothing.
    fn begin(&mut self, weights: &Parts<'_>, view: View, rows: &[u32]) {
        self.view = view;
        weights.table().sum(&mut self.accumulator, weights.bias, rows);
        self.sum.fill(0.0);
    }

    /// Brings the accumulator over a step that does not change the view.
    fn advance(&mut self, weights: &Parts<'_>, rows: &Rows) {
        weights.table().update(&mut self.accumulator, &rows.entering, &rows.leaving);
    }

    /// Adds the gradients of the features that leave and enter with a step that does not change the view.
    fn book(&self, gradient: &mut GradientParts<'_>, rows: &Rows) {
        for &gone in &rows.leaving {
            kernel::add(gradient.row_mut(gone), &self.sum);
        }
        for &come in &rows.entering {
            kernel::sub(gradient.row_mut(come), &self.sum);
        }
    }

    /// Adds the gradients of the bias and of every feature still active, where a chain or a view of it ends.
    fn finish(&self, gradient: &mut GradientParts<'_>, rows: &[u32]) {
        kernel::add(gradient.bias, &self.sum);
        for &row in rows {
            kernel::add(gradient.row_mut(row), &self.sum);
        }
    }
}

/// Walks along games, one window after another; its buffers are what one thread needs.
pub(super) struct Walker<H> {
    architecture: Architecture,
    sides: [Side; 2],
    rows: Rows,
    threats: ThreatChanges,
    head: H,
}

impl<H: Head> Walker<H> {
    /// A walker for networks of this architecture.
    pub(super) fn new(architecture: &Architecture) -> Self {
        let side = |perspective: Color| Side {
            perspective,
            view: architecture.king_buckets.view(perspective, Square::A1),
            accumulator: ZeroedMemory::new(architecture.width),
            sum: ZeroedMemory::new(architecture.width),
        };
        let head = H::new(architecture.width);
        Self {
            architecture: *architecture,
            sides: Color::ALL.map(side),
            rows: Rows::new(architecture),
            threats: ThreatChanges::NONE,
            head,
        }
    }

    /// To be called whenever the weights changed.
    pub(super) fn prepare(&mut self, weights: &Parts<'_>) {
        self.head.prepare(weights.head);
    }

    /// Walks through a window. `slope_of` gets the network's output for each position that counts and returns the derivative
    /// of the loss by it; where there is a gradient to add to, it is propagated back to all parameters.
    pub(super) fn walk(
        &mut self,
        weights: &Parts<'_>,
        mut gradient: Option<&mut GradientParts<'_>>,
        games: &Games,
        window: Window,
        mut slope_of: impl FnMut(f32, &Step) -> f32,
    ) {
        let board = games.board_at(window.game as usize, window.first as usize);
        let mut position = Position::new(&self.architecture, board);
        for side in &mut self.sides {
            let view = view(&self.architecture, side.perspective, &position.board);
            side.begin(weights, view, self.rows.active(view, &position));
        }
        let steps = &games.steps_of(window.game as usize)[window.first as usize..][..window.plies as usize];
        for (number, step) in steps.iter().enumerate() {
            if number > 0 {
                let before = position;
                let mut board = before.board;
                let changes = games.changes(step);
                board.apply(changes);
                position = Position::new(&self.architecture, board);
                self.step(weights, gradient.as_deref_mut(), changes, &before, &position);
            }
            if !step.counts() {
                continue;
            }
            let bucket = output_bucket(OUTPUT_BUCKETS, position.board.count());
            let [white, black] = &mut self.sides;
            let (us, them) = if step.side() == 0 { (white, black) } else { (black, white) };
            let accumulators = Pair { us: &us.accumulator[..], them: &them.accumulator[..] };
            let slope = slope_of(self.head.forward(weights.head, bucket, &accumulators), step);
            if let Some(gradient) = &mut gradient {
                let mut sums = Pair { us: &mut us.sum[..], them: &mut them.sum[..] };
                self.head.backward(weights.head, gradient.head, bucket, slope, &accumulators, &mut sums);
            }
        }
        if let Some(gradient) = gradient {
            for side in &self.sides {
                side.finish(gradient, self.rows.active(side.view, &position));
            }
        }
    }

    /// Both sides over one step.
    fn step(
        &mut self,
        weights: &Parts<'_>,
        mut gradient: Option<&mut GradientParts<'_>>,
        changes: (&[Placed], &[Placed]),
        before: &Position,
        after: &Position,
    ) {
        if let (Some(before), Some(after)) = (&before.threats, &after.threats) {
            self.threats.find(before, after);
        }
        for side in &mut self.sides {
            let view = view(&self.architecture, side.perspective, &after.board);
            if view == side.view {
                self.rows.changed(view, changes, &self.threats);
                side.advance(weights, &self.rows);
                if let Some(gradient) = &mut gradient {
                    side.book(gradient, &self.rows);
                }
            } else {
                if let Some(gradient) = &mut gradient {
                    side.finish(gradient, self.rows.active(side.view, before));
                }
                side.begin(weights, view, self.rows.active(view, after));
            }
        }
    }
}

/// How the board looks to a side.
pub(super) fn view(architecture: &Architecture, perspective: Color, board: &PieceSets) -> View {
    architecture.king_buckets.view(perspective, Square::new(board.king(perspective.index())))
}

fn feature(view: View, placed: Placed) -> u32 {
    view.feature(Piece::ALL[placed.piece()], Square::new(placed.square())) as u32
}
