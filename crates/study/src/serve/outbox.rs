//! The queue of lines to the page. Search threads never wait for it: if the page does not read, reports are dropped, and
//! if it reads nothing at all, the session ends.

use tokio::sync::mpsc::{Receiver, Sender, channel};

/// The capacity; a search reports fewer lines in its first second.
const WAITING: usize = 1024;
/// Places reserved for lines that must not be dropped, such as `bestmove`.
const KEPT: usize = 64;

/// Takes lines for the page.
#[derive(Clone)]
pub(super) struct Outbox {
    lines: Sender<String>,
}

impl Outbox {
    pub(super) fn new() -> (Self, Receiver<String>) {
        let (lines, received) = channel(WAITING + KEPT);
        (Self { lines }, received)
    }

    /// Sends a line that must not be dropped. If even the reserved places are full, the page has read nothing for so long
    /// that its socket is about to be closed.
    pub(super) fn answer(&self, line: impl ToString) {
        let _ = self.lines.try_send(line.to_string());
    }

    /// Sends a line that may be dropped, since a later one replaces it.
    pub(super) fn report(&self, line: impl ToString) {
        if self.lines.capacity() > KEPT {
            self.answer(line);
        }
    }

    /// Sends a note to the user.
    pub(super) fn note(&self, text: impl ToString) {
        self.report(uci::Message::from(uci::Info::text(text.to_string())));
    }

    /// Sends an error to the user.
    pub(super) fn error(&self, text: impl std::fmt::Display) {
        self.answer(uci::Message::from(uci::Info::text(format!("ERROR {text}"))));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_give_way_to_answers() {
        let (outbox, mut received) = Outbox::new();
        (0..2 * WAITING).for_each(|number| outbox.report(number));
        outbox.answer("bestmove e2e4");
        let mut last = String::new();
        let mut count = 0;
        while let Ok(line) = received.try_recv() {
            last = line;
            count += 1;
        }
        assert_eq!((count, last.as_str()), (WAITING + 1, "bestmove e2e4"));
    }
}
