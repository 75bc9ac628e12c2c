//! `go` and its limits: one table of keywords, from which they are both read and printed.

use std::fmt;

use crate::moves::UciMove;
use crate::problem::{Problem, shorten};
use crate::tokens::{Words, signed, unsigned, write_moves};

/// The limits of a search, as far as the client gave them. Times are in milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Search only these moves; no restriction where empty.
    pub searchmoves: Vec<UciMove>,
    /// Search in the opponent's time, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// White's clock; clients send negative ones when a flag has fallen.
    pub wtime: Option<i64>,
    /// Black's clock.
    pub btime: Option<i64>,
    /// White's increment.
    pub winc: Option<i64>,
    /// Black's increment.
    pub binc: Option<i64>,
    /// Moves to the next time control; none or fewer than one is sudden death.
    pub movestogo: Option<i64>,
    /// Stop at this depth.
    pub depth: Option<u64>,
    /// Stop after this many nodes.
    pub nodes: Option<u64>,
    /// Look for a mate in this many moves.
    pub mate: Option<u64>,
    /// Search for this long.
    pub movetime: Option<i64>,
    /// Search until `stop`.
    pub infinite: bool,
    /// Count the legal move sequences of this length instead of searching.
    pub perft: Option<u64>,
}

/// Where a keyword's argument is kept: how to read it back, and where to put it.
enum Slot {
    Flag(fn(&Go) -> bool, fn(&mut Go) -> &mut bool),
    Signed(fn(&Go) -> Option<i64>, fn(&mut Go) -> &mut Option<i64>),
    Unsigned(fn(&Go) -> Option<u64>, fn(&mut Go) -> &mut Option<u64>),
    Moves(fn(&Go) -> &[UciMove], fn(&mut Go) -> &mut Vec<UciMove>),
}

/// A line of the table: the keyword is the name of the field.
macro_rules! keyword {
    ($slot:ident $field:ident) => {
        (stringify!($field), Slot::$slot(|go| go.$field, |go| &mut go.$field))
    };
}

/// Every keyword in the order of printing. `searchmoves` comes last because there are engines for which the list of
/// moves goes on to the end of the line.
const KEYWORDS: [(&str, Slot); 13] = [
    keyword!(Flag ponder),
    keyword!(Signed wtime),
    keyword!(Signed btime),
    keyword!(Signed winc),
    keyword!(Signed binc),
    keyword!(Signed movestogo),
    keyword!(Unsigned depth),
    keyword!(Unsigned nodes),
    keyword!(Unsigned mate),
    keyword!(Signed movetime),
    keyword!(Flag infinite),
    keyword!(Unsigned perft),
    ("searchmoves", Slot::Moves(|go| &go.searchmoves, |go| &mut go.searchmoves)),
];

fn find(word: &str) -> Option<&'static (&'static str, Slot)> {
    KEYWORDS.iter().find(|(keyword, _)| *keyword == word)
}

impl Go {
    /// Reads what follows `go`: a keyword that is sent twice takes the later value.
    pub(super) fn parse(mut words: Words<'_>, problems: &mut Vec<Problem>) -> Self {
        let mut go = Self::default();
        while let Some(word) = words.next() {
            match find(word) {
                None => problems.push(Problem::Skipped(shorten(word))),
                Some((_, Slot::Flag(_, flag))) => *flag(&mut go) = true,
                Some((keyword, Slot::Signed(_, number))) => {
                    let value = argument(keyword, &mut words, signed, problems);
                    let number = number(&mut go);
                    *number = value.or(*number);
                }
                Some((keyword, Slot::Unsigned(_, number))) => {
                    let value = argument(keyword, &mut words, unsigned, problems);
                    let number = number(&mut go);
                    *number = value.or(*number);
                }
                Some((_, Slot::Moves(_, moves))) => moves(&mut go).extend(move_list(&mut words, problems)),
            }
        }
        go
    }

    /// Reads what follows `perft`, the short form of `go perft`.
    pub(super) fn parse_perft(mut words: Words<'_>, problems: &mut Vec<Problem>) -> Option<Self> {
        let perft = Some(argument("perft", &mut words, unsigned, problems)?);
        Some(Self { perft, ..Self::default() })
    }
}

/// The number behind a keyword. Another keyword there is left to be read as such; any other word is used up.
fn argument<T>(
    keyword: &'static str,
    words: &mut Words<'_>,
    read: fn(&str) -> Option<T>,
    problems: &mut Vec<Problem>,
) -> Option<T> {
    let Some(word) = words.next_as(|word| find(word).is_none().then(|| word.to_owned())) else {
        problems.push(Problem::Missing { after: keyword, wanted: "a number" });
        return None;
    };
    let value = read(&word);
    if value.is_none() {
        problems.push(Problem::BadNumber { keyword, text: shorten(&word) });
    }
    value
}

/// The moves up to the next keyword.
fn move_list(words: &mut Words<'_>, problems: &mut Vec<Problem>) -> Vec<UciMove> {
    let texts = words.all_as(|word| find(word).is_none().then(|| word.to_owned()));
    let read = |text: String| {
        let mv = UciMove::read(&text);
        if mv.is_none() {
            problems.push(Problem::BadMove(shorten(&text)));
        }
        mv
    };
    texts.into_iter().filter_map(read).collect()
}

impl Go {
    pub(super) fn print(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (keyword, slot) in &KEYWORDS {
            match slot {
                Slot::Flag(get, _) if get(self) => write!(f, " {keyword}")?,
                Slot::Signed(get, _) => {
                    get(self).map_or(Ok(()), |number| write!(f, " {keyword} {number}"))?;
                }
                Slot::Unsigned(get, _) => {
                    get(self).map_or(Ok(()), |number| write!(f, " {keyword} {number}"))?;
                }
                Slot::Moves(get, _) if !get(self).is_empty() => {
                    write!(f, " {keyword}")?;
                    write_moves(f, get(self))?;
                }
                Slot::Flag(..) | Slot::Moves(..) => {}
            }
        }
        Ok(())
    }
}
