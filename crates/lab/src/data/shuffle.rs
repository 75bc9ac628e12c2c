//! Shuffles games without holding them all in memory: games are distributed over heaps at random, and each heap is
//! shuffled by itself. All orders are equally likely, and the seed determines which one results.

use std::fs;
use std::path::{Path, PathBuf};

use rng::Random;

use crate::binpack::{BinpackError, Entry, Reader, Writer};

/// Bytes of compressed games in a heap. A position takes about 2.6 bytes in a file and 220 in memory, so that a heap
/// takes about 350 MB.
const HEAP_BYTES: u64 = 4 << 20;

/// More heaps than this would need too many open files.
const MOST_HEAPS: u64 = 200;

/// Shuffles the games of all files into a new one and returns their number.
pub(super) fn shuffle(files: &[PathBuf], out: &Path, seed: u64) -> Result<usize, BinpackError> {
    let bytes: u64 = files.iter().filter_map(|path| fs::metadata(path).ok()).map(|data| data.len()).sum();
    let heaps: Vec<PathBuf> =
        (0..bytes.div_ceil(HEAP_BYTES).clamp(1, MOST_HEAPS)).map(|number| heap_path(out, number)).collect();
    let mut random = Random::new(seed);
    let dealt = deal(files, &heaps, &mut random).and_then(|()| gather(&heaps, out, &mut random));
    for heap in &heaps {
        // Fails only for a heap that was never created.
        let _ = fs::remove_file(heap);
    }
    dealt
}

fn heap_path(out: &Path, number: u64) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(format!(".heap{number}"));
    name.into()
}

/// Distributes the games over the heaps at random.
fn deal(files: &[PathBuf], heaps: &[PathBuf], random: &mut Random) -> Result<(), BinpackError> {
    let mut writers = heaps.iter().map(|path| Writer::create(path)).collect::<Result<Vec<_>, _>>()?;
    let mut heap = 0;
    for path in files {
        let mut fault = None;
        Reader::open(path)?.for_each_while(|entry, begins| {
            if begins {
                heap = random.below(heaps.len());
            }
            fault = writers[heap].write(entry).err();
            fault.is_none()
        })?;
        fault.map_or(Ok(()), Err)?;
    }
    writers.into_iter().try_for_each(Writer::finish)
}

/// Shuffles each heap and writes one after the other.
fn gather(heaps: &[PathBuf], out: &Path, random: &mut Random) -> Result<usize, BinpackError> {
    let mut output = Writer::create(out)?;
    let mut total = 0;
    for heap in heaps {
        let mut games: Vec<Vec<Entry>> = Vec::new();
        Reader::open(heap)?.for_each(|entry, begins| match games.last_mut() {
            Some(game) if !begins => game.push(entry.clone()),
            _ => games.push(vec![entry.clone()]),
        })?;
        for left in (1..games.len()).rev() {
            games.swap(left, random.below(left + 1));
        }
        total += games.len();
        for entry in games.iter().flatten() {
            output.write(entry)?;
        }
    }
    output.finish()?;
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Position;

    /// Games of four knight moves, told apart by their scores.
    fn write_games(path: &Path, scores: impl Iterator<Item = i16>) {
        let mut writer = Writer::create(path).unwrap();
        for score in scores {
            let mut position = Position::startpos();
            for (ply, text) in ["g1f3", "g8f6", "f3g1", "f6g8"].into_iter().enumerate() {
                let mv = position.parse_uci_move(text).unwrap();
                writer.write(&Entry { position, mv: Some(mv), score, ply: ply as u16, result: 0 }).unwrap();
                position.play(mv);
            }
        }
        writer.finish().unwrap();
    }

    fn scores(path: &Path) -> Vec<i16> {
        let mut scores = Vec::new();
        let mut positions = 0;
        Reader::open(path)
            .unwrap()
            .for_each(|entry, begins| {
                positions += 1;
                if begins {
                    scores.push(entry.score);
                }
            })
            .unwrap();
        assert_eq!(positions, 4 * scores.len());
        scores
    }

    #[test]
    fn games_stay_whole_and_change_their_order() {
        let folder = std::env::temp_dir().join(format!("rufous-lab-shuffle-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = |name: &str| folder.join(name);
        write_games(&file("a"), 0..150);
        write_games(&file("b"), 150..200);
        let inputs = [file("a"), file("b")];
        for (name, seed) in [("one", 1), ("again", 1), ("two", 2)] {
            assert_eq!(shuffle(&inputs, &file(name), seed).unwrap(), 200);
        }
        let [one, again, two] = ["one", "again", "two"].map(|name| scores(&file(name)));
        assert_eq!(one, again);
        assert_ne!(one, two);
        let mut sorted = one;
        sorted.sort_unstable();
        assert_eq!(sorted, (0..200).collect::<Vec<_>>());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 5, "the heaps are gone");
        fs::remove_dir_all(&folder).unwrap();
    }
}
