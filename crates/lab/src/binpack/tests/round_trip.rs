//! What is written is read, by us and by `sfbinpack`, and both write the same bytes.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use sfbinpack::{CompressedTrainingDataEntryReader, CompressedTrainingDataEntryWriter};

use super::super::{BinpackError, Encoder, Entry, Reader, Unwritable, Writer};
use super::other::{other_entry, same};
use super::random_games::games;
use crate::folder::Folder;

/// The file of these games.
pub(super) fn file_of(games: &[Vec<Entry>], path: &Path) -> Vec<u8> {
    let mut writer = Writer::create(path).expect("a temporary file");
    for entry in games.iter().flatten() {
        writer.write(entry).expect("written");
    }
    writer.finish().expect("written");
    fs::read(path).expect("written above")
}

fn other_file_of(games: &[Vec<Entry>]) -> Vec<u8> {
    let mut writer = CompressedTrainingDataEntryWriter::new_in_memory().expect("memory is there");
    for entry in games.iter().flatten() {
        writer.write_entry(&other_entry(entry)).expect("memory is there");
    }
    writer.into_bytes().expect("memory is there")
}

fn texts(path: &Path) -> Vec<(String, bool)> {
    let mut texts = Vec::new();
    let read = Reader::open(path)
        .and_then(|mut reader| reader.for_each(|entry, begins| texts.push((entry.to_string(), begins))));
    read.expect("undamaged");
    texts
}

#[test]
fn random_games_come_back_and_both_implementations_agree() {
    let folder = Folder::new("binpack-round-trip");
    let path = folder.file("games.binpack");
    let games = games(3000, 150, 1);
    let kinds: BTreeSet<String> =
        games.iter().flatten().filter_map(|entry| Some(format!("{:?}", entry.mv?.kind()))).collect();
    assert_eq!(kinds.len(), 13, "every kind of move: {kinds:?}");

    let bytes = file_of(&games, &path);
    assert!(bytes == other_file_of(&games), "the bytes are those of sfbinpack");
    assert!(bytes.windows(4).filter(|word| word == b"BINP").count() == 1);

    let expected: Vec<(String, bool)> = games
        .iter()
        .flat_map(|game| game.iter().enumerate().map(|(number, entry)| (entry.to_string(), number == 0)))
        .collect();
    assert_eq!(texts(&path), expected);

    let mut other = CompressedTrainingDataEntryReader::from_bytes(bytes).expect("undamaged");
    let read = Reader::open(&path).and_then(|mut reader| {
        reader.for_each(|entry, _| {
            assert!(other.has_next());
            let theirs = other.next();
            assert!(same(entry, &theirs), "{entry} and {theirs}");
        })
    });
    read.expect("undamaged");
    assert!(!other.has_next());
}

#[test]
fn large_files_are_divided_into_the_same_chunks() {
    let folder = Folder::new("binpack-chunks");
    let games = games(8000, 300, 2);
    let bytes = file_of(&games, &folder.file("games.binpack"));
    assert!(bytes == other_file_of(&games));
    let places = super::super::chunk_places(std::io::Cursor::new(&bytes)).expect("undamaged");
    assert!(places.len() > 2, "{} chunks in {} bytes", places.len(), bytes.len());
}

#[test]
fn a_game_without_a_last_move_and_one_of_a_single_position() {
    let folder = Folder::new("binpack-ends");
    let path = folder.file("games.binpack");
    let mut games = games(20, 40, 3);
    for game in &mut games {
        if let Some(last) = game.last_mut() {
            last.mv = None;
        }
    }
    file_of(&games, &path);
    let expected: Vec<String> = games.iter().flatten().map(Entry::to_string).collect();
    assert_eq!(texts(&path).into_iter().map(|(text, _)| text).collect::<Vec<_>>(), expected);
}

#[test]
fn what_the_format_cannot_tell_is_refused() {
    let refused = |fen: &str, ply: u16| {
        let position = chess::Position::from_fen(fen).expect("a FEN");
        let entry = Entry { position, mv: None, score: 0, ply, result: 0 };
        Encoder::default().begin(&entry)
    };
    assert_eq!(refused("4k3/8/8/8/8/8/8/R2K4 w A - 0 1", 0), Err(Unwritable::Castling));
    assert_eq!(refused("4k3/8/8/8/8/8/8/R3K3 w A - 0 1", 0), Ok(()));
    assert_eq!(refused(chess::Position::START_FEN, 1 << 14), Err(Unwritable::Ply(1 << 14)));
    let path = Folder::new("binpack-none").file("none");
    assert!(matches!(Reader::open(&path), Err(BinpackError::File(..))));
    assert!(matches!(Writer::create(&path), Err(BinpackError::File(..))), "the folder is gone");
}
