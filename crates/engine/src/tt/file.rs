//! The table in a file, so that a long analysis can go on another day.
//!
//! A header (magic, version, age, network, number of clusters), the clusters with three words and three evaluations
//! each, and a checksum of all of it; everything little-endian. The file is written under another name and renamed when
//! it is complete. It is checked as a whole before a single entry is taken from it.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use super::{Cluster, SLOTS, TranspositionTable, Word};
use crate::platform;

const MAGIC: [u8; 16] = *b"Rufous hash\n\x1a\0\0\0";
/// Of the layout, of what the parts of a word mean, and of the keys of positions.
const VERSION: u32 = 1;

const HEADER_BYTES: usize = 40;
const CLUSTER_BYTES: usize = SLOTS * (8 + 2);
/// Clusters that are read or written at once.
const BLOCK: usize = 4096;

/// A running checksum. Each step is a bijection of the state and of the word, so a change of one word is always found.
#[derive(Default)]
pub(crate) struct Checksum(u64);

impl Checksum {
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.mix(bytes.len() as u64);
        let (words, rest) = bytes.as_chunks();
        words.iter().for_each(|&word| self.mix(u64::from_le_bytes(word)));
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.mix(u64::from_le_bytes(last));
    }

    fn mix(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 ^= self.0 >> 32;
    }

    pub(crate) fn value(&self) -> u64 {
        self.0
    }
}

/// What a file says of itself.
struct Header {
    age: u8,
    network: u64,
    clusters: u64,
}

impl Header {
    fn to_bytes(&self) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        bytes[..16].copy_from_slice(&MAGIC);
        bytes[16..20].copy_from_slice(&VERSION.to_le_bytes());
        bytes[20] = self.age;
        bytes[24..32].copy_from_slice(&self.network.to_le_bytes());
        bytes[32..].copy_from_slice(&self.clusters.to_le_bytes());
        bytes
    }

    /// Reads and checks the header of a file of this length.
    fn from_bytes(bytes: &[u8; HEADER_BYTES], length: u64, network: u64) -> io::Result<Self> {
        let word = |at: usize| bytes[at..].first_chunk().map_or(0, |word| u64::from_le_bytes(*word));
        if bytes[..16] != MAGIC {
            return Err(refused("it is no hash table of Rufous"));
        }
        if word(16) as u32 != VERSION {
            return Err(refused("it was saved by another version of Rufous"));
        }
        let header = Self { age: bytes[20] & (super::AGES - 1), network: word(24), clusters: word(32) };
        if header.network != network {
            return Err(refused("it was saved with another network"));
        }
        let expected = header.clusters.checked_mul(CLUSTER_BYTES as u64);
        if header.clusters == 0
            || expected.and_then(|bytes| bytes.checked_add(HEADER_BYTES as u64 + 8)) != Some(length)
        {
            return Err(damaged());
        }
        Ok(header)
    }
}

fn refused(reason: &'static str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, reason)
}

fn damaged() -> io::Error {
    refused("it is damaged")
}

/// Where a file is written before it gets its name.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}.part", platform::process_number()));
    name.into()
}

impl TranspositionTable {
    /// Writes the table, made with this network, to a file. A file of this name stays as it was until the new one is
    /// complete.
    pub(crate) fn save(&self, path: &Path, network: u64) -> io::Result<()> {
        if path.is_dir() {
            return Err(ErrorKind::IsADirectory.into());
        }
        let part = beside(path);
        let written = self.write(&part, network).and_then(|()| fs::rename(&part, path));
        if written.is_err() {
            let _ = fs::remove_file(&part);
        }
        written
    }

    fn write(&self, path: &Path, network: u64) -> io::Result<()> {
        let mut file = BufWriter::new(File::create(path)?);
        let mut checksum = Checksum::default();
        let mut put = |bytes: &[u8]| {
            checksum.add(bytes);
            file.write_all(bytes)
        };
        let age = self.age.load(Ordering::Relaxed);
        put(&Header { age, network, clusters: self.clusters.len() as u64 }.to_bytes())?;
        let mut bytes = Vec::with_capacity(BLOCK * CLUSTER_BYTES);
        for block in self.clusters.chunks(BLOCK) {
            bytes.clear();
            for cluster in block {
                let words = cluster.words.iter().map(|word| word.load(Ordering::Relaxed).to_le_bytes());
                words.for_each(|word| bytes.extend(word));
                let evals = cluster.evals.iter().map(|eval| eval.load(Ordering::Relaxed).to_le_bytes());
                evals.for_each(|eval| bytes.extend(eval));
            }
            put(&bytes)?;
        }
        file.write_all(&checksum.value().to_le_bytes())?;
        file.into_inner()?.sync_all()
    }

