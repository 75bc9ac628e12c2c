//! What a check is, and how it can end.

use std::fmt;

use serde::Serialize;

use super::session::Session;

/// How bad a failure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Severity {
    /// A client cannot work with an engine that fails here.
    Must,
    /// Clients cope with it.
    Should,
}

/// Where the tested rule comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Source {
    /// The specification of April 2006, which is quoted.
    Specification,
    /// Not in the specification, but clients rely on it or users expect it of a robust engine.
    Practice,
}

/// One rule and the code that tests it, on a freshly started engine.
#[derive(Clone, Copy)]
pub(super) struct Check {
    pub(super) id: &'static str,
    pub(super) severity: Severity,
    pub(super) source: Source,
    /// The sentence of the specification, or the rule of practice in our words.
    pub(super) rule: &'static str,
    pub(super) run: fn(&mut Session) -> CheckResult,
}

/// A rule of the specification that no client can do without.
pub(super) const fn must(
    id: &'static str,
    rule: &'static str,
    run: fn(&mut Session) -> CheckResult,
) -> Check {
    Check { id, severity: Severity::Must, source: Source::Specification, rule, run }
}

/// A rule of the specification that it recommends, or whose breach clients survive.
pub(super) const fn should(
    id: &'static str,
    rule: &'static str,
    run: fn(&mut Session) -> CheckResult,
) -> Check {
    Check { id, severity: Severity::Should, source: Source::Specification, rule, run }
}

/// A rule of good practice; these are never more than recommendations.
pub(super) const fn practice(
    id: &'static str,
    rule: &'static str,
    run: fn(&mut Session) -> CheckResult,
) -> Check {
    Check { id, severity: Severity::Should, source: Source::Practice, rule, run }
}

/// Why a check did not pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Finding {
    /// The engine breaks the rule.
    Fail(String),
    /// The engine has nothing to which the rule applies.
    NotApplicable(String),
}

impl Finding {
    /// Says what a failure is about.
    pub(super) fn about(self, what: &str) -> Self {
        match self {
            Self::Fail(reason) => Self::Fail(format!("'{what}': {reason}")),
            Self::NotApplicable(_) => self,
        }
    }
}

/// The result of a check; `Ok` is a pass.
pub(super) type CheckResult = Result<(), Finding>;

/// Fails with a reason.
pub(super) fn fail<T>(reason: impl Into<String>) -> Result<T, Finding> {
    Err(Finding::Fail(reason.into()))
}

/// Says why the rule does not apply.
pub(super) fn not_applicable<T>(reason: impl Into<String>) -> Result<T, Finding> {
    Err(Finding::NotApplicable(reason.into()))
}

/// Fails unless the condition holds.
pub(super) fn ensure(condition: bool, reason: impl FnOnce() -> String) -> CheckResult {
    if condition { Ok(()) } else { fail(reason()) }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Self::Must { "must" } else { "should" })
    }
}
