//! The learning rate over a run.

/// A linear rise over the first positions, then half a cosine wave down to a small remainder.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Schedule {
    /// The highest rate.
    pub(super) peak: f32,
    /// The last rate, as a share of the highest.
    pub(super) last: f32,
    /// Positions of the rise.
    pub(super) warm_up: u64,
}

impl Schedule {
    /// The rate after so many positions, which are this share of the whole run.
    pub(super) fn rate(&self, seen: u64, progress: f64) -> f32 {
        let rise = if seen < self.warm_up { (seen + 1) as f32 / self.warm_up as f32 } else { 1.0 };
        let wave = (1.0 + (progress.clamp(0.0, 1.0) * std::f64::consts::PI).cos()) / 2.0;
        rise * self.peak * (self.last + (1.0 - self.last) * wave as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rises_then_falls_to_the_last_rate() {
        let schedule = Schedule { peak: 0.002, last: 0.01, warm_up: 10 };
        let rate = |seen: u64| schedule.rate(seen, seen as f64 / 1000.0);
        assert!((rate(0) - 0.0002).abs() < 1e-8);
        assert!((rate(10) - 0.002).abs() < 1e-6);
        assert!((0..9).all(|seen| rate(seen) < rate(seen + 1)));
        assert!((10..1000).all(|seen| rate(seen) >= rate(seen + 1)));
        assert!((rate(1000) - 0.00002).abs() < 1e-8);
        assert_eq!(rate(1100), rate(1000));
    }
}
