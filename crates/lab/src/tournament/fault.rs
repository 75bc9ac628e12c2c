//! Faults of an engine in a game. A fault loses the game and is reported; the match continues.

use std::fmt::{self, Write};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use uci::client::ClientError;

/// A kind of misbehaviour, as it is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum FaultKind {
    TimeLoss,
    IllegalMove,
    Garbage,
    Hang,
    Crash,
}

impl FaultKind {
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::TimeLoss => "loses on time",
            Self::IllegalMove => "makes an illegal move",
            Self::Garbage => "breaks the protocol",
            Self::Hang => "hangs",
            Self::Crash => "crashes",
        }
    }
}

/// A fault with what is to be said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) kind: FaultKind,
    pub(super) detail: String,
}

impl Fault {
    /// A step over the time, during which the host took the processor away for so long.
    pub(super) fn time_loss(overshoot: Duration, stolen: Duration) -> Self {
        let mut detail = format!("{:.1} ms over its time", overshoot.as_secs_f64() * 1e3);
        if !stolen.is_zero() {
            let _ = write!(detail, "; meanwhile the host took {} ms from a processor", stolen.as_millis());
        }
        Self { kind: FaultKind::TimeLoss, detail }
    }

    pub(super) fn illegal_move(text: &str) -> Self {
        Self { kind: FaultKind::IllegalMove, detail: format!("bestmove {text}") }
    }
}

impl From<ClientError> for Fault {
    fn from(error: ClientError) -> Self {
        let kind = match error {
            ClientError::Timeout { .. } | ClientError::NotReading => FaultKind::Hang,
            ClientError::Died { .. } | ClientError::Spawn { .. } => FaultKind::Crash,
            _ => FaultKind::Garbage,
        };
        Self { kind, detail: error.to_string() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.words(), self.detail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loss_on_time_tells_what_the_host_took() {
        let ms = Duration::from_millis;
        let text = |stolen| Fault::time_loss(ms(66), stolen).to_string();
        assert_eq!(text(ms(0)), "loses on time: 66.0 ms over its time");
        assert_eq!(
            text(ms(140)),
            "loses on time: 66.0 ms over its time; meanwhile the host took 140 ms from a processor"
        );
    }
}
