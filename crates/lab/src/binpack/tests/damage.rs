//! Damaged files: whatever is in them, the result is positions or an error with its place, never a panic.

use std::io::Cursor;

use chess::{Color, Position, SetupError, Square};
use rng::Random;

use super::super::fault::Fault;
use super::super::{ChunkReader, Chunks, Damage, Encoder, Entry, HEADER, ReadError, chunk_places, header};
use super::random_games::games;

/// A chunk with its header.
fn chunk(bytes: &[u8]) -> Vec<u8> {
    [&header(bytes.len()).expect("a small chunk"), bytes].concat()
}

/// Two chunks of some games.
fn small_file() -> Vec<u8> {
    let mut file = Vec::new();
    for games in games(8, 40, 4).chunks(4) {
        let mut encoder = Encoder::default();
        for game in games {
            encoder.begin(&game[0]).expect("standard chess");
            for entry in &game[1..] {
                encoder.extend(&entry.position, entry.mv.expect("a move"), entry.score).expect("legal");
            }
        }
        file.extend(chunk(encoder.bytes()));
    }
    file
}

/// Reads to the end or to the first error; every position is asked what readers ask.
fn read(file: &[u8]) -> Result<u64, ReadError> {
    let mut positions = 0;
    let mut chunks = Chunks::new(Cursor::new(file), 0);
    while let Some((first, bytes)) = chunks.next()? {
        let mut reader = ChunkReader::new(bytes, first);
        while let Some((entry, _)) = reader.next()? {
            assert!(entry.mv.is_none_or(|mv| entry.position.is_legal(mv)));
            assert!(Position::from_fen(&entry.position.to_string()).is_ok_and(|again| {
                again.key() == entry.position.key() && again.checkers() == entry.position.checkers()
            }));
            positions += 1;
        }
    }
    Ok(positions)
}

fn damage(file: &[u8]) -> Damage {
    match read(file) {
        Err(ReadError::Damaged(damage)) => damage,
        other => panic!("damage was expected, not {other:?}"),
    }
}

/// A place must be one of the file.
fn check_place(damage: &Damage, file: &[u8]) {
    assert!(damage.chunk <= file.len() as u64);
    if let Some((_, byte)) = damage.position {
        assert!((damage.chunk + HEADER as u64..=file.len() as u64).contains(&byte), "{damage}");
    }
}

#[test]
fn every_truncation_is_noticed() {
    let file = small_file();
    let places = chunk_places(Cursor::new(&file)).expect("undamaged");
    assert_eq!(places.len(), 2);
    for length in 0..file.len() {
        let cut = &file[..length];
        let whole = length == 0 || places.iter().any(|place| place.end == length as u64);
        assert_eq!(read(cut).is_ok(), whole, "{length} bytes");
        assert_eq!(chunk_places(Cursor::new(cut)).is_ok(), whole, "{length} bytes");
        if !whole {
            check_place(&damage(cut), cut);
        }
    }
}

#[test]
fn every_truncation_of_a_chunk_is_noticed() {
    let games = games(1, 60, 5);
    let mut encoder = Encoder::default();
    encoder.begin(&games[0][0]).expect("standard chess");
    for entry in &games[0][1..] {
        encoder.extend(&entry.position, entry.mv.expect("a move"), entry.score).expect("legal");
    }
    for length in 1..encoder.bytes().len() {
        let file = chunk(&encoder.bytes()[..length]);
        let damage = damage(&file);
        assert!(matches!(damage.fault, Fault::StemCutOff(_) | Fault::TextCutOff), "{length}: {damage}");
        check_place(&damage, &file);
    }
    // Bytes behind the last game.
    let file = chunk(&[encoder.bytes(), &[0; 3]].concat());
    assert_eq!(damage(&file).fault, Fault::StemCutOff(3));
}

