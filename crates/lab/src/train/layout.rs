//! The network as the trainer holds it: one flat vector of numbers, laid out by the architecture.

use nnue::features::{INPUTS_PER_BUCKET, KING_SQUARES, KingBuckets};
use nnue::memory::ZeroedMemory;
use nnue::quantisation::{QA, THREAT_WEIGHT_LIMIT};
use nnue::{Architecture, HeadKind, ThreatForm};

use super::head::{self, OUTPUT_BUCKETS};
use super::rng::Rng;

/// Bytes of an architecture in a checkpoint.
pub(super) const ARCHITECTURE_BYTES: usize = KING_SQUARES + 4;

/// A part of the flat vector whose numbers share a meaning.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    /// How many numbers.
    pub(super) len: usize,
    /// The largest magnitude that the quantised form can hold.
    pub(super) limit: f32,
    /// The numbers start between -`spread` and `spread` around `centre`.
    pub(super) spread: f32,
    /// See `spread`.
    pub(super) centre: f32,
}

/// The usual bound; twice as much would still keep the sum of 32 rows and the bias within 16 bits.
const ROW_LIMIT: f32 = 1.98;

/// What the 8 bits of a threat's weight can hold.
const THREAT_LIMIT: f32 = THREAT_WEIGHT_LIMIT as f32 / QA as f32;

/// The flat vector of an architecture.
pub(super) trait Layout: Sized {
    /// The parts of the flat vector in order: the rows of the pieces, those of the threats, the accumulator's bias, then
    /// the head. The weights of threats start at zero.
    fn segments(&self) -> Vec<Segment>;

    /// How many rows there are, one for each input.
    fn inputs(&self) -> usize;

    /// How many of them are for pieces; those of the threats follow.
    fn piece_inputs(&self) -> usize;

    /// The length of the flat vector.
    fn len(&self) -> usize {
        self.segments().iter().map(|segment| segment.len).sum()
    }

    /// The architecture as checkpoints store it.
    fn to_bytes(&self) -> [u8; ARCHITECTURE_BYTES];

    /// The architecture that a checkpoint stores.
    fn from_bytes(bytes: &[u8; ARCHITECTURE_BYTES]) -> Option<Self>;

    /// The architecture as text. A checkpoint keeps this among the settings of its run and is resumed only by a run
    /// with the same text, so the wording must stay as it is.
    fn settings_text(&self) -> String;

    /// Random numbers to start with.
    fn initial(&self, seed: u64) -> ZeroedMemory<f32>;
}

impl Layout for Architecture {
    fn segments(&self) -> Vec<Segment> {
        let rows =
            Segment { len: self.piece_inputs() * self.width, limit: ROW_LIMIT, spread: 0.1, centre: 0.0 };
        let threats = self.inputs() - self.piece_inputs();
        let threats = Segment { len: threats * self.width, limit: THREAT_LIMIT, spread: 0.0, centre: 0.0 };
        let bias = Segment { len: self.width, limit: ROW_LIMIT, spread: 0.0, centre: 0.1 };
        let mut segments = vec![rows, threats, bias];
        segments.extend(head::segments(self.head, self.width));
        segments
    }

    fn inputs(&self) -> usize {
        self.piece_inputs() + self.threats.map_or(0, ThreatForm::inputs)
    }

    fn piece_inputs(&self) -> usize {
        self.king_buckets.inputs()
    }

    fn to_bytes(&self) -> [u8; ARCHITECTURE_BYTES] {
        let mut bytes = [0; ARCHITECTURE_BYTES];
        bytes[..KING_SQUARES].copy_from_slice(self.king_buckets.table());
        bytes[KING_SQUARES..][..2].copy_from_slice(&(self.width as u16).to_le_bytes());
        bytes[KING_SQUARES + 2] = self.head as u8;
        bytes[KING_SQUARES + 3] = self.threats.map_or(0, |form| 1 + form as u8);
        bytes
    }

    fn from_bytes(bytes: &[u8; ARCHITECTURE_BYTES]) -> Option<Self> {
        let (table, rest) = bytes.split_first_chunk::<KING_SQUARES>()?;
        let width = usize::from(u16::from_le_bytes([rest[0], rest[1]]));
        let king_buckets = KingBuckets::new(*table)?;
        let head = HeadKind::from_number(rest[2])?;
        let sound = width > 0 && width.is_multiple_of(nnue::format::WIDTH_STEP);
        let threats = match rest[3] {
            0 => None,
            number => Some(*ThreatForm::ALL.get(usize::from(number) - 1)?),
        };
        sound.then_some(Self { king_buckets, threats, width, head, output_buckets: OUTPUT_BUCKETS })
    }

    fn settings_text(&self) -> String {
        let Self { king_buckets, threats, width, head, .. } = self;
        let threats = match threats {
            None => "false",
            Some(ThreatForm::Small) => "true",
            Some(ThreatForm::Large) => "large",
        };
        format!(
            "Architecture {{ king_buckets: {king_buckets:?}, threats: {threats}, width: {width}, head: {head:?} }}"
        )
    }

    fn initial(&self, seed: u64) -> ZeroedMemory<f32> {
        let mut rng = Rng::new(seed, 0);
        let mut weights = ZeroedMemory::new(self.len());
        let mut rest = &mut weights[..];
        for Segment { len, spread, centre, .. } in self.segments() {
            let part = rest.split_off_mut(..len).unwrap_or_default();
            part.fill_with(|| centre + rng.uniform(spread));
        }
        // Every king bucket starts with the same weights: they should differ only where the data do.
        let board = INPUTS_PER_BUCKET * self.width;
        for bucket in 1..self.king_buckets.count() {
            weights.copy_within(0..board, bucket * board);
        }
        weights
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checkpoints_of_older_versions_are_understood() {
        let king_buckets = KingBuckets::SINGLE;
        let (head, threats) = (HeadKind::Pairwise, Some(ThreatForm::Small));
        let architecture =
            Architecture { king_buckets, threats, width: 512, head, output_buckets: OUTPUT_BUCKETS };
        let zeros = ["0"; KING_SQUARES].join(", ");
        assert_eq!(
            architecture.settings_text(),
            format!(
                "Architecture {{ king_buckets: KingBuckets {{ table: [{zeros}], count: 1 }}, \
                 threats: true, width: 512, head: Pairwise }}"
            )
        );
        let mut bytes = [0; ARCHITECTURE_BYTES];
        bytes[KING_SQUARES..].copy_from_slice(&[0, 2, 1, 1]);
        assert_eq!(architecture.to_bytes(), bytes);
        assert_eq!(Architecture::from_bytes(&bytes), Some(architecture));
    }
}
