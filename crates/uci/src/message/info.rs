//! `info` with all its fields: what a search found so far.

use std::fmt;

use super::score::{Parts, Score};
use crate::moves::UciMove;
use crate::tokens::{Words, unsigned, write_moves, write_text};

/// A report of the search; each field is printed where it is there. The order of printing is the order of the fields,
/// which every client knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Depth in plies.
    pub depth: Option<u64>,
    /// Selective depth in plies; goes with a depth.
    pub seldepth: Option<u64>,
    /// The rank of this line among the best ones, from 1.
    pub multipv: Option<u64>,
    /// The value of the line.
    pub score: Option<Score>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// Thousandths of the hash table in use.
    pub hashfull: Option<u64>,
    /// Positions found in endgame tablebases.
    pub tbhits: Option<u64>,
    /// Positions found in Shredder's endgame databases.
    pub sbhits: Option<u64>,
    /// Thousandths of the processor in use.
    pub cpuload: Option<u64>,
    /// Milliseconds searched.
    pub time: Option<u64>,
    /// The root move that is being searched.
    pub currmove: Option<UciMove>,
    /// Its number, from 1.
    pub currmovenumber: Option<u64>,
    /// The best line; absent where empty.
    pub pv: Vec<UciMove>,
    /// A root move and the line that refutes it; absent where empty.
    pub refutation: Vec<UciMove>,
    /// The line that is being searched.
    pub currline: Option<CurrLine>,
    /// Any text for the user.
    pub string: Option<String>,
}

/// The line that one processor is searching.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CurrLine {
    /// The number of the processor, from 1; engines that use only one may leave it out.
    pub cpu: Option<u64>,
    /// The moves of the line.
    pub moves: Vec<UciMove>,
}

/// A field that holds a number: how to read it back, and where to put it.
type Number = (&'static str, fn(&Info) -> Option<u64>, fn(&mut Info) -> &mut Option<u64>);

/// A line of the tables: the keyword is the name of the field.
macro_rules! number {
    ($field:ident) => {
        (stringify!($field), |info| info.$field, |info| &mut info.$field)
    };
}

/// The numbers printed before the score.
const BEFORE_SCORE: [Number; 3] = [number!(depth), number!(seldepth), number!(multipv)];

/// The numbers printed after the score.
const AFTER_SCORE: [Number; 7] = [
    number!(nodes),
    number!(nps),
    number!(hashfull),
    number!(tbhits),
    number!(sbhits),
    number!(cpuload),
    number!(time),
];

/// The number printed behind the current move.
const MOVE_NUMBER: Number = number!(currmovenumber);

fn find_number(word: &str) -> Option<&'static Number> {
    const MOVE_NUMBERS: [Number; 1] = [MOVE_NUMBER];
    BEFORE_SCORE.iter().chain(&AFTER_SCORE).chain(&MOVE_NUMBERS).find(|(keyword, ..)| *keyword == word)
}

impl Info {
    /// A report that is only a text for the user.
    pub fn text(text: impl Into<String>) -> Self {
        Self { string: Some(text.into()), ..Self::default() }
    }

    /// Reads what follows `info`. A list of moves ends at the first word that is none; a number that is missing or
    /// bad leaves its field as it was.
    pub(super) fn parse(mut words: Words<'_>) -> Self {
        let mut info = Self::default();
        let mut score = Parts::default();
        while let Some(word) = words.next() {
            if let Some((_, _, field)) = find_number(word) {
                let field = field(&mut info);
                *field = words.next_as(unsigned).or(*field);
                continue;
            }
            match word {
                "currmove" => info.currmove = words.next_as(UciMove::read).or(info.currmove),
                "pv" => info.pv = words.all_as(UciMove::read),
                "refutation" => info.refutation = words.all_as(UciMove::read),
                "currline" => {
                    let cpu = words.next_as(cpu_number);
                    info.currline = Some(CurrLine { cpu, moves: words.all_as(UciMove::read) });
                }
                "string" => {
                    info.string = Some(words.rest().to_owned());
                    break;
                }
                _ => {
                    score.read(word, &mut words);
                }
            }
        }
        info.score = score.finish();
        info
    }
}

/// The number of a processor. `0000` is the null move that begins a line.
fn cpu_number(word: &str) -> Option<u64> {
    if UciMove::read(word).is_some() { None } else { unsigned(word) }
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers = |f: &mut fmt::Formatter<'_>, table: &[Number]| {
            let mut present = table.iter().filter_map(|(keyword, get, _)| Some((keyword, get(self)?)));
            present.try_for_each(|(keyword, number)| write!(f, " {keyword} {number}"))
        };
        let moves = |f: &mut fmt::Formatter<'_>, keyword: &str, moves: &[UciMove]| {
            if moves.is_empty() {
                return Ok(());
            }
            write!(f, " {keyword}")?;
            write_moves(f, moves)
        };
        f.write_str("info")?;
        numbers(f, &BEFORE_SCORE)?;
        self.score.map_or(Ok(()), |score| write!(f, " {score}"))?;
        numbers(f, &AFTER_SCORE)?;
        self.currmove.map_or(Ok(()), |mv| write!(f, " currmove {mv}"))?;
        numbers(f, &[MOVE_NUMBER])?;
        moves(f, "pv", &self.pv)?;
        moves(f, "refutation", &self.refutation)?;
        if let Some(line) = &self.currline {
            f.write_str(" currline")?;
            line.cpu.map_or(Ok(()), |cpu| write!(f, " {cpu}"))?;
            write_moves(f, &line.moves)?;
        }
        self.string.as_ref().map_or(Ok(()), |text| write_text(f, "string", text))
    }
}
