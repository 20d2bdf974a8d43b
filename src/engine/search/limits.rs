//! When a search ends.

use std::time::Duration;

/// When a search ends: with the first limit that is reached. Without limits it goes
/// on until it is told to stop, or knows the exact score.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Plies looked ahead.
    pub depth: Option<u8>,
    /// Boards looked at, by all threads together.
    pub nodes: Option<u64>,
    /// Time from the call on.
    pub time: Option<Duration>,
}
