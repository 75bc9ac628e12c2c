//! Bit strings, from the high bits of a byte down.

/// A place in a bit string.
#[derive(Clone, Copy, Debug)]
pub(super) struct BitReader<'a> {
    bytes: &'a [u8],
    /// Bits that were read.
    read: usize,
}

/// The next bits of a string: 57 at least, with zeros behind its end. One look at the bytes is enough for a position,
/// which takes 30 bits at most.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    /// The next bit is the highest.
    bits: u64,
    taken: u32,
}

impl<'a> BitReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, read: 0 }
    }

    /// The bits from here on.
    #[inline]
    pub(super) fn window(&self) -> Window {
        let rest = self.bytes.get(self.read / 8..).unwrap_or_default();
        let word = rest.first_chunk().copied().unwrap_or_else(|| {
            let mut word = [0; 8];
            word.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
            word
        });
        Window { bits: u64::from_be_bytes(word) << (self.read % 8), taken: 0 }
    }

    /// The place behind what was taken from the window, unless it is behind the end.
    #[inline]
    pub(super) fn after(&self, window: Window) -> Option<Self> {
        let read = self.read + window.taken as usize;
        (read <= 8 * self.bytes.len()).then_some(Self { read, ..*self })
    }

    /// The byte that has the next bit.
    pub(super) fn byte(&self) -> usize {
        self.read / 8
    }

    /// Bytes of which at least a bit was read.
    pub(super) fn bytes_read(&self) -> usize {
        self.read.div_ceil(8)
    }
}

impl Window {
    /// The next `count` bits as a number; fewer than 64.
    #[inline]
    pub(super) fn take(&mut self, count: u32) -> usize {
        // Two shifts, since a shift by 64 has no meaning.
        let number = self.bits >> 1 >> (63 - count);
        self.bits <<= count;
        self.taken += count;
        number as usize
    }

    /// A number in blocks of four bits; `None` if it has more than sixteen bits.
    #[inline]
    pub(super) fn take_blocks(&mut self) -> Option<u16> {
        let mut number = 0;
        for shift in [0, 4, 8, 12] {
            let block = self.take(5) as u16;
            number |= (block & 15) << shift;
            if block & 16 == 0 {
                return Some(number);
            }
        }
        None
    }
}

/// Appends bits to bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BitWriter {
    /// Bits of the last byte that are free.
    free: u32,
}

impl BitWriter {
    /// Appends the lowest `count` bits of a number, eight at most.
    pub(super) fn put(&mut self, bytes: &mut Vec<u8>, number: usize, count: u32) {
        for bit in (0..count).rev() {
            if self.free == 0 {
                bytes.push(0);
                self.free = 8;
            }
            self.free -= 1;
            if let Some(last) = bytes.last_mut() {
                *last |= ((number >> bit & 1) as u8) << self.free;
            }
        }
    }

    /// Appends a number in blocks of four bits.
    pub(super) fn put_blocks(&mut self, bytes: &mut Vec<u8>, mut number: u16) {
        loop {
            let more = number > 15;
            self.put(bytes, usize::from(number & 15) | usize::from(more) << 4, 5);
            number >>= 4;
            if !more {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_is_taken() {
        let numbers = [(5, 3), (0, 0), (0, 1), (31, 5), (77, 7), (1, 1), (128, 8), (0, 4)];
        let blocks = [0, 15, 16, 4095, 4096, u16::MAX];
        let (mut bytes, mut writer) = (Vec::new(), BitWriter::default());
        numbers.iter().for_each(|&(number, count)| writer.put(&mut bytes, number, count));
        blocks.iter().for_each(|&number| writer.put_blocks(&mut bytes, number));
        let mut reader = BitReader::new(&bytes);
        for (number, count) in numbers {
            let mut window = reader.window();
            assert_eq!(window.take(count), number);
            reader = reader.after(window).expect("within the bytes");
        }
        for number in blocks {
            let mut window = reader.window();
            assert_eq!(window.take_blocks(), Some(number));
            reader = reader.after(window).expect("within the bytes");
        }
        assert_eq!(reader.bytes_read(), bytes.len());
        let mut window = reader.window();
        window.take(8);
        assert!(reader.after(window).is_none(), "there is nothing behind the end");
        assert_eq!(BitReader::new(&[0xff; 3]).window().take_blocks(), None, "a fifth block");
    }

    #[test]
    fn the_first_bit_is_the_highest() {
        let (mut bytes, mut writer) = (Vec::new(), BitWriter::default());
        writer.put(&mut bytes, 1, 1);
        writer.put(&mut bytes, 0b0110_0110, 8);
        assert_eq!(bytes, [0b1011_0011, 0]);
    }
}
