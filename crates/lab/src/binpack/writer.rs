//! Writing entries as a file.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use super::encoder::Encoder;
use super::entry::Entry;
use super::file::{BinpackError, header};

/// A chunk is closed by the first game that begins behind this size.
const CHUNK_BYTES: usize = 1 << 20;

/// A binpack that is being written; not complete before [`finish`](Self::finish).
#[derive(Debug)]
pub(crate) struct Writer {
    path: PathBuf,
    output: BufWriter<File>,
    chunk: Encoder,
    last: Option<Entry>,
}

impl Writer {
    pub(crate) fn create(path: &Path) -> Result<Self, BinpackError> {
        let file = File::create(path).map_err(|error| BinpackError::File(path.to_owned(), error))?;
        Ok(Self {
            path: path.to_owned(),
            output: BufWriter::new(file),
            chunk: Encoder::default(),
            last: None,
        })
    }

    /// Writes the next position: as part of the same game, if it follows from the last one.
    pub(crate) fn write(&mut self, entry: &Entry) -> Result<(), BinpackError> {
        let follows = self.last.as_ref().is_some_and(|last| last.is_followed_by(entry));
        let encoded = match entry.mv {
            Some(mv) if follows && self.chunk.has_room() => {
                self.chunk.extend(&entry.position, mv, entry.score)
            }
            _ => {
                if self.chunk.bytes().len() >= CHUNK_BYTES {
                    self.write_chunk()?;
                }
                self.chunk.begin(entry)
            }
        };
        encoded.map_err(|reason| BinpackError::Unwritable(self.path.clone(), reason))?;
        self.last = Some(entry.clone());
        Ok(())
    }

    /// Writes what is still held.
    pub(crate) fn finish(mut self) -> Result<(), BinpackError> {
        if !self.chunk.bytes().is_empty() {
            self.write_chunk()?;
        }
        self.output.flush().map_err(|error| BinpackError::File(self.path, error))
    }

    fn write_chunk(&mut self) -> Result<(), BinpackError> {
        let bytes = self.chunk.bytes();
        let mut write = || {
            self.output.write_all(&header(bytes.len())?)?;
            self.output.write_all(bytes)
        };
        write().map_err(|error| BinpackError::File(self.path.clone(), error))?;
        self.chunk.clear();
        Ok(())
    }
}
