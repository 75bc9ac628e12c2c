//! An analyst that looks into the store first.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::database::{Store, StoreError};
use crate::analyst::{Analysis, Analyst, Error, Identity, Request};
use crate::output::warn;

/// Wraps another analyst, which is used only if the store has no answer. An error of the store is reported once, and the
/// work continues.
pub(crate) struct Cached {
    analyst: Box<dyn Analyst>,
    store: Arc<Store>,
    told: Arc<AtomicBool>,
}

impl Cached {
    /// Wraps all of these.
    pub(crate) fn all(analysts: Vec<Box<dyn Analyst>>, store: &Arc<Store>) -> Vec<Box<dyn Analyst>> {
        let told = Arc::new(AtomicBool::new(false));
        let cached = |analyst| {
            let (store, told) = (Arc::clone(store), Arc::clone(&told));
            Box::new(Self { analyst, store, told }) as Box<dyn Analyst>
        };
        analysts.into_iter().map(cached).collect()
    }

    fn tell(&self, error: &StoreError) {
        if !self.told.swap(true, Ordering::Relaxed) {
            warn(format_args!("rufous-study: analyses are not stored: {error}"));
        }
    }
}

impl Analyst for Cached {
    fn identity(&self) -> &Arc<Identity> {
        self.analyst.identity()
    }

    fn search(&mut self, request: &Request) -> Result<Analysis, Error> {
        match self.store.find(self.analyst.identity(), request) {
            Ok(Some(analysis)) => return Ok(analysis),
            Ok(None) => {}
            Err(error) => self.tell(&error),
        }
        let analysis = self.analyst.search(request)?;
        if let Err(error) = self.store.keep(request, &analysis) {
            self.tell(&error);
        }
        Ok(analysis)
    }
}
