//! The limits that a caller sets for a search.

use std::time::Duration;

/// When a search ends: at the first limit that it reaches. Without limits it ends when
/// it is stopped, or when the score is exact.
///
/// ```
/// use std::time::Duration;
///
/// use krou::engine::Limits;
///
/// let limits = Limits::default().with_depth(12).with_time(Duration::from_millis(500));
/// assert_eq!((limits.depth, limits.nodes), (Some(12), None));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Limits {
    /// Depth of the search in plies.
    pub depth: Option<u8>,
    /// Nodes of all threads together.
    pub nodes: Option<u64>,
    /// Time from the start of the search.
    pub time: Option<Duration>,
}

impl Limits {
    /// These limits with this depth.
    #[must_use]
    pub fn with_depth(mut self, depth: u8) -> Limits {
        self.depth = Some(depth);
        self
    }

    /// These limits with this number of nodes.
    #[must_use]
    pub fn with_nodes(mut self, nodes: u64) -> Limits {
        self.nodes = Some(nodes);
        self
    }

    /// These limits with this time.
    #[must_use]
    pub fn with_time(mut self, time: Duration) -> Limits {
        self.time = Some(time);
        self
    }
}
