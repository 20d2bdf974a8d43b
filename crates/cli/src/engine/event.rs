//! What input, output and searches tell the session.

use krou::engine::SearchReport;

use crate::lines::InputLine;

/// An event that the session handles.
pub enum Event {
    /// A line of input.
    Line(InputLine),
    /// The end of the input.
    EndOfInput,
    /// Nobody reads the output any more.
    EndOfOutput,
    /// A count for `go perft`.
    Count(String),
    /// The search has completed a depth.
    Depth(SearchReport),
    /// The search has ended; `None` if there is no legal move.
    Found(Option<SearchReport>),
    /// The level has chosen a pit; `None` if there is no legal move.
    Chosen(Option<u8>),
}
