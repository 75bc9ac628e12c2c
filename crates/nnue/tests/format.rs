//! Damaged networks are refused with the reason, whatever the damage.

use nnue::{Architecture, FormatError, Head, HeadKind, KingBuckets, Network, Parameters, ThreatForm};

const HEADS: [HeadKind; 2] = [HeadKind::Direct, HeadKind::Pairwise];

/// Where the header's fields stand, as the format's documentation says.
const VERSION: usize = 8;
const INPUT_KIND: usize = 20;
const HEAD_KIND: usize = 21;
const OUTPUT_BUCKETS: usize = 22;
const KING_TABLE: usize = 23;
const WIDTH: usize = 55;
const HIDDEN: usize = 57;
const SCALE: usize = 61;
const DESCRIPTION_LENGTH: usize = 65;
const DESCRIPTION: usize = 67;

fn parameters(head: HeadKind) -> Parameters {
    of(head, None)
}

fn of(head: HeadKind, threats: Option<ThreatForm>) -> Parameters {
    let king_buckets = KingBuckets::SINGLE;
    let architecture = Architecture { king_buckets, threats, width: 128, head, output_buckets: 2 };
    Parameters::random(architecture, 1).expect("the architecture is possible")
}

fn file(head: HeadKind) -> Vec<u8> {
    parameters(head).to_bytes().expect("the parameters are in range")
}

fn file_with_threats(form: ThreatForm) -> Vec<u8> {
    of(HeadKind::Pairwise, Some(form)).to_bytes().expect("the parameters are in range")
}

fn error(bytes: &[u8]) -> FormatError {
    match Network::from_bytes(bytes) {
        Ok(_) => panic!("a damaged network was accepted"),
        Err(error) => error,
    }
}

#[test]
fn what_was_written_is_read() {
    for head in HEADS {
        for (threats, version) in [(None, 1), (Some(ThreatForm::Small), 2), (Some(ThreatForm::Large), 3)] {
            let bytes = of(head, threats).to_bytes().expect("the parameters are in range");
            assert_eq!(Parameters::from_bytes(&bytes).as_ref(), Ok(&of(head, threats)));
            assert_eq!(Network::from_bytes(&bytes).expect("undamaged").to_bytes(), bytes);
            assert_eq!(bytes[VERSION], version, "older programs read what they understand");
        }
    }
}

#[test]
fn every_truncation_is_found() {
    for head in HEADS {
        let bytes = file(head);
        for length in 0..bytes.len() {
            match error(&bytes[..length]) {
                FormatError::Truncated { expected, found } => {
                    assert_eq!(found, length);
                    assert!(expected > length && expected <= bytes.len());
                }
                other => panic!("{other} at {length}"),
            }
        }
    }
}

#[test]
fn trailing_bytes_are_counted() {
    let mut bytes = file(HeadKind::Direct);
    bytes.extend([0; 3]);
    assert_eq!(error(&bytes), FormatError::TrailingBytes(3));
}