#[test]
fn flipped_bits_never_panic() {
    let file = small_file();
    let mut random = Random::new(6);
    let mut refused = 0;
    for round in 0..6000 {
        let mut bytes = file.clone();
        for _ in 0..1 + round % 4 {
            let bit = random.below(8 * bytes.len());
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
        match read(&bytes) {
            Ok(_) => {}
            Err(ReadError::Damaged(damage)) => {
                check_place(&damage, &bytes);
                refused += 1;
            }
            Err(ReadError::Io(error)) => panic!("{error}"),
        }
        let _ = chunk_places(Cursor::new(&bytes));
    }
    assert!(refused > 3000, "most damage is noticed: {refused}");
}

#[test]
fn random_bytes_never_panic() {
    let mut random = Random::new(7);
    for _ in 0..20_000 {
        let bytes: Vec<u8> = (0..random.below(200)).map(|_| random.below(256) as u8).collect();
        let _ = read(&bytes);
        let _ = read(&chunk(&bytes));
    }
}

/// A chain of a position after which more follow, with this move text.
fn chain(fen: &str, mv: &str, count: u16, text: &[u8]) -> Vec<u8> {
    let position = Position::from_fen(fen).expect("a FEN");
    let mv = Some(position.parse_uci_move(mv).expect("a legal move"));
    let mut encoder = Encoder::default();
    encoder.begin(&Entry { position, mv, score: 5, ply: 16_000, result: 0 }).expect("standard chess");
    let mut bytes = encoder.bytes().to_vec();
    bytes[32..34].copy_from_slice(&count.to_be_bytes());
    bytes.extend(text);
    chunk(&bytes)
}

#[test]
fn faults_of_headers_are_told() {
    let fault = |file: &[u8]| damage(file).fault;
    assert_eq!(fault(b"BINP\0\0"), Fault::HeaderCutOff(6));
    assert_eq!(fault(b"BINQ\0\0\0\0"), Fault::NoChunk);
    assert_eq!(fault(b"BINP\0\0\0\x40"), Fault::ChunkTooLarge(1 << 30));
    assert_eq!(fault(b"BINP\x09\0\0\0abc"), Fault::ChunkCutOff { told: 9, there: 3 });
    assert!(matches!(read(b"BINP\0\0\0\0"), Ok(0)), "an empty chunk is one");
    let file = [&chunk(&[]), &b"BIN"[..]].concat();
    assert_eq!(damage(&file).to_string(), "chunk at byte 8: the file ends after 3 bytes of a chunk's header");
}

#[test]
fn faults_of_stems_are_told() {
    // a1 is the first man: the white rook that may castle, code 13.
    let sound = chain("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1e2", 0, &[]);
    assert!(matches!(read(&sound), Ok(1)));
    let fault = |changes: &[(usize, u8)]| {
        let mut bytes = sound.clone();
        changes.iter().for_each(|&(place, value)| bytes[HEADER + place] = value);
        damage(&bytes).fault
    };
    assert_eq!(sound[HEADER + 8..HEADER + 11], [0xad, 0xed, 0xeb]);
    assert_eq!(fault(&[(8, 0x6d)]), Fault::Men(SetupError::Kings(Color::White, 0)));
    assert_eq!(fault(&[(8, 0xaa)]), Fault::Men(SetupError::Kings(Color::White, 2)));
    assert_eq!(fault(&[(8, 0xa0)]), Fault::Men(SetupError::PawnOn(Square::A1)));
    assert_eq!(fault(&[(8, 0xac)]), Fault::EnPassantPawn(Square::A1));
    assert_eq!(fault(&[(8, 0xae)]), Fault::CastlingRook(Square::A1), "a black one");
    assert_eq!(fault(&[(0, 0xff), (1, 0xff), (2, 0xff), (3, 0xff)]), Fault::Men(SetupError::TooManyMen(35)));
    assert_eq!(fault(&[(28, 0xc0)]), Fault::Result);
    assert_eq!(fault(&[(30, 0xff)]), Fault::Clock(0xff00));
    // e1e2, as another type, with a new piece, and by a man that is not there.
    assert_eq!(fault(&[(24, 0x84)]), Fault::Move(0x8430));
    assert_eq!(fault(&[(25, 0x31)]), Fault::Move(0x0431));
    assert_eq!(fault(&[(24, 0x05)]), Fault::Move(0x0530));
    assert_eq!(fault(&[(24, 0), (25, 0), (33, 1)]), Fault::NoMove);
    let text = damage(&chunk(&[0; 40])).to_string();
    assert_eq!(text, "chunk at byte 0, position 1 at byte 8: White has no king");
    // A black king too near: White is to move and could take it.
    let check = chain("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", 0, &[]);
    let mut bytes = check.clone();
    bytes[HEADER] = 0;
    bytes[HEADER + 7] |= 1 << 2;
    bytes[HEADER + 8] = 0xb6;
    bytes[HEADER + 9] = 0x0a;
    assert_eq!(damage(&bytes).fault, Fault::Men(SetupError::OpponentInCheck(Color::Black)));
    // Only the pawn of the side that is not to move has just come.
    let passed = chain("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "d4e3", 0, &[]);
    assert!(matches!(read(&passed), Ok(1)));
    let mut bytes = passed;
    bytes[HEADER + 8 + 1] = 0xbc;
    assert_eq!(damage(&bytes).fault, Fault::EnPassantPawn(Square::E4), "White is to move");
}

#[test]
fn faults_of_move_text_are_told() {
    let kings = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
    // Black has one man and the king five moves, numbered with three bits; then the score.
    let fault = |text: &[u8]| damage(&chain(kings, "a1a2", 1, text)).fault;
    assert!(matches!(read(&chain(kings, "a1a2", 1, &[0b0000_0000])), Ok(2)));
    assert_eq!(fault(&[0b1010_0000]), Fault::MoveNumber { from: Square::E8, number: 5, of: 5 });
    assert_eq!(fault(&[]), Fault::TextCutOff);
    assert_eq!(fault(&[0b0001_0000]), Fault::TextCutOff);
    assert_eq!(fault(&[0xff >> 3, 0xff, 0xff]), Fault::Score);
    let check = |text| damage(&chain(kings, "a1a8", 1, text)).fault;
    assert_eq!(check(&[0b0110_0000]), Fault::IllegalMove(Square::E8, Square::D8));
    // White has three men, so that there is no fourth.
    let black = "4k3/8/8/8/8/8/P7/R3K3 b - - 0 1";
    let number = damage(&chain(black, "e8e7", 1, &[0b1100_0000, 0]));
    assert_eq!(number.fault, Fault::ManNumber { number: 3, of: 3 });
    assert_eq!(number.to_string(), "chunk at byte 0, position 2 at byte 42: man number 3 of 3 moves");
}

#[test]
fn plies_have_sixteen_bits() {
    // Kings that go to and fro: e8e7 and e1e2 are numbers 1 and 3 of five, e7e8 and e2e1 6 and 1 of eight.
    let position = Position::from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1").expect("a FEN");
    let mut encoder = Encoder::default();
    let cycle = ["e1e2", "e8e7", "e2e1", "e7e8"];
    let mut now = position;
    for number in 0..u16::MAX {
        let mv = now.parse_uci_move(cycle[usize::from(number % 4)]).expect("a legal move");
        let entry = Entry { position: now, mv: Some(mv), score: 0, ply: 0x3fff, result: 0 };
        if number == 0 {
            encoder.begin(&entry).expect("standard chess");
        } else {
            encoder.extend(&now, mv, 0).expect("legal");
        }
        now.play(mv);
    }
    let file = chunk(encoder.bytes());
    assert_eq!(damage(&file).fault, Fault::Ply);
}

#[test]
fn rights_of_chess960_are_followed_but_not_used() {
    // The king stands on d1, yet the rook on a1 is one that may castle: data of Chess960 have that.
    let mut file = chain("3k4/8/8/8/8/8/8/R2K4 w - - 0 1", "a1b1", 0, &[]);
    assert_eq!(file[HEADER + 8], 0xa6);
    file[HEADER + 8] = 0xad;
    assert!(matches!(read(&file), Ok(1)));
    // After d1e2 and d8e8 the king has eight moves and the right that it never lost: four bits.
    let mut bytes = file[HEADER..].to_vec();
    let code = 3u16 << 8 | 12 << 2;
    bytes[24..26].copy_from_slice(&code.to_be_bytes());
    bytes[33] = 2;
    let text = |king: u8| [0b0100_0000, 0b1000_0000 | king << 3, 0];
    let with = |king| chunk(&[&bytes[..], &text(king)].concat());
    assert!(matches!(read(&with(7)), Ok(3)));
    assert_eq!(damage(&with(8)).fault, Fault::IllegalMove(Square::E1, Square::A1));
}
