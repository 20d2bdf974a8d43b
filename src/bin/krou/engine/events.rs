//! Events that the session handles: lines of input, and results of the search.

use krou::engine::Report;

use crate::lines::Line;

/// What has happened.
pub enum Event {
    /// A line of input.
    Line(Line),
    /// The end of the input.
    EndOfInput,
    /// The search has completed a depth.
    Depth(Report),
    /// The search has ended; `None` if there is no legal move.
    Found(Option<Report>),
}
