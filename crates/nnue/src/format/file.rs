//! The file that holds a network, in little-endian:
//!
//! ```text
//! magic           8 bytes   "RufousNN"
//! version         u32       1 without threats, 2 with small ones, 3 with large ones
//! checksum        u64       of all that follows
//! input kind      u8        version 1: 0, mirrored king buckets (see `features`);
//!                           version 2: 1, small threats as well; version 3: 2, large ones
//! head kind       u8        0: direct, 1: pairwise
//! output buckets  u8        1 to 32
//! king table      32 bytes  bucket of each turned king square
//! width           u16       W: a multiple of 128, at most 4096
//! first hidden    u16       16 (pairwise) or 0 (direct)
//! second hidden   u16       32 (pairwise) or 0 (direct)
//! network scale   i32       internal score units for an output of 1.0
//! description     u16 length (at most 1024), then that many bytes of UTF-8
//! transformer     i16 biases[W], i16 weights[inputs][W]
//! threats         version 2: i8 weights[9216][W]; version 3: i8 weights[48096][W]
//! head, direct    i32 biases[buckets], i16 weights[buckets][2 * W]
//! head, pairwise  i32 b1[buckets][16], i8 w1[buckets][16][W], i32 b2[buckets][32], i16 w2[buckets][32][32],
//!                 i32 b3[buckets], i16 w3[buckets][32]
//! ```
//!
//! One set of parameters has one encoding, so writing what was read gives the same bytes.

use super::{
    Architecture, DirectHead, FormatError, Head, HeadKind, MAX_DESCRIPTION, PairwiseHead, Parameters,
    check_scale,
};
use crate::bytes::{Reader, Writer};
use crate::features::{KingBuckets, ThreatForm};
use crate::quantisation::{FIRST, SECOND};
use crate::whole::{BODY, MAGIC, checksum};

/// The versions, each with its kind of input: pieces alone, and pieces with threats of either form.
const PIECES: (u32, u8) = (1, 0);
const SMALL_THREATS: (u32, u8) = (2, 1);
const LARGE_THREATS: (u32, u8) = (3, 2);

impl Parameters {
    /// The file's content.
    ///
    /// # Errors
    /// When [`Parameters::check`] fails.
    pub fn to_bytes(&self) -> Result<Vec<u8>, FormatError> {
        self.check()?;
        let architecture = &self.architecture;
        let mut body = Writer::with_capacity(2 * MAX_DESCRIPTION + architecture.parameter_bytes());
        let (version, input) = match architecture.threats {
            None => PIECES,
            Some(ThreatForm::Small) => SMALL_THREATS,
            Some(ThreatForm::Large) => LARGE_THREATS,
        };
        body.u8s(&[input, architecture.head as u8, architecture.output_buckets as u8]);
        body.u8s(architecture.king_buckets.table());
        let (first, second) = architecture.hidden();
        body.u16s(&[architecture.width as u16, first as u16, second as u16]);
        body.i32s(&[self.scale]);
        body.u16s(&[self.description.len() as u16]);
        body.u8s(self.description.as_bytes());
        body.i16s(&self.transformer_biases);
        body.i16s(&self.transformer_weights);
        body.i8s(&self.threat_weights);
        match &self.head {
            Head::Direct(head) => {
                body.i32s(&head.biases);
                body.i16s(&head.weights);
            }
            Head::Pairwise(head) => {
                body.i32s(&head.first_biases);
                body.i8s(&head.first_weights);
                body.i32s(&head.second_biases);
                body.i16s(&head.second_weights);
                body.i32s(&head.output_biases);
                body.i16s(&head.output_weights);
            }
        }
        let body = body.finish();
        let mut file = Writer::with_capacity(BODY + body.len());
        file.u8s(&MAGIC);
        file.u8s(&version.to_le_bytes());
        file.u8s(&checksum(&body).to_le_bytes());
        file.u8s(&body);
        Ok(file.finish())
    }

