//! The squares of a set by their numbers.

use chess::{Bitboard, Square};

/// Every byte 1, and the highest bit of every byte.
const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHEST: u64 = 0x8080_8080_8080_8080;

/// Where the set bit with a number, the second index, is in a byte, the first one.
static IN_BYTE: [[u8; 8]; 256] = in_byte();

const fn in_byte() -> [[u8; 8]; 256] {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut number) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][number] = bit;
                number += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
}

/// The square with this number in the set, which has more squares than that.
///
/// Without a loop, whose end a processor would guess wrongly in most positions: the bits of all bytes are counted at once, and
/// the byte found by comparing all sums at once. The instruction for it (`pdep`) cannot be called without `unsafe`.
#[inline]
pub(super) fn nth_square(squares: Bitboard, number: usize) -> Square {
    let bits = squares.0;
    let pairs = bits - (bits >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    // Each byte has the bits up to and with its own.
    let sums = bytes.wrapping_mul(ONES);
    let number = number as u64 & 63;
    let differences = ((number * ONES) | HIGHEST) - sums;
    let passed = (differences & HIGHEST).count_ones() & 7;
    let before = sums << 8 >> (8 * passed) & 0xff;
    let byte = bits >> (8 * passed) & 0xff;
    Square::new((8 * passed) as usize + usize::from(IN_BYTE[byte as usize][(number - before) as usize & 7]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_squares_in_order() {
        let mut random = rng::Random::new(1);
        for round in 0..20_000 {
            let word = (0..4).fold(0, |word, _| word << 16 | random.below(1 << 16) as u64);
            let set = Bitboard(match round {
                0 => u64::MAX,
                1 => 1 << 63,
                2 => 1,
                _ if round % 2 == 0 => word,
                _ => word & word >> 7 & word << 9,
            });
            for (number, square) in set.into_iter().enumerate() {
                assert_eq!(nth_square(set, number), square, "{set:?} {number}");
            }
        }
    }
}
