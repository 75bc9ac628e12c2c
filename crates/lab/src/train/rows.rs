//! Which rows of the first layer a position has, and in which two positions differ.

use chess::{Bitboard, Color, Piece, Square};
use nnue::features::{Threat, ThreatChanges, ThreatTable, Threats, View};
use nnue::{Architecture, ThreatForm};

use super::games::{PieceSets, Placed};
use super::layout::Layout;

/// A position: what all its inputs follow from.
#[derive(Clone)]
pub(super) struct Position {
    pub(super) board: PieceSets,
    /// None where the network has no inputs for them.
    threats: Option<Threats>,
}

impl Position {
    pub(super) fn new(architecture: &Architecture, board: PieceSets) -> Self {
        let threats = architecture.threats.map(|form| Threats::of_pieces(form, board.0.map(Bitboard)));
        Self { board, threats }
    }

    /// The empty board.
    pub(super) fn empty(architecture: &Architecture) -> Self {
        Self { board: PieceSets::default(), threats: architecture.threats.map(Threats::none) }
    }
}

/// What leaves and what enters on the way from one position to another.
pub(super) struct Changes {
    leaving: Vec<Placed>,
    entering: Vec<Placed>,
    threats: ThreatChanges,
}

impl Changes {
    pub(super) const NONE: Self =
        Self { leaving: Vec::new(), entering: Vec::new(), threats: ThreatChanges::NONE };

    /// Finds them anew.
    pub(super) fn find(&mut self, from: &Position, to: &Position) {
        self.leaving.clear();
        self.leaving.extend(from.board.without(&to.board).placed());
        self.entering.clear();
        self.entering.extend(to.board.without(&from.board).placed());
        if let (Some(from), Some(to)) = (&from.threats, &to.threats) {
            self.threats.find(from, to);
        }
    }
}

/// How inputs are numbered; the rows of threats stand behind those of the pieces.
#[derive(Clone, Copy)]
pub(super) struct Numbers {
    first_threat: usize,
    /// None where the network has no inputs for them.
    threats: Option<&'static ThreatTable>,
}

impl Numbers {
    pub(super) fn new(architecture: &Architecture) -> Self {
        Self {
            first_threat: architecture.piece_inputs(),
            threats: architecture.threats.map(ThreatForm::table),
        }
    }

    /// Lists the rows of what leaves.
    pub(super) fn list_leaving(self, view: View, changes: &Changes, rows: &mut Vec<u32>) {
        self.list(view, &changes.leaving, changes.threats.left(), rows);
    }

    /// Lists the rows of what enters.
    pub(super) fn list_entering(self, view: View, changes: &Changes, rows: &mut Vec<u32>) {
        self.list(view, &changes.entering, changes.threats.entered(), rows);
    }

    fn list(self, view: View, pieces: &[Placed], threats: &[Threat], rows: &mut Vec<u32>) {
        rows.extend(
            pieces
                .iter()
                .map(|placed| view.feature(Piece::ALL[placed.piece()], Square::new(placed.square())) as u32),
        );
        if let Some(table) = self.threats {
            let row = |&threat: &Threat| (self.first_threat + table.input(view, threat)) as u32;
            rows.extend(threats.iter().map(row));
        }
    }
}

/// How the board looks to a side.
pub(super) fn view(architecture: &Architecture, perspective: Color, board: &PieceSets) -> View {
    architecture.king_buckets.view(perspective, Square::new(board.king(perspective.index())))
}
