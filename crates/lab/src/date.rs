//! Dates in universal time.

use std::time::{SystemTime, UNIX_EPOCH};

/// Year, month and day of today.
pub(crate) fn today() -> (u64, u64, u64) {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    civil_date(seconds / 86_400)
}

/// Year, month and day of a day counted from 1 January 1970. Years begin in March here, so that the leap day is
/// their last one and months follow one rule.
fn civil_date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        for (days, date) in [(0, (1970, 1, 1)), (11_016, (2000, 2, 29)), (20_772, (2026, 11, 15))] {
            assert_eq!(civil_date(days), date);
        }
    }
}
