//! The data of a run: files divided into blocks that are decoded one by one, so that they need not fit into memory.

use std::fmt;
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::PathBuf;

use super::binpack;
use super::games::{Games, Label, PieceSets};
use super::rng::Rng;
use super::source::{Positions, Source};
use crate::binpack::chunk_places;
use crate::packed::{NO_SCORE, RECORD, Record, begins_chain};

/// Bytes of a block of packed positions: 32,768 records.
const PACKED_BLOCK: u64 = 1 << 20;

/// Without validation files, one game in this many is held out.
const HELD_OUT: usize = 50;

/// A file that could not be used, and why.
#[derive(Debug)]
pub(super) struct DataError(PathBuf, String);

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0.display(), self.1)
    }
}

impl std::error::Error for DataError {}

/// Which games of a file are wanted, where some are held out of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    All,
    /// All but the held-out ones, which the seed decides.
    Training(u64),
    /// The held-out ones.
    HeldOut(u64),
}

/// How games are prepared when they are decoded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Preparation {
    pub(super) part: Part,
    /// See [`Games::look_ahead`]; for quiet positions whose source does not say it.
    pub(super) foresight: f32,
    /// The scale of the loss.
    pub(super) scale: f32,
}

/// A part of a file.
#[derive(Clone, Debug)]
struct Block {
    source: usize,
    bytes: Range<u64>,
}

/// Files and the blocks that they consist of.
#[derive(Clone, Debug)]
pub(super) struct Data {
    sources: Vec<Source>,
    blocks: Vec<Block>,
    preparation: Preparation,
}

impl Data {
    /// Looks where the blocks of the files are.
    pub(super) fn open(sources: &[Source], preparation: Preparation) -> Result<Self, DataError> {
        let mut blocks = Vec::new();
        for (number, source) in sources.iter().enumerate() {
            let fail = |reason: String| DataError(source.path.clone(), reason);
            let file = File::open(&source.path).map_err(|error| fail(error.to_string()))?;
            let of_file = if source.is_packed() {
                packed_blocks(&file)
            } else {
                chunk_places(file).map_err(|error| error.to_string())
            };
            let of_file = of_file.map_err(fail)?;
            blocks.extend(of_file.into_iter().map(|bytes| Block { source: number, bytes }));
        }
        Ok(Self { sources: sources.to_vec(), blocks, preparation })
    }

    /// How many blocks there are.
    pub(super) fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// Bytes of all files.
    pub(super) fn bytes(&self) -> u64 {
        (0..self.blocks.len()).map(|block| self.bytes_of(block)).sum()
    }

    /// Bytes of a block.
    pub(super) fn bytes_of(&self, block: usize) -> u64 {
        let bytes = &self.blocks[block].bytes;
        bytes.end - bytes.start
    }

    /// The games of a block, ready to learn from.
    pub(super) fn decode(&self, number: usize) -> Result<Games, DataError> {
        let Block { source, bytes } = &self.blocks[number];
        let (rule, source) = (*source as u8, &self.sources[*source]);
        let fail = |reason: String| DataError(source.path.clone(), reason);
        let file = BufReader::new(File::open(&source.path).map_err(|error| fail(error.to_string()))?);
        let games = if source.is_packed() {
            packed(file, bytes, rule)
        } else {
            binpack::decode(file, bytes.start, source.positions, rule).map_err(|error| error.to_string())
        };
        let mut games = games.map_err(fail)?;
        let Preparation { part, foresight, scale } = self.preparation;
        let seed = |seed| Rng::new(seed, u64::MAX - number as u64);
        match part {
            Part::All => {}
            Part::Training(it) => {
                let mut rng = seed(it);
                games = games.split(|_| rng.below(HELD_OUT) != 0).0;
            }
            Part::HeldOut(it) => {
                let mut rng = seed(it);
                games = games.split(|_| rng.below(HELD_OUT) != 0).1;
            }
        }
        let usual = if source.positions == Positions::Quiet { foresight } else { 0.0 };
        games.look_ahead(source.foresight.unwrap_or(usual), scale);
        Ok(games)
    }

    /// All games of all files, in their order: for what fits into memory.
    pub(super) fn read_all(&self) -> Result<Games, DataError> {
        let mut games = Games::default();
        for block in 0..self.blocks.len() {
            games.append(self.decode(block)?);
        }
        Ok(games)
    }
}

/// Equal parts of a file of packed positions; the chains that begin in a part belong to it.
fn packed_blocks(file: &File) -> Result<Vec<Range<u64>>, String> {
    let length = file.metadata().map_err(|error| error.to_string())?.len();
    if !length.is_multiple_of(RECORD as u64) {
        return Err(format!("{length} bytes are no whole number of positions of {RECORD} bytes"));
    }
    let block = |number| number * PACKED_BLOCK..length.min((number + 1) * PACKED_BLOCK);
    Ok((0..length.div_ceil(PACKED_BLOCK)).map(block).collect())
}

/// The chains that begin within these bytes of a file of packed positions. What stands before the first beginning of
/// a file is a chain, too.
fn packed(mut file: impl Read + Seek, bytes: &Range<u64>, rule: u8) -> Result<Games, String> {
    file.seek(SeekFrom::Start(bytes.start)).map_err(|error| error.to_string())?;
    let mut games = Games::default();
    let mut last: Option<PieceSets> = None;
    for number in bytes.start / RECORD as u64.. {
        let mut record = [0; RECORD];
        match file.read_exact(&mut record) {
            Ok(()) => {}
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => break,
            Err(error) => return Err(error.to_string()),
        }
        let begins = begins_chain(&record) || number == 0;
        if begins && number * RECORD as u64 >= bytes.end {
            break;
        }
        if !begins && last.is_none() {
            continue;
        }
        let record =
            Record::from_bytes(&record).ok_or_else(|| format!("record {number} is no chess position"))?;
        let label = Label {
            score: record.score,
            result: record.result,
            black_to_move: record.black_to_move,
            counts: record.score != NO_SCORE,
        };
        let board = PieceSets(record.pieces);
        match last {
            Some(before) if !begins => games.advance(&before, &board, label),
            _ => games.begin(&board, label, rule),
        }
        last = Some(board);
    }
    Ok(games)
}
