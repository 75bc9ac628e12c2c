//! Decoding the chains of a chunk, position by position.

use chess::{Move, PieceType, Position};

use super::bits::{BitReader, Window};
use super::entry::Entry;
use super::fault::{Damage, Fault};
use super::moves::MovesOf;
use super::rights::Rights;
use super::select::nth_square;
use super::stem::{self, STEM};
use super::{bits_below, unzigzag};

/// Bytes of a stem and the number of positions after it.
const STEM_AND_COUNT: usize = STEM + 2;

/// Goes through the positions of a chunk. After an error there is no going on: where the next chain begins is only
/// known when the last one is decoded.
#[derive(Debug)]
pub(crate) struct ChunkReader<'a> {
    /// Where the chunk begins in its file, and where its bytes do.
    chunk: u64,
    first: u64,
    bytes: &'a [u8],
    /// Where the move text begins; at the end of a chain, where the next one does.
    at: usize,
    text: BitReader<'a>,
    /// Positions of the chain that follow.
    left: u16,
    rights: Rights,
    /// Positions that were read.
    read: u64,
    entry: Option<Entry>,
}

impl<'a> ChunkReader<'a> {
    /// Starts with the bytes behind the header of a chunk, which begins at byte `chunk` of its file.
    pub(crate) fn new(bytes: &'a [u8], chunk: u64) -> Self {
        let first = chunk + super::HEADER as u64;
        let text = BitReader::new(&[]);
        Self { chunk, first, bytes, at: 0, text, left: 0, rights: Rights::default(), read: 0, entry: None }
    }

    /// The next position, and whether a game begins with it.
    #[inline]
    pub(crate) fn next(&mut self) -> Result<Option<(&Entry, bool)>, Damage> {
        let begins = if self.left > 0 {
            self.step().map_err(|fault| self.damage(fault, self.at + self.text.byte()))?;
            false
        } else if self.at < self.bytes.len() {
            self.stem().map_err(|fault| self.damage(fault, self.at))?
        } else {
            return Ok(None);
        };
        self.read += 1;
        Ok(self.entry.as_ref().map(|entry| (entry, begins)))
    }

    #[cold]
    fn damage(&self, fault: Fault, place: usize) -> Damage {
        let byte = self.first + place.min(self.bytes.len()) as u64;
        Damage { chunk: self.chunk, position: Some((self.read + 1, byte)), fault }
    }

    /// Begins a chain; says whether it is another game than the chain before.
    fn stem(&mut self) -> Result<bool, Fault> {
        let rest = &self.bytes[self.at..];
        let cut_off = Fault::StemCutOff(rest.len());
        let (bytes, rest) = rest.split_first_chunk().ok_or(cut_off)?;
        let (count, text) = rest.split_first_chunk().ok_or(cut_off)?;
        let (entry, rights) = stem::read(bytes)?;
        let count = u16::from_be_bytes(*count);
        if count > 0 && entry.mv.is_none() {
            return Err(Fault::NoMove);
        }
        let begins = !self.entry.as_ref().is_some_and(|last| last.is_followed_by(&entry));
        self.at += STEM_AND_COUNT;
        (self.left, self.text, self.rights, self.entry) = (count, BitReader::new(text), rights, Some(entry));
        Ok(begins)
    }

    /// Plays the last move and reads the next one with its score.
    #[inline]
    fn step(&mut self) -> Result<(), Fault> {
        let Some(entry) = &mut self.entry else { return Err(Fault::NoMove) };
        let mv = entry.mv.ok_or(Fault::NoMove)?;
        self.rights = self.rights.after(&entry.position, mv);
        entry.position.play(mv);
        let mut window = self.text.window();
        let mv = read_move(&entry.position, self.rights, &mut window);
        let difference = window.take_blocks();
        // What is behind the end is no number of a man or of a move.
        let text = self.text.after(window).ok_or(Fault::TextCutOff)?;
        entry.mv = Some(mv?);
        entry.score = entry.score.wrapping_neg().wrapping_add(unzigzag(difference.ok_or(Fault::Score)?));
        entry.ply = entry.ply.checked_add(1).ok_or(Fault::Ply)?;
        entry.result = -entry.result;
        self.text = text;
        self.left -= 1;
        if self.left == 0 {
            self.at += self.text.bytes_read();
        }
        Ok(())
    }
}

#[inline]
fn read_move(position: &Position, rights: Rights, window: &mut Window) -> Result<Move, Fault> {
    let ours = position.of_color(position.side_to_move());
    let number = window.take(bits_below(ours.count()));
    if number >= ours.count() {
        return Err(Fault::ManNumber { number, of: ours.count() });
    }
    let from = nth_square(ours, number);
    let kind = position.piece_on(from).map_or(PieceType::Pawn, chess::Piece::kind);
    let moves = MovesOf::new(position, from, kind, rights);
    let number = window.take(bits_below(moves.count));
    if number >= moves.count {
        return Err(Fault::MoveNumber { from, number, of: moves.count });
    }
    let mv = moves.nth(position, number);
    // Without a check, only kings, pinned men and captures en passant can endanger the own king.
    let safe = !position.in_check()
        && kind != PieceType::King
        && !position.pinned().has(from)
        && !mv.is_en_passant();
    if safe || position.is_legal(mv) { Ok(mv) } else { Err(Fault::IllegalMove(mv.from(), mv.to())) }
}
