//! The checksum at the end of every table.
//!
//! It is the 128-bit hash of the 256-bit hashes of all pieces of 16 MiB, both of Google's CityHash in
//! the variant that uses CRC-32C. Here is what one piece takes, which most tables of up to five men are.

/// Bytes of a checksum.
pub(super) const LEN: usize = 16;

/// The longest file that can be checked: one piece and its checksum.
pub(super) const MAX_LEN: usize = (1 << 24) + LEN;

/// The hash's own numbers.
const K0: u64 = 0xc3a5_c85c_97cb_3127;
const K1: u64 = 0xb492_b66f_be98_f273;
const K3: u64 = 0xc949_d7c7_509e_6557;
const MIX: u64 = 0x9ddf_ea08_eb38_2d69;

/// Bytes that one round takes, and bytes below which the input is filled up with zeros.
const ROUND: usize = 40;
const SHORTEST: usize = 240;

/// Does the file end with the checksum of what is before it?
pub(super) fn is_right(file: &[u8]) -> bool {
    if file.len() > MAX_LEN {
        return false;
    }
    let Some((data, sum)) = file.split_last_chunk::<LEN>() else { return false };
    hash_of_hash(hash256(data)).iter().flat_map(|word| word.to_le_bytes()).eq(sum.iter().copied())
}

fn word(bytes: &[u8], at: usize) -> u64 {
    bytes[at..].first_chunk().map_or(0, |chunk| u64::from_le_bytes(*chunk))
}

fn shift_mix(x: u64) -> u64 {
    x ^ (x >> 47)
}

/// Two words become one.
fn join(low: u64, high: u64) -> u64 {
    let once = shift_mix((low ^ high).wrapping_mul(MIX));
    shift_mix((high ^ once).wrapping_mul(MIX)).wrapping_mul(MIX)
}

const CRC_TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0x82f6_3b78 } else { crc >> 1 };
            bit += 1;
        }
        table[byte] = crc;
        byte += 1;
    }
    table
};

/// CRC-32C of eight more bytes.
fn crc(crc: u64, bytes: u64) -> u64 {
    let step = |crc: u32, byte: u8| crc >> 8 ^ CRC_TABLE[usize::from(crc as u8 ^ byte)];
    bytes.to_le_bytes().into_iter().fold(crc as u32, step).into()
}

/// The state of the hash of a piece: six words that are turned and multiplied, five that sum up.
struct State {
    words: [u64; 6],
    sums: [u64; 5],
}

impl State {
    /// A round takes 40 bytes; the even ones of the main part do not multiply, and turn differently.
    fn round(&mut self, bytes: &[u8], even: bool) {
        let (factor, flip) = if even { (1, 1) } else { (K0, 0) };
        let [a, b, c, d, e, t] = self.words;
        let turn = |x: u64, by: u32, index: usize| {
            x.rotate_right(by ^ flip).wrapping_mul(factor).wrapping_add(word(bytes, 8 * index))
        };
        self.words = [turn(b, 41, 0), turn(c, 27, 1), turn(d, 41, 2), turn(e, 33, 3), turn(t, 25, 4), a];
        for (sum, &word) in self.sums.iter_mut().zip(&self.words) {
            *sum = crc(*sum, word);
        }
    }
}

/// The hash of one piece.
fn hash256(data: &[u8]) -> [u64; 4] {
    let mut filled = [0; SHORTEST];
    if data.len() < SHORTEST {
        filled[..data.len()].copy_from_slice(data);
        return hash256_long(&filled, !(data.len() as u32));
    }
    hash256_long(data, 0)
}

fn hash256_long(data: &[u8], seed: u32) -> [u64; 4] {
    let (len, seed) = (data.len() as u64, u64::from(seed));
    let b = word(data, 96).wrapping_add(K0);
    let c = join(b, len);
    let d = word(data, 120).wrapping_mul(K0).wrapping_add(len);
    let mut state = State {
        words: [
            word(data, 56).wrapping_add(K0),
            b,
            c,
            d,
            word(data, 184).wrapping_add(seed),
            c.wrapping_add(d),
        ],
        sums: [seed, 0, 0, 0, 0],
    };
    // In the main part every other round is an even one.
    let (main, rest) = data.split_at(data.len() - data.len() % SHORTEST);
    main.chunks_exact(ROUND).enumerate().for_each(|(index, bytes)| state.round(bytes, index % 2 == 0));
    let rounds = rest.chunks_exact(ROUND);
    let incomplete = !rounds.remainder().is_empty();
    rounds.for_each(|bytes| state.round(bytes, false));
    if incomplete {
        // The last bytes make a whole round together with some that were hashed already.
        state.round(&data[data.len() - ROUND..], false);
    }
    finish(&state, c, d)
}

fn finish(state: &State, first: u64, second: u64) -> [u64; 4] {
    let [a, b, c, d, e, t] = state.words;
    let [f, g, h, i, j] = state.sums;
    let add = u64::wrapping_add;
    let spread = |x: u64| shift_mix(x.wrapping_mul(K0)).wrapping_mul(K0);
    let j = add(j, i << 32);
    let a = join(a, j);
    let h = add(h, g << 32);
    let b = add(b, h);
    let c = add(join(c, f), i);
    let d = join(d, add(e, first));
    let j = add(j, e);
    let i = add(i, join(h, t));
    let e = add(join(a, d), j);
    let f = add(join(b, c), a);
    let g = add(join(j, i), c);
    let r0 = add(add(e, f), add(g, h));
    let a = add(spread(add(a, g)), b);
    let r1 = add(second, add(a, r0));
    let a = add(spread(a), c);
    let r2 = add(a, r1);
    let r3 = add(spread(add(a, e)), r2);
    [r0, r1, r2, r3]
}

/// The 128-bit hash of the 32 bytes that one piece has come to: the first two words are the seed for
/// the other two.
fn hash_of_hash(hash: [u64; 4]) -> [u64; 2] {
    let (a, b) = (hash[0] ^ K3, hash[1]);
    let (low, high) = (hash[2], hash[3]);
    let len = LEN as u64;
    let short = join(low, high.wrapping_add(len).rotate_right(LEN as u32)) ^ high;
    let a = shift_mix(a.wrapping_mul(K1)).wrapping_mul(K1);
    let c = b.wrapping_mul(K1).wrapping_add(short);
    let d = shift_mix(a.wrapping_add(low));
    let (a, b) = (join(a, c), join(d, b));
    [a ^ b, join(b, a)]
}
