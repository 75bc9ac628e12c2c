//! Reading and writing binpacks game by game.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

use sfbinpack::{ChunkReader, CompressedReaderError, TrainingDataEntry, read_chunk_into};

/// Why a binpack could not be read or written.
#[derive(Debug)]
pub(crate) enum BinpackError {
    File(PathBuf, io::Error),
    Chunk(PathBuf, CompressedReaderError),
    Write(PathBuf, sfbinpack::CompressedWriterError),
}

impl fmt::Display for BinpackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Chunk(path, error) => write!(f, "{} is damaged: {error}", path.display()),
            Self::Write(path, error) => write!(f, "{} cannot be written: {error}", path.display()),
        }
    }
}

impl std::error::Error for BinpackError {}

/// A binpack that is being read.
pub(crate) struct Reader {
    path: PathBuf,
    file: BufReader<File>,
    chunk: Vec<u8>,
}

impl Reader {
    pub(crate) fn open(path: &Path) -> Result<Self, BinpackError> {
        let file = File::open(path).map_err(|error| BinpackError::File(path.to_owned(), error))?;
        Ok(Self { path: path.to_owned(), file: BufReader::new(file), chunk: Vec::new() })
    }

    /// The bytes of the next chunk.
    pub(super) fn next_chunk(&mut self) -> Result<Option<&[u8]>, BinpackError> {
        let there = read_chunk_into(&mut self.file, &mut self.chunk);
        let there = there.map_err(|error| BinpackError::Chunk(self.path.clone(), error))?;
        Ok(there.then_some(self.chunk.as_slice()))
    }

    /// Hands over every position, and whether a game begins with it.
    pub(crate) fn for_each(
        &mut self,
        mut visit: impl FnMut(&TrainingDataEntry, bool),
    ) -> Result<(), BinpackError> {
        self.for_each_while(|entry, begins| {
            visit(entry, begins);
            true
        })
    }

    /// As [`for_each`](Self::for_each), until the visitor returns false.
    pub(super) fn for_each_while(
        &mut self,
        mut visit: impl FnMut(&TrainingDataEntry, bool) -> bool,
    ) -> Result<(), BinpackError> {
        while let Some(chunk) = self.next_chunk()? {
            let mut reader = ChunkReader::default();
            let mut last: Option<TrainingDataEntry> = None;
            while reader.has_next(chunk) {
                let entry = reader.next(chunk);
                let begins = last.is_none_or(|last| !last.is_continuation(&entry));
                if !visit(&entry, begins) {
                    return Ok(());
                }
                last = Some(entry);
            }
        }
        Ok(())
    }
}

/// Writes a chunk as it was read: a magic word, the length, the bytes.
pub(super) fn write_chunk(output: &mut impl Write, chunk: &[u8]) -> io::Result<()> {
    let length = u32::try_from(chunk.len()).map_err(io::Error::other)?;
    output.write_all(b"BINP")?;
    output.write_all(&length.to_le_bytes())?;
    output.write_all(chunk)
}
