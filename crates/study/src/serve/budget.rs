//! The memory that the engines of all pages share.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The total in megabytes and how much of it is in use.
#[derive(Debug)]
pub(super) struct Budget {
    total: usize,
    used: AtomicUsize,
}

/// A part of the budget, given back when it is dropped.
#[derive(Debug)]
pub(super) struct Reservation {
    budget: Arc<Budget>,
    mib: usize,
}

/// The budget is exceeded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Exceeded {
    wanted: usize,
    free: usize,
    total: usize,
}

impl std::fmt::Display for Exceeded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { wanted, free, total } = self;
        write!(
            f,
            "{wanted} MB wanted, {free} of the {total} MB for all pages are free; close a page, take less, \
             or start the server with a larger --memory"
        )
    }
}

impl Budget {
    pub(super) fn new(total: usize) -> Arc<Self> {
        Arc::new(Self { total, used: AtomicUsize::new(0) })
    }

    #[cfg(test)]
    fn used(&self) -> usize {
        self.used.load(Ordering::SeqCst)
    }

    /// Adds to what is in use, if that is still within the budget.
    fn take(&self, mib: usize) -> Result<(), Exceeded> {
        let fits = |used: usize| used.checked_add(mib).filter(|&sum| sum <= self.total);
        let taken = self.used.fetch_update(Ordering::SeqCst, Ordering::SeqCst, fits);
        let exceeded = |used| Exceeded { wanted: mib, free: self.total - used, total: self.total };
        taken.map(drop).map_err(exceeded)
    }

    /// Reserves so many megabytes.
    pub(super) fn reserve(self: &Arc<Self>, mib: usize) -> Result<Reservation, Exceeded> {
        self.take(mib)?;
        Ok(Reservation { budget: Arc::clone(self), mib })
    }
}

impl Reservation {
    /// Changes the size of the reservation; on failure it stays as it was.
    pub(super) fn resize(&mut self, mib: usize) -> Result<(), Exceeded> {
        if mib > self.mib {
            self.budget.take(mib - self.mib)?;
        } else {
            self.budget.used.fetch_sub(self.mib - mib, Ordering::SeqCst);
        }
        self.mib = mib;
        Ok(())
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.budget.used.fetch_sub(self.mib, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_reserved_comes_back() {
        let budget = Budget::new(100);
        let mut first = budget.reserve(40).unwrap();
        let second = budget.reserve(50).unwrap();
        let refused = budget.reserve(20).unwrap_err();
        assert!(refused.to_string().starts_with("20 MB wanted, 10 of the 100 MB"), "{refused}");
        assert!(first.resize(51).is_err());
        first.resize(50).unwrap();
        drop(second);
        assert_eq!(budget.used(), 50);
        first.resize(usize::MAX).unwrap_err();
        drop(first);
        assert_eq!(budget.used(), 0);
    }
}
