//! The command as a whole, on any stream.

use std::fmt::Write as _;
use std::io::Read;

use serde_json::Value;

use super::*;

fn analysts(words: &[&str]) -> Vec<Box<dyn Analyst>> {
    #[derive(clap::Parser)]
    struct Cli {
        #[command(flatten)]
        args: AnalystArgs,
    }
    let args = <Cli as clap::Parser>::try_parse_from(["test"].iter().chain(words)).unwrap().args;
    args.analysts(&Limits::nodes(200), &Cancel::default()).unwrap()
}

fn run(words: &[&str], input: impl Read + Send, multipv: usize) -> (Vec<u8>, Summary) {
    let settings = Settings { limits: Limits::nodes(200), multipv, timing: false };
    let mut out = Vec::new();
    let summary = analyse(&mut analysts(words), input, &mut out, &settings).unwrap();
    (out, summary)
}

/// Positions of a walk through a game, in all three forms, with bad lines among them.
fn mixed_input(count: usize) -> String {
    let mut position = chess::Position::startpos();
    let mut text = String::new();
    let mut moves: Vec<String> = Vec::new();
    for index in 0..count {
        let legal = position.legal_moves();
        if legal.is_empty() || moves.len() > 100 {
            position = chess::Position::startpos();
            moves.clear();
            continue;
        }
        let mv = legal[(index * 7919) % legal.len()];
        moves.push(position.uci_move(mv, chess::CastlingNotation::KingTakesRook));
        position.play(mv);
        match index % 5 {
            0 => writeln!(text, "{position}"),
            1 => writeln!(text, "{position} id \"{index}\";"),
            2 => writeln!(text, "{}", serde_json::json!({"id": index, "moves": moves})),
            3 => writeln!(text, "no position at all"),
            _ => writeln!(text, "{}", serde_json::json!({"id": [index], "fen": position.to_string()})),
        }
        .unwrap();
    }
    text
}

#[test]
fn the_output_is_the_same_on_any_number_of_threads() {
    let input = mixed_input(300);
    let (one, summary) = run(&["--threads", "1"], input.as_bytes(), 2);
    let (three, _) = run(&["--threads", "3"], input.as_bytes(), 2);
    assert!(one == three);
    assert!(summary.searched > 200 && summary.errors > 50, "{summary}");

    let text = String::from_utf8(one).unwrap();
    assert_eq!(text.lines().count(), input.lines().count());
    for (index, line) in text.lines().enumerate() {
        let object: Value = serde_json::from_str(line).unwrap();
        assert_eq!(object["line"], index as u64 + 1);
        if object.get("error").is_some() {
            continue;
        }
        let position = chess::Position::from_fen(object["fen"].as_str().unwrap()).unwrap();
        let lines = object["lines"].as_array().unwrap();
        assert_eq!(lines.len(), position.legal_moves().len().clamp(1, 2));
        for line in lines {
            let mut position = position;
            let pairs = line["uci"].as_array().unwrap().iter().zip(line["san"].as_array().unwrap());
            for (uci, san) in pairs {
                let mv = position.parse_uci_move(uci.as_str().unwrap()).unwrap();
                assert_eq!(position.san(mv), san.as_str().unwrap());
                position.play(mv);
            }
        }
    }
}

#[test]
fn the_store_gives_the_same_output_and_says_so() {
    let folder = crate::test_folder("analyse-store");
    let file = folder.join("analyses.sqlite");
    let words = ["--threads", "2", "--store", file.to_str().unwrap()];
    let input = mixed_input(100);
    let (fresh, _) = run(&["--threads", "2"], input.as_bytes(), 1);
    let (first, _) = run(&words, input.as_bytes(), 1);
    let (second, summary) = run(&words, input.as_bytes(), 1);
    assert!(fresh == first && first == second);
    assert_eq!(summary.searched, 0, "{summary}");
    assert!(summary.from_store > 50, "{summary}");
    // More than before has to be searched.
    let (_, summary) = run(&words, input.as_bytes(), 2);
    assert!(summary.searched > 50, "{summary}");
}

/// Any bytes, with every position, object and separator that could lead further into the parsers.
struct Rubbish {
    state: u64,
    left: usize,
}

impl Read for Rubbish {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        const PIECES: [&str; 14] = [
            "\n",
            "\n",
            "{\"fen\":\"",
            "\",\"moves\":[\"e2e4\"]}",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            " w ",
            "KQkq",
            " - ",
            "0 1",
            "id \"x\";",
            "\u{e9}",
            "[[[[",
            "4k3/8/8/8/8/8/8/4K2R w K - 0 1\n",
            "99999999999",
        ];
        let mut filled = 0;
        while filled < buffer.len().min(self.left) {
            self.state =
                self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let bits = (self.state >> 33) as usize;
            let byte = [bits as u8];
            let piece = PIECES.get(bits / 256 % 20).map_or(&byte[..], |text| text.as_bytes());
            let length = piece.len().min(buffer.len() - filled);
            buffer[filled..filled + length].copy_from_slice(&piece[..length]);
            filled += length;
        }
        self.left = self.left.saturating_sub(filled);
        Ok(filled)
    }
}

#[test]
fn no_stream_ends_it() {
    for seed in 0..4 {
        let mut text = Vec::new();
        Rubbish { state: seed, left: 300_000 }.read_to_end(&mut text).unwrap();
        let (out, summary) = run(&["--threads", "2"], text.as_slice(), 1);
        let lines = text.split_inclusive(|&byte| byte == b'\n').count();
        let answers = out.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        let mut count = 0;
        for answer in answers {
            serde_json::from_slice::<Value>(answer).unwrap();
            count += 1;
        }
        assert_eq!(count, lines);
        assert!(summary.errors > 0 && summary.searched > 0, "{summary}");
    }
}

#[test]
fn a_stream_that_fails_is_told_after_what_came_before() {
    struct Fails;
    impl Read for Fails {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("unplugged"))
        }
    }
    let settings = Settings { limits: Limits::nodes(10), multipv: 1, timing: false };
    let mut out = Vec::new();
    let input = "4k3/8/8/8/8/8/8/4K2R w K - 0 1\n".as_bytes().chain(Fails);
    let error = analyse(&mut analysts(&["--threads", "1"]), input, &mut out, &settings).unwrap_err();
    assert_eq!(error.to_string(), "unplugged");
    assert_eq!(out.iter().filter(|&&byte| byte == b'\n').count(), 1);
}
