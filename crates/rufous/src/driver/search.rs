//! `go`, and the search while it runs.

use chess::{CastlingNotation, Color, Position};
use engine::{Control, Limits};
use uci::{Command, Go, Info, Message};

use super::{Activity, Driver, StopRequest};
use crate::protocol;
use crate::report::UciReporter;
use crate::writer::Writer;

/// A running search.
pub(super) struct RunningSearch {
    /// `None` where the client allowed no move at all, and so there is nothing to search.
    control: Option<Control>,
    pondering: bool,
    /// It ends by itself, at the latest when the ponder hit has come.
    limited: bool,
}

impl RunningSearch {
    /// Will it end by itself?
    pub(super) fn is_limited(&self) -> bool {
        self.limited && !self.pondering
    }

    /// Ends it. True if it is over already, since nothing was searched.
    pub(super) fn stop(&mut self, out: &Writer) -> bool {
        match &self.control {
            Some(control) => control.stop(),
            None => tell_no_move(out),
        }
        self.control.is_none()
    }

    /// The expected move was played. True if the search is over by that, since nothing was searched.
    pub(super) fn ponder_hit(&mut self, out: &Writer) -> bool {
        if !std::mem::take(&mut self.pondering) {
            return false;
        }
        match &self.control {
            Some(control) => control.ponder_hit(),
            None => tell_no_move(out),
        }
        self.control.is_none()
    }
}

fn tell_no_move(out: &Writer) {
    out.message(Info { depth: Some(0), nodes: Some(0), ..Info::default() });
    out.message(Message::BestMove { best: None, ponder: None });
}

/// Do these limits end a search of this side by themselves? The opponent's clock does not.
fn is_limited(go: &Go, side: Color) -> bool {
    let clock = match side {
        Color::White => go.wtime,
        Color::Black => go.btime,
    };
    let numbers = [go.depth, go.nodes, go.mate, go.perft];
    !go.infinite && (numbers.iter().any(Option::is_some) || go.movetime.is_some() || clock.is_some())
}

impl Driver {
    /// Starts a search, or answers the `go` at once if there is nothing to search.
    pub(super) fn go(&mut self, go: Go, stop: StopRequest) {
        if let Some(depth) = go.perft {
            return self.perft(depth);
        }
        if !self.has_engine(|| Command::Go(go.clone())) {
            return;
        }
        let root = *self.game.current();
        let limited = is_limited(&go, root.side_to_move());
        let stopped = match stop {
            StopRequest::Never => false,
            StopRequest::IfUnlimited => go.ponder || !limited,
            StopRequest::Always => true,
        };
        self.note_chess960(&root);
        if go.searchmoves.len() == 1 && go.searchmoves[0].is_null() {
            if go.ponder && !stopped {
                self.activity =
                    Activity::Searching(RunningSearch { control: None, pondering: true, limited: true });
            } else {
                tell_no_move(&self.out);
            }
            return;
        }
        let limits = self.limits(&go, &root);
        let castling = self.castling(&root);
        let Some(engine) = &mut self.engine else { return self.answer_without_engine(&root, castling) };
        engine.set_game(root, self.game.last_move(), self.game.history().clone());
        let reporter = UciReporter::new(self.out.clone(), self.events.clone(), root, castling);
        engine.go(limits, Box::new(reporter));
        let control = engine.control();
        if stopped {
            control.stop();
        }
        self.activity =
            Activity::Searching(RunningSearch { control: Some(control), pondering: go.ponder, limited });
    }

    /// Even without an engine each `go` gets its answer: any legal move.
    fn answer_without_engine(&self, root: &Position, castling: CastlingNotation) {
        let best = root.legal_moves().first().copied();
        self.out.message(protocol::best_move(root, castling, best, None));
    }

    fn limits(&self, go: &Go, root: &Position) -> Limits {
        let limits = protocol::limits(go, root);
        for mv in go.searchmoves.iter().filter(|mv| root.parse_uci_move(mv.as_str()).is_err()) {
            self.out.note(format!("illegal move {mv} in 'searchmoves' ignored"));
        }
        if limits.search_moves.is_empty() && !go.searchmoves.is_empty() {
            self.out.note("no legal move in 'searchmoves', so all moves are searched");
        }
        // The time in which the hash table was made or tablebases were read counts as well.
        Limits { asked_at: Some(self.context.arrival.time.max(self.free_since)), ..limits }
    }

    /// How castling is written in the answers of a search from this position.
    pub(super) fn castling(&self, root: &Position) -> CastlingNotation {
        root.castling_notation(self.chess960())
    }

    fn chess960(&self) -> bool {
        self.options.get("UCI_Chess960").is_some_and(engine::OptionValue::is_true)
    }

    fn note_chess960(&mut self, root: &Position) {
        if root.needs_chess960() && !self.chess960() && !self.chess960_noted {
            self.out.note(
                "castling is written as king takes rook, since this is a Chess960 position; set UCI_Chess960",
            );
            self.chess960_noted = true;
        }
    }
}
