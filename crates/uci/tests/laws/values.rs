//! Random values of every kind, with as much in their texts as the protocol can express.

use crate::random::{Random, RandomValues};
use uci::*;

/// The number of different commands.
pub(crate) const COMMANDS: usize = 22;

/// Words that mean something somewhere, and some that are merely odd.
const WORDS: [&str; 60] = [
    "uci",
    "debug",
    "on",
    "off",
    "isready",
    "setoption",
    "name",
    "value",
    "register",
    "later",
    "code",
    "ucinewgame",
    "position",
    "startpos",
    "fen",
    "moves",
    "go",
    "searchmoves",
    "ponder",
    "wtime",
    "depth",
    "mate",
    "infinite",
    "perft",
    "stop",
    "quit",
    "bench",
    "d",
    "genfens",
    "seed",
    "book",
    "None",
    "id",
    "author",
    "uciok",
    "bestmove",
    "(none)",
    "copyprotection",
    "checking",
    "ok",
    "error",
    "info",
    "score",
    "cp",
    "lowerbound",
    "wdl",
    "pv",
    "currline",
    "string",
    "option",
    "type",
    "spin",
    "combo",
    "default",
    "min",
    "var",
    "<empty>",
    "e2e4",
    "0000",
    "-17",
];

/// A word of any characters but blanks.
fn word(random: &mut Random) -> String {
    if random.chance(2) {
        return random.pick(&WORDS).to_owned();
    }
    let letters = ['a', 'B', '7', '-', '/', '"', '\\', ';', '#', 'é', '棋', '😀', '<'];
    (0..=random.below(6)).map(|_| random.pick(&letters)).collect()
}

/// One to four words of which none is forbidden, joined by single spaces.
fn words_but(random: &mut Random, forbidden: &[&str]) -> String {
    let mut words: Vec<String> = (0..=random.below(3)).map(|_| word(random)).collect();
    for word in &mut words {
        if forbidden.contains(&word.as_str()) {
            *word = "other".to_owned();
        }
    }
    words.join(" ")
}

/// A text as it may follow a keyword to the end of the line: inner blanks are kept, and it may be empty.
fn text(random: &mut Random) -> String {
    let words = random.list(4, word);
    words.join(random.pick(&[" ", "  ", "\u{a0} "])).trim().to_owned()
}

fn square_move(random: &mut Random) -> UciMove {
    if random.chance(20) {
        return UciMove::NULL;
    }
    let promotion = random.chance(8).then(|| random.pick(&['n', 'b', 'r', 'q']));
    UciMove::new(random.below(64) as u8, random.below(64) as u8, promotion).expect("on the board")
}

fn go(random: &mut Random) -> Go {
    Go {
        searchmoves: random.list(4, square_move),
        ponder: random.chance(2),
        wtime: random.maybe(Random::signed),
        btime: random.maybe(Random::signed),
        winc: random.maybe(Random::signed),
        binc: random.maybe(Random::signed),
        movestogo: random.maybe(Random::signed),
        depth: random.maybe(Random::number),
        nodes: random.maybe(Random::number),
        mate: random.maybe(Random::number),
        movetime: random.maybe(Random::signed),
        infinite: random.chance(2),
        perft: random.maybe(Random::number),
    }
}

fn position(random: &mut Random) -> Command {
    let start = match random.below(2) {
        0 => Start::Startpos,
        _ => Start::Fen(words_but(random, &["startpos", "moves"])),
    };
    Command::Position { start, moves: random.list(6, word) }
}

fn genfens(random: &mut Random) -> GenFens {
    let mut extra = random.list(3, word);
    if extra.first().is_some_and(|first| first == "seed" || first == "book") {
        extra.clear();
    }
    let book = random.maybe(word).filter(|book| book != "None");
    GenFens { count: random.number(), seed: random.number(), book, extra }
}

pub(crate) fn command(random: &mut Random) -> Command {
    match random.below(COMMANDS) {
        0 => Command::Uci,
        1 => Command::Debug(random.chance(2)),
        2 => Command::IsReady,
        3 => Command::SetOption { name: words_but(random, &["value"]), value: random.maybe(text) },
        4 if random.chance(4) => Command::Register(Register::Later),
        4 => Command::Register(Register::Now {
            name: random.maybe(|random| words_but(random, &["name", "code"])),
            code: random.maybe(|random| words_but(random, &["name", "code"])),
        }),
        5 => Command::UciNewGame,
        6 => position(random),
        7 => Command::Go(go(random)),
        8 => Command::Stop,
        9 => Command::PonderHit,
        10 => Command::Quit,
        11 => Command::Bench(random.list(5, word)),
        12 => Command::SpeedTest(random.list(5, word)),
        13 => Command::Board,
        14 => Command::Eval,
        15 => Command::Compiler,
        16 => Command::ExportNet(random.list(2, word)),
        17 => Command::Flip,
        18 => Command::Help,
        19 => Command::License,
        20 => Command::Doctor,
        _ => Command::GenFens(genfens(random)),
    }
}

