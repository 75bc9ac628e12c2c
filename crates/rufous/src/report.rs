//! Writes what a search reports as UCI messages.

use chess::{CastlingNotation, Move, Position};
use engine::{Report, Reporter};
use uci::{CurrLine, Info, UciMove};

use crate::driver::{Event, Events};
use crate::protocol;
use crate::writer::Writer;

/// The reporter of a search that a client asked for.
pub(crate) struct UciReporter {
    out: Writer,
    events: Events,
    root: Position,
    castling: CastlingNotation,
}

impl UciReporter {
    pub(crate) fn new(out: Writer, events: Events, root: Position, castling: CastlingNotation) -> Self {
        Self { out, events, root, castling }
    }

    fn moves(&self, line: &[Move]) -> Vec<UciMove> {
        protocol::moves(&self.root, self.castling, line)
    }
}

impl Reporter for UciReporter {
    fn report(&mut self, report: &Report) {
        let info = match report {
            Report::Line(line) => protocol::info(&self.root, self.castling, line),
            Report::CurrentMove { depth, mv, number } => Info {
                depth: Some(*depth as u64),
                currmove: self.moves(&[*mv]).pop(),
                currmovenumber: Some(*number as u64),
                ..Info::default()
            },
            Report::CurrentLine { thread, line } => Info {
                currline: Some(CurrLine { cpu: Some(*thread as u64), moves: self.moves(line) }),
                ..Info::default()
            },
            Report::Refutation(line) => Info { refutation: self.moves(line), ..Info::default() },
            Report::Note(text) => return self.out.note(text),
        };
        self.out.message(info);
    }

    fn best_move(&mut self, best: Option<Move>, ponder: Option<Move>) {
        // The driver sends it, so that it is idle by the time a client reads the answer.
        let answer = protocol::best_move(&self.root, self.castling, best, ponder);
        self.events.send(Event::SearchEnded(answer));
    }
}
