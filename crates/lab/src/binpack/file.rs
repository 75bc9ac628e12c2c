//! The chunks of files.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::chunk::ChunkReader;
use super::encoder::Unwritable;
use super::entry::Entry;
use super::fault::{Damage, Fault, ReadError};

/// Bytes of the header of a chunk: a magic word and the number of bytes that follow.
pub(crate) const HEADER: usize = 8;
const MAGIC: &[u8; 4] = b"BINP";

/// Programs write chunks of a megabyte and a game; other readers have this limit too.
const LARGEST_CHUNK: u32 = 100 << 20;

/// The header of a chunk of so many bytes.
pub(crate) fn header(bytes: usize) -> io::Result<[u8; HEADER]> {
    let size = u32::try_from(bytes).map_err(io::Error::other)?.to_le_bytes();
    let mut header = [0; HEADER];
    header[..4].copy_from_slice(MAGIC);
    header[4..].copy_from_slice(&size);
    Ok(header)
}

/// The size of the chunk after this header.
fn size_of_chunk(header: [u8; HEADER]) -> Result<u32, Fault> {
    let [magic @ .., b0, b1, b2, b3] = header;
    let size = u32::from_le_bytes([b0, b1, b2, b3]);
    if &magic != MAGIC {
        Err(Fault::NoChunk)
    } else if size > LARGEST_CHUNK {
        Err(Fault::ChunkTooLarge(size))
    } else {
        Ok(size)
    }
}

/// Reads chunk after chunk.
#[derive(Debug)]
pub(crate) struct Chunks<R> {
    input: R,
    /// Where the next chunk begins in the file.
    next: u64,
    bytes: Vec<u8>,
}

impl<R: Read> Chunks<R> {
    /// Starts at byte `first` of a file, where the input must be.
    pub(crate) fn new(input: R, first: u64) -> Self {
        Self { input, next: first, bytes: Vec::new() }
    }

    /// The next chunk: where it begins in the file, and its bytes behind the header.
    pub(crate) fn next(&mut self) -> Result<Option<(u64, &[u8])>, ReadError> {
        let chunk = self.next;
        let damage = |fault| Err(Damage::of_chunk(chunk, fault).into());
        self.read(HEADER as u64)?;
        if self.bytes.is_empty() {
            return Ok(None);
        }
        let Some(&header) = self.bytes.first_chunk() else {
            return damage(Fault::HeaderCutOff(self.bytes.len()));
        };
        let told = match size_of_chunk(header) {
            Ok(size) => size,
            Err(fault) => return damage(fault),
        };
        self.read(told.into())?;
        let there = self.bytes.len() as u64;
        if there < u64::from(told) {
            return damage(Fault::ChunkCutOff { told, there });
        }
        self.next += HEADER as u64 + there;
        Ok(Some((chunk, &self.bytes)))
    }

    /// Reads so many bytes, or all that are left. Memory is taken for what is there, not for what a header tells.
    fn read(&mut self, count: u64) -> io::Result<usize> {
        self.bytes.clear();
        self.input.by_ref().take(count).read_to_end(&mut self.bytes)
    }
}

/// Where the chunks of a file lie, with their headers; what is in them is not read.
pub(crate) fn chunk_places(mut file: impl Read + Seek) -> Result<Vec<Range<u64>>, ReadError> {
    let length = file.seek(SeekFrom::End(0))?;
    let (mut places, mut first) = (Vec::new(), 0);
    while first < length {
        let damage = |fault| Damage::of_chunk(first, fault);
        let there = length - first;
        if there < HEADER as u64 {
            return Err(damage(Fault::HeaderCutOff(there as usize)).into());
        }
        let mut header = [0; HEADER];
        file.seek(SeekFrom::Start(first))?;
        file.read_exact(&mut header)?;
        let told = size_of_chunk(header).map_err(damage)?;
        let there = there - HEADER as u64;
        if there < u64::from(told) {
            return Err(damage(Fault::ChunkCutOff { told, there }).into());
        }
        let end = first + HEADER as u64 + u64::from(told);
        places.push(first..end);
        first = end;
    }
    Ok(places)
}

/// Why a binpack could not be read or written.
#[derive(Debug)]
pub(crate) enum BinpackError {
    File(PathBuf, io::Error),
    Damaged(PathBuf, Damage),
    Unwritable(PathBuf, Unwritable),
}

impl BinpackError {
    fn reading(path: &Path) -> impl Fn(ReadError) -> Self {
        let path = path.to_owned();
        move |error| match error {
            ReadError::Io(error) => Self::File(path.clone(), error),
            ReadError::Damaged(damage) => Self::Damaged(path.clone(), damage),
        }
    }
}

impl fmt::Display for BinpackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Damaged(path, damage) => write!(f, "{} is damaged: {damage}", path.display()),
            Self::Unwritable(path, reason) => write!(f, "{} cannot be written: {reason}", path.display()),
        }
    }
}

impl std::error::Error for BinpackError {}

/// A binpack that is being read.
#[derive(Debug)]
pub(crate) struct Reader {
    path: PathBuf,
    chunks: Chunks<BufReader<File>>,
}

impl Reader {
    pub(crate) fn open(path: &Path) -> Result<Self, BinpackError> {
        let file = File::open(path).map_err(|error| BinpackError::File(path.to_owned(), error))?;
        Ok(Self { path: path.to_owned(), chunks: Chunks::new(BufReader::new(file), 0) })
    }

    /// The bytes of the next chunk behind its header, as they are.
    pub(crate) fn next_chunk(&mut self) -> Result<Option<&[u8]>, BinpackError> {
        let chunk = self.chunks.next().map_err(BinpackError::reading(&self.path))?;
        Ok(chunk.map(|(_, bytes)| bytes))
    }

    /// Hands over every position, and whether a game begins with it.
    pub(crate) fn for_each(&mut self, mut visit: impl FnMut(&Entry, bool)) -> Result<(), BinpackError> {
        self.for_each_while(|entry, begins| {
            visit(entry, begins);
            true
        })
    }

    /// As [`for_each`](Self::for_each), until the visitor returns false.
    pub(crate) fn for_each_while(
        &mut self,
        mut visit: impl FnMut(&Entry, bool) -> bool,
    ) -> Result<(), BinpackError> {
        let failed = BinpackError::reading(&self.path);
        while let Some((first, bytes)) = self.chunks.next().map_err(&failed)? {
            let mut reader = ChunkReader::new(bytes, first);
            while let Some((entry, begins)) = reader.next().map_err(|damage| failed(damage.into()))? {
                if !visit(entry, begins) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}
