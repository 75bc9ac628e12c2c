//! The files of the tables: where they are, and reading them without trusting them.
//!
//! Tables are read, not mapped into memory: a mapped file that is cut short, or a disk that fails,
//! kills the program by a signal, where a read returns an error.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use shakmaty_syzygy::filesystem::{Filesystem, RandomAccessFile, ReadHint};

use super::checksum;
use crate::io_error_text::io_error_text;
use crate::platform;

/// Files of up to this size are read as a whole when they are first needed, and checked by their
/// checksum. A probe of four men took 1.8 microseconds in memory and 20 by reads, measured on a busy
/// machine with slow system calls.
const IN_MEMORY: u64 = checksum::MAX_LEN as u64;

/// Subfolders are searched down to this depth, so that a link to a parent ends somewhere.
const MAX_DEPTH: usize = 4;

/// What the files of each kind begin with.
const KINDS: [(&str, [u8; 4]); 2] = [("rtbw", [0x71, 0xe8, 0x23, 0x5d]), ("rtbz", [0xd7, 0x66, 0x0c, 0xa5])];

/// Every table has a checksum of 16 bytes behind data in blocks of 64.
const BLOCK: u64 = 64;
const CHECKSUM: u64 = checksum::LEN as u64;

/// The files in these directories and their subfolders that have names of tables.
pub(super) fn find(directories: impl Iterator<Item = PathBuf>, problems: &mut Vec<String>) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for directory in directories.filter(|directory| !directory.as_os_str().is_empty()) {
        search(&directory, 0, &mut found, problems);
    }
    found
}

fn search(directory: &Path, depth: usize, found: &mut Vec<PathBuf>, problems: &mut Vec<String>) {
    let entries = fs::read_dir(directory).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let mut paths: Vec<PathBuf> = match entries {
        Ok(entries) => entries.iter().map(fs::DirEntry::path).collect(),
        Err(error) => return problems.push(format!("{}: {}", directory.display(), io_error_text(&error))),
    };
    // The order of a directory is not the same everywhere, and reports shall be.
    paths.sort();
    for path in paths {
        if magic(&path).is_some() {
            found.push(path);
        } else if depth < MAX_DEPTH && path.is_dir() {
            search(&path, depth + 1, found, problems);
        }
    }
}

/// What a table of this name has to begin with; `None` for names of other things.
fn magic(path: &Path) -> Option<[u8; 4]> {
    let extension = path.extension()?.to_str()?;
    let (_, magic) = KINDS.into_iter().find(|(name, _)| *name == extension)?;
    let (white, black) = path.file_stem()?.to_str()?.split_once('v')?;
    let is_side =
        |side: &str| side.strip_prefix('K').is_some_and(|men| men.chars().all(|man| "QRBNP".contains(man)));
    (is_side(white) && is_side(black)).then_some(magic)
}

/// Looks at as much of a file as costs no time: more is checked when it is first used.
pub(super) fn check(path: &Path) -> Result<(), String> {
    let meta = fs::metadata(path).map_err(|error| io_error_text(&error))?;
    if !meta.is_file() {
        return Err("not a file".to_owned());
    }
    if meta.len() % BLOCK != CHECKSUM {
        return Err(format!("{} bytes cannot be a whole table", meta.len()));
    }
    let mut start = [0; 4];
    File::open(path)
        .and_then(|mut file| file.read_exact(&mut start))
        .map_err(|error| io_error_text(&error))?;
    if Some(start) == magic(path) { Ok(()) } else { Err("not a Syzygy table".to_owned()) }
}

/// Errors of files, each reported once.
#[derive(Default)]
pub(super) struct Faults(Mutex<FaultList>);

#[derive(Default)]
struct FaultList {
    known: HashSet<String>,
    untold: Vec<String>,
}

impl Faults {
    /// Something is wrong with this file or table; only the first report about it is kept.
    pub(super) fn note(&self, subject: &str, reason: &str) {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if list.known.insert(subject.to_owned()) {
            list.untold.push(format!("{subject} cannot be used: {reason}"));
        }
    }

    fn knows(&self, subject: &str) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).known.contains(subject)
    }

    pub(super) fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner).untold)
    }
}

/// How the tables are read.
pub(super) struct Storage {
    faults: Arc<Faults>,
}

impl Storage {
    pub(super) fn new(faults: Arc<Faults>) -> Self {
        Self { faults }
    }
}

impl Filesystem for Storage {
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        let meta = fs::metadata(path)?;
        if meta.is_file() { Ok(meta.len()) } else { Err(io::ErrorKind::InvalidInput.into()) }
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect()
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        let subject = path.display().to_string();
        // A bad file is not read anew at every probe.
        if self.faults.knows(&subject) {
            return Err(io::ErrorKind::InvalidData.into());
        }
        open(path).inspect_err(|error| self.faults.note(&subject, &io_error_text(error)))
    }
}

fn open(path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
    let file = File::open(path)?;
    if file.metadata()?.len() > IN_MEMORY {
        return Ok(Box::new(OnDisk(file)));
    }
    let mut bytes = Vec::new();
    file.take(IN_MEMORY).read_to_end(&mut bytes)?;
    if !checksum::is_right(&bytes) {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "its checksum is wrong"));
    }
    Ok(Box::new(InMemory(bytes.into_boxed_slice())))
}

struct InMemory(Box<[u8]>);

impl RandomAccessFile for InMemory {
    fn read_at(&self, buf: &mut [u8], offset: u64, _: ReadHint) -> io::Result<usize> {
        let bytes = usize::try_from(offset).ok().and_then(|offset| self.0.get(offset..)).unwrap_or_default();
        let len = bytes.len().min(buf.len());
        buf[..len].copy_from_slice(&bytes[..len]);
        Ok(len)
    }
}

/// A table too large to be kept.
pub(super) struct OnDisk(pub(super) File);

impl RandomAccessFile for OnDisk {
    fn read_at(&self, buf: &mut [u8], offset: u64, _: ReadHint) -> io::Result<usize> {
        platform::read_at(&self.0, buf, offset)
    }
}
