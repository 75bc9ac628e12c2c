//! Tests with the tables beside the project; skipped where there are none.

use std::fs;
use std::path::{Path, PathBuf};

use shakmaty_syzygy::filesystem::{Filesystem, RandomAccessFile, ReadHint};

use super::*;

fn shared_tables() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/syzygy");
    if path.is_dir() {
        return Some(path);
    }
    println!("skipped: no tables in ../shared/syzygy");
    None
}

fn pos(fen: &str) -> Position {
    Position::from_fen(fen).unwrap()
}

#[test]
fn checksums_of_whole_tables_are_right() {
    let Some(directory) = shared_tables() else { return };
    for path in files::find([directory].into_iter(), &mut Vec::new()) {
        let mut bytes = fs::read(&path).unwrap();
        assert!(checksum::is_right(&bytes), "{}", path.display());
        let middle = bytes.len() / 2;
        bytes[middle] ^= 4;
        assert!(!checksum::is_right(&bytes), "{}", path.display());
    }
}

#[test]
fn known_endings_have_their_results() {
    let Some(directory) = shared_tables() else { return };
    let (tables, notes) = Tablebases::load(directory.to_str().unwrap());
    assert_eq!(notes, ["78 Syzygy tables found, up to 5 men"]);
    // The distances agree with those that python-chess reads from the same files.
    for (fen, wdl, plies) in [
        ("8/8/8/8/4k3/8/8/R3K3 w - - 0 1", Wdl::Win, 25),
        ("8/8/8/8/4k3/8/8/R3K3 b - - 0 1", Wdl::Loss, -28),
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", Wdl::Win, 3),
        ("8/4k3/8/4K3/4P3/8/8/8 w - - 0 1", Wdl::Draw, 0),
        ("8/8/8/3k4/8/2bN4/2N5/4K3 w - - 0 1", Wdl::Draw, 0),
        ("8/8/8/8/3Pp3/8/4k3/7K b - d3 0 1", Wdl::Win, 1),
        ("7k/8/8/8/2pP4/8/8/K7 b - d3 0 1", Wdl::Draw, 0),
    ] {
        assert_eq!(tables.wdl(&pos(fen)), Some(wdl), "{fen}");
        assert_eq!(tables.distance(&pos(fen)).map(|found| found.plies), Some(plies), "{fen}");
    }
    assert_eq!(tables.wdl(&pos("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")), None, "castling is in no table");
    assert_eq!(tables.wdl(&Position::startpos()), None);
    assert!(tables.take_faults().is_empty());
}

/// A file with a flipped bit behind no checksum, as a large one would be.
struct Flipped(u64);

struct Bytes(Vec<u8>);

impl RandomAccessFile for Bytes {
    fn read_at(&self, buf: &mut [u8], offset: u64, _: ReadHint) -> std::io::Result<usize> {
        let bytes = self.0.get(offset as usize..).unwrap_or_default();
        let len = bytes.len().min(buf.len());
        buf[..len].copy_from_slice(&bytes[..len]);
        Ok(len)
    }
}

impl Filesystem for Flipped {
    fn regular_file_size(&self, path: &Path) -> std::io::Result<u64> {
        Ok(fs::metadata(path)?.len())
    }

    fn read_dir(&self, _: &Path) -> std::io::Result<Vec<PathBuf>> {
        Ok(Vec::new())
    }

    fn open(&self, path: &Path) -> std::io::Result<Box<dyn RandomAccessFile>> {
        let mut bytes = fs::read(path)?;
        let random = self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // Half of them in the first 400 bytes, where the structure is described.
        let range = if random & 1 == 0 { bytes.len().min(400) } else { bytes.len() };
        let at = (random >> 8) as usize % range;
        bytes[at] ^= 1 << (random >> 4 & 7);
        Ok(Box::new(Bytes(bytes)))
    }
}

/// Where there is no checksum, damage may go unnoticed, but nothing may panic.
#[test]
fn flipped_bits_never_panic() {
    let Some(directory) = shared_tables() else { return };
    let paths = files::find([directory].into_iter(), &mut Vec::new());
    let positions = [
        "8/8/8/8/4k3/8/8/R3K3 w - - 0 1",
        "8/8/8/8/4k3/8/4P3/4K3 w - - 0 1",
        "8/8/8/8/4k3/2r5/8/Q3K3 b - - 3 1",
        "8/8/3B4/8/4k3/8/8/N3K3 w - - 0 1",
        "8/8/8/1p6/4k3/8/4P3/4K3 w - - 0 1",
        "8/8/8/1p6/4k3/8/Q7/4K3 b - - 0 1",
        "8/3P4/8/4PP2/4k3/8/8/4K3 w - - 0 1",
    ]
    .map(|fen| convert(&pos(fen)).unwrap());
    for seed in 0..100 {
        let mut tables = Tablebase::with_filesystem(Arc::new(Flipped(seed)));
        paths.iter().for_each(|path| tables.add_file(path).unwrap());
        for position in &positions {
            let _ = tables.probe_wdl_after_zeroing(position);
            let _ = tables.probe_dtz(position);
        }
    }
}

/// Every file read piece by piece, as the large ones are.
struct AllOnDisk;

impl Filesystem for AllOnDisk {
    fn regular_file_size(&self, path: &Path) -> std::io::Result<u64> {
        Ok(fs::metadata(path)?.len())
    }

    fn read_dir(&self, _: &Path) -> std::io::Result<Vec<PathBuf>> {
        Ok(Vec::new())
    }

    fn open(&self, path: &Path) -> std::io::Result<Box<dyn RandomAccessFile>> {
        Ok(Box::new(files::OnDisk(fs::File::open(path)?)))
    }
}

/// Positions with a few men on random squares, the same every time.
fn random_endings(count: usize) -> Vec<Position> {
    let mut random = rng::Random::new(7);
    let mut found = Vec::new();
    while found.len() < count {
        let men = ["KQkr", "KRkn", "KBNk", "KPkp", "KPPPk", "KRk", "KQkp"][random.below(7)];
        let mut board = [' '; 64];
        men.chars().for_each(|man| board[random.below(64)] = man);
        let rows: Vec<String> = board.chunks(8).map(|row| row.iter().collect()).collect();
        let mut placement = rows.join("/");
        (1..=8)
            .rev()
            .for_each(|gap: usize| placement = placement.replace(&" ".repeat(gap), &gap.to_string()));
        let side = ["w", "b"][random.below(2)];
        found.extend(Position::from_fen(&format!("{placement} {side} - - 0 1")).ok());
    }
    found
}

fn on_disk(directory: PathBuf) -> Tablebase<Chess> {
    let mut tables = Tablebase::with_filesystem(Arc::new(AllOnDisk));
    for path in files::find([directory].into_iter(), &mut Vec::new()) {
        tables.add_file(path).unwrap();
    }
    tables
}

#[test]
fn tables_on_disk_say_the_same() {
    let Some(directory) = shared_tables() else { return };
    let (tables, _) = Tablebases::load(directory.to_str().unwrap());
    let on_disk = on_disk(directory);
    let mut decided = 0;
    for position in random_endings(2000) {
        let wdl = tables.wdl(&position);
        decided += usize::from(wdl.is_some_and(|wdl| wdl != Wdl::Draw));
        assert_eq!(wdl, on_disk.probe_wdl_after_zeroing(&convert(&position).unwrap()).ok(), "{position}");
    }
    assert!(decided > 500, "{decided}");
}
