//! The input features: the index of each piece on each square.
//!
//! This is the only definition; inference and training both use it.
//!
//! Each side (the *perspective*) has its own set of active inputs, one for every piece on the board. The
//! board is turned so that the perspective plays up the board (flipped vertically for Black) and mirrored
//! left to right when its king stands on the files e to h, so that this king is always on a to d: 32 squares.
//! A table maps those 32 squares to king buckets, and each bucket has its own 768 inputs:
//!
//! ```text
//! index = bucket * 768 + ((own piece ? 0 : 6) + kind) * 64 + turned square
//! ```
//!
//! where `kind` is 0 for the pawn to 5 for the king. Both kings are inputs like any other piece.
//!
//! A network may have inputs for threats beside them, see [`Threats`].

pub(crate) mod threats;

pub(crate) use threats::{ATTACKERS, Attacks, Plain, ThreatInputs, by_tables};
pub use threats::{MAX_THREATS, Threat, ThreatChanges, ThreatForm, ThreatTable, Threats};

use chess::{Color, Piece, Square};

/// The inputs of one king bucket: two sides, six kinds of piece, 64 squares.
pub const INPUTS_PER_BUCKET: usize = 2 * 6 * 64;

/// The squares that a mirrored king can stand on.
pub const KING_SQUARES: usize = 32;

/// Which bucket each king square belongs to.
///
/// The table is indexed by `rank * 4 + file` of the turned king square, whose file is a to d.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KingBuckets {
    table: [u8; KING_SQUARES],
    count: u8,
}

impl KingBuckets {
    /// One bucket for every king square.
    pub const SINGLE: Self = Self { table: [0; KING_SQUARES], count: 1 };

    /// The buckets of a table, if its entries are exactly 0 to some n below 32.
    pub fn new(table: [u8; KING_SQUARES]) -> Option<Self> {
        let count = table.iter().max()?.checked_add(1)?;
        (0..count).all(|bucket| table.contains(&bucket)).then_some(Self { table, count })
    }

    /// How many buckets there are: 1 to 32.
    #[inline]
    pub const fn count(&self) -> usize {
        self.count as usize
    }

    /// The bucket of each turned king square.
    pub const fn table(&self) -> &[u8; KING_SQUARES] {
        &self.table
    }

    /// How many inputs each perspective has.
    #[inline]
    pub const fn inputs(&self) -> usize {
        self.count() * INPUTS_PER_BUCKET
    }

    /// How the board looks to `perspective` with its king on `king`.
    #[inline]
    pub const fn view(&self, perspective: Color, king: Square) -> View {
        let turned = king.relative_to(perspective).index();
        let mirrored = turned & 4 != 0;
        let flip_vertical = king.index() ^ turned;
        let file = if mirrored { turned & 7 ^ 7 } else { turned & 7 };
        View {
            perspective,
            mirrored,
            bucket: self.table[(turned >> 3) * 4 + file],
            flip: flip_vertical as u8 ^ if mirrored { 7 } else { 0 },
        }
    }
}

/// How the board looks to one side: all that the position of its king decides.
///
/// Two positions with the same view share every input of the pieces that they share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    perspective: Color,
    mirrored: bool,
    bucket: u8,
    /// The bits of a square that the view turns over.
    flip: u8,
}

impl View {
    /// The input that stands for this piece on this square.
    #[inline]
    pub const fn feature(self, piece: Piece, square: Square) -> usize {
        let own = piece.color() as u8 == self.perspective as u8;
        let side = if own { 0 } else { 6 };
        self.bucket as usize * INPUTS_PER_BUCKET
            + (side + piece.kind().index()) * 64
            + (square.index() ^ self.flip as usize)
    }

    /// The index of the view among those of its perspective, below [`View::slots`].
    #[inline]
    pub const fn slot(self) -> usize {
        self.bucket as usize * 2 + self.mirrored as usize
    }

    /// How many different views one perspective has.
    pub const fn slots(buckets: &KingBuckets) -> usize {
        buckets.count() * 2
    }
}

/// The input of `perspective`, whose king is on `king`, that stands for `piece` on `square`.
///
/// Where many features share a king, [`KingBuckets::view`] saves the work that they have in common.
#[inline]
pub const fn feature_index(
    layout: &KingBuckets,
    perspective: Color,
    king: Square,
    piece: Piece,
    square: Square,
) -> usize {
    layout.view(perspective, king).feature(piece, square)
}

