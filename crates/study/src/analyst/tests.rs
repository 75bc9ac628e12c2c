//! The analysts as their users know them.

use super::*;

fn args(words: &[&str]) -> AnalystArgs {
    #[derive(clap::Parser)]
    struct Cli {
        #[command(flatten)]
        args: AnalystArgs,
    }
    <Cli as clap::Parser>::try_parse_from(["test"].iter().chain(words)).unwrap().args
}

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap()
}

fn after(moves: &[&str]) -> Request {
    let mut request = Request::new(Position::startpos(), Limits::nodes(1000));
    request.moves = read_line(&request.start, moves.iter().copied());
    assert_eq!(request.moves.len(), moves.len());
    request
}

#[test]
fn the_same_request_gets_the_same_answer_from_any_analyst() {
    let limits = Limits::nodes(2000);
    let mut analysts = args(&["--threads", "2"]).analysts(&limits, &Cancel::default()).unwrap();
    let fen = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4";
    let mut mate = Request::new(position(fen), limits);
    mate.multipv = 3;
    let other = Request::new(position("8/8/4k3/8/2p5/8/B2K4/8 w - - 0 1"), limits);
    let first = analysts[0].analyse(&mate).unwrap();
    analysts[1].analyse(&other).unwrap();
    let second = analysts[1].analyse(&mate).unwrap();
    assert_eq!((&first.lines, first.nodes), (&second.lines, second.nodes));
    assert_eq!(first.lines.len(), 3);
    assert_eq!(first.best().score, Score::Mate(1));
    assert_eq!(mate.start.san(first.best().pv[0]), "Qxf7#");
    assert!(first.best().wdl.is_some() && first.best().depth > 0 && !first.from_store);
    assert!(first.by.engine.starts_with("Rufous") && first.by.network.ends_with(".nnue"));
}

#[test]
fn a_finished_game_is_told_without_a_search() {
    let mut analysts = args(&["--threads", "1"]).analysts(&Limits::nodes(1), &Cancel::default()).unwrap();
    for (fen, score) in [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", Score::Mate(0)),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Score::Centipawns(0)),
    ] {
        let analysis = analysts[0].analyse(&Request::new(position(fen), Limits::nodes(1000))).unwrap();
        assert_eq!((analysis.best().score, analysis.nodes), (score, 0));
        assert!(analysis.best().pv.is_empty());
    }
}

#[test]
fn a_cancelled_search_ends() {
    let cancel = Cancel::default();
    let mut analysts = args(&["--threads", "1"]).analysts(&Limits::default(), &cancel).unwrap();
    let canceller = cancel.clone();
    let thread = std::thread::spawn(move || canceller.cancel());
    let endless = Request::new(Position::startpos(), Limits::default());
    assert!(matches!(analysts[0].analyse(&endless), Err(Error::Cancelled)));
    thread.join().unwrap();
}

#[test]
fn options_are_checked() {
    let error = |words: &[&str]| {
        let made = args(words).analysts(&Limits::default(), &Cancel::default());
        made.err().unwrap().to_string()
    };
    assert_eq!(error(&["--option", "Wonder=1"]), "unknown option 'Wonder' ignored");
    assert!(error(&["--option", "UCI_Chess960=true"]).contains("has no effect here"));
    assert!(error(&["--engine", "no-such-program-here"]).contains("cannot start no-such-program-here"));
    assert_eq!(error(&["--engine", " "]), "--engine needs a program");
}

#[test]
fn a_key_tells_what_a_search_can_tell_apart() {
    let key = |request: &Request| request.reduced().key();
    // Transpositions.
    assert_eq!(key(&after(&["e2e4", "e7e5", "g1f3"])), key(&after(&["g1f3", "e7e5", "e2e4"])));
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 17";
    assert_eq!(key(&after(&["e2e4", "e7e5", "g1f3"])), key(&Request::new(position(fen), Limits::default())));
    // A repetition, and a clock that has run for long.
    let knights = ["g1f3", "g8f6", "f3g1", "f6g8"];
    assert_ne!(key(&after(&knights)), key(&after(&[])));
    let late = "8/8/4k3/8/2p5/8/B2K4/8 w - - 60 99";
    let early = "8/8/4k3/8/2p5/8/B2K4/8 w - - 0 1";
    assert_ne!(
        key(&Request::new(position(late), Limits::default())),
        key(&Request::new(position(early), Limits::default()))
    );
    // Only what came since the last capture or pawn move.
    let long = [&["e2e4", "e7e5"][..], &knights].concat();
    assert_eq!(after(&long).reduced().moves.len(), 4);
    assert_eq!(after(&long).reduced().position().key(), after(&long).position().key());
}

#[test]
fn lines_of_others_are_read_as_far_as_they_are_legal() {
    let start = Position::startpos();
    assert_eq!(read_line(&start, ["e2e4", "e7e5", "e4e5", "d7d6"]).len(), 2);
    assert_eq!(read_line(&start, []).len(), 0);
}
