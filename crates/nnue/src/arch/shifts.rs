//! Steps over the board as shifts of a word.

/// North, south, east and west, then the four directions between, as turns of a word to the left.
pub(super) const TURNS: [u32; 8] = [8, 56, 1, 63, 9, 7, 57, 55];

/// The squares where a step in each direction can end without having left the board.
pub(super) const REACHED: [u64; 8] = {
    const NOT_A: u64 = !0x0101_0101_0101_0101;
    const NOT_H: u64 = !0x8080_8080_8080_8080;
    const NOT_FIRST: u64 = !0xff;
    const NOT_EIGHTH: u64 = !0 >> 8;
    [
        NOT_FIRST,
        NOT_EIGHTH,
        NOT_A,
        NOT_H,
        NOT_FIRST & NOT_A,
        NOT_FIRST & NOT_H,
        NOT_EIGHTH & NOT_A,
        NOT_EIGHTH & NOT_H,
    ]
};

/// The squares that knights on these squares attack.
#[inline(always)]
pub(super) fn knights(squares: u64) -> u64 {
    let (east, west) = (REACHED[2], REACHED[3]);
    let (one_east, one_west) = (squares << 1 & east, squares >> 1 & west);
    let (two_east, two_west) = (one_east << 1 & east, one_west >> 1 & west);
    let (one, two) = (one_east | one_west, two_east | two_west);
    one << 16 | one >> 16 | two << 8 | two >> 8
}

/// The squares that kings on these squares attack.
#[inline(always)]
pub(super) fn kings(squares: u64) -> u64 {
    let sides = squares << 1 & REACHED[2] | squares >> 1 & REACHED[3];
    let row = squares | sides;
    sides | row << 8 | row >> 8
}
