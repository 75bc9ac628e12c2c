//! How long a limited level waits with its answer, since its search takes only milliseconds.

use std::time::Duration;

use chess::Position;

use super::Level;

/// The share of the planned time that an ordinary move takes.
const SHARE: f64 = 0.7;
/// The planned time is shortened by this, so that there is no wait with hardly any time left.
const NOTHING: Duration = Duration::from_millis(50);
/// The longest wait.
const LONGEST: Duration = Duration::from_secs(15);

impl Level {
    /// How long to think about a move for which the clock plans `planned`. `agreement` is the share of
    /// the search that went into the move played, from 0 to 1: what is clear takes less time.
    pub(crate) fn thinking_time(&self, pos: &Position, planned: Duration, agreement: f64) -> Duration {
        let mood = 0.6 + 0.8 * self.random(!pos.key()).unit();
        let doubt = 1.3 - agreement.clamp(0.0, 1.0);
        let time = planned.mul_f64(SHARE * mood * doubt).min(planned);
        time.saturating_sub(NOTHING).min(LONGEST)
    }
}
