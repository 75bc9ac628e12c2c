//! The available king bucket layouts, selected by their number of buckets.

use nnue::features::KingBuckets;

/// From rank 1 to rank 8, files a to d of the mirrored board.
#[rustfmt::skip]
const LAYOUTS: [[u8; 32]; 3] = [
    [
        0, 0, 1, 1,
        2, 2, 2, 2,
        3, 3, 3, 3,
        3, 3, 3, 3,
        3, 3, 3, 3,
        3, 3, 3, 3,
        3, 3, 3, 3,
        3, 3, 3, 3,
    ],
    [
        0, 1, 2, 3,
        4, 4, 5, 5,
        6, 6, 6, 6,
        6, 6, 6, 6,
        7, 7, 7, 7,
        7, 7, 7, 7,
        7, 7, 7, 7,
        7, 7, 7, 7,
    ],
    [
         0,  1,  2,  3,
         4,  5,  6,  7,
         8,  8,  9,  9,
        10, 10, 11, 11,
        12, 12, 13, 13,
        14, 14, 14, 14,
        15, 15, 15, 15,
        15, 15, 15, 15,
    ],
];

/// The layout with so many buckets, if there is one.
pub(super) fn layout(count: usize) -> Option<KingBuckets> {
    if count == 1 {
        return Some(KingBuckets::SINGLE);
    }
    LAYOUTS.into_iter().filter_map(KingBuckets::new).find(|buckets| buckets.count() == count)
}

/// The numbers of buckets that [`layout`] knows.
pub(super) const COUNTS: [usize; 4] = [1, 4, 8, 16];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_on_offer_has_a_layout() {
        for count in COUNTS {
            assert_eq!(layout(count).map(|buckets| buckets.count()), Some(count));
        }
    }
}
