//! How long to think.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use chess::Position;

use crate::limits::Limits;
use crate::settings::Settings;

/// The nodes left in a game that is played by nodes in place of time (`nodestime`).
#[derive(Debug, Default)]
pub(crate) struct NodeClock {
    left: Mutex<Option<i64>>,
}
