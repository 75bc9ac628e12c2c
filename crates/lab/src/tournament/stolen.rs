//! Steal time: what the host of a virtual machine took from its processors, during which no engine could run.

use std::fs;
use std::time::Duration;

/// The unit of `/proc/stat`: USER_HZ is 100 on every Linux.
const TICK: Duration = Duration::from_millis(10);

/// The counters at some moment.
#[derive(Debug)]
pub(super) struct Mark {
    /// In ticks, one for each processor; none where the system does not count.
    stolen: Vec<u64>,
}

impl Mark {
    pub(super) fn now() -> Self {
        Self { stolen: counters(&fs::read_to_string("/proc/stat").unwrap_or_default()) }
    }

    /// The most that a single processor lost since. The processor on which the engine ran is not known; this is an upper
    /// bound of what it lost.
    pub(super) fn stolen_since(&self) -> Duration {
        self.stolen_until(&Self::now())
    }

    fn stolen_until(&self, later: &Self) -> Duration {
        let losses =
            self.stolen.iter().zip(&later.stolen).map(|(before, after)| after.saturating_sub(*before));
        TICK * losses.max().map_or(0, |ticks| u32::try_from(ticks).unwrap_or(u32::MAX))
    }
}

/// The eighth figure of each line `cpu0 ...`, `cpu1 ...`.
fn counters(stat: &str) -> Vec<u64> {
    let of_processor = |line: &str| {
        let rest =
            line.strip_prefix("cpu").filter(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))?;
        rest.split_whitespace().nth(8)?.parse().ok()
    };
    stat.lines().filter_map(of_processor).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAT: &str =
        "cpu  10 0 5 900 1 0 0 33 0 0\ncpu0 5 0 2 450 1 0 0 13 0 0\ncpu1 5 0 3 450 0 0 0 20 0 0\nintr 7 8\n";

    #[test]
    fn the_counters_of_each_processor_are_read() {
        assert_eq!(counters(STAT), [13, 20]);
        assert_eq!(counters(""), [0; 0]);
        assert_eq!(counters("cpu0 1 2\ncpufreq 1 2 3 4 5 6 7 8 9\n"), [0; 0]);
    }

    #[test]
    fn the_processor_that_lost_most_counts() {
        let mark = |stolen: &[u64]| Mark { stolen: stolen.to_vec() };
        let before = mark(&counters(STAT));
        assert_eq!(before.stolen_until(&mark(&[27, 21])), Duration::from_millis(140));
        assert_eq!(before.stolen_until(&mark(&[13, 20])), Duration::ZERO);
        assert_eq!(before.stolen_until(&mark(&[0, 0])), Duration::ZERO, "counters that were set back");
        assert_eq!(before.stolen_until(&mark(&[])), Duration::ZERO, "a system that does not count");
    }
}