fn score(random: &mut Random) -> Score {
    let number = random.signed();
    Score {
        value: if random.chance(2) { ScoreValue::Cp(number) } else { ScoreValue::Mate(number) },
        bound: random.maybe(|random| random.pick(&[Bound::Lower, Bound::Upper])),
        wdl: random.maybe(|random| Wdl {
            win: random.number(),
            draw: random.number(),
            loss: random.number(),
        }),
    }
}

fn info(random: &mut Random) -> Info {
    Info {
        depth: random.maybe(Random::number),
        seldepth: random.maybe(Random::number),
        multipv: random.maybe(Random::number),
        score: random.maybe(score),
        nodes: random.maybe(Random::number),
        nps: random.maybe(Random::number),
        hashfull: random.maybe(Random::number),
        tbhits: random.maybe(Random::number),
        sbhits: random.maybe(Random::number),
        cpuload: random.maybe(Random::number),
        time: random.maybe(Random::number),
        currmove: random.maybe(square_move),
        currmovenumber: random.maybe(Random::number),
        pv: random.list(5, square_move),
        refutation: random.list(5, square_move),
        currline: random.maybe(|random| CurrLine {
            cpu: random.maybe(Random::number),
            moves: random.list(5, square_move),
        }),
        string: random.maybe(text),
    }
}

fn option(random: &mut Random) -> OptionDeclaration {
    const KEYWORDS: [&str; 5] = ["default", "min", "max", "var", "<empty>"];
    let choice = |random: &mut Random| {
        if random.chance(8) { String::new() } else { words_but(random, &KEYWORDS) }
    };
    let kind = match random.below(5) {
        0 => OptionKind::Check { default: random.chance(2) },
        1 => OptionKind::Spin { default: random.signed(), min: random.signed(), max: random.signed() },
        2 => OptionKind::Combo { default: choice(random), choices: random.list(4, choice) },
        3 => OptionKind::Button,
        _ => OptionKind::String {
            default: Some(text(random)).filter(|text| text != "<empty>").unwrap_or_default(),
        },
    };
    OptionDeclaration { name: words_but(random, &["type"]), kind }
}

pub(crate) fn message(random: &mut Random) -> Message {
    let check = [Check::Checking, Check::Ok, Check::Error];
    match random.below(9) {
        0 => Message::IdName(text(random)),
        1 => Message::IdAuthor(text(random)),
        2 => Message::UciOk,
        3 => Message::ReadyOk,
        4 => Message::BestMove { best: random.maybe(square_move), ponder: random.maybe(square_move) },
        5 => Message::CopyProtection(random.pick(&check)),
        6 => Message::Registration(random.pick(&check)),
        7 => Message::from(info(random)),
        _ => Message::Option(option(random)),
    }
}

/// Bytes that no sane partner sends: words in any order, a good line with some bytes changed, nothing but noise, or
/// seldom all of that repeated to a very long line.
pub(crate) fn rubbish(random: &mut Random, good: impl Fn(&mut Random) -> String) -> Vec<u8> {
    const BLANKS: [&str; 6] = [" ", "  ", "\t", "\0", "\r\n", "\u{feff}"];
    if random.chance(5_000) {
        let part = rubbish(random, good);
        return part.repeat(random.below(200));
    }
    match random.below(3) {
        0 => random.list(12, |random| word(random) + random.pick(&BLANKS)).concat().into_bytes(),
        1 => {
            let mut bytes = good(random).into_bytes();
            for _ in 0..=random.below(4) {
                let at = random.below(bytes.len().max(1));
                match random.below(4) {
                    0 => bytes.insert(at, random.bits() as u8),
                    1 if !bytes.is_empty() => drop(bytes.remove(at)),
                    2 => bytes.truncate(at),
                    _ => bytes.extend_from_within(at.min(bytes.len())..),
                }
            }
            bytes
        }
        _ => random.list(60, |random| random.bits() as u8),
    }
}
