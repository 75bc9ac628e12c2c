//! The magic bytes and the checksum of a network file.

/// What every file begins with.
pub(crate) const MAGIC: [u8; 8] = *b"RufousNN";
/// Where the checksum stands, behind the version.
pub(crate) const CHECKSUM: usize = MAGIC.len() + size_of::<u32>();
/// Where the checksummed part begins.
pub(crate) const BODY: usize = CHECKSUM + size_of::<u64>();

/// A 64-bit checksum.
///
/// Each step is a bijection of the state for a given word and of the word for a given state, so a change
/// within one word is always found.
pub fn checksum(bytes: &[u8]) -> u64 {
    let mut hash = bytes.len() as u64;
    let mut mix = |word: u64| {
        hash = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^= hash >> 32;
    };
    let (words, rest) = bytes.as_chunks();
    for &word in words {
        mix(u64::from_le_bytes(word));
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    mix(u64::from_le_bytes(last));
    hash
}

#[cfg(test)]
mod tests {
    use super::checksum;

    #[test]
    fn checksum_sees_every_bit_and_the_length() {
        let bytes: Vec<u8> = (0..100).collect();
        let whole = checksum(&bytes);
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(checksum(&flipped), whole);
        }
        let mut longer = bytes.clone();
        longer.push(0);
        assert_ne!(checksum(&longer), whole);
    }
}