#[test]
fn flipped_bits_are_found() {
    for head in HEADS {
        let mut bytes = file(head);
        // Every bit of the header, then one bit in every 97 bytes: the checksum costs a pass for each.
        let places = (0..DESCRIPTION * 8).chain((DESCRIPTION * 8..bytes.len() * 8).step_by(97 * 8 + 1));
        for bit in places.collect::<Vec<_>>() {
            bytes[bit / 8] ^= 1 << (bit % 8);
            error(&bytes);
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
    }
}

#[test]
fn each_reason_has_its_error() {
    let good = file(HeadKind::Pairwise);
    let with = |place: usize, content: &[u8]| {
        let mut bytes = good.clone();
        bytes[place..place + content.len()].copy_from_slice(content);
        error(&bytes)
    };
    assert_eq!(with(0, b"NotAFish"), FormatError::BadMagic);
    assert_eq!(with(VERSION, &[4]), FormatError::UnsupportedVersion(4));
    assert_eq!(with(VERSION, &[2]), FormatError::Impossible("kind of input"));
    assert_eq!(with(good.len() - 1, &[99]), FormatError::Checksum);
    assert_eq!(with(INPUT_KIND, &[1]), FormatError::Impossible("kind of input"));
    assert_eq!(with(HEAD_KIND, &[2]), FormatError::Impossible("kind of head"));
    assert_eq!(with(OUTPUT_BUCKETS, &[0]), FormatError::Impossible("number of output buckets"));
    assert_eq!(with(OUTPUT_BUCKETS, &[33]), FormatError::Impossible("number of output buckets"));
    assert_eq!(with(KING_TABLE, &[2]), FormatError::Impossible("king bucket table"));
    assert_eq!(with(KING_TABLE, &[255]), FormatError::Impossible("king bucket table"));
    assert_eq!(with(WIDTH, &[0, 0]), FormatError::Impossible("width"));
    assert_eq!(with(WIDTH, &[1, 1]), FormatError::Impossible("width"));
    assert_eq!(with(WIDTH, &[0x80, 0xff]), FormatError::Impossible("width"));
    assert_eq!(with(HIDDEN, &[0, 0]), FormatError::Impossible("widths of the hidden layers"));
    assert_eq!(with(SCALE, &[0, 0]), FormatError::Impossible("network scale"));
    assert_eq!(with(SCALE, &[0xff; 4]), FormatError::Impossible("network scale"));
    assert_eq!(with(DESCRIPTION_LENGTH, &[1, 4]), FormatError::Impossible("description is too long"));
    assert_eq!(with(DESCRIPTION, &[0xff]), FormatError::Checksum);
}

#[test]
fn damaged_threats_are_found() {
    for good in ThreatForm::ALL.map(file_with_threats) {
        for length in [0, 20, DESCRIPTION, good.len() / 2, good.len() - 1] {
            assert!(matches!(error(&good[..length]), FormatError::Truncated { .. }), "{length}");
        }
        for place in [VERSION, INPUT_KIND, good.len() / 2] {
            let mut bytes = good.clone();
            bytes[place] ^= 1;
            error(&bytes);
        }
    }
    let mut out_of_range = of(HeadKind::Pairwise, Some(ThreatForm::Small));
    out_of_range.threat_weights[7] = -128;
    assert_eq!(out_of_range.to_bytes(), Err(FormatError::OutOfRange("threat weight")));
    let mut short = of(HeadKind::Pairwise, Some(ThreatForm::Large));
    short.threat_weights = short.threat_weights[1..].into();
    assert_eq!(short.check(), Err(FormatError::Impossible("number of threat weights")));
}

#[test]
fn sizes_beyond_the_file_are_not_allocated() {
    let mut bytes = file(HeadKind::Direct);
    bytes[OUTPUT_BUCKETS] = 32;
    for (place, bucket) in (0..32).enumerate() {
        bytes[KING_TABLE + place] = bucket;
    }
    bytes[WIDTH..WIDTH + 2].copy_from_slice(&4096u16.to_le_bytes());
    let FormatError::Truncated { expected, found } = error(&bytes) else {
        panic!("the sizes of the header exceed the file");
    };
    assert_eq!(found, bytes.len());
    assert!(expected > 32 * 768 * 4096 * 2);
}

#[test]
fn parameters_out_of_range_are_refused() {
    let mut direct = parameters(HeadKind::Direct);
    let Head::Direct(head) = &mut direct.head else { unreachable!() };
    head.weights[7] = 128;
    assert_eq!(direct.to_bytes(), Err(FormatError::OutOfRange("output weight")));

    let mut pairwise = parameters(HeadKind::Pairwise);
    let Head::Pairwise(head) = &mut pairwise.head else { unreachable!() };
    head.first_weights[7] = -128;
    assert_eq!(pairwise.check(), Err(FormatError::OutOfRange("first weight")));

    let mut short = parameters(HeadKind::Direct);
    short.transformer_weights = short.transformer_weights[1..].into();
    assert_eq!(short.check(), Err(FormatError::Impossible("number of transformer weights")));
    assert!(Network::new(short).is_err());

    let mut other = parameters(HeadKind::Direct);
    other.architecture.head = HeadKind::Pairwise;
    assert_eq!(other.check(), Err(FormatError::Impossible("kind of head")));

    let mut chatty = parameters(HeadKind::Direct);
    chatty.description = "x".repeat(1025);
    assert_eq!(chatty.check(), Err(FormatError::Impossible("description is too long")));
}

#[test]
fn errors_speak_in_lower_case_with_their_numbers() {
    assert_eq!(FormatError::UnsupportedVersion(9).to_string(), "unsupported network version 9");
    assert_eq!(
        FormatError::Truncated { expected: 10, found: 4 }.to_string(),
        "truncated network: 10 bytes expected, 4 found"
    );
}
