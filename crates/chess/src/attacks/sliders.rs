//! Bishops and rooks: one look-up in a table indexed by the blockers on the piece's lines.
//!
//! The index comes from the `pext` instruction where the build has BMI2 and from a magic
//! multiplication elsewhere, with which perft is 7 % slower. Both fill the same 107,648 entries at
//! compile time.

use super::{Step, ray};
use crate::{Bitboard, Square};

const ROOK_DIRECTIONS: [Step; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const BISHOP_DIRECTIONS: [Step; 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];

/// Rays of all squares in the four directions; the first two run towards higher squares.
type Rays = [[u64; 64]; 4];

const ROOK_ENTRIES: usize = 102_400;
const BISHOP_ENTRIES: usize = 5_248;

/// How one square finds its part of the table.
#[derive(Clone, Copy)]
struct Lookup {
    /// The squares whose occupation matters: the lines without their last squares.
    mask: u64,
    /// Where this square's entries start.
    offset: u32,
    #[cfg_attr(target_feature = "bmi2", allow(dead_code))]
    magic: u64,
    #[cfg_attr(target_feature = "bmi2", allow(dead_code))]
    shift: u32,
}

impl Lookup {
    #[cfg(target_feature = "bmi2")]
    #[inline]
    #[allow(unsafe_code, reason = "the one instruction that makes sliders cheap")]
    fn index(&self, occupied: u64) -> usize {
        // SAFETY: this function exists only in builds where every processor has BMI2.
        let compressed = unsafe { std::arch::x86_64::_pext_u64(occupied, self.mask) };
        self.offset as usize + compressed as usize
    }

    #[cfg(not(target_feature = "bmi2"))]
    #[inline]
    fn index(&self, occupied: u64) -> usize {
        self.offset as usize + self.magic_index(occupied)
    }

    #[cfg_attr(target_feature = "bmi2", allow(dead_code))]
    const fn magic_index(&self, occupied: u64) -> usize {
        ((occupied & self.mask).wrapping_mul(self.magic) >> self.shift) as usize
    }
}

const fn rays(directions: [Step; 4]) -> Rays {
    let mut rays = [[0; 64]; 4];
    let mut d = 0;
    while d < 4 {
        let mut sq = 0;
        while sq < 64 {
            rays[d][sq] = ray(sq, directions[d]);
            sq += 1;
        }
        d += 1;
    }
    rays
}

const ROOK_RAYS: Rays = rays(ROOK_DIRECTIONS);
const BISHOP_RAYS: Rays = rays(BISHOP_DIRECTIONS);

/// The attacks, ray by ray: everything up to and with the first blocker.
const fn attacks(rays: &Rays, sq: usize, occupied: u64) -> u64 {
    let mut attacked = 0;
    let mut d = 0;
    while d < 4 {
        let mut reach = rays[d][sq];
        let blockers = reach & occupied;
        if blockers != 0 {
            let first = if d < 2 { blockers.trailing_zeros() } else { 63 - blockers.leading_zeros() };
            reach &= !rays[d][first as usize];
        }
        attacked |= reach;
        d += 1;
    }
    attacked
}

const fn lookups(rays: &Rays, magics: &[u64; 64]) -> [Lookup; 64] {
    let mut lookups = [Lookup { mask: 0, offset: 0, magic: 0, shift: 0 }; 64];
    let mut offset = 0;
    let mut sq = 0;
    while sq < 64 {
        let mut mask = 0;
        let mut d = 0;
        while d < 4 {
            let reach = rays[d][sq];
            if reach != 0 {
                // The last square of a ray never blocks anything behind it.
                let last = if d < 2 { 63 - reach.leading_zeros() } else { reach.trailing_zeros() };
                mask |= reach & !(1 << last);
            }
            d += 1;
        }
        lookups[sq] = Lookup { mask, offset, magic: magics[sq], shift: 64 - mask.count_ones() };
        offset += 1 << mask.count_ones();
        sq += 1;
    }
    lookups
}

#[allow(long_running_const_eval, reason = "a hundred thousand entries take a second, once")]
const fn fill<const N: usize>(lookups: &[Lookup; 64], rays: &Rays) -> [Bitboard; N] {
    let mut table = [Bitboard::EMPTY; N];
    let mut sq = 0;
    while sq < 64 {
        let lookup = lookups[sq];
        let mut blockers = 0u64;
        let mut count = 0;
        loop {
            // Subsets come in ascending order, which is the order of their `pext` indices.
            let index = if cfg!(target_feature = "bmi2") { count } else { lookup.magic_index(blockers) };
            table[lookup.offset as usize + index] = Bitboard(attacks(rays, sq, blockers));
            blockers = blockers.wrapping_sub(lookup.mask) & lookup.mask;
            count += 1;
            if blockers == 0 {
                break;
            }
        }
        sq += 1;
    }
    table
}

const ROOK_LOOKUPS: [Lookup; 64] = lookups(&ROOK_RAYS, &ROOK_MAGICS);
const BISHOP_LOOKUPS: [Lookup; 64] = lookups(&BISHOP_RAYS, &BISHOP_MAGICS);

static ROOK_LOOKUP: [Lookup; 64] = ROOK_LOOKUPS;
static BISHOP_LOOKUP: [Lookup; 64] = BISHOP_LOOKUPS;
static ROOK_TABLE: [Bitboard; ROOK_ENTRIES] = fill(&ROOK_LOOKUPS, &ROOK_RAYS);
static BISHOP_TABLE: [Bitboard; BISHOP_ENTRIES] = fill(&BISHOP_LOOKUPS, &BISHOP_RAYS);

/// Where a rook attacks when these squares are occupied.
#[inline]
pub fn rook_attacks(sq: Square, occupied: Bitboard) -> Bitboard {
    ROOK_TABLE[ROOK_LOOKUP[sq.index()].index(occupied.0)]
}

/// Where a bishop attacks when these squares are occupied.
#[inline]
pub fn bishop_attacks(sq: Square, occupied: Bitboard) -> Bitboard {
    BISHOP_TABLE[BISHOP_LOOKUP[sq.index()].index(occupied.0)]
}

// Found by trying sparse random numbers until one maps every set of blockers without a clash.
const ROOK_MAGICS: [u64; 64] = [
    0x0080_0020_1080_4002,
    0x1080_2000_1040_0080,
    0x0200_1022_0080_4008,
    0x8280_1000_0800_8004,
    0x0600_1402_0020_1068,
    0x0200_0802_0004_1001,
    0x0200_0718_0094_2a00,
    0x4080_0020_4080_1100,
    0x8001_0020_4100_8008,
    0x9446_0020_4100_8208,
    0x0800_8080_1000_2000,
    0x0001_0021_0010_0008,
    0x00a6_0012_0008_2064,
    0x8002_8004_0002_0080,
    0x0004_0044_1002_0128,
    0x2006_0000_5900_9204,
    0x0852_8180_0040_1020,
    0x0020_4040_1000_2000,
    0x4010_0020_2004_0800,
    0x204a_0200_4010_0820,
    0x9441_0100_0408_0012,
    0x0002_0080_0204_0080,
    0x9002_c400_4882_1001,
    0x0000_0600_0080_432c,
    0x0000_4000_8020_8000,
    0xa000_2000_8040_0081,
    0x0020_0045_0025_0010,
    0x2010_0040_4008_0403,
    0x1000_0400_8080_0800,
    0x0100_0200_8080_0400,
    0x2000_3924_0002_6850,
    0x0000_108a_0008_5411,
    0x0480_0020_0840_0055,
    0x5001_0020_8100_4008,
    0x4402_0880_4200_1220,
    0x2000_8010_0080_0801,
    0x0010_8004_0080_0800,
    0x9000_8004_0080_0200,
    0x0c00_8002_0080_0100,
    0x0000_0041_8600_0403,
    0x0840_4000_2090_8000,
    0x0010_0020_0040_4002,
    0x0102_0040_8022_0010,
    0x0100_4022_000a_0010,
    0x000c_0008_0081_8004,
    0x0244_0017_0003_0005,
    0x2002_1002_0844_0081,
    0x4400_2414_4882_0001,
    0x20c4_8000_3040_0480,
    0x9100_2000_8040_0080,
    0x0810_0020_0080_1880,
    0x8008_0010_0084_0880,
    0x2004_0008_0080_0480,
    0x0000_8002_0004_0080,
    0x0001_0002_0004_0100,
    0x0410_0104_0050_8200,
    0x0800_1041_0420_8202,
    0x1002_1840_0421_0081,
    0x8004_0840_2012_0282,
    0x40a1_0010_0020_0509,
    0x0006_0020_0804_1002,
    0x8001_0008_0400_0201,
    0x0111_0000_8402_0021,
    0x0012_010c_0224_4082,
];

const BISHOP_MAGICS: [u64; 64] = [
    0x9010_2008_204c_4244,
    0x0c20_5102_1883_0000,
    0x0008_0800_6080_0001,
    0x8084_1046_1116_4400,
    0x0002_0210_0001_0420,
    0x0000_9004_2080_204a,
    0x0804_0084_0421_8060,
    0x0006_0082_0090_0500,
    0x004c_9050_1020_c880,
    0x8410_4802_0414_0021,
    0x0001_8408_0a00_4880,
    0x0200_8804_a102_400a,
    0xe000_4110_4000_0080,
    0x4800_1201_0420_0804,
    0x0402_1052_0804_4000,
    0x0414_0104_1101_0804,
    0x2006_4808_9004_0800,
    0x0010_0542_022a_0426,
    0x0198_0024_0824_0810,
    0x4004_0a08_2400_5008,
    0x000a_001c_0233_0000,
    0x1080_8004_1000_8801,
    0x0004_4204_2202_1040,
    0x0004_4001_0c00_9428,
    0x1010_8800_4108_2104,
    0x4128_0542_3e04_0800,
    0x0082_3001_1804_8022,
    0x0004_0800_0020_2040,
    0x0a01_0010_0100_4008,
    0x0010_0280_0240_5040,
    0x5848_0080_2e16_0940,
    0x0000_4102_d080_8800,
    0x0010_0804_4148_3100,
    0x0058_0210_5082_0420,
    0x0044_0402_0404_0820,
    0x000c_4008_0804_8200,
    0x0002_2084_0002_0020,
    0x2c60_008c_8401_0044,
    0x0c08_2102_4105_2800,
    0x9204_0040_8402_0088,
    0x2408_0a12_1021_22c2,
    0x0808_4a02_1020_e038,
    0x8000_0c00_4400_0812,
    0x4000_0020_1800_0104,
    0x0420_f210_a400_0200,
    0x1064_88a8_0200_0040,
    0x8010_9001_424c_0100,
    0x1010_0220_8100_4020,
    0x0004_0092_1012_0008,
    0x04a2_0114_0282_0830,
    0x0a04_2024_0208_0000,
    0x1042_0810_c212_0240,
    0x0000_04a0_2041_0048,
    0x0100_0890_1000_8800,
    0x0240_1024_0082_b40a,
    0x0060_1d44_0984_8000,
    0x0002_0040_4404_2000,
    0x1004_0200_4108_8801,
    0x2480_0109_4064_3000,
    0x0804_2010_808c_1c00,
    0xa000_8400_30a0_2600,
    0x8300_0141_2801_8100,
    0x0080_0888_8808_1041,
    0x4244_0808_0810_8011,
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Every subset of every mask, by table and ray by ray; also that no magic maps two different
    /// sets of attacks to one entry, which the build in use may not need.
    fn check(lookups: &[Lookup; 64], rays: &Rays, table: impl Fn(Square, Bitboard) -> Bitboard) {
        for sq in Square::ALL {
            let lookup = &lookups[sq.index()];
            let mut seen = vec![None; 1 << lookup.mask.count_ones()];
            let mut blockers = 0u64;
            loop {
                let expected = attacks(rays, sq.index(), blockers);
                // Pieces outside the mask change nothing.
                let noise = !lookup.mask & 0x9249_2492_4924_9249;
                assert_eq!(table(sq, Bitboard(blockers)).0, expected);
                assert_eq!(
                    table(sq, Bitboard(blockers | noise)).0,
                    attacks(rays, sq.index(), blockers | noise)
                );
                let entry = &mut seen[lookup.magic_index(blockers)];
                assert_eq!(*entry.get_or_insert(expected), expected, "magic of {sq}");
                blockers = blockers.wrapping_sub(lookup.mask) & lookup.mask;
                if blockers == 0 {
                    break;
                }
            }
        }
    }

    #[test]
    fn rook_table_equals_the_rays() {
        check(&ROOK_LOOKUPS, &ROOK_RAYS, rook_attacks);
    }

    #[test]
    fn bishop_table_equals_the_rays() {
        check(&BISHOP_LOOKUPS, &BISHOP_RAYS, bishop_attacks);
    }
}
