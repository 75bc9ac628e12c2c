//! Random networks and placements from a seed, for tests and benchmarks.

use chess::{Color, Piece, PieceType, Square};
use rng::Random;

use crate::board::{Board, Placement};
use crate::format::{Architecture, FormatError, Head, Parameters};
use crate::quantisation::{ACTIVATION_ONE, DIRECT_SCALE, QA, SUM_SCALE};

impl Parameters {
    /// Random parameters that use the ranges as a trained network does: about half of the neurons are active
    /// and none of the layers is always at its limits.
    ///
    /// # Errors
    /// When the architecture is impossible.
    pub fn random(architecture: Architecture, seed: u64) -> Result<Self, FormatError> {
        let mut parameters = Self::zero(architecture)?;
        let mut random = Random::new(seed);
        parameters.description = format!("random network, seed {seed}");
        parameters.transformer_biases.fill_with(|| random.within(QA / 4) as i16);
        parameters.transformer_weights.fill_with(|| random.within(QA / 4) as i16);
        parameters.threat_weights.fill_with(|| random.within(QA / 8) as i8);
        match &mut parameters.head {
            Head::Direct(head) => {
                head.biases.fill_with(|| random.within(DIRECT_SCALE / 8));
                head.weights.fill_with(|| random.within(60) as i16);
            }
            Head::Pairwise(head) => {
                head.first_biases.fill_with(|| random.within(ACTIVATION_ONE / 2));
                head.first_weights.fill_with(|| random.within(40) as i8);
                head.second_biases.fill_with(|| random.within(SUM_SCALE / 4));
                head.second_weights.fill_with(|| random.within(600) as i16);
                head.output_biases.fill_with(|| random.within(SUM_SCALE / 4));
                head.output_weights.fill_with(|| random.within(1000) as i16);
            }
        }
        Ok(parameters)
    }
}

impl Placement {
    /// Two kings and up to 30 other pieces anywhere; the rules of chess do not matter here.
    pub fn random(random: &mut Random) -> Self {
        let mut placement = Self::EMPTY;
        let white = Square::new(random.below(64));
        let black = Square::new(white.index() + 1 + random.below(63));
        placement.put(Piece::WhiteKing, white);
        placement.put(Piece::BlackKing, black);
        for _ in 0..random.below(31) {
            let square = Square::new(random.below(64));
            if !placement.occupied().has(square) {
                let kind = PieceType::ALL[random.below(5)];
                placement.put(Piece::new(Color::ALL[random.below(2)], kind), square);
            }
        }
        placement.side_to_move = Color::ALL[random.below(2)];
        placement
    }
}