/// Does a king move of `perspective` change the inputs of all the other pieces?
#[inline]
pub fn needs_refresh(layout: &KingBuckets, perspective: Color, from: Square, to: Square) -> bool {
    layout.view(perspective, from) != layout.view(perspective, to)
}

/// The output bucket for a board with this many pieces: with eight buckets `(pieces - 2) / 4`.
#[inline]
pub const fn output_bucket(buckets: usize, pieces: usize) -> usize {
    let bucket = pieces.saturating_sub(2) / 32usize.div_ceil(buckets);
    if bucket < buckets { bucket } else { buckets - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn four_buckets() -> KingBuckets {
        KingBuckets::new(std::array::from_fn(|square| (square / 8) as u8)).expect("0 to 3 are all used")
    }

    #[test]
    fn features_by_hand() {
        let layout = KingBuckets::SINGLE;
        let index =
            |perspective, king, piece, square| feature_index(&layout, perspective, king, piece, square);
        assert_eq!(index(Color::White, Square::A1, Piece::WhitePawn, Square::E2), 12);
        assert_eq!(index(Color::White, Square::E1, Piece::WhitePawn, Square::E2), 11);
        assert_eq!(index(Color::White, Square::A1, Piece::BlackKing, Square::E8), 11 * 64 + 60);
        assert_eq!(index(Color::Black, Square::E8, Piece::BlackKing, Square::E8), 5 * 64 + 3);
        assert_eq!(index(Color::Black, Square::A8, Piece::WhiteQueen, Square::H1), 10 * 64 + 63);
        let buckets = four_buckets();
        assert_eq!(
            feature_index(&buckets, Color::White, Square::H8, Piece::WhiteKing, Square::H8),
            3 * 768 + 5 * 64 + 56
        );
    }

    #[test]
    fn own_king_is_always_on_the_left() {
        for buckets in [KingBuckets::SINGLE, four_buckets()] {
            for perspective in Color::ALL {
                for king in Square::ALL {
                    let piece = Piece::new(perspective, chess::PieceType::King);
                    assert!(feature_index(&buckets, perspective, king, piece, king) % 8 < 4);
                }
            }
        }
    }

    #[test]
    fn features_of_a_view_are_distinct_and_in_range() {
        let buckets = four_buckets();
        for perspective in Color::ALL {
            for king in Square::ALL {
                let mut seen = vec![false; buckets.inputs()];
                for piece in Piece::ALL {
                    for square in Square::ALL {
                        let index = feature_index(&buckets, perspective, king, piece, square);
                        assert!(!std::mem::replace(&mut seen[index], true));
                    }
                }
            }
        }
    }

    #[test]
    fn swapping_colours_swaps_perspectives() {
        let buckets = four_buckets();
        for king in Square::ALL {
            for piece in Piece::ALL {
                let swapped = Piece::new(!piece.color(), piece.kind());
                for square in Square::ALL {
                    assert_eq!(
                        feature_index(&buckets, Color::White, king, piece, square),
                        feature_index(&buckets, Color::Black, king.flip(), swapped, square.flip())
                    );
                }
            }
        }
    }

    #[test]
    fn refresh_when_crossing_the_middle_or_a_bucket() {
        let single = KingBuckets::SINGLE;
        assert!(needs_refresh(&single, Color::White, Square::D1, Square::E1));
        assert!(!needs_refresh(&single, Color::White, Square::E1, Square::G1));
        assert!(!needs_refresh(&single, Color::Black, Square::A1, Square::D8));
        assert!(needs_refresh(&four_buckets(), Color::Black, Square::E7, Square::E6));
        assert!(!needs_refresh(&four_buckets(), Color::Black, Square::E8, Square::E7));
    }

    #[test]
    fn output_buckets_by_count() {
        assert_eq!(output_bucket(8, 2), 0);
        assert_eq!(output_bucket(8, 5), 0);
        assert_eq!(output_bucket(8, 6), 1);
        assert_eq!(output_bucket(8, 32), 7);
        for buckets in 1..=32 {
            assert!((0..=64).all(|pieces| output_bucket(buckets, pieces) < buckets));
        }
    }

    #[test]
    fn tables_with_holes_are_refused() {
        assert!(KingBuckets::new([1; KING_SQUARES]).is_none());
        let mut table = [0; KING_SQUARES];
        table[5] = 2;
        assert!(KingBuckets::new(table).is_none());
        table[6] = 1;
        assert_eq!(KingBuckets::new(table).map(|buckets| buckets.count()), Some(3));
        table[7] = 255;
        assert!(KingBuckets::new(table).is_none());
    }
}
