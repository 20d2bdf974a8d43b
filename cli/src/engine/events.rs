//! Events that the session handles: lines of input, and results of the search.

use krou::engine::SearchReport;

use crate::lines::Line;

/// What has happened.
pub enum Event {
    /// A line of input.
    Line(Line),
    /// The end of the input.
    EndOfInput,
    /// The search has completed a depth.
    Depth(SearchReport),
    /// The first table that could not be read since the engine was made, and why.
    TableError(String),
    /// The search has ended; `None` if there is no legal move.
    Found(Option<SearchReport>),
}
