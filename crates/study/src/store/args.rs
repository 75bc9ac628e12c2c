//! Command-line arguments for the store, and its default path.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::database::{Store, StoreError};
use crate::output::warn;

/// Where earlier analyses are kept.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Store")]
pub(crate) struct StoreArgs {
    /// Store of analyses to read and extend [default: a file in the user's data directory]
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Neither read nor write a store
    #[arg(long, conflicts_with = "store")]
    no_store: bool,
}

impl StoreArgs {
    /// Opens the store, if one is wanted. If the default one cannot be opened, a warning is printed and there is none.
    pub(crate) fn open(&self) -> Result<Option<Arc<Store>>, StoreError> {
        if self.no_store {
            return Ok(None);
        }
        if let Some(path) = &self.store {
            return Store::open(path).map(Arc::new).map(Some);
        }
        // Tests leave the user's own store alone.
        if cfg!(test) {
            return Ok(None);
        }
        let opened = default_path().map(|path| Store::open(&path));
        match opened {
            Some(Ok(store)) => return Ok(Some(Arc::new(store))),
            Some(Err(error)) => warn(format_args!("rufous-study: analyses are not stored: {error}")),
            None => warn("rufous-study: analyses are not stored: no home directory (see --store)"),
        }
        Ok(None)
    }
}

/// The default store.
pub(super) fn default_path() -> Option<PathBuf> {
    let variable = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = if cfg!(windows) {
        variable("LOCALAPPDATA")?
    } else if cfg!(target_os = "macos") {
        variable("HOME")?.join("Library/Application Support")
    } else {
        variable("XDG_DATA_HOME").or_else(|| Some(variable("HOME")?.join(".local/share")))?
    };
    Some(data.join(Path::new("rufous").join("analyses.sqlite")))
}
