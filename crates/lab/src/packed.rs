//! Packed positions, files with the ending `.packed`: records of 32 bytes, one after another, without a header.
//!
//! A binpack is smaller, but it holds games; here a position may differ from the one before by anything, and nothing
//! has to be decoded to find the middle of a file. All numbers are little-endian.
//!
//! ```text
//! occupied   u64       squares with a piece: a1 is bit 0, h8 bit 63
//! pieces     16 bytes  four bits for each of them in the order of the squares, the low half of a byte first:
//!                      0 white pawn, 1 knight, 2 bishop, 3 rook, 4 queen, 5 king, 6 black pawn to 11 black king
//! score      i16       from the side to move, about 350 to the pawn; 32002: none
//! flags      u8        bit 0: Black is to move; bit 1: a chain begins
//! result     i8        1, 0 or -1 from the side to move; 2: not known
//! reserved   4 bytes   0
//! ```
//!
//! A chain is a run of records that differ little from one to the next, such as the positions after several moves of
//! one position; the trainer needs chains only for speed. The same side may be to move twice in a row. Castling rights
//! and en passant squares are not stored: no network has inputs for them.

/// Bytes of a record.
pub(crate) const RECORD: usize = 32;

/// The score of a position that has none, because its side to move is in check, for example.
pub(crate) const NO_SCORE: i16 = 32002;

const BLACK_TO_MOVE: u8 = 1;
const BEGINS_CHAIN: u8 = 2;
const UNKNOWN_RESULT: i8 = 2;

/// A record, unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    /// The squares of each piece, indexed as [`chess::Piece`] does; one king a side, at most 32 pieces in all.
    pub(crate) pieces: [u64; 12],
    /// From the side to move; [`NO_SCORE`] where there is none.
    pub(crate) score: i16,
    /// 1, 0 or -1 from the side to move, where it is known.
    pub(crate) result: Option<i8>,
    pub(crate) black_to_move: bool,
    /// Does a chain begin here?
    pub(crate) begins_chain: bool,
}

/// The number that stands for a piece in the file.
const fn code(piece: usize) -> usize {
    piece % 2 * 6 + piece / 2
}

impl Record {
    /// Is there a score?
    pub(crate) fn has_score(&self) -> bool {
        self.score != NO_SCORE
    }

    /// The record as a file holds it.
    pub(crate) fn to_bytes(self) -> [u8; RECORD] {
        let mut bytes = [0; RECORD];
        let occupied = self.pieces.iter().fold(0, |all, squares| all | squares);
        bytes[..8].copy_from_slice(&occupied.to_le_bytes());
        for (piece, &of_piece) in self.pieces.iter().enumerate() {
            let mut squares = of_piece;
            while squares != 0 {
                let below = (squares & squares.wrapping_neg()) - 1;
                let place = (occupied & below).count_ones() as usize;
                bytes[8 + place / 2] |= (code(piece) as u8) << (place % 2 * 4);
                squares &= squares - 1;
            }
        }
        bytes[24..26].copy_from_slice(&self.score.to_le_bytes());
        bytes[26] = if self.black_to_move { BLACK_TO_MOVE } else { 0 }
            | if self.begins_chain { BEGINS_CHAIN } else { 0 };
        bytes[27] = self.result.unwrap_or(UNKNOWN_RESULT).to_le_bytes()[0];
        bytes
    }

    /// Reads a record, if it holds a position with one king a side and a result that can be.
    pub(crate) fn from_bytes(bytes: &[u8; RECORD]) -> Option<Self> {
        let mut occupied = u64::from_le_bytes(*bytes.first_chunk()?);
        if occupied.count_ones() > 32 {
            return None;
        }
        let mut pieces = [0; 16];
        let mut place = 0;
        while occupied != 0 {
            let code = bytes[8 + place / 2] >> (place % 2 * 4) & 15;
            pieces[usize::from(code)] |= occupied & occupied.wrapping_neg();
            occupied &= occupied - 1;
            place += 1;
        }
        let result = match i8::from_le_bytes([bytes[27]]) {
            UNKNOWN_RESULT => None,
            result @ -1..=1 => Some(result),
            _ => return None,
        };
        let sound =
            pieces[12..] == [0; 4] && [5, 11].iter().all(|&king: &usize| pieces[king].count_ones() == 1);
        sound.then(|| Self {
            pieces: std::array::from_fn(|piece| pieces[code(piece)]),
            score: i16::from_le_bytes([bytes[24], bytes[25]]),
            result,
            black_to_move: bytes[26] & BLACK_TO_MOVE != 0,
            begins_chain: begins_chain(bytes),
        })
    }
}

/// Does a chain begin with this record? Finds the chains of a file without unpacking it.
pub(crate) fn begins_chain(bytes: &[u8; RECORD]) -> bool {
    bytes[26] & BEGINS_CHAIN != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kings_and_pawn() -> Record {
        let mut pieces = [0; 12];
        // White pawn e4, White king e1, Black king e8, Black rook a8.
        (pieces[0], pieces[10], pieces[11], pieces[7]) = (1 << 28, 1 << 4, 1 << 60, 1 << 56);
        Record { pieces, score: -77, result: Some(-1), black_to_move: true, begins_chain: true }
    }

    #[test]
    fn the_layout_by_hand() {
        let bytes = kings_and_pawn().to_bytes();
        let mut expected = [0; RECORD];
        expected[..8].copy_from_slice(&(1u64 << 4 | 1 << 28 | 1 << 56 | 1 << 60).to_le_bytes());
        // King 5, pawn 0, black rook 9, black king 11.
        (expected[8], expected[9]) = (0x05, 0xb9);
        expected[24..28].copy_from_slice(&[179, 255, 3, 255]);
        assert_eq!(bytes, expected);
    }

    #[test]
    fn records_come_back() {
        let record = kings_and_pawn();
        assert_eq!(Record::from_bytes(&record.to_bytes()), Some(record));
        let mut full = [0; 12];
        for (rank, side) in [(0, 0), (7, 1)] {
            for (file, kind) in [3, 1, 2, 4, 5, 2, 1, 3].into_iter().enumerate() {
                full[2 * kind + side] |= 1 << (8 * rank + file);
            }
        }
        (full[0], full[1]) = (0xff << 8, 0xff << 48);
        let record =
            Record { pieces: full, score: NO_SCORE, result: None, black_to_move: false, begins_chain: false };
        assert_eq!(Record::from_bytes(&record.to_bytes()), Some(record));
    }

    #[test]
    fn what_is_no_position_is_refused() {
        let sound = kings_and_pawn().to_bytes();
        let mut crowded = sound;
        crowded[..5].fill(0xff);
        assert_eq!(Record::from_bytes(&crowded), None, "more than 32 pieces");
        for (place, value) in [(8, 0x00), (8, 0x55), (9, 0xbf), (27, 3)] {
            let mut bytes = sound;
            bytes[place] = value;
            assert_eq!(Record::from_bytes(&bytes), None, "byte {place} as {value}");
        }
    }
}
