//! The refresh cache ("Finny table"): the last accumulator of each view, for when the king returns to it.

use chess::{Bitboard, Color, Piece};

use crate::board::{Board, List};
use crate::features::{ThreatChanges, ThreatInputs, Threats, View};
use crate::memory::ZeroedMemory;
use crate::network::{Inputs, Network};

/// For each perspective and view, the last accumulator that was computed and its position. Positions of one search
/// differ by few pieces, so updating that accumulator is cheaper than computing it from scratch.
pub(super) struct RefreshCache {
    /// `[color][view]`
    pieces: Vec<[Bitboard; 12]>,
    /// `[color][view]`; empty where the network has no threats.
    threats: Vec<Threats>,
    /// `[color][view][width]`
    values: ZeroedMemory<i16>,
}

impl RefreshCache {
    pub(super) fn new(network: &Network) -> Self {
        let architecture = network.architecture();
        let slots = 2 * View::slots(&architecture.king_buckets);
        let mut values = ZeroedMemory::new(slots * architecture.width);
        for accumulator in values.chunks_exact_mut(architecture.width) {
            accumulator.copy_from_slice(network.biases());
        }
        let threats = architecture.threats.map_or(Vec::new(), |form| vec![Threats::none(form); slots]);
        Self { pieces: vec![[Bitboard::EMPTY; 12]; slots], threats, values }
    }

    /// Computes an accumulator into `target`, and remembers it. `threats` are those of the board, where the network
    /// has any; `changed` and `inputs` are overwritten.
    pub(super) fn refresh(
        &mut self,
        network: &Network,
        (side, view): (Color, View),
        board: &impl Board,
        threats: Option<&Threats>,
        (changed, inputs): (&mut ThreatChanges, &mut [ThreatInputs; 2]),
        target: &mut [i16],
    ) {
        let slot = side.index() * (self.pieces.len() / 2) + view.slot();
        let (mut added, mut removed) = (List::<u16, 64>::new(0), List::<u16, 64>::new(0));
        for (piece, known) in Piece::ALL.into_iter().zip(&mut self.pieces[slot]) {
            let now = board.pieces(piece);
            for square in now & !*known {
                added.push(view.feature(piece, square) as u16);
            }
            for square in *known & !now {
                removed.push(view.feature(piece, square) as u16);
            }
            *known = now;
        }
        if let Some(threats) = threats {
            network.threat_changes(&self.threats[slot], threats, changed);
            self.threats[slot] = *threats;
        }
        let (entered, left) = changed.inputs(network.threat_table(), view, inputs);
        let width = target.len();
        let source = &mut self.values[slot * width..][..width];
        let added = Inputs { pieces: added.as_slice(), threats: entered };
        let removed = Inputs { pieces: removed.as_slice(), threats: left };
        network.refresh(source, target, &added, &removed);
    }
}
