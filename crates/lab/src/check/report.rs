//! The result of a check run: for people, as JSON, and as JUnit for build servers.

use std::fmt::Write;
use std::time::Duration;

use serde_json::{Value, json};
use uci::client::Direction;

use super::rule::{Check, CheckResult, Finding, Severity};
use super::session::TranscriptLine;

/// How many lines of a conversation are shown, and how much of each.
const SHOWN_LINES: usize = 40;
const SHOWN_COLUMNS: usize = 200;

/// A check that was run.
pub(super) struct Examined {
    pub(super) check: &'static Check,
    pub(super) outcome: CheckResult,
    pub(super) transcript: Vec<TranscriptLine>,
    pub(super) time: Duration,
}

impl Examined {
    fn verdict(&self) -> &'static str {
        match &self.outcome {
            Ok(()) => "pass",
            Err(Finding::Fail(_)) => "fail",
            Err(Finding::NotApplicable(_)) => "n/a",
        }
    }

    fn reason(&self) -> &str {
        match &self.outcome {
            Ok(()) => "",
            Err(Finding::Fail(reason) | Finding::NotApplicable(reason)) => reason,
        }
    }

    fn failed(&self) -> bool {
        matches!(self.outcome, Err(Finding::Fail(_)))
    }

    /// The end of the conversation, a line each: `>` to the engine, `<` from it, `!` on standard error.
    fn conversation(&self) -> Vec<String> {
        let from = self.transcript.len().saturating_sub(SHOWN_LINES);
        let omitted = (from > 0).then(|| format!("... {from} lines before"));
        let lines = self.transcript[from..].iter().map(|said| {
            let sign = match said.direction {
                Direction::ToEngine => '>',
                Direction::FromEngine => '<',
                Direction::Stderr => '!',
            };
            let text: String = said.line.replace('\n', "\\n ").chars().take(SHOWN_COLUMNS).collect();
            let text = text.replace(|c: char| c.is_control(), "?");
            format!("{:7.3} {sign} {text}", said.after.as_secs_f64())
        });
        omitted.into_iter().chain(lines).collect()
    }

    /// One line, and for a failure the rule and the conversation.
    pub(super) fn text(&self, with_conversation: bool) -> String {
        let Check { id, severity, rule, .. } = self.check;
        let mut text = format!("{:4}  {severity:6}  {id}", self.verdict());
        if !self.reason().is_empty() {
            // Writing to a string cannot fail, here and below.
            let _ = write!(text, ": {}", self.reason());
        }
        if self.failed() {
            let _ = write!(text, "\n      rule: \"{rule}\"");
            if with_conversation {
                for line in self.conversation() {
                    let _ = write!(text, "\n      {line}");
                }
            }
        }
        text
    }
}

/// The numbers of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Summary {
    pub(super) passed: usize,
    pub(super) failed_must: usize,
    pub(super) failed_should: usize,
    pub(super) not_applicable: usize,
}

impl Summary {
    pub(super) fn of(examined: &[Examined]) -> Self {
        let mut summary = Self::default();
        for one in examined {
            *match (&one.outcome, one.check.severity) {
                (Ok(()), _) => &mut summary.passed,
                (Err(Finding::NotApplicable(_)), _) => &mut summary.not_applicable,
                (Err(Finding::Fail(_)), Severity::Must) => &mut summary.failed_must,
                (Err(Finding::Fail(_)), Severity::Should) => &mut summary.failed_should,
            } += 1;
        }
        summary
    }

    pub(super) fn text(&self) -> String {
        format!(
            "{} passed, {} failed that must pass, {} failed that should, {} not applicable",
            self.passed, self.failed_must, self.failed_should, self.not_applicable
        )
    }
}

/// The run as JSON.
pub(super) fn json(engine: &str, examined: &[Examined]) -> Value {
    let summary = Summary::of(examined);
    let checks: Vec<Value> = examined
        .iter()
        .map(|one| {
            json!({
                "id": one.check.id,
                "severity": one.check.severity,
                "source": one.check.source,
                "rule": one.check.rule,
                "verdict": one.verdict(),
                "reason": one.reason(),
                "milliseconds": one.time.as_millis() as u64,
                "transcript": if one.failed() { one.conversation() } else { Vec::new() },
            })
        })
        .collect();
    json!({
        "engine": engine,
        "passed": summary.passed,
        "failed_must": summary.failed_must,
        "failed_should": summary.failed_should,
        "not_applicable": summary.not_applicable,
        "checks": checks,
    })
}

/// The run as JUnit. JUnit has no warnings, so failed recommendations are reported as skipped unless `strict`.
pub(super) fn junit(engine: &str, examined: &[Examined], strict: bool) -> String {
    let summary = Summary::of(examined);
    let failures = summary.failed_must + if strict { summary.failed_should } else { 0 };
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"{}\" tests=\"{}\" failures=\"{failures}\" skipped=\"{}\">\n",
        escape(engine),
        examined.len(),
        summary.not_applicable + summary.failed_should - (failures - summary.failed_must)
    );
    for one in examined {
        let (group, name) = one.check.id.split_once('.').unwrap_or(("", one.check.id));
        let time = one.time.as_secs_f64();
        let _ = write!(text, "  <testcase classname=\"uci.{group}\" name=\"{name}\" time=\"{time:.3}\">");
        let reason = escape(one.reason());
        match &one.outcome {
            Ok(()) => {}
            Err(Finding::Fail(_)) if strict || one.check.severity == Severity::Must => {
                let conversation = escape(&one.conversation().join("\n"));
                let _ = write!(text, "<failure message=\"{reason}\">{conversation}</failure>");
            }
            Err(_) => {
                let _ = write!(text, "<skipped message=\"{}: {reason}\"/>", one.verdict());
            }
        }
        text.push_str("</testcase>\n");
    }
    text.push_str("</testsuite>\n");
    text
}

fn escape(text: &str) -> String {
    let text = text.replace(|c: char| c.is_control() && c != '\n', "?");
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::checks;

    fn examined(outcomes: &[CheckResult]) -> Vec<Examined> {
        let must = checks::all().filter(|check| check.severity == Severity::Must);
        let one = |(check, outcome): (&'static Check, &CheckResult)| {
            let said = TranscriptLine {
                direction: Direction::FromEngine,
                after: Duration::ZERO,
                line: "a<b\u{7}".to_owned(),
            };
            Examined { check, outcome: outcome.clone(), transcript: vec![said], time: Duration::ZERO }
        };
        must.zip(outcomes).map(one).collect()
    }

    #[test]
    fn every_form_counts_the_same() {
        let run = examined(&[
            Ok(()),
            Err(Finding::Fail("it said \"no\"".to_owned())),
            Err(Finding::NotApplicable("no such option".to_owned())),
        ]);
        let summary = Summary { passed: 1, failed_must: 1, failed_should: 0, not_applicable: 1 };
        assert_eq!(Summary::of(&run), summary);
        let value = json("x", &run);
        assert_eq!((value["passed"].as_u64(), value["failed_must"].as_u64()), (Some(1), Some(1)));
        let xml = junit("x & y", &run, false);
        assert!(xml.contains("name=\"x &amp; y\" tests=\"3\" failures=\"1\" skipped=\"1\""), "{xml}");
        assert!(
            xml.contains("<failure message=\"it said &quot;no&quot;\">  0.000 &lt; a&lt;b?</failure>"),
            "{xml}"
        );
    }
}
