//! The answer to `uci`, from the option table.

use uci::Message;

use crate::program_options::all_options;
use crate::writer::Writer;
use crate::{about, protocol};

/// Introduces the engine.
pub(crate) fn introduce(out: &Writer) {
    out.message(Message::IdName(about::NAME_AND_VERSION.to_owned()));
    out.message(Message::IdAuthor(about::AUTHORS.to_owned()));
    for spec in all_options() {
        out.message(Message::Option(protocol::declaration(spec)));
    }
    out.message(Message::UciOk);
}
