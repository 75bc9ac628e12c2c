//! The answer to `uci`, from the option table.

use engine::{OptionKind, OptionSpec, OptionValue};
use uci::{Message, OptionDeclaration};

use crate::about;
use crate::program_options::all_options;
use crate::writer::Writer;

/// Introduces the engine.
pub(crate) fn introduce(out: &Writer) {
    out.message(Message::IdName(about::NAME_AND_VERSION.to_owned()));
    out.message(Message::IdAuthor(about::AUTHORS.to_owned()));
    for spec in all_options() {
        out.message(Message::Option(declaration(spec)));
    }
    out.message(Message::UciOk);
}

fn declaration(spec: &OptionSpec) -> OptionDeclaration {
    let kind = match (spec.kind, spec.default()) {
        (OptionKind::Check { default }, _) => uci::OptionKind::Check { default },
        (OptionKind::Spin { default, min, max }, _) => uci::OptionKind::Spin { default, min, max },
        (OptionKind::Text { .. } | OptionKind::Network, OptionValue::Text(default)) => {
            uci::OptionKind::String { default }
        }
        _ => uci::OptionKind::Button,
    };
    OptionDeclaration { name: spec.name.to_owned(), kind }
}
