//! Real data, where they are: both implementations read the same of them.

use std::fs::File;
use std::hint::black_box;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use sfbinpack::{ChunkReader as OtherReader, TrainingDataEntry};

use super::super::{ChunkReader, Chunks};
use super::other::same;

/// The binpacks of `../shared/data` beside the repository.
fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let Ok(folder) = folder.read_dir() else {
        println!("skipped: ../shared/data is not here");
        return Vec::new();
    };
    let paths = folder.filter_map(|entry| Some(entry.ok()?.path()));
    let mut files: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|ending| ending == "binpack")).collect();
    files.sort();
    files
}

/// Compares the positions of a file's first chunks.
fn compare(path: &Path, most_chunks: usize) -> u64 {
    let mut chunks = Chunks::new(BufReader::new(File::open(path).expect("listed")), 0);
    let mut positions = 0;
    for _ in 0..most_chunks {
        let Some((first, bytes)) = chunks.next().expect("undamaged") else { break };
        let (mut ours, mut theirs) = (ChunkReader::new(bytes, first), OtherReader::default());
        while let Some((entry, _)) = ours.next().expect("undamaged") {
            assert!(theirs.has_next(bytes));
            let other = theirs.next(bytes);
            assert!(same(entry, &other), "{}: {entry} and {other}", path.display());
            positions += 1;
        }
        assert!(!theirs.has_next(bytes));
    }
    positions
}

#[test]
fn the_first_chunks_are_read_alike() {
    for path in files() {
        assert!(compare(&path, 1) > 0);
    }
}

/// What `sfbinpack` needs for a chunk to tell what our reader tells: positions, where games begin, and checks.
fn read_theirs(bytes: &[u8]) -> u64 {
    let (mut reader, mut last, mut sum) = (OtherReader::default(), None::<TrainingDataEntry>, 0);
    while reader.has_next(bytes) {
        let entry = reader.next(bytes);
        sum += u64::from(last.is_none_or(|last| !last.is_continuation(&entry)));
        sum += u64::from(entry.pos.is_checked(entry.pos.side_to_move()));
        last = Some(entry);
    }
    sum
}

/// Without where games begin, which the trainer finds by itself.
fn read_theirs_with_checks(bytes: &[u8]) -> u64 {
    let (mut reader, mut sum) = (OtherReader::default(), 0);
    while reader.has_next(bytes) {
        let entry = reader.next(bytes);
        sum += u64::from(black_box(&entry).pos.is_checked(entry.pos.side_to_move()));
    }
    sum
}

fn read_theirs_barely(bytes: &[u8]) -> u64 {
    let mut reader = OtherReader::default();
    while reader.has_next(bytes) {
        black_box(reader.next(bytes));
    }
    0
}

fn read_ours(bytes: &[u8]) -> u64 {
    let (mut reader, mut sum) = (ChunkReader::new(bytes, 0), 0);
    while let Some((entry, begins)) = reader.next().expect("undamaged") {
        sum += u64::from(begins) + u64::from(black_box(entry).position.in_check());
    }
    sum
}

#[test]
#[ignore = "takes minutes, and needs a release build to tell the speed"]
fn everything_is_read_alike_and_how_fast() {
    const READERS: [fn(&[u8]) -> u64; 4] =
        [read_theirs, read_ours, read_theirs_with_checks, read_theirs_barely];
    let mut all = ([Duration::ZERO; 4], 0);
    let speed = |positions: u64, time: Duration| positions as f64 / time.as_secs_f64().max(1e-9) / 1e6;
    for path in files() {
        let positions = compare(&path, usize::MAX);
        let mut chunks = Chunks::new(BufReader::new(File::open(&path).expect("listed")), 0);
        let mut times = [Duration::ZERO; 4];
        while let Some((_, bytes)) = chunks.next().expect("undamaged") {
            // Several times in turn: the shortest time is the one in which the least else happened.
            let mut shortest = [Duration::MAX; 4];
            for _ in 0..3 {
                let mut sums = [0; 4];
                for ((read, shortest), sum) in READERS.iter().zip(&mut shortest).zip(&mut sums) {
                    let started = Instant::now();
                    *sum = read(bytes);
                    *shortest = (*shortest).min(started.elapsed());
                }
                assert_eq!(sums[0], sums[1]);
            }
            times.iter_mut().zip(shortest).for_each(|(time, shortest)| *time += shortest);
        }
        let [theirs, ours, checks, barely] = times.map(|time| speed(positions, time));
        println!(
            "{}: {positions} positions; millions a second: ours {ours:.1}, sfbinpack {theirs:.1}, without games \
             {checks:.1}, without checks {barely:.1}",
            path.file_name().unwrap_or_default().display()
        );
        all.0.iter_mut().zip(times).for_each(|(time, more)| *time += more);
        all.1 += positions;
    }
    let [theirs, ours, checks, barely] = all.0.map(|time| speed(all.1, time));
    println!("{} positions: ours {ours:.2}, sfbinpack {theirs:.2}, {checks:.2} and {barely:.2}", all.1);
}
