//! Reading and writing of little-endian bytes, with bounds checks.

use crate::format::FormatError;
use crate::memory::{Zeroable, ZeroedMemory};

/// Takes bytes from the front.
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    total: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, total: bytes.len() }
    }

    /// Bytes that were not yet taken.
    pub(crate) fn left(&self) -> usize {
        self.bytes.len()
    }

    /// An error when fewer than `count` bytes are left.
    pub(crate) fn need(&self, count: usize) -> Result<(), FormatError> {
        if count <= self.left() {
            return Ok(());
        }
        Err(FormatError::Truncated { expected: self.total - self.left() + count, found: self.total })
    }

    pub(crate) fn bytes(&mut self, count: usize) -> Result<&'a [u8], FormatError> {
        self.need(count)?;
        let (taken, rest) = self.bytes.split_at(count);
        self.bytes = rest;
        Ok(taken)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], FormatError> {
        self.need(N)?;
        let mut array = [0; N];
        array.copy_from_slice(self.bytes(N)?);
        Ok(array)
    }

    pub(crate) fn u16(&mut self) -> Result<u16, FormatError> {
        self.array().map(u16::from_le_bytes)
    }

    /// Many numbers, where a search will read them.
    pub(crate) fn i8_rows(&mut self, count: usize) -> Result<ZeroedMemory<i8>, FormatError> {
        Ok(copied(self.bytes(count)?, |&byte| byte as i8))
    }

    /// Likewise.
    pub(crate) fn i16_rows(&mut self, count: usize) -> Result<ZeroedMemory<i16>, FormatError> {
        Ok(copied(self.bytes(2 * count)?.as_chunks().0, |&chunk| i16::from_le_bytes(chunk)))
    }

    pub(crate) fn i8s(&mut self, count: usize) -> Result<Vec<i8>, FormatError> {
        Ok(self.bytes(count)?.iter().map(|&byte| byte as i8).collect())
    }

    pub(crate) fn i16s(&mut self, count: usize) -> Result<Vec<i16>, FormatError> {
        Ok(self.bytes(2 * count)?.as_chunks().0.iter().map(|&chunk| i16::from_le_bytes(chunk)).collect())
    }

    pub(crate) fn i32s(&mut self, count: usize) -> Result<Vec<i32>, FormatError> {
        Ok(self.bytes(4 * count)?.as_chunks().0.iter().map(|&chunk| i32::from_le_bytes(chunk)).collect())
    }
}

fn copied<C, T: Zeroable>(from: &[C], number: impl Fn(&C) -> T) -> ZeroedMemory<T> {
    let mut to = ZeroedMemory::new(from.len());
    to.iter_mut().zip(from).for_each(|(to, from)| *to = number(from));
    to
}

/// Appends bytes.
pub(crate) struct Writer(Vec<u8>);

impl Writer {
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        Self(Vec::with_capacity(capacity))
    }

    pub(crate) fn u8s(&mut self, values: &[u8]) {
        self.0.extend_from_slice(values);
    }

    pub(crate) fn i8s(&mut self, values: &[i8]) {
        self.0.extend(values.iter().map(|&value| value as u8));
    }

    pub(crate) fn u16s(&mut self, values: &[u16]) {
        self.0.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    }

    pub(crate) fn i16s(&mut self, values: &[i16]) {
        self.0.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    }

    pub(crate) fn i32s(&mut self, values: &[i32]) {
        self.0.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        self.0
    }
}
