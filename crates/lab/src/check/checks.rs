//! All checks, by topic.

mod handshake;
mod limits;
mod multipv;
mod options;
mod positions;
mod promises;
mod races;
mod reports;
mod wire;

use super::rule::Check;

/// Every check, in the order in which they are run.
pub(super) fn all() -> impl Iterator<Item = &'static Check> {
    [
        handshake::CHECKS,
        wire::CHECKS,
        options::CHECKS,
        positions::CHECKS,
        limits::CHECKS,
        reports::CHECKS,
        multipv::CHECKS,
        races::CHECKS,
        promises::CHECKS,
    ]
    .into_iter()
    .flatten()
}

#[cfg(test)]
mod tests {
    use super::all;
    use crate::check::rule::{Severity, Source};

    #[test]
    fn identifiers_are_unique_and_well_formed() {
        let mut ids: Vec<_> = all().map(|check| check.id).collect();
        let well_formed = |id: &str| {
            id.contains('.')
                && id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || ".-".contains(c))
        };
        assert!(ids.iter().all(|id| well_formed(id)));
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count);
        assert!(count >= 100, "{count}");
    }

    #[test]
    fn house_rules_are_never_a_must() {
        assert!(
            all().all(|check| check.source == Source::Specification || check.severity == Severity::Should)
        );
    }

    /// The quotations stand in the specification, which is beside the project on a developer's machine.
    #[test]
    fn quotations_are_in_the_specification() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/spec/uci-specification.md");
        let Ok(text) = std::fs::read_to_string(path) else {
            println!("skipped: the specification is not beside the project");
            return;
        };
        let text = plain(&text);
        for check in all().filter(|check| check.source == Source::Specification) {
            for part in check.rule.split(" ... ") {
                let part = part.split_once(": ").map_or(part, |(_, rest)| rest);
                assert!(text.contains(&plain(part)), "{}: '{part}'", check.id);
            }
        }
    }

    /// Only letters and digits, without the targets of links.
    fn plain(text: &str) -> String {
        let mut plain = String::new();
        let mut rest = text;
        while let Some((before, link)) = rest.split_once("](") {
            plain.push_str(before);
            rest = link.split_once(')').map_or("", |(_, behind)| behind);
        }
        plain.push_str(rest);
        plain.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
    }
}
