//! What the search says, in the words of the protocol.

use chess::{CastlingNotation, Move, Position};
use engine::{Report, Reporter, SearchInfo};
use uci::{CurrLine, Info, Message, UciMove};

use crate::driver::{Event, Events};
use crate::writer::Writer;

/// How the moves of a search are written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Notation(CastlingNotation);

impl Notation {
    /// The notation for searches from this position. Where the king's two squares would not tell
    /// which castling is meant, king takes rook is written even if nobody asked for it.
    pub(crate) fn new(chess960: bool, root: &Position) -> Self {
        Self(if chess960 || root.needs_chess960() {
            CastlingNotation::KingTakesRook
        } else {
            CastlingNotation::KingMove
        })
    }

    /// A move of this position.
    pub(crate) fn write(self, position: &Position, mv: Move) -> UciMove {
        let text = position.uci_move(mv, self.0);
        text.parse().expect("a move is written as the protocol writes it")
    }

    /// A line of play from this position.
    pub(crate) fn write_line(self, position: &Position, line: &[Move]) -> Vec<UciMove> {
        let mut position = *position;
        line.iter()
            .map(|&mv| {
                let text = self.write(&position, mv);
                position.play(mv);
                text
            })
            .collect()
    }
}

/// Nodes in a second, from a time that counts as a millisecond at least; it fits 32 bits.
pub(crate) fn nodes_per_second(nodes: u64, time: std::time::Duration) -> u64 {
    let micros = time.as_micros().max(1000);
    (u128::from(nodes) * 1_000_000 / micros).min(u128::from(u32::MAX)) as u64
}

/// A line of findings as the protocol writes it.
pub(crate) fn info_line(root: &Position, notation: Notation, line: &SearchInfo) -> Info {
    let score = uci::Score {
        value: match line.score {
            engine::Score::Centipawns(cp) => uci::ScoreValue::Cp(cp.into()),
            engine::Score::Mate(moves) => uci::ScoreValue::Mate(moves.into()),
        },
        bound: line.bound.map(|bound| match bound {
            engine::Bound::Lower => uci::Bound::Lower,
            engine::Bound::Upper => uci::Bound::Upper,
        }),
        wdl: line.wdl.map(|wdl| uci::Wdl {
            win: wdl.win.into(),
            draw: wdl.draw.into(),
            loss: wdl.loss.into(),
        }),
    };
    if line.depth == 0 {
        // Nothing was searched, since the game is over: there is nothing else to tell.
        return Info { depth: Some(0), score: Some(score), ..Info::default() };
    }
    Info {
        depth: Some(line.depth as u64),
        seldepth: Some(line.selective_depth as u64),
        multipv: Some(line.multipv as u64),
        score: Some(score),
        nodes: Some(line.nodes),
        nps: Some(nodes_per_second(line.nodes, line.time)),
        hashfull: Some(line.hashfull as u64),
        tbhits: Some(line.tablebase_hits),
        time: Some(line.time.as_millis().max(1) as u64),
        pv: notation.write_line(root, &line.pv),
        ..Info::default()
    }
}

/// Writes what a search says.
pub(crate) struct UciReporter {
    out: Writer,
    events: Events,
    root: Position,
    notation: Notation,
}

impl UciReporter {
    pub(crate) fn new(out: Writer, events: Events, root: Position, notation: Notation) -> Self {
        Self { out, events, root, notation }
    }
}

impl Reporter for UciReporter {
    fn report(&mut self, report: &Report) {
        let moves = |line: &[Move]| self.notation.write_line(&self.root, line);
        let info = match report {
            Report::Line(line) => info_line(&self.root, self.notation, line),
            Report::CurrentMove { depth, mv, number } => Info {
                depth: Some(*depth as u64),
                currmove: Some(self.notation.write(&self.root, *mv)),
                currmovenumber: Some(*number as u64),
                ..Info::default()
            },
            Report::CurrentLine { thread, line } => Info {
                currline: Some(CurrLine { cpu: Some(*thread as u64), moves: moves(line) }),
                ..Info::default()
            },
            Report::Refutation(line) => Info { refutation: moves(line), ..Info::default() },
            Report::Note(text) => return self.out.note(text),
        };
        self.out.message(info);
    }

    fn best_move(&mut self, best: Option<Move>, ponder: Option<Move>) {
        let line: Vec<Move> = [best, ponder].into_iter().map_while(|mv| mv).collect();
        let mut moves = self.notation.write_line(&self.root, &line).into_iter();
        // The driver tells it: whoever hears the answer finds the driver idle.
        let answer = Message::BestMove { best: moves.next(), ponder: moves.next() };
        self.events.send(Event::SearchEnded(answer));
    }
}
