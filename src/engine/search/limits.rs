//! The limits that a caller sets for a search: when it ends, and which moves it looks at.

use std::time::Duration;

use crate::rules::ROW;

/// When a search ends: at the first limit that it reaches. Without limits it ends when
/// it is stopped, or when the score is exact. Also which moves it may choose, and how many
/// lines it reports.
///
/// ```
/// use std::time::Duration;
///
/// use krou::engine::Limits;
///
/// let limits = Limits::default().with_depth(12).with_time(Duration::from_millis(500));
/// assert_eq!((limits.depth, limits.nodes), (Some(12), None));
/// let analysis = limits.with_lines(3).with_pits(&[0, 4, 5]);
/// assert!(analysis.allows(4) && !analysis.allows(1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// Depth of the search in plies.
    pub depth: Option<u8>,
    /// Nodes of all threads together.
    pub nodes: Option<u64>,
    /// Time from the start of the search.
    pub time: Option<Duration>,
    /// The time that the search should take: no iteration begins after two thirds of it. The
    /// last one may take longer, within `time`.
    pub target_time: Option<Duration>,
    /// Whether a proven win ends the search. Such a search is not selective: if it
    /// completes a depth without a proven win, there is none within that depth.
    pub until_win: bool,
    /// Number of lines to report, at least 1: see [`SearchReport::others`]. Each takes a
    /// search of its own.
    ///
    /// [`SearchReport::others`]: super::SearchReport::others
    pub lines: usize,
    /// The pits of the root to search, as bits.
    pits: u8,
}

impl Default for Limits {
    /// No limits, all moves, one line.
    fn default() -> Limits {
        Limits {
            depth: None,
            nodes: None,
            time: None,
            target_time: None,
            until_win: false,
            lines: 1,
            pits: u8::MAX,
        }
    }
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

    /// These limits with this time that the search should take.
    #[must_use]
    pub fn with_target_time(mut self, time: Duration) -> Limits {
        self.target_time = Some(time);
        self
    }

    /// These limits; a proven win ends the search as well.
    #[must_use]
    pub fn with_until_win(mut self) -> Limits {
        self.until_win = true;
        self
    }

    /// These limits with this number of lines; 0 counts as 1.
    #[must_use]
    pub fn with_lines(mut self, lines: usize) -> Limits {
        self.lines = lines.max(1);
        self
    }

    /// These limits for a search of some moves only, as pits 0 to 5. If none of them is
    /// legal, all legal moves are searched.
    #[must_use]
    pub fn with_pits(mut self, pits: &[u8]) -> Limits {
        let allowed = (0..ROW as u8).filter(|pit| pits.contains(pit));
        self.pits = allowed.map(|pit| 1 << pit).sum();
        self
    }

    /// Whether a pit, 0 to 5, is among those to search.
    pub fn allows(&self, pit: u8) -> bool {
        self.pits.checked_shr(u32::from(pit)).unwrap_or(0) & 1 == 1
    }

    /// Whether nodes or time are limited.
    pub(super) fn has_budget(&self) -> bool {
        self.nodes.is_some() || self.has_time()
    }

    /// Whether depth or nodes alone end the search, so that its result can be repeated.
    pub(super) fn are_independent_of_time(&self) -> bool {
        (self.depth.is_some() || self.nodes.is_some()) && !self.has_time()
    }

    fn has_time(&self) -> bool {
        self.time.is_some() || self.target_time.is_some()
    }
}
