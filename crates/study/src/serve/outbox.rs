//! What goes to the page. Searching threads put lines in and never wait: if the page does not read, reports are left out,
//! and if it reads nothing at all, the session ends.

use tokio::sync::mpsc::{Receiver, Sender, channel};

/// Lines that may wait for a page that does not read; more than a search tells in its first second.
const WAITING: usize = 1024;
/// Places that are kept for what must not be left out, such as the move at the end of a search.
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

    /// A line that the page must hear. Where there is no place for it the page has heard nothing for so long that the
    /// socket is about to be closed for it.
    pub(super) fn answer(&self, line: impl ToString) {
        let _ = self.lines.try_send(line.to_string());
    }

    /// A line that a later one makes up for.
    pub(super) fn report(&self, line: impl ToString) {
        if self.lines.capacity() > KEPT {
            self.answer(line);
        }
    }

    /// Something to tell the user.
    pub(super) fn note(&self, text: impl ToString) {
        self.report(uci::Message::from(uci::Info::text(text.to_string())));
    }

    /// Something that went wrong.
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
