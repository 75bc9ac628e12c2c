//! The options that a page may set, and their limits.

use engine::{OptionKind, OptionSpec};
use rufous::protocol;
use uci::OptionDeclaration;

/// May any page set this option? Numbers and switches are harmless within their limits; a text may name a file, and a
/// button may write one.
pub(super) fn is_harmless(spec: &OptionSpec) -> bool {
    match spec.kind {
        OptionKind::Check { .. } | OptionKind::Spin { .. } => true,
        OptionKind::Button => spec.name == "Clear Hash",
        OptionKind::Text { .. } | OptionKind::Network => false,
    }
}

/// The declaration of an option, with the maximum that the server allows.
pub(super) fn declaration(spec: &OptionSpec, largest: Option<i64>) -> OptionDeclaration {
    let mut declaration = protocol::declaration(spec);
    if let (uci::OptionKind::Spin { max, .. }, Some(largest)) = (&mut declaration.kind, largest) {
        *max = (*max).min(largest);
    }
    declaration
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_that_name_files_are_not_harmless() {
        let harmful = ["Book File", "SyzygyPath", "EvalFile", "UCI_SetPositionValue"];
        for spec in engine::all_options() {
            let texts = matches!(spec.kind, OptionKind::Text { .. } | OptionKind::Network);
            assert!(!(texts && is_harmless(spec)), "{}", spec.name);
            assert!(!(harmful.contains(&spec.name) && is_harmless(spec)), "{}", spec.name);
        }
    }
}
