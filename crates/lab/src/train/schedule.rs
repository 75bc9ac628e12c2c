//! The learning rate over a run.

/// A linear rise, then half a cosine wave down to a small remainder, counted in positions seen: so the curve stays the
/// same whatever the batches are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Schedule {
    /// The highest rate.
    pub(super) peak: f32,
    /// The last rate, as a share of the highest.
    pub(super) last: f32,
    /// Positions of the rise.
    pub(super) warm_up: u64,
    /// Positions of the whole run.
    pub(super) total: u64,
}

impl Schedule {
    /// The rate after so many positions.
    pub(super) fn rate(&self, seen: u64) -> f32 {
        if seen < self.warm_up {
            return self.peak * (seen + 1) as f32 / self.warm_up as f32;
        }
        let length = self.total.saturating_sub(self.warm_up).max(1);
        let progress = ((seen - self.warm_up) as f64 / length as f64).min(1.0);
        let wave = (1.0 + (progress * std::f64::consts::PI).cos()) / 2.0;
        self.peak * (self.last + (1.0 - self.last) * wave as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rises_then_falls_to_the_last_rate() {
        let schedule = Schedule { peak: 0.002, last: 0.01, warm_up: 10, total: 1000 };
        assert!((schedule.rate(0) - 0.0002).abs() < 1e-8);
        assert_eq!(schedule.rate(9), 0.002);
        assert!((10..1000).all(|seen| schedule.rate(seen) >= schedule.rate(seen + 1)));
        assert!((schedule.rate(1000) - 0.00002).abs() < 1e-8);
    }
}
