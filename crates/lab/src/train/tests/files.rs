//! Reading from disk: every chain once, in an order that the seed decides, with the rule of its file.

use std::collections::BTreeMap;

use super::super::bench::{Shape, walks};
use super::super::data::{Data, Part, Preparation};
use super::super::games::Games;
use super::super::source::Source;
use super::super::stream::{Place, Stream};
use super::folder::PLAIN;
use super::scripted;
use crate::folder::Folder;
use crate::packed::NO_SCORE;

const WALK: Shape = Shape { lead: 30, positions: 20, siblings: 4 };

fn open(sources: &[String], preparation: Preparation) -> Data {
    let sources: Vec<Source> = sources.iter().map(|source| source.parse().expect("a source")).collect();
    Data::open(&sources, preparation).expect("written")
}

/// How often each chain with its labels occurs.
fn chains(games: &Games) -> BTreeMap<Vec<String>, usize> {
    let mut chains = BTreeMap::new();
    for game in 0..games.len() {
        let text = |(ply, step): (usize, &_)| format!("{:?} {step:?}", games.board_at(game, ply).0);
        let cut = |text: String| {
            text.split_once("first").map_or(String::new(), |(board, rest)| {
                format!("{board}{}", rest.split_once(',').map_or("", |(_, label)| label))
            })
        };
        let chain = games.steps_of(game).iter().enumerate().map(text).map(cut).collect();
        *chains.entry(chain).or_insert(0) += 1;
    }
    chains
}

#[test]
fn packed_positions_become_the_chains_that_were_written() {
    let folder = Folder::new("packed");
    // More than two blocks, whose borders cut chains.
    let walks = walks(4000, &WALK, 3);
    let path = folder.write("walks.packed", &walks);
    let data = open(&[path.display().to_string()], PLAIN);
    assert!(data.blocks() > 2, "{} blocks", data.blocks());
    let read = data.read_all().expect("undamaged");
    assert_eq!(read.len(), walks.len());
    for game in 0..walks.len() {
        for (ply, (step, written)) in read.steps_of(game).iter().zip(walks.steps_of(game)).enumerate() {
            assert_eq!(read.board_at(game, ply), walks.board_at(game, ply));
            assert_eq!((step.side(), step.counts()), (written.side(), written.counts()));
            assert_eq!(step.result(), written.result());
            assert_eq!(step.score, if written.counts() { written.score } else { NO_SCORE });
        }
    }
    assert!(read.steps().iter().any(|step| !step.counts()), "positions in check are among them");
}

#[test]
fn a_stream_brings_every_chain_once_an_epoch() {
    let folder = Folder::new("stream");
    let path = folder.write("walks.packed", &walks(4000, &WALK, 3));
    let games = folder.0.join("games.binpack");
    std::fs::write(&games, scripted::bytes()).expect("a temporary file");
    let data = open(&[path.display().to_string(), format!("quiet:{}", games.display())], PLAIN);
    let expected = chains(&data.read_all().expect("undamaged"));
    let epoch = |seed: u64, place: Place| {
        let stream = Stream::new(data.clone(), seed, place, 20_000);
        let (mut all, mut pools, mut rules) = (Games::default(), 0, [0; 2]);
        loop {
            let pool = stream.next().expect("without end").expect("undamaged");
            pools += 1;
            (0..pool.games.len()).for_each(|game| rules[pool.games.rule(game)] += 1);
            all.append(pool.games);
            if pool.next.epoch > place.epoch {
                assert_eq!(pool.share.1, 1.0);
                return (all, pools, rules);
            }
        }
    };
    let (first, pools, rules) = epoch(1, Place::default());
    assert!(pools > 1);
    assert_eq!(rules, [4000, 2]);
    assert_eq!(chains(&first), expected);
    let order = |games: &Games| games.steps().iter().map(|step| step.score).collect::<Vec<i16>>();
    assert_eq!(order(&first), order(&epoch(1, Place::default()).0));
    assert_ne!(order(&first), order(&epoch(2, Place::default()).0));
    let second = epoch(1, Place { epoch: 1, block: 0 }).0;
    assert_eq!(chains(&second), expected);
    assert_ne!(order(&first), order(&second));
}

#[test]
fn what_is_held_out_is_not_learned_from() {
    let folder = Folder::new("held-out");
    let path = [folder.write("walks.packed", &walks(4000, &WALK, 3)).display().to_string()];
    let part = |part| chains(&open(&path, Preparation { part, ..PLAIN }).read_all().expect("undamaged"));
    let (learn, validate, all) = (part(Part::Training(1)), part(Part::HeldOut(1)), part(Part::All));
    let mut both = learn.clone();
    for (chain, count) in &validate {
        *both.entry(chain.clone()).or_insert(0) += count;
    }
    assert_eq!(both, all);
    assert!((40..160).contains(&validate.len()), "{} of 4000", validate.len());
}

#[test]
fn damaged_files_are_named() {
    let folder = Folder::new("damage");
    let path = folder.write("walks.packed", &walks(3, &WALK, 3));
    let source = [path.display().to_string()];
    let mut bytes = std::fs::read(&path).expect("written above");
    bytes[32 * 30 + 8] = 0xff;
    std::fs::write(&path, &bytes).expect("writable");
    let error = open(&source, PLAIN).read_all().expect_err("a piece that is none").to_string();
    assert!(error.contains("walks.packed: record 30 is no chess position"), "{error}");
    std::fs::write(&path, &bytes[..100]).expect("writable");
    let source: Source = source[0].parse().expect("a source");
    let error = Data::open(&[source], PLAIN).expect_err("cut off").to_string();
    assert!(error.contains("100 bytes are no whole number"), "{error}");
}
