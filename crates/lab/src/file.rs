//! Files that results go to. An error names the file.

use std::error::Error;
use std::ffi::OsStr;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file that cannot be used, and why.
#[derive(Debug)]
pub(crate) struct FileError {
    path: PathBuf,
    error: io::Error,
}

impl FileError {
    /// To be mapped over an error of this file.
    pub(crate) fn of(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |error| Self { path, error }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), engine::io_error_text(&self.error))
    }
}

impl Error for FileError {}

/// Opens a file to append to, which creates it.
pub(crate) fn append(path: &Path) -> Result<File, FileError> {
    File::options().create(true).append(true).open(path).map_err(FileError::of(path))
}

/// Fails where the file could not be written, and leaves what is in it.
pub(crate) fn can_be_written(path: &Path) -> Result<(), FileError> {
    append(path).map(|_| ())
}

/// Writes a file.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    fs::write(path, bytes).map_err(FileError::of(path))
}

/// Writes a file in one piece: a reader, or a run after a crash, finds the old content or the new one.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(OsStr::new(".part"));
    let mut file = File::create(&beside)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(beside, path)
}