    /// Replaces what is in the table by the contents of a file that was saved with the same network from a table of
    /// any size. A file that cannot be used changes nothing.
    pub(crate) fn load(&self, path: &Path, network: u64) -> io::Result<()> {
        let mut file = BufReader::new(File::open(path)?);
        let length = file.get_ref().metadata()?.len();
        let mut header = [0; HEADER_BYTES];
        file.read_exact(&mut header).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => refused("it is no hash table of Rufous"),
            _ => error,
        })?;
        let Header { age, clusters, .. } = Header::from_bytes(&header, length, network)?;

        let mut checksum = Checksum::default();
        checksum.add(&header);
        for_each_block(&mut file, clusters, |_, bytes| checksum.add(bytes))?;
        let mut written = [0; 8];
        file.read_exact(&mut written)?;
        if u64::from_le_bytes(written) != checksum.value() {
            return Err(damaged());
        }

        file.seek(SeekFrom::Start(HEADER_BYTES as u64))?;
        self.clear();
        self.age.store(age, Ordering::Relaxed);
        let read = for_each_block(&mut file, clusters, |first, bytes| {
            for (index, cluster) in (first..).zip(bytes.chunks_exact(CLUSTER_BYTES)) {
                self.take(index, clusters, cluster);
            }
        });
        if read.is_err() {
            self.clear();
        }
        read
    }

    /// Takes the entries of a cluster from a table of so many. They tell their keys only as far as their place and the
    /// low bits do; so they go into each cluster in which their positions may be looked for.
    fn take(&self, index: u64, clusters: u64, bytes: &[u8]) {
        let (words, evals) = bytes.split_at(SLOTS * 8);
        let entries: [(Word, i16); SLOTS] = std::array::from_fn(|slot| {
            let word = words[slot * 8..].first_chunk().map_or(0, |word| u64::from_le_bytes(*word));
            let eval = evals[slot * 2..].first_chunk().map_or(0, |eval| i16::from_le_bytes(*eval));
            (Word(word), eval)
        });
        let first_key = |index: u64| (u128::from(index) << 64).div_ceil(u128::from(clusters));
        let place = |key: u128| ((key * self.clusters.len() as u128) >> 64) as usize;
        let (first, last) = (place(first_key(index)), place(first_key(index + 1) - 1));
        for cluster in &self.clusters[first..=last] {
            entries
                .iter()
                .filter(|(word, _)| !word.is_empty())
                .for_each(|&(word, eval)| self.put(cluster, word, eval));
        }
    }

    /// Puts an entry where there is room, or where something worse is.
    fn put(&self, cluster: &Cluster, word: Word, eval: i16) {
        let age = self.age.load(Ordering::Relaxed);
        let old = |slot: usize| Word(cluster.words[slot].load(Ordering::Relaxed));
        let same = (0..SLOTS).find(|&slot| old(slot).matches(word.0));
        let slot = same.or_else(|| (0..SLOTS).min_by_key(|&slot| old(slot).replacement_value(age)));
        if let Some(slot) = slot
            && old(slot).replacement_value(age) < word.replacement_value(age)
        {
            cluster.words[slot].store(word.0, Ordering::Relaxed);
            cluster.evals[slot].store(eval, Ordering::Relaxed);
        }
    }
}

/// Hands over the clusters of a file in blocks, each with the number of its first cluster.
fn for_each_block(file: &mut impl Read, clusters: u64, mut action: impl FnMut(u64, &[u8])) -> io::Result<()> {
    let mut bytes = vec![0; BLOCK * CLUSTER_BYTES];
    let mut first = 0;
    while first < clusters {
        let count = (clusters - first).min(BLOCK as u64);
        let block = &mut bytes[..count as usize * CLUSTER_BYTES];
        file.read_exact(block)?;
        action(first, block);
        first += count;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::tests::entry;
    use super::*;

    /// A file of this test, removed at its end.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Self {
            Self(std::env::temp_dir().join(format!("rufous-hash-{}-{name}", std::process::id())))
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_file(&self.0);
        }
    }

    fn keys() -> impl Iterator<Item = u64> {
        (1..3000_u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ n << 7)
    }

    #[test]
    fn every_entry_comes_back_in_a_table_of_any_size() {
        let file = Scratch::new("sizes");
        let table = TranspositionTable::new(3).unwrap();
        table.new_search();
        keys().for_each(|key| table.store_key(key, 0, entry((key % 60) as i32, (key % 1000) as i32)));
        table.save(&file.0, 7).unwrap();
        for mib in [1, 2, 3, 4, 17] {
            let other = TranspositionTable::new(mib).unwrap();
            other.store_key(99, 0, entry(1, 1));
            other.load(&file.0, 7).unwrap();
            assert!(other.probe_key(99, 0, 0).is_none(), "what was there before is gone");
            for key in keys() {
                let found = other.probe_key(key, 0, 0).unwrap();
                let expected = ((key % 60) as i32, (key % 1000) as i32, -17);
                assert_eq!((found.depth, found.value, found.eval), expected, "{mib} MiB");
            }
        }
    }

    #[test]
    fn damaged_and_foreign_files_change_nothing() {
        let file = Scratch::new("damaged");
        let table = TranspositionTable::new(1).unwrap();
        table.store_key(5, 0, entry(9, 9));
        table.save(&file.0, 7).unwrap();
        let good = fs::read(&file.0).unwrap();
        let other = TranspositionTable::new(1).unwrap();
        other.store_key(6, 0, entry(8, 8));
        let refused = |bytes: &[u8], network| {
            fs::write(&file.0, bytes).unwrap();
            let error = other.load(&file.0, network).unwrap_err().to_string();
            assert!(other.probe_key(6, 0, 0).is_some() && other.probe_key(5, 0, 0).is_none());
            error
        };
        assert_eq!(refused(&good, 8), "it was saved with another network");
        assert_eq!(refused(b"short", 7), "it is no hash table of Rufous");
        assert_eq!(refused(&vec![b'x'; good.len()], 7), "it is no hash table of Rufous");
        assert_eq!(refused(&good[..good.len() - 1], 7), "it is damaged");
        assert_eq!(refused(&[&good[..], b"x"].concat(), 7), "it is damaged");
        let flipped = |at: usize| {
            let mut bytes = good.clone();
            bytes[at] ^= 16;
            bytes
        };
        assert_eq!(refused(&flipped(16), 7), "it was saved by another version of Rufous");
        for at in [20, 33, 40, 41, good.len() / 2, good.len() - 9, good.len() - 8, good.len() - 1] {
            assert_eq!(refused(&flipped(at), 7), "it is damaged", "byte {at}");
        }
        fs::write(&file.0, &good).unwrap();
        other.load(&file.0, 7).unwrap();
    }
}