    /// Reads a file's content.
    ///
    /// The sizes that the header names are compared with the bytes there are before anything is allocated.
    ///
    /// # Errors
    /// When the bytes are not exactly one undamaged network.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FormatError> {
        let parameters = Self::read(bytes, |body, expected| checksum(body) == expected)?;
        parameters.check_ranges()?;
        Ok(parameters)
    }

    /// Reads a file's content that is known to be good, as when it was read before it was built into a program: neither
    /// checksum nor ranges are looked at again, which takes most of the time.
    ///
    /// # Errors
    /// When the sizes do not fit.
    pub fn from_known_bytes(bytes: &[u8]) -> Result<Self, FormatError> {
        Self::read(bytes, |_, _| true)
    }

    fn read(bytes: &[u8], is_good: impl Fn(&[u8], u64) -> bool) -> Result<Self, FormatError> {
        let mut reader = Reader::new(bytes);
        if reader.array()? != MAGIC {
            return Err(FormatError::BadMagic);
        }
        let version = u32::from_le_bytes(reader.array()?);
        if ![PIECES.0, SMALL_THREATS.0, LARGE_THREATS.0].contains(&version) {
            return Err(FormatError::UnsupportedVersion(version));
        }
        let expected_checksum = u64::from_le_bytes(reader.array()?);
        let Header { architecture, scale, description } = read_header(&mut reader, version)?;
        let parameter_bytes = architecture.parameter_bytes();
        reader.need(parameter_bytes)?;
        if reader.left() > parameter_bytes {
            return Err(FormatError::TrailingBytes(reader.left() - parameter_bytes));
        }
        if !is_good(&bytes[BODY..], expected_checksum) {
            return Err(FormatError::Checksum);
        }
        let description =
            str::from_utf8(description).map_err(|_| FormatError::Impossible("description is not UTF-8"))?;
        let lengths = architecture.lengths();
        let buckets = architecture.output_buckets;
        Ok(Self {
            architecture,
            scale,
            description: description.to_owned(),
            transformer_biases: reader.i16s(architecture.width)?,
            transformer_weights: reader.i16_rows(lengths.transformer_weights)?,
            threat_weights: reader.i8_rows(lengths.threat_weights)?,
            head: match architecture.head {
                HeadKind::Direct => Head::Direct(DirectHead {
                    biases: reader.i32s(buckets)?,
                    weights: reader.i16s(lengths.direct_weights)?,
                }),
                HeadKind::Pairwise => Head::Pairwise(PairwiseHead {
                    first_biases: reader.i32s(buckets * FIRST)?,
                    first_weights: reader.i8s(lengths.first_weights)?,
                    second_biases: reader.i32s(buckets * SECOND)?,
                    second_weights: reader.i16s(lengths.second_weights)?,
                    output_biases: reader.i32s(buckets)?,
                    output_weights: reader.i16s(lengths.output_weights)?,
                }),
            },
        })
    }
}

/// What stands between the checksum and the parameters.
struct Header<'a> {
    architecture: Architecture,
    scale: i32,
    description: &'a [u8],
}

/// Reads and checks the header.
fn read_header<'a>(reader: &mut Reader<'a>, version: u32) -> Result<Header<'a>, FormatError> {
    let [input, head, output_buckets] = reader.array()?;
    let threats = match (version, input) {
        PIECES => None,
        SMALL_THREATS => Some(ThreatForm::Small),
        LARGE_THREATS => Some(ThreatForm::Large),
        _ => return Err(FormatError::Impossible("kind of input")),
    };
    let head = HeadKind::from_number(head).ok_or(FormatError::Impossible("kind of head"))?;
    let king_buckets =
        KingBuckets::new(reader.array()?).ok_or(FormatError::Impossible("king bucket table"))?;
    let width = usize::from(reader.u16()?);
    let hidden = (usize::from(reader.u16()?), usize::from(reader.u16()?));
    let scale = i32::from_le_bytes(reader.array()?);
    let output_buckets = usize::from(output_buckets);
    let architecture = Architecture { king_buckets, threats, width, head, output_buckets };
    architecture.check()?;
    check_scale(scale)?;
    if hidden != architecture.hidden() {
        return Err(FormatError::Impossible("widths of the hidden layers"));
    }
    let description_length = usize::from(reader.u16()?);
    if description_length > MAX_DESCRIPTION {
        return Err(FormatError::Impossible("description is too long"));
    }
    Ok(Header { architecture, scale, description: reader.bytes(description_length)? })
}
